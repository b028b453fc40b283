// A world of rigid bodies: the same as in C++, to the bit.
import { type Events, readEvents } from './events.ts';
import { type Coordinate, coordinates, type Joint, type JointInfo, type JointOptions, jointText, type Motor, type Range, readJoint } from './joint.ts';
import type { Module } from './module.ts';
import { list, type Reader } from './reader.ts';
import type { Pose, Shape, Vec3 } from './shape.ts';
import { identity } from './shape.ts';

export interface WorldOptions {
  gravity?: Vec3;
  sleep?: boolean; // whether bodies at rest may sleep
  persistEvents?: boolean; // whether events tell of contacts that go on
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
  sensor?: boolean; // tells who enters and leaves it, and stops nobody
  continuous?: boolean; // it passes through no other body that moves, however fast
  linearDamping?: number; // a second
  angularDamping?: number;
  gravityScale?: number; // 1
  category?: number; // bits, 32 of them: what it is; 1
  mask?: number; // which categories it has to do with; all
  group?: number; // not 0 and the same for both: positive, they have to do with each other; negative, not
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

/** Which bodies a question is about: by default all that stop others. */
export interface Among {
  fixed?: boolean;
  kinematic?: boolean;
  dynamic?: boolean;
  sensors?: boolean;
  except?: Body;
}
/** What a ray meets. */
export interface BodyRayHit {
  body: Body;
  shape: number; // which of the body's
  inside: boolean; // the ray begins there
  t: number; // in multiples of the direction
  point: Vec3;
  normal: Vec3; // out of the body; zero where inside
}
/** What a moving shape, A, meets of a body, B. */
export interface BodyShapeCast {
  body: Body;
  shape: number;
  initialOverlap: boolean;
  t: number; // in multiples of the translation: nothing touches before
  onA: Vec3;
  onB: Vec3;
  point: Vec3;
  normal: Vec3; // from A toward B
}
export interface BodyOverlap {
  body: Body;
  shape: number;
  point: Vec3; // of both
}
/** Where two bodies touch. */
export interface ContactPoint {
  a: Body;
  b: Body;
  point: Vec3;
  normal: Vec3; // from A toward B
  separation: number; // negative where they overlap
  impulse: number; // along the normal, of the last step
}

const rayHit = (r: Reader): BodyRayHit => ({ body: r.number(), shape: r.number(), inside: r.flag(), t: r.number(), point: r.vec3(), normal: r.vec3() });
const shapeCast = (r: Reader): BodyShapeCast => ({
  body: r.number(),
  shape: r.number(),
  initialOverlap: r.flag(),
  t: r.number(),
  onA: r.vec3(),
  onB: r.vec3(),
  point: r.vec3(),
  normal: r.vec3(),
});
/** As world_queries.cpp has it. */
const bits = ({ fixed = true, kinematic = true, dynamic = true, sensors = false }: Among) => Number(fixed) + 2 * Number(kinematic) + 4 * Number(dynamic) + 8 * Number(sensors);
/** Of a joint: -1 is its own coordinate, a hinge's angle for instance. */
const which = (of?: Coordinate) => (of ? coordinates.indexOf(of) : -1);

const kinds = ['fixed', 'kinematic', 'dynamic'];

export class World {
  protected bodies = 0;

  protected constructor(
    protected readonly module: Module,
    protected readonly handle: number,
  ) {}

  static make(module: Module, { gravity = [0, 0, -9.81], sleep = true, persistEvents = false }: WorldOptions = {}): World {
    module.write(gravity, [Number(sleep), Number(persistEvents)]);
    return new World(module, module.call.carom_world!());
  }

  get bodyCount(): number {
    return this.bodies;
  }

