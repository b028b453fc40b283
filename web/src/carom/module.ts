// The library's WebAssembly module: its functions, its memory, and the buffer through which numbers go in and come out.
//
// The module asks nothing of its host but what a C library might: those calls get harmless answers here.

/** The functions of web/wasm/*.cpp. */
export type Exports = Record<`carom_${string}`, (...args: number[]) => number> & {
  memory: WebAssembly.Memory;
  _initialize?: () => void;
};

/** The bytes of carom.wasm, its answer from a server, or what was compiled of it. */
export type WasmSource = BufferSource | WebAssembly.Module | Response | Promise<Response>;

export class CaromError extends Error {
  override name = 'CaromError';
}

export class Module {
  private view = new Float64Array(0);
  private address = 0;

  private constructor(
    readonly call: Exports,
    readonly compiled: WebAssembly.Module, // a worker can have it, and need not compile it again
  ) {}

  static async load(source: WasmSource): Promise<Module> {
    const given = await source;
    const bytes = given instanceof Response ? await given.arrayBuffer() : given;
    const module = bytes instanceof WebAssembly.Module ? bytes : await WebAssembly.compile(bytes);
    const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      const quiet = name === 'proc_exit' || name === 'abort' ? stop : () => 0;
      (imports[from] ??= {})[name] = quiet;
    }
    const { exports } = await WebAssembly.instantiate(module, imports);
    const call = exports as unknown as Exports;
    call._initialize?.();
    return new Module(call, module);
  }

  /** The buffer, with room for so many numbers. Valid until the next call of the library. */
  buffer(count = 0): Float64Array {
    if (count > this.view.length || this.address === 0) {
      this.address = this.call.carom_buffer!(Math.max(count, 1024));
      this.view = new Float64Array(0);
    }
    // The memory may have grown, and its old view is empty then.
    if (this.view.buffer !== this.call.memory.buffer) {
      this.view = new Float64Array(this.call.memory.buffer, this.address, Math.max(count, this.view.length, 1024));
    }
    return this.view;
  }

  /** Writes numbers into the buffer, one list after the other. */
  write(...lists: ArrayLike<number>[]): void {
    const room = this.buffer(lists.reduce((sum, list) => sum + list.length, 0));
    let at = 0;
    for (const list of lists) {
      room.set(list, at);
      at += list.length;
    }
  }

  doubles(address: number, count: number): Float64Array {
    return new Float64Array(this.call.memory.buffer, address, count);
  }
  floats(address: number, count: number): Float32Array {
    return new Float32Array(this.call.memory.buffer, address, count);
  }
  bytes(address: number, count: number): Uint8Array {
    return new Uint8Array(this.call.memory.buffer, address, count);
  }

  /** Gives the library a text, and says how many bytes it has. */
  putText(text: string): number {
    return this.putBytes(new TextEncoder().encode(text));
  }
  putBytes(bytes: Uint8Array): number {
    const address = this.call.carom_text!(bytes.length);
    new Uint8Array(this.call.memory.buffer, address, bytes.length).set(bytes);
    return bytes.length;
  }

  /** Gives the library a file: how many bytes its name has, and how many it has itself. */
  putFile(name: string, bytes: Uint8Array): [name: number, bytes: number] {
    const title = new TextEncoder().encode(name);
    const both = new Uint8Array(title.length + bytes.length);
    both.set(title);
    both.set(bytes, title.length);
    this.putBytes(both);
    return [title.length, bytes.length];
  }

  /** The text that ends with a zero there. */
  text(address: number): string {
    const all = new Uint8Array(this.call.memory.buffer);
    return new TextDecoder().decode(all.slice(address, all.indexOf(0, address)));
  }

  /** The result of a call; throws its sentence where that is -1. */
  checked(result: number): number {
    if (result < 0) throw new CaromError(this.text(this.call.carom_error!()));
    return result;
  }
}

function stop(): never {
  throw new CaromError('The library stopped: this should not happen, please report it.');
}
