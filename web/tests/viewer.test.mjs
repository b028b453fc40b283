// The viewer's scenes in Chromium: they run, the mouse pulls bodies, what is drawn over them is there.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { before, test } from 'node:test';
import { colours, none, phone } from './browser.mjs';
import { drop, look, path, pictures, run, viewer } from './viewer_page.mjs';

// With CAROM_PICTURES, those of scenes go there: docs/scenes are made so (./dev web-test --pictures).
const scenePictures = process.env['CAROM_PICTURES'] ?? pictures;
const small = { width: 480, height: 300 };
/** Steps after which a scene looks best. @type {Record<string, number>} */
const pictureAt = { bullet: 30, conveyor: 330, dominoes: 300, friction_slope: 130, horseshoes: 150, mover_level: 150, ragdolls: 200, terrain: 300, wrecking_ball: 130 };
const ids = readdirSync(path('../../scenes')).filter((f) => f.endsWith('.json')).map((f) => f.replace('.json', ''));
before(() => mkdirSync(scenePictures, { recursive: true }));

// What each scene is about is asserted in tests/record/scenes_test.cpp, and WebAssembly gives the same bits; here, that the page shows it.
for (const id of ids) {
  test(`scene ${id} runs: bodies move, nothing falls through, no errors, not blank`, async () => {
    const { page, errors, close } = await viewer(id, small);
    await page.keyboard.press('Space');
    await page.keyboard.press('r');
    const start = await look(page);
    await run(page, pictureAt[id] ?? 90);
    const { lowest, bottom, way } = await look(page, start.places);
    // Below everything that is fixed; what hangs is so from the start.
    const under = Math.min(bottom, start.lowest - 0.5) - 0.01;
    assert.ok(lowest > under, `a body at ${lowest}, below ${under}`);
    assert.ok(way > 0.001, `bodies moved by ${way} in all`);
    await page.addStyleTag({ content: '.top, .bar, .note { display: none !important }' });
    assert.ok((await colours(page)) > 12);
    await page.screenshot({ path: `${scenePictures}${id}.jpg`, type: 'jpeg', quality: 82 });
    none(errors);
    await close();
  });
}

test('playing moves bodies; stepping back shows what was; anew begins at the start', async () => {
  const { page, errors, close } = await viewer('brick_wall');
  await page.waitForFunction(() => (window.viewer?.scenes.view?.playback.frame ?? 0) > 5, null, { timeout: 60000 });
  await page.keyboard.press('Space');
  const there = await look(page);
  await page.keyboard.press('ArrowLeft');
  const back = await look(page);
  assert.ok(back.frame <= there.frame);
  for (const key of ['c', 'n', 'b', 'i', 's', 'x', 'ArrowRight']) await page.keyboard.press(key);
  await page.keyboard.press('r');
  assert.equal((await look(page)).frame, 0);
  none(errors);
  await close();
});

/** Where the middle of a body is on the screen. @param {import('playwright-core').Page} page @param {number} body */
const seenAt = (page, body) =>
  page.evaluate((i) => {
    const { scenes, stage } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    const box = stage.renderer.domElement.getBoundingClientRect();
    const p = /** @type {NonNullable<typeof scenes.view>} */ (scenes.view).bodies.position(i).project(stage.camera);
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }, body);

test('the mouse pulls a body', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  const body = await page.evaluate(() => window.viewer?.scenes.view?.movable().pop() ?? -1);
  const at = await seenAt(page, body);
  const height = (/** @type {number} */ body) => page.evaluate((b) => window.viewer?.scenes.view?.bodies.position(b).z ?? NaN, body);
  const before = await height(body);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  assert.ok(await page.evaluate(() => window.viewer?.scenes.view?.held !== null), 'a body is held');
  await page.mouse.move(at.x, at.y - 120, { steps: 4 });
  await run(page, 60);
  const after = await height(body);
  assert.ok(after > before + 0.3, `pulled up from ${before} to ${after}`);
  await page.mouse.up();
  assert.equal(await page.evaluate(() => window.viewer?.scenes.view?.held), null);
  none(errors);
  await close();
});

test('a ball that is shot flies into the pile, and scatters it', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  const before = await look(page); // without balls: those wait out of sight
  await page.keyboard.press('x');
  await run(page, 60);
  const after = await look(page);
  assert.equal(after.places.length, before.places.length + 1, 'one ball is there');
  const moved = before.places.filter((p, i) => Math.hypot(...[12, 13, 14].map((k) => (p[k] ?? 0) - (after.places[i]?.[k] ?? 0))) > 0.5);
  assert.ok(moved.length >= 3, `${moved.length} boxes were moved`);
  none(errors);
  await close();
});

