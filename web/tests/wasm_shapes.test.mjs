// Every kind of shape in WebAssembly, by answers that are known: closed forms, or those of the native command.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { at, Carom, CaromError, identity } from '../dist/carom.mjs';
import { carom, folder } from './tool.mjs';

const { shapes, queries } = await Carom.load(readFileSync(new URL('../dist/carom.wasm', import.meta.url)));
/** @typedef {import('../dist/carom.mjs').Shape} Shape @typedef {import('../dist/carom.mjs').Vec3} Vec3 */

/** @param {number} a @param {number} b @param {number} [error] */
const near = (a, b, error = 1e-12) => assert.ok(Math.abs(a - b) <= error, `${a} is not ${b}`);
/** How far the point is from the shape, with its proof. @param {Shape} shape @param {Vec3} point */
function from(shape, point) {
  const tip = shapes.point([0, 0, 0]);
  const pose = at(...point);
  const { value } = queries.distance(shape, identity, tip, pose);
  const check = queries.checkDistance(shape, identity, tip, pose);
  assert.ok(check.holds, check.why);
  tip.free();
  return value;
}
/** Signed: negative inside. @param {Shape} shape @param {Vec3} point */
const signed = (shape, point) => queries.closestPoint(point, shape, identity).value;

test('triangle, and a ball that is not in the middle', () => {
  const triangle = shapes.triangle([0, 0, 0], [2, 0, 0], [0, 2, 0]);
  near(from(triangle, [0.5, 0.5, 3]), 3);
  near(from(triangle, [2, 2, 0]), Math.SQRT2);
  near(from(triangle, [-3, -4, 0]), 5);
  const ball = shapes.sphere(0.5, [1, 2, 3]);
  near(from(ball, [1, 2, 5]), 1.5);
  near(signed(ball, [1, 2, 3.25]), -0.25);
});

test('tapered capsule: beyond each end a ball, between them a cone', () => {
  const shape = shapes.taperedCapsule([0, 0, 0], 2, [0, 0, 5], 1);
  near(from(shape, [0, 0, 8]), 2);
  near(from(shape, [0, 0, -5]), 3);
  // The tangent of both balls is tilted by asin((2 - 1) / 5): at right angles to it, so far.
  const [sin, cos] = [1 / 5, Math.sqrt(1 - 1 / 25)];
  near(from(shape, [(2 + 1.5) * cos + 1 * -sin, 0, (2 + 1.5) * sin + 1 * cos]), 1.5, 1e-9);
  near(from(shapes.taperedCapsule([0, 0, 0], 3, [0, 0, 1], 1), [0, 0, 5]), 2); // one ball holds the other
});

test('brush: a box of half-spaces is the box; one that is open or empty is refused', () => {
  /** @type {Vec3[]} */
  const normals = [[2, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
  const faces = normals.map((normal, i) => ({ normal, offset: [2, 1, 2, 2, 3, 3][i] ?? NaN }));
  const brush = shapes.brush(faces);
  near(from(brush, [4, 1, 0]), 3);
  near(from(brush, [4, 6, 3]), 5);
  near(signed(brush, [0.9, 0, 0]), -0.1);
  const same = queries.hausdorff(brush, identity, shapes.box([1, 2, 3]), identity);
  near(same.upperBound, 0, 1e-9);
  assert.throws(() => shapes.brush(faces.slice(1)), CaromError);
  assert.throws(() => shapes.brush([...faces, { normal: [1, 0, 0], offset: -2 }]), CaromError);
});

test('sum and hull of two: swept and stretched balls', () => {
  const [box, ball] = [shapes.box([1, 1, 1]), shapes.sphere(0.5)];
  const sum = shapes.sum(box, ball);
  near(from(sum, [3, 0, 0]), 1.5);
  near(from(sum, [3, 3, 0]), Math.hypot(2, 2) - 0.5, 1e-9);
  const hull = shapes.hullOfTwo(ball, shapes.sphere(0.5, [0, 0, 4]));
  near(from(hull, [2, 0, 2]), 1.5, 1e-9);
  near(from(hull, [0, 0, 6]), 1.5, 1e-9);
  box.free(); // what was made of it stays
  near(from(sum, [3, 0, 0]), 1.5);
  assert.throws(() => shapes.sum(box, ball), /no such shape/);
  assert.throws(() => shapes.hullOfTwo(ball, shapes.halfSpace([0, 0, 1], 0)), CaromError);
});

test('scaled: a ball becomes an ellipsoid, a mesh is mirrored, nothing becomes flat', () => {
  const ball = shapes.sphere(1);
  const long = ball.scaled([3, 2, 1]);
  near(from(long, [5, 0, 0]), 2);
  near(from(long, [0, 5, 0]), 3);
  const same = shapes.ellipsoid([3, 2, 1]);
  assert.equal(from(long, [4, 3, 2]), from(same, [4, 3, 2]));
  const corner = shapes.mesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], true);
  const mirrored = corner.scaled([-2, 1, 1]);
  near(from(mirrored, [-3, 0, 0]), 1);
  near(from(mirrored, [1, 0, 0]), 1);
  near(signed(mirrored, [-0.2, 0.1, 0.3]), -0.1);
  assert.throws(() => ball.scaled([1, 0, 1]), CaromError);
});

