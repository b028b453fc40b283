// A world of rigid bodies: the same as in C++, to the bit.
import type { Module } from './module.ts';
import type { Pose, Shape, Vec3 } from './shape.ts';
import { identity } from './shape.ts';

export interface WorldOptions {
  gravity?: Vec3;
  sleep?: boolean; // whether bodies at rest may sleep
}

export interface BodyOptions {
  pose?: Pose;
  kind?: 'fixed' | 'kinematic' | 'dynamic';
  velocity?: Vec3;
  angularVelocity?: Vec3;
  density?: number; // 1000
  friction?: number; // 0.6
  restitution?: number; // 0
  rollingFriction?: number; // a length; 0
  canSleep?: boolean;
}
/** Its number in the order of adding. */
export type Body = number;

export interface BodyInfo {
  velocity: Vec3;
  angularVelocity: Vec3;
  center: Vec3; // of mass, in the world
  mass: number;
  awake: boolean;
}

const kinds = ['fixed', 'kinematic', 'dynamic'];

export class World {
  protected bodies = 0;

  protected constructor(
    protected readonly module: Module,
    protected readonly handle: number,
  ) {}

  static make(module: Module, { gravity = [0, 0, -9.81], sleep = true }: WorldOptions = {}): World {
    module.write(gravity, [Number(sleep)]);
    return new World(module, module.call.carom_world!());
  }

  get bodyCount(): number {
    return this.bodies;
  }

  /** Throws a CaromError, with a sentence, where the description is no body's. */
  add(shape: Shape, options: BodyOptions = {}): Body {
    const { pose = identity, kind = 'dynamic', velocity = [0, 0, 0], angularVelocity = [0, 0, 0] } = options;
    const { density = 1000, friction = 0.6, restitution = 0, rollingFriction = 0, canSleep = true } = options;
    this.module.write(pose.position, pose.rotation, velocity, angularVelocity, [density, friction, restitution, rollingFriction, kinds.indexOf(kind), Number(canSleep)]);
    this.module.checked(this.module.call.carom_world_add!(this.handle, shape.handle));
    return this.bodies++;
  }
  remove(body: Body): void {
    this.module.checked(this.module.call.carom_world_remove!(this.handle, body));
  }

  /** Goes on by so many seconds, so many times. */
  step(seconds: number, times = 1): void {
    this.module.call.carom_world_step!(this.handle, seconds, times);
  }

  /** All bodies' poses, seven numbers each (x y z qx qy qz qw); NaN for those removed. A view, valid until the next call. */
  poses(): Float64Array {
    return this.module.doubles(this.module.call.carom_world_poses!(this.handle), 7 * this.bodies);
  }
  /** A byte a body: 1 where it sleeps. A view, as above. */
  asleep(): Uint8Array {
    return this.module.bytes(this.module.call.carom_world_asleep!(this.handle), this.bodies);
  }
  pose(body: Body): Pose {
    const [x, y, z, qx, qy, qz, qw] = this.poses().subarray(7 * body, 7 * body + 7) as unknown as [number, number, number, number, number, number, number];
    return { position: [x, y, z], rotation: [qx, qy, qz, qw] };
  }
  info(body: Body): BodyInfo {
    this.module.checked(this.module.call.carom_world_body!(this.handle, body));
    const b = this.module.buffer();
    const vec3 = (i: number): Vec3 => [b[i]!, b[i + 1]!, b[i + 2]!];
    return { velocity: vec3(0), angularVelocity: vec3(3), center: vec3(6), mass: b[9]!, awake: b[10] !== 0 };
  }

  setPose(body: Body, pose: Pose): void {
    this.module.write(pose.position, pose.rotation);
    this.module.checked(this.module.call.carom_world_set_pose!(this.handle, body));
  }
  setVelocity(body: Body, velocity: Vec3, angularVelocity: Vec3): void {
    this.module.write(velocity, angularVelocity);
    this.module.checked(this.module.call.carom_world_set_velocity!(this.handle, body));
  }
  /** Acts during the next step, at a point of the world. */
  addForce(body: Body, force: Vec3, point: Vec3): void {
    this.module.write(force, point);
    this.module.checked(this.module.call.carom_world_force!(this.handle, body));
  }
  /** Acts at once. */
  addImpulse(body: Body, impulse: Vec3, point: Vec3): void {
    this.module.write(impulse, point);
    this.module.checked(this.module.call.carom_world_impulse!(this.handle, body));
  }

  /** The same for worlds that are the same to the bit, in C++ too. */
  hash(): string {
    const half = (i: number) => (this.module.call.carom_world_hash!(this.handle, i) >>> 0).toString(16).padStart(8, '0');
    return half(1) + half(0);
  }
  free(): void {
    this.module.call.carom_world_free!(this.handle);
  }
}