test('the thirteenth ball takes the place of the first', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  const balls = () =>
    page.evaluate(() => {
      const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
      return view.data.bodies.flatMap((b, i) => (b.name.startsWith('ball ') ? [view.bodies.position(i).toArray()] : []));
    });
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press('x');
    await run(page, 5);
  }
  const before = await balls();
  assert.equal(before.filter((p) => p[2] > -1e6).length, 12, 'all have been shot');
  await page.keyboard.press('x');
  await run(page, 1);
  const after = await balls();
  const eye = await page.evaluate(() => window.viewer?.stage.camera.position.toArray() ?? []);
  const far = (/** @type {number[] | undefined} */ p) => Math.hypot(...eye.map((x, k) => x - (p?.[k] ?? NaN)));
  assert.ok(far(after[0]) < 2 && far(before[0]) > 5, `from ${before[0]} to ${after[0]}, the eye at ${eye}`);
  await run(page, 30);
  none(errors);
  await close();
});

test('sensors are glass: seen, switched off, and no hindrance to the mouse', async () => {
  const { page, errors, close } = await viewer('pyramid');
  const scene = {
    carom_scene: 1,
    name: 'A gate',
    bodies: [
      { name: 'floor', kind: 'fixed', shape: { kind: 'box', half: [5, 5, 0.5] }, position: [0, 0, -0.5] },
      { name: 'gate', kind: 'fixed', sensor: true, shape: { kind: 'box', half: [1.5, 1.5, 1.5] }, position: [0, 0, 1.5], colour: '#3b82f6' },
      { name: 'box', shape: { kind: 'box', half: [0.5, 0.5, 0.5] }, position: [0, 0, 0.5] },
    ],
    cameras: [{ eye: [0, -8, 2], target: [0, 0, 1] }],
  };
  await drop(page, [{ name: 'gate.json', bytes: Buffer.from(JSON.stringify(scene)) }]);
  await page.waitForFunction(() => window.viewer?.scenes.view?.data.bodies[1]?.sensor);
  await page.keyboard.press('Space');
  await run(page, 60);
  const picture = async () => (await page.screenshot({ clip: { x: 250, y: 150, width: 600, height: 400 } })).toString('base64');
  const shown = await picture();
  await page.screenshot({ path: `${pictures}sensor.png` });
  await page.getByLabel('Sensors').uncheck();
  await page.waitForTimeout(100);
  assert.ok((await picture()) !== shown, 'the gate is gone');
  await page.getByLabel('Sensors').check();
  const box = await seenAt(page, 2);
  await page.mouse.move(box.x, box.y);
  await page.mouse.down();
  assert.equal(await page.locator('.note').textContent(), 'box', 'the pointer goes through the gate');
  await page.mouse.up();
  none(errors);
  await close();
});

test('contacts, normals, islands and sleeping bodies show in the picture', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  await run(page, 300); // they sleep
  const picture = async () => (await page.screenshot({ clip: { x: 250, y: 150, width: 600, height: 400 } })).toString('base64');
  let last = await picture();
  assert.ok((await picture()) === last, 'nothing moves by itself');
  for (const key of ['c', 'n', 's', 'i']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    const now = await picture();
    assert.ok(now !== last, `key ${key} changes the picture`);
    last = now;
  }
  none(errors);
  await close();
});

test('the boxes of trees are drawn, nodes and all', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('b');
  await run(page, 2);
  const levels = await page.evaluate(() => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    return view.treeLevels();
  });
  assert.ok((levels[0] ?? 0) >= 105, `boxes of shapes: ${levels[0]}`); // the crates, and the floor
  assert.ok((levels[1] ?? 0) >= 14, `nodes above them: ${levels[1]}`); // eight children at most
  assert.equal(levels[levels.length - 1], 1, 'one root');
  none(errors);
  await close();
});

test('on a phone everything is on the screen', async () => {
  for (const hash of ['brick_wall', 'queries']) {
    const { page, errors, close } = await viewer(hash, phone);
    await page.waitForTimeout(300);
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select')].filter((e) => {
        const b = e.getBoundingClientRect();
        return b.width > 0 && (b.left < 0 || b.right > innerWidth + 0.5 || b.bottom > innerHeight + 0.5);
      }).map((e) => e.outerHTML),
    );
    assert.deepEqual(outside, []);
    assert.ok((await colours(page, `${pictures}phone-${hash}.png`)) > 8);
    none(errors);
    await close();
  }
});
