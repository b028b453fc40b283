// The query bench in Chromium: it says what the library says, stays live, and goes by mouse and keys.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Carom } from '../dist/carom.mjs';
import { colours, none, pixels } from './browser.mjs';
import { bumpyRing } from './sample_mesh.mjs';
import { chosen, drop, path, pictures, viewer } from './viewer_page.mjs';

/** Where the middle of A, B or the goal is on the screen: there is the handle that moves freely. @param {import('playwright-core').Page} page @param {0 | 1 | 2} which */
const middle = (page, which) =>
  page.evaluate((w) => {
    const { queries, stage } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    const box = stage.renderer.domElement.getBoundingClientRect();
    const p = stage.camera.position.clone().set(...queries.bench.poses()[w].position).project(stage.camera);
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }, which);

/** @param {import('playwright-core').Page} page @param {{x: number, y: number}} from @param {{x: number, y: number}} by @param {number} steps */
async function drag(page, from, by, steps) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps });
  await page.mouse.up();
}

test("the query bench's number is the library's, and its proof holds", async () => {
  const { page, errors, close } = await viewer('queries');
  const carom = await Carom.load(readFileSync(path('../dist/carom.wasm')));
  const box = carom.shapes.box([0.8, 0.5, 0.6]);
  const ball = carom.shapes.sphere(0.7);
  await page.getByLabel('Shape A').selectOption('Box');
  await page.getByLabel('Shape B').selectOption('Sphere');
  for (const x of [3, 1.7, 0.9]) {
    /** @type {import('../dist/carom.mjs').Pose} */
    const pose = { position: [x, 0.3, 0.2], rotation: [0.1, 0.2, 0.3, Math.sqrt(0.86)] };
    const shown = await page.evaluate((p) => {
      const { bench } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer).queries;
      bench.place(0, { position: [0, 0, 0], rotation: [0, 0, 0, 1] });
      bench.place(1, p);
      return window.viewer?.queries.reading;
    }, pose);
    const at = { position: /** @type {[number, number, number]} */ ([0, 0, 0]), rotation: /** @type {[number, number, number, number]} */ ([0, 0, 0, 1]) };
    const d = carom.queries.distance(box, at, ball, pose);
    const expected = d.value > 0 ? d.value : carom.queries.penetration(box, at, ball, pose).depth;
    assert.equal(shown?.value, expected);
    assert.equal(shown?.check, 'holds', shown?.why ?? '');
    assert.ok((await page.locator('.answer').textContent())?.includes(expected.toPrecision(12)));
  }
  for (const b of ['Capsule', 'Cylinder', 'Cone', 'Ellipsoid', 'Hull', 'Ring (a solid mesh)']) {
    await page.getByLabel('Shape B').selectOption(b);
    assert.equal(await page.evaluate(() => window.viewer?.queries.reading?.check), 'holds', b);
  }
  await page.keyboard.press('m');
  const impact = await page.evaluate(() => {
    const { bench } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer).queries;
    bench.place(0, { position: [-2.2, 0, 0], rotation: [0, 0, 0, 1] });
    return window.viewer?.queries.reading;
  });
  assert.equal(impact?.kind, 'impact');
  assert.equal(impact?.check, 'holds', impact?.why ?? '');
  assert.ok(impact.value > 0 && impact.value < 1, `impact at ${impact.value}`);
  assert.ok((await colours(page, `${pictures}queries.png`)) > 12);
  none(errors);
  await close();
});

