// Reads what the library wrote, number by number.
import type { Module } from './module.ts';
import type { Pose, Vec3 } from './shape.ts';

/** 'wide': the bounds hold, but are farther apart than promised. 'bad_input': a pose is out of range, and the rest says nothing. */
export type Status = 'ok' | 'stopped' | 'wide' | 'bad_input';
export const statuses: readonly Status[] = ['ok', 'stopped', 'wide', 'bad_input'];

export class Reader {
  private next = 0;
  constructor(private readonly from: Float64Array) {}

  number(): number {
    return this.from[this.next++]!;
  }
  flag(): boolean {
    return this.number() !== 0;
  }
  status(): Status {
    return statuses[this.number()] ?? 'bad_input';
  }
  /** 64 bits, which come in two halves. */
  bits(): bigint {
    const lower = BigInt(this.number());
    return lower | (BigInt(this.number()) << 32n);
  }
  vec3(): Vec3 {
    return [this.number(), this.number(), this.number()];
  }
  pose(): Pose {
    return { position: this.vec3(), rotation: [this.number(), this.number(), this.number(), this.number()] };
  }
}

/** What a call of the library left in the buffer. Throws its sentence where it failed. */
export function answer(module: Module, result: number): Reader {
  module.checked(result);
  return new Reader(module.buffer());
}

/** A list that a call of the library made, which gave the count. Throws its sentence where it failed. */
export function list<T>(module: Module, count: number, read: (r: Reader) => T): T[] {
  module.checked(count);
  const all = new Float64Array(module.call.memory.buffer, module.buffer()[0]!);
  const reader = new Reader(all);
  return Array.from({ length: count }, () => read(reader));
}
