// The scenes of ./dev bench web, the same as in bench/world.cpp, and the three that run them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import RAPIER from '@dimforge/rapier3d-simd-compat';
import { at, Carom } from '../dist/carom.mjs';

/** @typedef {{ball?: boolean, half: [number, number, number], at: [number, number, number], velocity?: [number, number, number], density: number}} Item density 0: fixed */
/** @typedef {{name: string, steps: number, items: Item[]}} Scene */
/** @typedef {{time: number, hash: string, height: number}} Run time: nanoseconds of processor time a step; height: the mean one at the end */

/** @type {Item} */
const floor = { half: [100, 100, 1], at: [0, 0, -1], density: 0 };

/** @param {number} base @returns {Scene} */
export function pyramid(base) {
  const items = [floor];
  for (let row = 0; row < base; ++row)
    for (let i = 0; i < base - row; ++i) items.push({ half: [0.5, 0.5, 0.5], at: [(i - 0.5 * (base - row)) * 1.1, 0, 0.5 + row], density: 1000 });
  return { name: 'pyramid', steps: 300, items };
}

/** @returns {Scene} */
export function brickWall() {
  const items = [floor];
  for (let row = 0; row < 24; ++row)
    for (let i = 0; i < 30; ++i) items.push({ half: [0.4, 0.2, 0.2], at: [(i - 15) * 0.81 + (row % 2) * 0.4, 0, 0.2 + 0.4 * row], density: 1000 });
  items.push({ ball: true, half: [1, 0, 0], at: [0, -20, 4], velocity: [0, 60, 0], density: 8000 });
  return { name: 'brick wall', steps: 300, items };
}

/** Processor time: what else the machine does counts little then. @param {number} steps @param {() => void} step */
function timed(steps, step) {
  const start = process.cpuUsage();
  for (let i = 0; i < steps; ++i) step();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / steps;
}

const carom = await Carom.load(readFileSync(new URL('../dist/carom.wasm', import.meta.url)));
await RAPIER.init();
const folder = mkdtempSync(join(tmpdir(), 'carom-bench-'));

/** @param {Scene} scene @returns {Run} */
export function inWebAssembly({ items, steps }) {
  const world = carom.world({ sleep: false });
  const shapes = items.map((b) => (b.ball ? carom.shapes.sphere(b.half[0]) : carom.shapes.box(b.half)));
  items.forEach((b, i) => world.add(/** @type {import('../dist/carom.mjs').Shape} */ (shapes[i]), {
    pose: at(...b.at), velocity: b.velocity ?? [0, 0, 0], friction: 0.5, density: b.density || 1, kind: b.density ? 'dynamic' : 'fixed',
  }));
  const time = timed(steps, () => world.step(1 / 60));
  const poses = world.poses();
  let height = 0;
  for (let i = 0; i < items.length; ++i) height += (poses[7 * i + 2] ?? 0) / items.length;
  const hash = world.hash();
  world.free();
  for (const shape of shapes) shape.free();
  return { time, hash, height };
}

/** @param {Scene} scene @returns {Run} */
export function inRapier({ items, steps }) {
  const world = new RAPIER.World({ x: 0, y: 0, z: -9.81 });
  world.timestep = 1 / 60;
  const bodies = items.map((b) => {
    const [x, y, z] = b.at;
    const desc = (b.density ? RAPIER.RigidBodyDesc.dynamic() : RAPIER.RigidBodyDesc.fixed()).setTranslation(x, y, z).setCanSleep(false);
    if (b.velocity) desc.setLinvel(...b.velocity);
    const body = world.createRigidBody(desc);
    const shape = b.ball ? RAPIER.ColliderDesc.ball(b.half[0]) : RAPIER.ColliderDesc.cuboid(...b.half);
    world.createCollider(shape.setFriction(0.5).setDensity(b.density || 1), body);
    return body;
  });
  const time = timed(steps, () => world.step());
  const height = bodies.reduce((sum, b) => sum + b.translation().z / items.length, 0);
  world.free();
  return { time, hash: '', height };
}

/** @param {Scene} scene @returns {Run} */
export function inNative({ name, items, steps }) {
  const path = join(folder, name);
  const numbers = items.flatMap((b) => [b.ball ? 1 : 0, ...b.half, ...b.at, ...(b.velocity ?? [0, 0, 0]), b.density]);
  writeFileSync(path, new Uint8Array(new Float64Array(numbers).buffer));
  const program = new URL('../../build/release/web/bench/carom_web_native', import.meta.url).pathname;
  const [time, hash] = execFileSync(program, [path, String(steps)], { encoding: 'utf8' }).trim().split(' ');
  return { time: Number(time), hash: hash ?? '', height: NaN };
}