test('the nearest points and the plane between them are drawn where they are', async () => {
  const { page, errors, close } = await viewer('queries');
  await page.getByLabel('Shape A').selectOption('Box');
  await page.getByLabel('Shape B').selectOption('Sphere');
  // The box ends at x = -1.2, the ball begins at x = 1.3; the plane is half way, 1.6 wide.
  const seen = await page.evaluate(async () => {
    const { queries, stage } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    queries.bench.place(0, { position: [-2, 0, 0], rotation: [0, 0, 0, 1] });
    queries.bench.place(1, { position: [2, 0, 0], rotation: [0, 0, 0, 1] });
    queries.bench.place(2, { position: [0, 30, 0], rotation: [0, 0, 0, 1] });
    queries.bench.grab(2); // so that no handle hides anything
    for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);
    const box = stage.renderer.domElement.getBoundingClientRect();
    const at = (/** @type {[number, number, number]} */ ...place) => {
      const p = stage.camera.position.clone().set(...place).project(stage.camera);
      return { x: Math.round(box.left + ((p.x + 1) / 2) * box.width), y: Math.round(box.top + ((1 - p.y) / 2) * box.height) };
    };
    return { drawn: queries.bench.drawn, places: [at(-1.2, 0, 0), at(1.3, 0, 0), at(0.05, 0, 0.7), at(0.05, 0, 1.3)] };
  });
  assert.deepEqual(seen.drawn, { points: 2, plane: true, arrow: false });
  const [onBox, onBall, inPlane, above] = await pixels(page, seen.places);
  for (const point of [onBox, onBall]) assert.deepEqual(point, [0xe5, 0x48, 0x4d], 'a red dot');
  const blue = (/** @type {number[] | undefined} */ [red = NaN, , blue = NaN] = []) => blue - red;
  assert.ok(blue(inPlane) > blue(above) + 10, `the plane is blue, before what is behind it: ${inPlane} and ${above}`);
  // Without a contact there is nothing to point at.
  await page.keyboard.press('m');
  const missed = await page.evaluate(() => {
    const { bench } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer).queries;
    bench.place(2, { position: [-2, 5, 0], rotation: [0, 0, 0, 1] });
    return bench.drawn;
  });
  assert.deepEqual(missed, { points: 0, plane: false, arrow: false });
  none(errors);
  await close();
});

test('the query bench goes by keys alone', async () => {
  const { page, errors, close } = await viewer('queries');
  const place = (/** @type {0 | 1 | 2} */ which) => page.evaluate((w) => window.viewer?.queries.bench.poses()[w] ?? { position: [], rotation: [] }, which);
  const first = await place(1);
  await page.keyboard.press('2');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'PageDown']) await page.keyboard.press(key);
  const moved = await place(1);
  const by = moved.position.map((x, k) => Math.round((x - (first.position[k] ?? NaN)) * 1000) / 1000);
  assert.deepEqual(by, [0.1, 0.05, -0.05]);
  assert.deepEqual(moved.rotation, first.rotation);
  await page.keyboard.press('g');
  await page.keyboard.press('ArrowLeft');
  assert.notDeepEqual((await place(1)).rotation, first.rotation);
  assert.deepEqual((await place(1)).position, moved.position);
  const reading = await page.evaluate(() => window.viewer?.queries.reading);
  assert.equal(reading?.check, 'holds', reading?.why ?? '');
  none(errors);
  await close();
});

test('the impact follows the motion that is dragged', async () => {
  const { page, errors, close } = await viewer('queries');
  await page.getByLabel('Shape B').selectOption('Sphere');
  await page.keyboard.press('m'); // the handles are now where A goes
  const read = () => page.evaluate(() => ({ t: window.viewer?.queries.reading?.value ?? NaN, check: window.viewer?.queries.reading?.check, end: window.viewer?.queries.bench.poses()[2].position }));
  const before = await read();
  await drag(page, await middle(page, 2), { x: 40, y: 30 }, 5);
  const after = await read();
  assert.notDeepEqual(after.end, before.end, 'the goal was dragged');
  assert.deepEqual([before.check, after.check], ['holds', 'holds']);
  assert.notEqual(after.t, before.t);
  none(errors);
  await close();
});

