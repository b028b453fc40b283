// Carom in WebAssembly.
//
//   const carom = await Carom.load(fetch('carom.wasm'));
//   const box = carom.shapes.box([0.5, 0.5, 0.5]);
//   carom.queries.distance(box, identity, box, at(0, 3, 0)).value;   // 2, with its proof
//   const world = carom.world();
//   const brick = world.add(box, { pose: at(0, 0, 5) });
//   world.step(1 / 60);
import { Module, type WasmSource } from './module.ts';
import { Queries } from './queries.ts';
import { Shapes } from './shape.ts';
import { World, type WorldOptions } from './world.ts';

export { CaromError, type WasmSource } from './module.ts';
export * from './events.ts';
export * from './joint.ts';
export * from './mesh_file.ts';
export * from './queries.ts';
export type { Status } from './reader.ts';
export * from './scene.ts';
export * from './shape.ts';
export * from './world.ts';

export class Carom {
  readonly shapes: Shapes;
  readonly queries: Queries;

  private constructor(readonly module: Module) {
    this.shapes = new Shapes(module);
    this.queries = new Queries(module);
  }

  static async load(source: WasmSource): Promise<Carom> {
    return new Carom(await Module.load(source));
  }

  world(options?: WorldOptions): World {
    return World.make(this.module, options);
  }
}
