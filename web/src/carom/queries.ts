// Questions about two placed shapes. Every answer carries its proof: see carom/query/answer.h.
import type { Module } from './module.ts';
import { answer, list, type Reader, type Status, statuses } from './reader.ts';
import type { Pose, Shape, Vec3 } from './shape.ts';

export interface Overlap {
  status: Status;
  hit: boolean; // touching counts
  point: Vec3; // of both, where they overlap
  axis: Vec3; // along which they are apart, else; zero where one is not convex
}
export interface Distance {
  status: Status;
  value: number; // of the points: an upper bound
  lowerBound: number; // proved by the slab at right angles to the normal
  onA: Vec3;
  onB: Vec3;
  normal: Vec3; // from A toward B
}
export interface Penetration {
  status: Status;
  depth: number; // of the least translation that separates them; 0 where they are apart
  lowerBound: number;
  upperBound: number;
  onA: Vec3;
  onB: Vec3;
  normal: Vec3; // which way B has to move
}
export interface RayHit {
  status: Status;
  hit: boolean;
  inside: boolean; // the ray begins in the shape
  t: number; // in multiples of the direction
  point: Vec3;
  normal: Vec3;
}
export interface ShapeCast {
  status: Status;
  hit: boolean;
  initialOverlap: boolean; // they touch at the start: a hit at 0, whichever way A moves
  t: number; // from 0 to 1, in multiples of the translation: nothing touches before; 1 where they do not meet
  onA: Vec3; // of A as it is at t
  onB: Vec3;
  point: Vec3; // of both
  normal: Vec3; // from A toward B; of a miss, the direction that separates them all the time
}
export interface SurfacePoint {
  status: Status;
  value: number; // signed distance of the point: negative inside
  lowerBound: number;
  upperBound: number;
  point: Vec3; // of the surface, the nearest
  normal: Vec3; // out of the shape
}
export interface Contact {
  onA: Vec3;
  onB: Vec3;
  separation: number; // from onA to onB along the normal: negative where they overlap
  id: bigint; // of the features that meet: the same while they do
}
/** Where they touch with one normal. */
export interface ContactPatch {
  normal: Vec3; // from A toward B
  points: Contact[]; // up to four, the deepest first
}
export interface Contacts {
  status: Status;
  patches: ContactPatch[]; // the deepest first; none where they are farther apart than the margin
}
/** How far one shape reaches beyond another: the distance of its farthest point from there. */
export interface OneSidedHausdorff {
  status: Status; // 'wide': the points were spent first; the bounds hold
  value: number; // of the points; infinite where a half-space reaches beyond: then they say nothing
  lowerBound: number; // the true one is between these
  upperBound: number;
  onA: Vec3;
  onB: Vec3;
}
/** How different two shapes are as sets: the greater of both sides. */
export interface Hausdorff extends OneSidedHausdorff {
  aFromB: OneSidedHausdorff;
  bFromA: OneSidedHausdorff;
}
export interface HausdorffOptions {
  absoluteError?: number; // upperBound - lowerBound is at most the greater of this, 0 where left out,
  relativeError?: number; // and so much of the value: 0.01 where left out
  maxPoints?: number; // of each shape, that may be asked for their distance
}
export interface TimeOfImpact {
  status: Status;
  hit: boolean;
  initialOverlap: boolean;
  t: number; // from 0 to 1: nothing touches before
  distance: number; // of the points, at t
  onA: Vec3;
  onB: Vec3;
  normal: Vec3;
  poseA: Pose; // at t
  poseB: Pose;
}
/** From one pose to another: straight, and turning the shorter way. */
export interface Motion {
  start: Pose;
  end: Pose;
}

/** Whether carom/verify, which knows nothing of how an answer was found, confirms its proof. */
export interface Check {
  holds: boolean;
  found: boolean; // whether there was a proof to check: no proof says nothing against the answer
  why: string; // where it does not hold
}

export class Queries {
  constructor(private readonly module: Module) {}

  private poses(...poses: Pose[]): void {
    const room = this.module.buffer();
    poses.forEach((pose, i) => {
      room.set(pose.position, i * 7);
      room.set(pose.rotation, i * 7 + 3);
    });
  }
  private answer(result: number): Reader {
    return answer(this.module, result);
  }

