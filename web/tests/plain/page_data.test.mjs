// Pages that the command writes, as the player reads them: what was packed comes out again.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { carom, folder } from '../tool.mjs';
import { source } from './source.mjs';

/** @type {typeof import('../../src/page_data.ts')} */
const { parsePage } = await source('page_data.ts');

/** Has the command write a page. @param {string[]} words @param {number} [code] */
function write(words, code) {
  const html = join(folder, 'page.html');
  const told = JSON.parse(carom([...words, '--html', html, '--json'], code));
  const text = /<script id="carom-data" type="application\/json">(.*?)<\/script>/s.exec(readFileSync(html, 'utf8'))?.[1] ?? 'null';
  const page = parsePage(text);
  assert.ok(page, 'the page has data');
  return { told, page, text, bytes: statSync(html).size };
}

test('a run: its frames, contacts and sleep are those that the command tells of', () => {
  const box = (/** @type {string} */ name, /** @type {number[]} */ position) => ({ name, shape: { kind: 'box', half: [0.5, 0.5, 0.5] }, position });
  const bodies = [
    { name: 'floor', kind: 'fixed', shape: { kind: 'box', half: [5, 5, 0.5] }, position: [0, 0, -0.5] },
    ...[box('low', [0, 0, 0.51]), box('high', [0.2, 0, 1.53]), box('alone', [3, 1, 2])],
  ];
  const scene = join(folder, 'boxes.json');
  writeFileSync(scene, JSON.stringify({ carom_scene: 1, name: 'Boxes', seconds: 4, bodies }));
  const { told, page, bytes } = write(['sim', scene]);
  const { frames } = page;
  assert.equal(frames.count, told.steps + 1);
  assert.deepEqual(page.bodies.map((b) => b.name), bodies.map((b) => b.name));
  const at = (/** @type {number} */ frame, /** @type {number} */ body) => frames.poses.subarray(7 * (4 * frame + body), 7 * (4 * frame + body) + 7);
  const near = (/** @type {Float32Array} */ pose, /** @type {number[]} */ position) => position.forEach((x, k) => assert.ok(Math.abs(x - (pose[k] ?? NaN)) < 0.005, `${pose} is not at ${position}`));
  bodies.forEach(({ position }, i) => near(at(0, i), position));
  [[0, 0, -0.5], [0, 0, 0.5], [0.2, 0, 1.5], [3, 1, 0.5]].forEach((position, i) => near(at(told.steps, i), position));
  const fallen = 2 - (at(18, 3)[2] ?? NaN); // of 0.3 s
  assert.ok(Math.abs(fallen - 0.5 * 9.81 * 0.3 * 0.3) < 0.03, `fell by ${fallen}`);
  for (let i = 3; i < frames.poses.length; i += 7) assert.ok(Math.abs(Math.hypot(...frames.poses.subarray(i, i + 4)) - 1) < 1e-2, 'a turn');
  const { starts, data } = frames.contacts ?? assert.fail('no contacts');
  const counts = Array.from({ length: frames.count }, (_, i) => (starts[i + 1] ?? NaN) - (starts[i] ?? NaN));
  assert.equal(counts.at(-1), told.contacts);
  assert.equal(Math.max(...counts), told.most_contacts);
  for (let i = 7 * (starts[told.steps] ?? NaN); i < data.length; i += 7) assert.ok(Math.abs(data[i + 5] ?? 0) > 0.999, 'the normals of what rests are upright');
  assert.deepEqual([...(frames.asleep?.subarray(1, 4) ?? []), ...(frames.asleep?.subarray(-3) ?? [])], [0, 0, 0, 1, 1, 1]);
  const [floor, low, high, alone] = frames.islands?.subarray(4 * 120, 4 * 120 + 4) ?? [];
  assert.ok(floor === -1 && low === high && low !== alone, `islands ${floor} ${low} ${high} ${alone}`);

  const bare = write(['sim', scene, '--no-contacts']);
  assert.deepEqual(bare.page.frames.poses, frames.poses);
  assert.deepEqual([bare.page.frames.contacts, bare.page.frames.islands], [null, null]);
  assert.ok(bare.bytes < bytes);
});

test('normals of contacts point where they should, from above and from below', () => {
  // A ball in a groove of two walls, each tilted by 30 degrees: upright, and with all upside down.
  const [sin, cos] = [0.5, Math.sqrt(0.75)];
  for (const up of [1, -1]) {
    const wall = (/** @type {1 | -1} */ side) => ({ kind: 'fixed', shape: { kind: 'box', half: [5, 5, 0.5] }, position: [-0.5 * side * sin, 0, -0.5 * up * cos], turn: [0, 1, 0, 30 * side * up] });
    const ball = { shape: { kind: 'sphere', radius: 1 }, position: [0, 0, up / cos] };
    const scene = join(folder, 'groove.json');
    writeFileSync(scene, JSON.stringify({ carom_scene: 1, name: 'Groove', seconds: 0.5, world: { gravity: [0, 0, -10 * up] }, bodies: [wall(1), wall(-1), ball] }));
    const { starts, data } = write(['sim', scene]).page.frames.contacts ?? assert.fail('no contacts');
    const numbers = data.subarray(7 * (starts.at(-2) ?? NaN));
    const normals = [0, 7].map((i) => [...numbers.subarray(i + 3, i + 6)].map((x) => up * x)).sort(([x = NaN], [y = NaN]) => x - y);
    assert.equal(numbers.length, 14, 'one from each side');
    const out = Math.sign(normals[0]?.[2] ?? NaN); // all from the walls to the ball, or all the other way
    normals.flat().forEach((x, k) => assert.ok(Math.abs(x - ([-sin, 0, out * cos, sin, 0, out * cos][k] ?? NaN)) < 0.02, `${normals}`));
  }
});

test('a question: its finding has the points and the plane of the answer', () => {
  const { told, page } = write(['distance', 'sphere:1', 'box:1,1,1', '--pose-b', '5,0,0']);
  assert.equal(page.kind, 'report');
  assert.equal(page.findings.length, 1);
  const [finding] = page.findings;
  assert.deepEqual(finding?.points, [told.on_a, told.on_b]);
  assert.deepEqual(finding?.plane?.direction, told.normal);
  assert.equal(finding?.value, told.value);
});

test('data that is cut short or names what is not there is told in a sentence', () => {
  const { text } = write(['distance', 'sphere:1', 'box:1,1,1', '--pose-b', '5,0,0']);
  assert.equal(parsePage('null'), null);
  const broken = (/** @type {(page: any) => void} */ change) => {
    const page = JSON.parse(text);
    change(page);
    return () => parsePage(JSON.stringify(page));
  };
  assert.throws(broken((p) => (p.carom = 2)), /version/);
  assert.throws(broken((p) => (p.bodies[0].shape = 9)), /shape that is not there/);
  assert.throws(broken((p) => (p.findings[0].b = 2)), /body that is not there/);
  assert.throws(broken((p) => (p.frames.count = 2)), /cut short|number of poses/);
  assert.throws(broken((p) => (p.shapes[0].positions = 'AAAA')), /cut short/);
  assert.throws(broken((p) => (p.shapes[0].positions = p.shapes[0].positions.slice(0, 16))), /not there/);
});