  /** Throws a CaromError, with a sentence, where the description is no body's. */
  add(shape: Shape, options: BodyOptions = {}): Body {
    const { pose = identity, kind = 'dynamic', velocity = [0, 0, 0], angularVelocity = [0, 0, 0] } = options;
    const { density = 1000, friction = 0.6, restitution = 0, rollingFriction = 0, canSleep = true } = options;
    const { sensor = false, continuous = false, linearDamping = 0, angularDamping = 0, gravityScale = 1, category = 1, mask = -1, group = 0 } = options;
    this.module.write(pose.position, pose.rotation, velocity, angularVelocity, [density, friction, restitution, rollingFriction, kinds.indexOf(kind), Number(canSleep)], [
      Number(sensor),
      Number(continuous),
      linearDamping,
      angularDamping,
      gravityScale,
      category,
      mask,
      group,
    ]);
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

  /** Throws a CaromError, with a sentence, where the description is no joint's. */
  addJoint(options: JointOptions): Joint {
    const bytes = this.module.putText(jointText(options));
    return this.module.checked(this.module.call.carom_world_add_joint!(this.handle, options.a ?? -1, options.b, bytes));
  }
  removeJoint(joint: Joint): void {
    this.module.checked(this.module.call.carom_world_remove_joint!(this.handle, joint));
  }
  joint(joint: Joint): JointInfo {
    return readJoint(this.module, this.module.call.carom_world_joint!(this.handle, joint));
  }
  /** Null: without one. `of`: which coordinate; left out, the joint's own. */
  setMotor(joint: Joint, motor: Motor | null, of?: Coordinate): void {
    const { speed = 0, maxForce } = motor ?? { maxForce: 0 };
    this.module.checked(this.module.call.carom_world_motor!(this.handle, joint, which(of), Number(motor !== null), speed, maxForce));
  }
  setLimits(joint: Joint, limits: Range | null, of?: Coordinate): void {
    const [lower, upper] = limits ?? [0, 0];
    this.module.checked(this.module.call.carom_world_limits!(this.handle, joint, which(of), Number(limits !== null), lower, upper));
  }
  /** Where the spring draws to; of a wheel, the angle of steering. */
  setTarget(joint: Joint, target: number, of?: Coordinate): void {
    this.module.checked(this.module.call.carom_world_target!(this.handle, joint, which(of), target));
  }

  /** Of the last step. */
  events(): Events {
    return readEvents(this.module, this.handle);
  }
  /** Where bodies touch, as they are now. */
  contacts(): ContactPoint[] {
    return list(this.module, this.module.call.carom_world_contacts!(this.handle), (r) => ({
      a: r.number(),
      b: r.number(),
      point: r.vec3(),
      normal: r.vec3(),
      separation: r.number(),
      impulse: r.number(),
    }));
  }

  private rays(origin: Vec3, direction: Vec3, maxT: number, among: Among, all: boolean): BodyRayHit[] {
    this.module.write(origin, direction);
    return list(this.module, this.module.call.carom_world_ray_cast!(this.handle, bits(among), among.except ?? -1, maxT, Number(all)), rayHit);
  }
  /** What the ray meets first. */
  rayCast(origin: Vec3, direction: Vec3, maxT = Infinity, among: Among = {}): BodyRayHit | null {
    return this.rays(origin, direction, maxT, among, false)[0] ?? null;
  }
  /** All that it meets, in that order. */
  rayCastAll(origin: Vec3, direction: Vec3, maxT = Infinity, among: Among = {}): BodyRayHit[] {
    return this.rays(origin, direction, maxT, among, true);
  }
  private casts(shape: Shape, pose: Pose, translation: Vec3, among: Among, all: boolean): BodyShapeCast[] {
    this.module.write(pose.position, pose.rotation, translation);
    return list(this.module, this.module.call.carom_world_shape_cast!(this.handle, shape.handle, bits(among), among.except ?? -1, Number(all)), shapeCast);
  }
  /** What the shape, moved by t * translation, meets first. */
  shapeCast(shape: Shape, pose: Pose, translation: Vec3, among: Among = {}): BodyShapeCast | null {
    return this.casts(shape, pose, translation, among, false)[0] ?? null;
  }
  shapeCastAll(shape: Shape, pose: Pose, translation: Vec3, among: Among = {}): BodyShapeCast[] {
    return this.casts(shape, pose, translation, among, true);
  }
  /** All that overlap the shape there; touching counts. */
  overlapping(shape: Shape, pose: Pose, among: Among = {}): BodyOverlap[] {
    this.module.write(pose.position, pose.rotation);
    const count = this.module.call.carom_world_overlapping!(this.handle, shape.handle, bits(among), among.except ?? -1);
    return list(this.module, count, (r) => ({ body: r.number(), shape: r.number(), point: r.vec3() }));
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
