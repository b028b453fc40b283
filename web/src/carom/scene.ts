// A scene of scenes/*.json that runs: a world with names, colours and shapes to draw.
//
// Things are drawn shape by shape: a body of three shapes is three placed shapes here.
import type { Module } from './module.ts';
import type { Vec3 } from './shape.ts';
import { World } from './world.ts';

/** What scenes.cpp tells about a scene. */
export interface SceneDescription {
  name: string;
  about: string;
  timeStep: number;
  shapes: number; // how many drawings there are
  bodyCount: number;
  bodies: { name: string; shape: number; colour: string; fixed: boolean; sensor: boolean }[]; // one for each placed shape
  camera?: { eye: [number, number, number]; target: [number, number, number] };
}

export interface Drawing {
  positions: Float32Array; // xyz of each vertex
  indices: Uint32Array; // three a triangle
  edges: Uint32Array; // two a line
}

export class SceneWorld extends World {
  readonly description: SceneDescription;
  /** Which body a placed shape is of. */
  readonly bodyOf: Int32Array;

  private constructor(module: Module, handle: number) {
    super(module, handle);
    this.description = JSON.parse(module.text(module.call.carom_scene_description!(handle))) as SceneDescription;
    this.bodies = this.description.bodyCount;
    this.bodyOf = new Int32Array(module.call.memory.buffer, module.call.carom_scene_body_of!(handle), this.description.bodies.length).slice();
  }

  /** Reads a scene's text; meshes that it has by name are among the files, under that name or the last part of it. Throws a CaromError that names the field which is wrong. */
  static open(module: Module, text: string, files: ReadonlyMap<string, Uint8Array> = new Map()): SceneWorld {
    for (const [name, bytes] of files) module.call.carom_scene_file!(...module.putFile(name, bytes));
    return new SceneWorld(module, module.checked(module.call.carom_scene!(module.putText(text))));
  }

  /** Reads a recording: its scene runs again, to the same bits. */
  static openRecording(module: Module, bytes: Uint8Array): SceneWorld {
    return new SceneWorld(module, module.checked(module.call.carom_recording!(module.putBytes(bytes))));
  }

  /** How many steps were recorded; null where the scene is of no recording. */
  get recordedSteps(): number | null {
    const steps = this.module.call.carom_recording_steps!(this.handle);
    return steps < 0 ? null : steps;
  }
  /** What was recorded after a step, without running anything: poses as placed() has them, and of each body whether it slept. Copies. */
  recorded(step: number): { poses: Float32Array; asleep: Uint8Array } {
    const poses = this.module.floats(this.module.call.carom_recording_frame!(this.handle, step), 7 * this.placedCount).slice();
    return { poses, asleep: this.module.bytes(this.module.buffer()[0]!, this.description.bodyCount).slice() };
  }

  /** The first step of a recording that came out differently so far; null where none did. */
  difference(): number | null {
    const step = this.module.call.carom_scene_difference!(this.handle);
    return step < 0 ? null : step;
  }

  get placedCount(): number {
    return this.bodyOf.length;
  }

  /** What the shape of this number looks like. */
  drawing(shape: number): Drawing {
    this.module.checked(this.module.call.carom_scene_drawing!(this.handle, shape));
    const [positions, p, triangles, t, edges, e] = this.module.buffer() as unknown as [number, number, number, number, number, number];
    const whole = (address: number, count: number) => new Uint32Array(this.module.call.memory.buffer, address, count).slice();
    return { positions: this.module.floats(positions, p).slice(), indices: whole(triangles, t), edges: whole(edges, e) };
  }

  /** One time step of the scene. */
  next(): void {
    this.module.call.carom_scene_step!(this.handle);
  }

  /** Of all placed shapes, as page data has them: x y z qx qy qz qw. A copy. */
  placed(): Float32Array {
    return this.module.floats(this.module.call.carom_scene_placed!(this.handle), 7 * this.placedCount).slice();
  }
  /** Of all bodies: which hang together by contacts and joints; -1: none. A copy. */
  islands(): Int32Array {
    return new Int32Array(this.module.call.memory.buffer, this.module.call.carom_scene_islands!(this.handle), this.bodyCount).slice();
  }
  /** Points of contact, as page data has them: point, normal, impulse. A copy. */
  contactFloats(): Float32Array {
    const count = this.module.call.carom_scene_contacts!(this.handle);
    return this.module.floats(this.module.buffer()[0]!, 7 * count).slice();
  }
  /** Boxes of the trees that find pairs: two corners, and the level (0: around one shape). A copy. */
  trees(): Float32Array {
    const count = this.module.call.carom_scene_trees!(this.handle);
    return this.module.floats(this.module.buffer()[0]!, 7 * count).slice();
  }

  /** A kinetic greeting: a ball that flies. It is none of the placed shapes. */
  shoot(radius: number, density: number, from: Vec3, velocity: Vec3): number {
    this.module.write([radius, density, ...from, ...velocity]);
    this.module.checked(this.module.call.carom_scene_shoot!(this.handle));
    return this.bodies++;
  }
}