test('the mouse moves A and B, and turns them', async () => {
  const { page, errors, close } = await viewer('queries');
  const state = () => page.evaluate(() => ({ poses: window.viewer?.queries.bench.poses() ?? [], value: window.viewer?.queries.reading?.value, check: window.viewer?.queries.reading?.check }));
  for (const which of /** @type {const} */ ([0, 1])) {
    // A click on it gives it the handles; then the one in the middle moves it freely.
    const at = await middle(page, which);
    await page.mouse.click(at.x, at.y);
    const before = await state();
    await drag(page, at, { x: 30, y: -25 }, 6);
    const after = await state();
    assert.notDeepEqual(after.poses[which]?.position, before.poses[which]?.position, 'it was moved');
    assert.deepEqual(after.poses[which]?.rotation, before.poses[which]?.rotation);
    assert.deepEqual(after.poses[1 - which], before.poses[1 - which], 'the other one stays');
    assert.notEqual(after.value, before.value);
    assert.equal(after.check, 'holds');
  }
  // The ring that turns about the line of sight is the outermost: it is found from the middle outward.
  await page.getByLabel('Turn', { exact: true }).check();
  const before = await state();
  const at = await middle(page, 1);
  const radius = await page.evaluate(async ({ x, y }) => {
    const canvas = /** @type {HTMLElement} */ (document.querySelector('canvas'));
    const { bench } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer).queries;
    for (let i = 0; i < 2; ++i) await new Promise(requestAnimationFrame); // handles are where they were drawn
    for (let r = 300; r > 20; r -= 2) {
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x + r, clientY: y, pointerType: 'mouse', bubbles: true }));
      if (bench.handle !== null) return r;
    }
    return NaN;
  }, at);
  await drag(page, { x: at.x + radius, y: at.y }, { x: 0, y: -60 }, 6);
  const after = await state();
  assert.notDeepEqual(after.poses[1]?.rotation, before.poses[1]?.rotation, 'it was turned');
  assert.deepEqual(after.poses[1]?.position, before.poses[1]?.position);
  assert.equal(after.check, 'holds');
  none(errors);
  await close();
});

test('two meshes of some thousand triangles: each move of the pointer gets its answer, and the check waits until nothing moves', async () => {
  const { page, errors, close } = await viewer('queries');
  await drop(page, [{ name: 'ring.obj', bytes: bumpyRing(50, 20) }]);
  await chosen(page, 'ring.obj');
  await page.getByLabel('Shape B').selectOption('ring.obj');
  // Everything that is shown from here on.
  await page.evaluate(() => {
    const { queries } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    queries.bench.grab(1);
    const seen = /** @type {{value: number, check: string}[]} */ ([]);
    Object.assign(window, { seen });
    new MutationObserver(() => queries.reading && seen.push({ value: queries.reading.value, check: queries.reading.check })).observe(/** @type {Element} */ (document.querySelector('.answer')), { childList: true });
  });
  const seen = () => page.evaluate(() => /** @type {{value: number, check: string}[]} */ (Reflect.get(window, 'seen')));
  const holds = () => page.waitForFunction(() => window.viewer?.queries.reading?.check === 'holds', null, { timeout: 120000 });
  await drag(page, await middle(page, 1), { x: 60, y: -20 }, 24);
  const dragged = await seen();
  assert.ok(new Set(dragged.map((r) => r.value)).size >= 20, `${dragged.length} answers`);
  assert.deepEqual([...new Set(dragged.map((r) => r.check))], ['pending']);
  await holds();

  // While a check runs, answers go on; each ends the check of the one before.
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((n) => (window.viewer?.queries.bench.background.begun ?? 0) > n, await page.evaluate(() => window.viewer?.queries.bench.background.begun ?? 0));
  const before = (await seen()).length;
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  const after = (await seen()).slice(before).filter((r) => r.check === 'pending');
  assert.equal(new Set(after.map((r) => r.value)).size, 5);
  await holds();
  none(errors);
  await close();
});

test('what would take very long is checked only where the user asks; no proof is no failure', async () => {
  const { page, errors, close } = await viewer('queries');
  await drop(page, [{ name: 'fine.obj', bytes: bumpyRing(150, 40) }]);
  await chosen(page, 'fine.obj');
  await page.getByLabel('Shape B').selectOption('fine.obj');
  const verdict = page.locator('.answer p');
  assert.match((await verdict.textContent()) ?? '', /Not checked: 12000 and 12000 triangles/);
  await page.getByRole('button', { name: 'Check now' }).click();
  assert.match((await verdict.textContent()) ?? '', /Check: pending/);
  await page.waitForFunction(() => window.viewer?.queries.bench.background.begun === 1);
  await page.keyboard.press('ArrowRight'); // another question: that check is over
  assert.match((await verdict.textContent()) ?? '', /Not checked/);

  await page.evaluate(() => window.viewer?.queries.show({ kind: 'distance', rows: [], value: 1, check: 'not proved', why: 'that nothing is nearer' }));
  assert.equal(await verdict.textContent(), 'No proof was found that nothing is nearer');
  assert.equal(await page.locator('.answer .fails').count(), 0);
  none(errors);
  await close();
});
