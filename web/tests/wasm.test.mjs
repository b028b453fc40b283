// The library in WebAssembly, under Node: the golden hashes of the native tests, queries with known answers, a world that runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { at, Carom, CaromError, identity } from '../dist/carom.mjs';

/** @type {Carom} */
let carom;
before(async () => {
  carom = await Carom.load(readFileSync(new URL('../dist/carom.wasm', import.meta.url)));
});

/**
 * Runs a program of WebAssembly that needs nothing but its output, and gives that.
 * @param {URL} url
 */
async function output(url) {
  let text = '';
  const ended = new Error('the program ended');
  /** @type {WebAssembly.Memory} */
  let memory;
  /** @type {Record<string, (...args: number[]) => number>} */
  const system = {
    fd_write: (_file, list, count, written) => {
      const view = new DataView(memory.buffer);
      let sum = 0;
      for (let i = 0; i < count; ++i) {
        const [from, length] = [view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true)];
        text += Buffer.from(memory.buffer, from, length).toString();
        sum += length;
      }
      view.setUint32(written, sum, true);
      return 0;
    },
    proc_exit: () => {
      throw ended;
    },
  };
  const module = await WebAssembly.compile(readFileSync(url));
  /** @type {Record<string, Record<string, (...args: number[]) => number>>} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] ??= {})[name] = system[name] ?? (() => 0);
  const { exports } = await WebAssembly.instantiate(module, imports);
  memory = /** @type {WebAssembly.Memory} */ (exports['memory']);
  try {
    /** @type {() => void} */ (exports['_start'])();
  } catch (error) {
    if (error !== ended) throw error;
  }
  return text.trim();
}

test('the golden hash of the native tests', async () => {
  const golden = readFileSync(new URL('../../tests/hash/golden.txt', import.meta.url), 'utf8').trim();
  assert.equal(await output(new URL('../../build/wasm/carom_hash.wasm', import.meta.url)), golden);
});

test('distance, overlap and penetration of boxes', () => {
  const box = carom.shapes.box([0.5, 0.5, 0.5]);
  const apart = carom.queries.distance(box, identity, box, at(0, 3, 0));
  assert.equal(apart.status, 'ok');
  assert.equal(apart.value, 2);
  assert.ok(apart.lowerBound <= 2 && apart.lowerBound > 2 - 1e-12);
  assert.deepEqual(apart.normal, [0, 1, 0]);
  assert.equal(apart.onA[1], 0.5);
  assert.equal(apart.onB[1], 2.5);
  assert.equal(carom.queries.overlap(box, identity, box, at(0, 0, 1)).hit, true);
  assert.equal(carom.queries.overlap(box, identity, box, at(0, 0, 1.001)).hit, false);
  const deep = carom.queries.penetration(box, identity, box, at(0.75, 0.1, 0.2));
  assert.ok(Math.abs(deep.depth - 0.25) < 1e-15);
  assert.deepEqual(deep.normal, [1, 0, 0]);
  box.free();
});

test('ray and time of impact of balls', () => {
  const ball = carom.shapes.sphere(1);
  const hit = carom.queries.rayCast(ball, at(5, 0, 0), [0, 0, 0], [2, 0, 0]);
  assert.equal(hit.hit, true);
  assert.equal(hit.t, 2);
  assert.deepEqual(hit.normal, [-1, 0, 0]);
  assert.equal(carom.queries.rayCast(ball, at(5, 0, 0), [0, 0, 0], [2, 0, 0], 1.5).hit, false);
  const impact = carom.queries.timeOfImpact(ball, { start: identity, end: at(10, 0, 0) }, ball, { start: at(7, 0, 0), end: at(7, 0, 0) });
  assert.equal(impact.hit, true);
  assert.ok(Math.abs(impact.t - 0.5) < 1e-6 && impact.t <= 0.5);
  assert.ok(Math.abs(impact.poseA.position[0] - 5) < 1e-5);
  assert.equal(carom.queries.timeOfImpact(ball, { start: identity, end: at(0, 9, 0) }, ball, { start: at(7, 0, 0), end: at(7, 0, 0) }).hit, false);
  ball.free();
});

test('shapes can be made; bad numbers are an error with a sentence', () => {
  const { shapes, queries } = carom;
  const tetrahedron = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
  const all = [
    shapes.point([0, 0, 0]),
    shapes.segment([0, 0, 0], [1, 0, 0]),
    shapes.capsule([0, 0, 0], [0, 0, 1], 0.2),
    shapes.cylinder(1, 0.5),
    shapes.cone(1, 0.5),
    shapes.ellipsoid([1, 0.5, 0.25]),
    shapes.hull(tetrahedron),
    shapes.halfSpace([0, 0, 1], 0),
    shapes.mesh(tetrahedron, [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], true),
    shapes.box([1, 1, 1]).rounded(0.1),
  ];
  all.push(shapes.compound([{ shape: /** @type {import('../dist/carom.mjs').Shape} */ (all[2]) }, { shape: /** @type {import('../dist/carom.mjs').Shape} */ (all[3]), pose: at(3, 0, 0) }]));
  const ball = shapes.sphere(0.5);
  for (const shape of all) {
    const d = queries.distance(shape, identity, ball, at(0, 0, 9));
    assert.ok(d.value > 6 && d.value <= 8.5 && d.lowerBound <= d.value, String(d.value));
    shape.free();
  }
  assert.throws(() => shapes.sphere(-1), CaromError);
  assert.throws(() => shapes.box([1, NaN, 1]), CaromError);
  assert.throws(() => queries.distance(/** @type {import('../dist/carom.mjs').Shape} */ (all[0]), identity, ball, identity), /no such shape/);
  assert.equal(queries.distance(ball, identity, ball, at(NaN, 0, 0)).status, 'bad_input');
  ball.free();
});

test('a world: a box falls, rests and sleeps; removed bodies are gone', () => {
  const world = carom.world();
  const box = carom.shapes.box([0.5, 0.5, 0.5]);
  world.add(carom.shapes.box([10, 10, 1]), { kind: 'fixed', pose: at(0, 0, -1) });
  const brick = world.add(box, { pose: at(0, 0, 3) });
  world.step(1 / 60, 10);
  assert.ok(world.pose(brick).position[2] < 3 && world.pose(brick).position[2] > 2.7);
  world.step(1 / 60, 300);
  assert.ok(Math.abs(world.pose(brick).position[2] - 0.5) < 0.01);
  assert.equal(world.asleep()[brick], 1);
  world.addImpulse(brick, [0, 0, 5000], world.info(brick).center);
  assert.ok(Math.abs(world.info(brick).velocity[2] - 5) < 0.01);
  assert.equal(world.info(brick).mass, 1000);
  world.remove(brick);
  assert.throws(() => world.info(brick), /removed/);
  assert.ok(Number.isNaN(world.pose(brick).position[0]));
  world.free();
});

test('many bodies: the memory grows and the views follow', () => {
  const world = carom.world();
  const box = carom.shapes.box([0.5, 0.5, 0.5]);
  for (let i = 0; i < 20000; ++i) world.add(box, { pose: at(i * 2, 0, 1) });
  world.step(1 / 60, 2);
  assert.equal(world.poses().length, 7 * 20000);
  assert.ok((world.poses()[2] ?? 0) < 1);
  world.free();
});
