// Joints, events and questions to a world in WebAssembly.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, Carom, CaromError, identity } from '../dist/carom.mjs';

const carom = await Carom.load(readFileSync(new URL('../dist/carom.wasm', import.meta.url)));
const box = carom.shapes.box([0.5, 0.5, 0.5]);
const slab = carom.shapes.box([20, 20, 0.5]);
const ball = carom.shapes.sphere(0.5);

/** @param {number} a @param {number} b @param {number} [error] */
const near = (a, b, error = 1e-9) => assert.ok(Math.abs(a - b) <= error, `${a} is not ${b}`);
/** Gravity off: joints alone move things. */
const afloat = () => carom.world({ gravity: [0, 0, 0], sleep: false });

test('a hinge turns as its motor says, up to its limit', () => {
  const world = afloat();
  const post = world.add(box, { kind: 'fixed' });
  const leaf = world.add(box, { pose: at(0, 1, 0) });
  const hinge = world.addJoint({ kind: 'hinge', a: post, b: leaf, frame: identity, limits: [-1, 0.5], motor: { speed: 1, maxForce: 1e5 } });
  world.step(1 / 60, 15);
  near(world.joint(hinge).at.turnX, 0.25, 0.01);
  world.step(1 / 60, 45);
  near(world.joint(hinge).at.turnX, 0.5, 0.01);
  assert.deepEqual([world.joint(hinge).a, world.joint(hinge).b], [post, leaf]);
  near(Math.hypot(...world.pose(leaf).position), 1, 1e-3);
  world.setMotor(hinge, { speed: -2, maxForce: 1e5 });
  world.setLimits(hinge, [-0.25, 0.5]);
  world.step(1 / 60, 60);
  near(world.joint(hinge).at.turnX, -0.25, 0.01);
  world.setMotor(hinge, null);
  world.removeJoint(hinge);
  assert.throws(() => world.joint(hinge), /removed/);
  world.free();
});

test('a rope from the world itself bears the weight; a weak one breaks, and an event tells', () => {
  const world = carom.world();
  const load = world.add(ball, { pose: at(0, 0, -2) });
  const rope = world.addJoint({ kind: 'distance', b: load, frame: identity, frameB: at(0, 0, -2), range: [0, 2] });
  world.step(1 / 60, 120);
  const { mass } = world.info(load);
  const { a, length, force } = world.joint(rope);
  assert.equal(a, -1);
  near(length, 2, 0.01);
  near(force[2], 9.81 * mass, 0.02 * 9.81 * mass);
  const weak = world.addJoint({ kind: 'fixed', b: load, frame: at(0, 0, -2), breakForce: 1 });
  world.removeJoint(rope);
  world.step(1 / 60);
  const [broken] = world.events().breaks;
  assert.deepEqual([broken?.joint, broken?.a, broken?.b], [weak, -1, load]);
  assert.ok((broken?.force ?? 0) > 1);
  world.free();
});

test('every kind of joint can be made; bad ones are an error with a sentence', () => {
  const world = afloat();
  const a = world.add(box);
  const b = world.add(box, { pose: at(2, 0, 0) });
  const between = { a, b, frame: at(1, 0, 0) };
  const wheel = world.addJoint({ ...between, kind: 'wheel', suspension: { frequency: 3, dampingRatio: 0.5 }, travel: [-0.1, 0.1], motor: { speed: 1, maxForce: 10 } });
  world.setTarget(wheel, 0.2);
  world.removeJoint(wheel);
  world.addJoint({ ...between, kind: 'ball', cone: 1, twist: [-0.1, 0.1], friction: 2 });
  world.addJoint({ ...between, kind: 'slider', limits: [-1, 1], spring: { stiffness: 10, damping: 1 }, target: 0.5 });
  const free = world.addJoint({ ...between, kind: 'six_dof', x: { limits: [-1, 1] }, turnX: { free: true } });
  world.setMotor(free, { speed: 1, maxForce: 5 }, 'x');
  assert.throws(() => world.setMotor(free, { speed: NaN, maxForce: 5 }, 'x'), /not finite/);
  assert.throws(() => world.addJoint({ ...between, kind: 'hinge', limits: [1, 0] }), /limits: the first number is more than the second/);
  assert.throws(() => world.addJoint({ kind: 'ball', b: 99, frame: identity }), /no such body/);
  assert.throws(() => world.addJoint({ kind: 'ball', a, b: a, frame: identity }), CaromError);
  // @ts-expect-error: a field that joints do not have
  assert.throws(() => world.addJoint({ ...between, kind: 'ball', colour: 'red' }), /colour/);
  world.step(1 / 60, 10);
  world.free();
});

