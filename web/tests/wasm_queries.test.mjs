// Contacts, casts and nearest points in WebAssembly, with answers that are known.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, Carom, identity } from '../dist/carom.mjs';

const { shapes, queries } = await Carom.load(readFileSync(new URL('../dist/carom.wasm', import.meta.url)));

/** @param {number} a @param {number} b @param {number} [error] */
const near = (a, b, error = 1e-12) => assert.ok(Math.abs(a - b) <= error, `${a} is not ${b}`);

test('contacts of two boxes: one patch, the four corners of what they have in common', () => {
  const box = shapes.box([0.5, 0.5, 0.5]);
  const { status, patches } = queries.contacts(box, identity, box, at(0.25, 0, 0.99));
  assert.equal(status, 'ok');
  assert.equal(patches.length, 1);
  const [patch] = patches;
  assert.deepEqual(patch?.normal, [0, 0, 1]);
  assert.equal(patch?.points.length, 4);
  for (const { onA, onB, separation } of patch?.points ?? []) {
    near(separation, -0.01);
    near(onA[2], 0.5);
    near(onB[2], 0.49);
    near(Math.abs(onA[0] - 0.125), 0.375); // from -0.25 to 0.5
    near(Math.abs(onA[1]), 0.5);
  }
  const ids = new Set(patch?.points.map(({ id }) => id));
  assert.equal(ids.size, 4);
  assert.ok([...ids].some((id) => id >> 32n !== 0n), 'the feature of A is in the upper half');
  // They stay while the same features meet.
  const moved = queries.contacts(box, identity, box, at(0.2, 0, 0.995));
  assert.deepEqual(new Set(moved.patches[0]?.points.map(({ id }) => id)), ids);

  assert.equal(queries.contacts(box, identity, box, at(0, 0, 1.01)).patches.length, 0);
  const apart = queries.contacts(box, identity, box, at(0, 0, 1.01), 0.02).patches;
  near(apart[0]?.points[0]?.separation ?? NaN, 0.01);
  assert.deepEqual(queries.contacts(box, identity, box, at(NaN, 0, 0)), { status: 'bad_input', patches: [] });
  box.free();
});

test('contacts of a ball in a groove: two patches', () => {
  // Two planes at right angles meet along y.
  const groove = shapes.mesh([0, -5, 0, 0, 5, 0, 5, -5, 5, 5, 5, 5, -5, -5, 5, -5, 5, 5], [0, 2, 1, 1, 2, 3, 0, 1, 4, 1, 5, 4]);
  const ball = shapes.sphere(1);
  const { patches } = queries.contacts(ball, at(0, 0, Math.SQRT2 - 0.01), groove, identity);
  assert.equal(patches.length, 2);
  const sides = patches.map(({ normal }) => Math.sign(normal[0])).sort();
  assert.deepEqual(sides, [-1, 1]);
  for (const { normal, points } of patches) {
    near(normal[2], -Math.SQRT1_2, 1e-9);
    near(points[0]?.separation ?? NaN, -0.01 * Math.SQRT1_2, 1e-9);
  }
  groove.free();
  ball.free();
});

test('a shape cast stops at the first touch, and tells what is met', () => {
  const box = shapes.box([0.5, 0.5, 0.5]);
  const floor = shapes.box([5, 5, 0.5]);
  const cast = queries.shapeCast(box, at(0, 0, 5), [0, 0, -8], floor, identity);
  assert.equal(cast.hit, true);
  assert.equal(cast.initialOverlap, false);
  near(cast.t, 0.5);
  near(cast.normal[2], -1);
  near(cast.point[2], 0.5);
  near(cast.onA[2], cast.onB[2]);
  assert.equal(queries.shapeCast(box, at(0, 0, 5), [0, 0, -8], floor, identity, 0.4).hit, false);
  const miss = queries.shapeCast(box, at(0, 0, 5), [8, 0, 0], floor, identity);
  assert.equal(miss.hit, false);
  assert.equal(miss.t, 1);
  const inside = queries.shapeCast(box, identity, [0, 0, 1], floor, identity);
  assert.deepEqual([inside.hit, inside.initialOverlap, inside.t], [true, true, 0]);
  box.free();
  floor.free();
});

test('the nearest point of a surface, outside and inside', () => {
  const box = shapes.box([1, 2, 3]);
  const outside = queries.closestPoint([4, 1, 0], box, at(0, 0, 1));
  assert.equal(outside.status, 'ok');
  near(outside.value, 3);
  assert.ok(outside.lowerBound <= 3 && outside.upperBound >= 3);
  assert.deepEqual(outside.point.map((x) => Math.round(x * 1e9) / 1e9), [1, 1, 0]);
  assert.deepEqual(outside.normal, [1, 0, 0]);
  near(queries.closestPoint([0.9, 0, 1], box, at(0, 0, 1)).value, -0.1);
  assert.equal(queries.closestPoint([NaN, 0, 0], box, identity).status, 'bad_input');
  box.free();
});

test('a check tells a proof that holds from one that was not found', () => {
  const corner = shapes.mesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], true);
  assert.deepEqual(queries.checkDistance(corner, identity, shapes.sphere(1), at(3, 0, 0)), { holds: true, found: true, why: '' });
  // Of depths in half-spaces there are no proofs (carom/query/prove_depth.h).
  const none = queries.checkPenetration(corner, identity, shapes.halfSpace([0, 0, 1], 0.5), identity);
  assert.deepEqual(none, { holds: false, found: false, why: 'that nothing shorter separates them' });
  corner.free();
});