  overlap(a: Shape, poseA: Pose, b: Shape, poseB: Pose): Overlap {
    this.poses(poseA, poseB);
    const r = this.answer(this.module.call.carom_overlap!(a.handle, b.handle));
    return { status: r.status(), hit: r.flag(), point: r.vec3(), axis: r.vec3() };
  }
  distance(a: Shape, poseA: Pose, b: Shape, poseB: Pose): Distance {
    this.poses(poseA, poseB);
    const r = this.answer(this.module.call.carom_distance!(a.handle, b.handle));
    return { status: r.status(), value: r.number(), lowerBound: r.number(), onA: r.vec3(), onB: r.vec3(), normal: r.vec3() };
  }
  penetration(a: Shape, poseA: Pose, b: Shape, poseB: Pose): Penetration {
    this.poses(poseA, poseB);
    const r = this.answer(this.module.call.carom_penetration!(a.handle, b.handle));
    return { status: r.status(), depth: r.number(), lowerBound: r.number(), upperBound: r.number(), onA: r.vec3(), onB: r.vec3(), normal: r.vec3() };
  }
  rayCast(shape: Shape, pose: Pose, origin: Vec3, direction: Vec3, maxT = Infinity): RayHit {
    this.poses(pose);
    const room = this.module.buffer();
    room.set(origin, 7);
    room.set(direction, 10);
    const r = this.answer(this.module.call.carom_ray_cast!(shape.handle, maxT));
    return { status: r.status(), hit: r.flag(), inside: r.flag(), t: r.number(), point: r.vec3(), normal: r.vec3() };
  }
  /** A moves by t * translation, B rests. Contacts after maxT do not count. */
  shapeCast(a: Shape, poseA: Pose, translation: Vec3, b: Shape, poseB: Pose, maxT = 1): ShapeCast {
    this.poses(poseA, poseB);
    this.module.buffer().set(translation, 14);
    const r = this.answer(this.module.call.carom_shape_cast!(a.handle, b.handle, maxT));
    return { status: r.status(), hit: r.flag(), initialOverlap: r.flag(), t: r.number(), onA: r.vec3(), onB: r.vec3(), point: r.vec3(), normal: r.vec3() };
  }
  closestPoint(point: Vec3, shape: Shape, pose: Pose): SurfacePoint {
    this.poses(pose);
    this.module.buffer().set(point, 7);
    const r = this.answer(this.module.call.carom_closest_point!(shape.handle));
    return { status: r.status(), value: r.number(), lowerBound: r.number(), upperBound: r.number(), point: r.vec3(), normal: r.vec3() };
  }
  hausdorff(a: Shape, poseA: Pose, b: Shape, poseB: Pose, { absoluteError = 0, relativeError = 0.01, maxPoints = 300000 }: HausdorffOptions = {}): Hausdorff {
    this.poses(poseA, poseB);
    const r = this.answer(this.module.call.carom_hausdorff!(a.handle, b.handle, absoluteError, relativeError, maxPoints));
    const status = r.status();
    const bounds = () => ({ value: r.number(), lowerBound: r.number(), upperBound: r.number(), onA: r.vec3(), onB: r.vec3() });
    const [aFromB, bFromA] = [{ status: r.status(), ...bounds() }, { status: r.status(), ...bounds() }];
    return { status, aFromB, bFromA, ...bounds() };
  }
  /** Where two shapes touch, or are at most `margin` apart. Convex ones touch in one patch. */
  contacts(a: Shape, poseA: Pose, b: Shape, poseB: Pose, margin = 0): Contacts {
    this.poses(poseA, poseB);
    const count = this.module.call.carom_contacts!(a.handle, b.handle, margin);
    const patches = list(this.module, count, (r) => {
      const normal = r.vec3();
      const points = Array.from({ length: r.number() }, () => ({ onA: r.vec3(), onB: r.vec3(), separation: r.number(), id: r.bits() }));
      return { normal, points };
    });
    return { status: statuses[this.module.buffer()[1]!] ?? 'bad_input', patches };
  }
  timeOfImpact(a: Shape, motionA: Motion, b: Shape, motionB: Motion): TimeOfImpact {
    this.poses(motionA.start, motionA.end, motionB.start, motionB.end);
    const r = this.answer(this.module.call.carom_time_of_impact!(a.handle, b.handle));
    return {
      status: r.status(),
      hit: r.flag(),
      initialOverlap: r.flag(),
      t: r.number(),
      distance: r.number(),
      onA: r.vec3(),
      onB: r.vec3(),
      normal: r.vec3(),
      poseA: r.pose(),
      poseB: r.pose(),
    };
  }

  private verdict(result: number): Check {
    const holds = this.module.checked(result) === 1;
    return { holds, found: result !== 2, why: holds ? '' : this.module.text(this.module.call.carom_error!()) };
  }
  checkDistance(a: Shape, poseA: Pose, b: Shape, poseB: Pose): Check {
    this.poses(poseA, poseB);
    return this.verdict(this.module.call.carom_check_distance!(a.handle, b.handle));
  }
  checkPenetration(a: Shape, poseA: Pose, b: Shape, poseB: Pose): Check {
    this.poses(poseA, poseB);
    return this.verdict(this.module.call.carom_check_penetration!(a.handle, b.handle));
  }
  checkImpact(a: Shape, motionA: Motion, b: Shape, motionB: Motion): Check {
    this.poses(motionA.start, motionA.end, motionB.start, motionB.end);
    return this.verdict(this.module.call.carom_check_impact!(a.handle, b.handle));
  }
}