test('a mesh that is deformed has the same triangles elsewhere', () => {
  const corner = shapes.mesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], true);
  const high = corner.deformed([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4]);
  near(from(high, [0, 0, 6]), 2);
  near(from(corner, [0, 0, 6]), 5);
  assert.throws(() => corner.deformed([0, 0, 0]), CaromError);
  assert.throws(() => shapes.sphere(1).deformed([0, 0, 0]), CaromError);
});

test('height field: heights, spacing, scale, holes and diagonals', () => {
  // A roof: a ridge along y between two slopes of 45 degrees.
  const roof = { columns: 3, rows: 2, samples: [0, 1, 0, 0, 1, 0], spacing: /** @type {const} */ ([2, 3]), scale: 2, offset: 1 };
  for (const samples of [roof.samples, Float32Array.from(roof.samples), Uint16Array.from(roof.samples)]) {
    const field = shapes.heightField({ ...roof, samples });
    near(from(field, [2, 1, 5]), 2);
    near(from(field, [0, 1, 5]), Math.SQRT2 * 2);
    const hit = queries.rayCast(field, identity, [1, 2, 9], [0, 0, -1]);
    near(hit.t, 7);
    near(hit.normal[2], Math.SQRT1_2);
  }
  const holed = shapes.heightField({ ...roof, holes: [1, 0] });
  assert.equal(queries.rayCast(holed, identity, [1, 2, 9], [0, 0, -1]).hit, false);
  assert.equal(queries.rayCast(holed, identity, [3, 2, 9], [0, 0, -1]).hit, true);
  // One corner up: along the other diagonal, the middle is up too.
  const middle = (/** @type {'main' | 'other' | 'alternating'} */ diagonal) => queries.rayCast(shapes.heightField({ columns: 2, rows: 2, samples: [0, 0, 0, 1], diagonal }), identity, [0.5, 0.5, 9], [0, 0, -1]).t;
  near(middle('main'), 8.5);
  near(middle('other'), 9);
  near(middle('alternating'), 8.5);
  assert.throws(() => shapes.heightField({ ...roof, samples: [0, 1] }), /samples/);
  assert.throws(() => shapes.heightField({ ...roof, holes: [1] }), /holes/);
  assert.throws(() => shapes.heightField({ ...roof, columns: 1 }), CaromError);
});

test('point cloud: balls around points, and nothing between', () => {
  const cloud = shapes.pointCloud([0, 0, 0, 4, 0, 0], 0.5);
  near(from(cloud, [2, 0, 0]), 1.5);
  near(from(cloud, [4, 3, 0]), 2.5);
  near(from(shapes.pointCloud([1, 1, 1]), [1, 1, 3]), 2);
  assert.throws(() => shapes.pointCloud([]), CaromError);
});

test('Hausdorff: of balls, of a half-space, and what the command says of a mesh', () => {
  const [small, large] = [shapes.sphere(1), shapes.sphere(3)];
  const h = queries.hausdorff(small, at(1, 0, 0), large, identity);
  assert.equal(h.status, 'ok');
  near(h.aFromB.value, 0);
  near(h.value, 3, 0.03);
  assert.ok(h.lowerBound <= 3 && h.upperBound >= 3 && h.upperBound - h.lowerBound <= 0.01 * h.value, `${h.lowerBound} to ${h.upperBound}`);
  near(Math.hypot(...h.onA.map((x, k) => x - (h.onB[k] ?? NaN))), h.value, 1e-9);
  assert.deepEqual([h.bFromA.value, h.bFromA.onB], [h.value, h.onB]);
  assert.equal(queries.hausdorff(shapes.halfSpace([0, 0, 1], 0), identity, small, identity).value, Infinity);
  assert.equal(queries.hausdorff(small, at(NaN, 0, 0), large, identity).status, 'bad_input');

  const vertices = [0, 0, 0, 3, 0, 0, 0, 2, 0, 0.3, 0.4, 5];
  const file = join(folder, 'corner.obj');
  writeFileSync(file, `${[0, 3, 6, 9].map((i) => `v ${vertices.slice(i, i + 3).join(' ')}`).join('\n')}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n`);
  const told = JSON.parse(carom(['hausdorff', file, 'cone:2,1.5', '--pose-b', '0.5,0.25,-1', '--error', '0.001', '--json']));
  const corner = shapes.mesh(vertices, [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], true);
  const ours = queries.hausdorff(corner, identity, shapes.cone(2, 1.5), at(0.5, 0.25, -1), { absoluteError: 0.001, relativeError: 0 });
  assert.deepEqual([ours.value, ours.lowerBound, ours.upperBound, ours.onA, ours.onB], [told.value, told.lower_bound, told.upper_bound, told.on_a, told.on_b]);
  assert.deepEqual([ours.aFromB.value, ours.bFromA.value], [told.a_from_b.value, told.b_from_a.value]);
});
