// Joints: what holds two bodies together. The fields are those of carom/dynamics/joint.h, which says what each one means.
import type { Module } from './module.ts';
import { answer } from './reader.ts';
import type { Pose, Vec3 } from './shape.ts';
import type { Body } from './world.ts';

/** What a coordinate may be: equal ends lock it there. */
export type Range = readonly [lower: number, upper: number];
/** By frequency (Hertz) and damping ratio, or by stiffness and damping. */
export interface Spring {
  frequency?: number;
  dampingRatio?: number;
  stiffness?: number;
  damping?: number;
}
export interface Motor {
  speed?: number;
  maxForce: number; // a torque, for turns
}
/** One of the six coordinates: locked, unless it says otherwise. */
export interface JointAxis {
  free?: boolean;
  limits?: Range;
  spring?: Spring;
  target?: number;
  motor?: Motor;
}
export const coordinates = ['x', 'y', 'z', 'turnX', 'turnY', 'turnZ'] as const;
export type Coordinate = (typeof coordinates)[number];

/** Hinges turn about the frame's x axis, sliders slide along it, wheels spin about it. */
export type JointKind =
  | { kind: 'ball'; cone?: number; twist?: Range; friction?: number; spring?: Spring }
  | { kind: 'hinge' | 'slider'; limits?: Range; motor?: Motor; spring?: Spring; target?: number }
  | { kind: 'fixed'; linear?: Spring; angular?: Spring }
  | { kind: 'distance'; range?: Range; spring?: Spring; restLength?: number; motor?: Motor }
  | { kind: 'wheel'; suspension?: Spring; rest?: number; travel?: Range; motor?: Motor; steer?: number }
  | ({ kind: 'six_dof' } & { [axis in Coordinate]?: JointAxis });

export interface JointPlace {
  a?: Body; // left out: the world itself
  b: Body;
  frame: Pose; // of the joint, in the world, as the bodies are now
  frameB?: Pose; // of B, where it is another
  local?: boolean; // the frames are in the bodies' own
  breakForce?: number;
  breakTorque?: number;
  collideConnected?: boolean; // whether the two touch each other
}
export type JointOptions = JointKind & JointPlace;

/** Its number in the order of adding. */
export type Joint = number;

export interface JointInfo {
  a: Body; // -1: the world itself
  b: Body;
  frameA: Pose; // in the world, now
  frameB: Pose;
  at: Record<Coordinate, number>; // where B's frame is in A's: a hinge's angle is turnX, a slider's way x
  length: number; // of the way between the frames' origins
  force: Vec3; // that B bears, as a mean over the last step
  torque: Vec3;
}

/** As a scene has it (docs/scenes.md): names like max_force. */
export function jointText({ a: _, b: __, frame, ...rest }: JointOptions): string {
  const snake = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.replace(/[A-Z]/g, (c) => '_' + c.toLowerCase()), snake(inner)]));
  };
  return JSON.stringify(snake({ b: 'b', position: frame.position, rotation: frame.rotation, ...rest }));
}

export function readJoint(module: Module, result: number): JointInfo {
  const r = answer(module, result);
  return {
    a: r.number(),
    b: r.number(),
    frameA: r.pose(),
    frameB: r.pose(),
    at: Object.fromEntries(coordinates.map((name) => [name, r.number()])) as Record<Coordinate, number>,
    length: r.number(),
    force: r.vec3(),
    torque: r.vec3(),
  };
}
