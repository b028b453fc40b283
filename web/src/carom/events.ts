// What happened in a step (carom/dynamics/events.h).
import type { Joint } from './joint.ts';
import type { Module } from './module.ts';
import { list } from './reader.ts';
import type { Vec3 } from './shape.ts';
import type { Body } from './world.ts';

const kinds = ['begin', 'persist', 'end'] as const;

export interface ContactEvent {
  kind: (typeof kinds)[number]; // 'persist' only where the world was asked for it
  a: Body;
  b: Body;
  shapeA: number; // which of the body's shapes
  shapeB: number;
  normal: Vec3; // from A toward B
  point: Vec3;
  impulse: number; // in this step, along the normals
  approachSpeed: number; // of a begin
}
export interface SensorEvent {
  kind: 'begin' | 'end';
  sensor: Body;
  visitor: Body;
  sensorShape: number;
  visitorShape: number;
}
export interface SleepEvent {
  body: Body;
  awake: boolean; // it woke
}
/** A joint bore more than it can, and is no more. */
export interface BreakEvent {
  joint: Joint;
  a: Body; // -1: the world itself
  b: Body;
  force: number;
  torque: number;
}
export interface Events {
  contacts: ContactEvent[];
  sensors: SensorEvent[];
  sleeps: SleepEvent[];
  breaks: BreakEvent[];
  frozen: Body[]; // driven beyond all bounds: they stand still until they are given a pose or velocity
}

export function readEvents(module: Module, world: number): Events {
  const { call } = module;
  return {
    contacts: list(module, call.carom_world_contact_events!(world), (r) => ({
      kind: kinds[r.number()]!,
      a: r.number(),
      b: r.number(),
      shapeA: r.number(),
      shapeB: r.number(),
      normal: r.vec3(),
      point: r.vec3(),
      impulse: r.number(),
      approachSpeed: r.number(),
    })),
    sensors: list(module, call.carom_world_sensor_events!(world), (r) => ({
      kind: r.number() === 0 ? 'begin' : 'end',
      sensor: r.number(),
      visitor: r.number(),
      sensorShape: r.number(),
      visitorShape: r.number(),
    })),
    sleeps: list(module, call.carom_world_sleep_events!(world), (r) => ({ body: r.number(), awake: r.flag() })),
    breaks: list(module, call.carom_world_break_events!(world), (r) => ({ joint: r.number(), a: r.number(), b: r.number(), force: r.number(), torque: r.number() })),
    frozen: list(module, call.carom_world_frozen!(world), (r) => r.number()),
  };
}