test('events: a fall begins a contact, ends in sleep, and a removal ends it', () => {
  const world = carom.world();
  const floor = world.add(slab, { kind: 'fixed', pose: at(0, 0, -0.5) });
  const gate = world.add(box, { kind: 'fixed', pose: at(0, 0, 1.5), sensor: true });
  const brick = world.add(box, { pose: at(0, 0, 3.5) });
  /** @type {string[]} */
  const told = [];
  for (let i = 0; i < 300; ++i) {
    world.step(1 / 60);
    const { contacts, sensors, sleeps, frozen } = world.events();
    for (const { kind, sensor, visitor } of sensors) told.push(`${kind} ${sensor} ${visitor}`);
    for (const { kind, a, b, normal, point, approachSpeed } of contacts) {
      told.push(`contact ${kind}`);
      assert.deepEqual([a, b].sort(), [floor, brick]);
      near(Math.abs(normal[2]), 1);
      near(point[2], 0, 0.1);
      if (kind === 'begin' && told.filter((t) => t === 'contact begin').length === 1) assert.ok(approachSpeed > 7.5, String(approachSpeed)); // sqrt(2 g h) = 7.67
    }
    for (const { body, awake } of sleeps) told.push(`${awake ? 'wakes' : 'sleeps'} ${body}`);
    assert.deepEqual(frozen, []);
  }
  assert.equal(told[0], `begin ${gate} ${brick}`);
  assert.ok(told.includes('contact begin'));
  assert.equal(told.at(-1), `sleeps ${brick}`);

  const touching = world.contacts();
  assert.equal(touching.length, 4);
  let impulse = 0;
  for (const c of touching) {
    assert.deepEqual([c.a, c.b].sort(), [floor, brick]);
    near(c.separation, 0, 0.005);
    impulse += c.impulse;
  }
  near(impulse, (1000 * 9.81) / 60, 2);

  world.remove(brick);
  world.step(1 / 60);
  const ends = world.events().contacts;
  assert.deepEqual(ends.map(({ kind, a, b }) => [kind, ...[a, b].sort()]), [['end', floor, brick]]);
  world.free();
});

test('rays and shapes cast through a world, and what overlaps', () => {
  const world = carom.world();
  const floor = world.add(slab, { kind: 'fixed', pose: at(0, 0, -0.5) });
  const low = world.add(box, { pose: at(0, 0, 0.5) });
  const high = world.add(ball, { pose: at(0, 0, 3) });
  const gate = world.add(box, { kind: 'fixed', pose: at(0, 0, 6), sensor: true });

  const first = world.rayCast([0, 0, 10], [0, 0, -2]);
  assert.equal(first?.body, high);
  near(first?.t ?? NaN, 3.25);
  near(first?.point[2] ?? NaN, 3.5);
  near(first?.normal[2] ?? NaN, 1);
  assert.equal(world.rayCast([0, 0, 10], [0, 0, -2], 3), null);
  assert.deepEqual(world.rayCastAll([0, 0, 10], [0, 0, -2]).map((h) => h.body), [high, low, floor]);
  assert.equal(world.rayCast([0, 0, 10], [0, 0, -2], Infinity, { sensors: true })?.body, gate);
  assert.equal(world.rayCast([0, 0, 10], [0, 0, -2], Infinity, { except: high })?.body, low);
  assert.equal(world.rayCast([0, 0, 10], [0, 0, -2], Infinity, { dynamic: false })?.body, floor);
  assert.throws(() => world.rayCast([0, 0, NaN], [0, 0, -2]), /not finite/);

  const cast = world.shapeCast(box, at(0, 0, 8), [0, 0, -10]);
  assert.equal(cast?.body, high);
  near(cast?.t ?? NaN, 0.4);
  near(cast?.point[2] ?? NaN, 3.5);
  near(cast?.normal[2] ?? NaN, -1);
  assert.deepEqual(world.shapeCastAll(box, at(0, 0, 8), [0, 0, -10]).map((c) => c.body), [high, low, floor]);
  assert.equal(world.shapeCast(box, at(0, 0, 8), [10, 0, 0]), null);

  const found = world.overlapping(box, at(0, 0, 0.9));
  assert.deepEqual(found.map((o) => o.body), [low]);
  assert.ok((found[0]?.point[2] ?? NaN) >= 0.4 && (found[0]?.point[2] ?? NaN) <= 1);
  assert.deepEqual(world.overlapping(box, at(0, 0, 0.25)).map((o) => o.body), [floor, low]);
  assert.deepEqual(world.overlapping(box, at(0, 0, 0.25), { fixed: false }).map((o) => o.body), [low]);
  world.free();
});

test('masks, groups and gravity of a body', () => {
  const world = carom.world();
  world.add(slab, { kind: 'fixed', pose: at(0, 0, -0.5), category: 2 });
  const stands = world.add(ball, { pose: at(0, 0, 0.5) });
  const falls = world.add(ball, { pose: at(3, 0, 0.5), mask: 1 });
  const floats = world.add(ball, { pose: at(6, 0, 0.5), gravityScale: 0 });
  const [left, right] = [-0.3, 0.3].map((x) => world.add(ball, { pose: at(9 + x, 0, 0.5), group: -7 }));
  world.step(1 / 60, 30);
  near(world.pose(stands).position[2], 0.5, 0.01);
  assert.ok(world.pose(falls).position[2] < -0.5);
  assert.equal(world.pose(floats).position[2], 0.5);
  near(world.pose(/** @type {number} */ (left)).position[0], 8.7, 0.01);
  near(world.pose(/** @type {number} */ (right)).position[0], 9.3, 0.01);
  world.free();
});
