// A scene of scenes/*.json that runs: a world with names, colours and shapes to draw.
//
// Things are drawn shape by shape: a body of three shapes is three placed shapes here.
import type { Module } from './module.ts';
import type { Vec3 } from './shape.ts';
import { World } from './world.ts';

export class SceneWorld extends World {
  readonly timeStep: number;
  /** Which body a placed shape is of. */
  readonly bodyOf: Int32Array;

  private constructor(module: Module, handle: number) {
    super(module, handle);
    module.call.carom_scene_info!(handle);
    const [bodies, placed, timeStep, address] = module.buffer() as unknown as [number, number, number, number];
    this.bodies = bodies;
    this.timeStep = timeStep;
    this.bodyOf = new Int32Array(module.call.memory.buffer, address, placed).slice();
  }

  /** Reads a scene's text. Throws a CaromError that names the field which is wrong. */
  static open(module: Module, text: string): SceneWorld {
    return new SceneWorld(module, module.checked(module.call.carom_scene!(module.putText(text))));
  }

  get placedCount(): number {
    return this.bodyOf.length;
  }

  /** The scene as the data of a page of one frame (page_data.ts): what to draw. */
  page(): string {
    return this.module.text(this.module.call.carom_scene_page!(this.handle));
  }

  /** One time step of the scene. */
  next(): void {
    this.module.call.carom_scene_step!(this.handle);
  }

  /** Of all placed shapes, as page data has them: x y z qx qy qz qw. A copy. */
  placed(): Float32Array {
    return this.module.floats(this.module.call.carom_scene_placed!(this.handle), 7 * this.placedCount).slice();
  }
  /** Of all bodies: which hang together by contacts; -1: none. A copy. */
  islands(): Int32Array {
    return new Int32Array(this.module.call.memory.buffer, this.module.call.carom_world_islands!(this.handle), this.bodyCount).slice();
  }
  /** Points of contact, as page data has them: point, normal, impulse. A copy. */
  contacts(): Float32Array {
    const count = this.module.call.carom_world_contacts!(this.handle);
    return this.module.floats(this.module.buffer()[0]!, 7 * count).slice();
  }
  /** Boxes of the tree that finds pairs: two corners each. A copy. */
  boxes(): Float32Array {
    const count = this.module.call.carom_world_boxes!(this.handle);
    return this.module.floats(this.module.buffer()[0]!, 6 * count).slice();
  }

  /** A kinetic greeting: a ball that flies. It is none of the placed shapes. */
  shoot(radius: number, density: number, from: Vec3, velocity: Vec3): number {
    this.module.write([radius, density, ...from, ...velocity]);
    this.module.checked(this.module.call.carom_scene_shoot!(this.handle));
    return this.bodies++;
  }
}
