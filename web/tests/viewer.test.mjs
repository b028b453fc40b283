// The viewer in Chromium: scenes run, the mouse pulls bodies, the query bench says what the library says.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Carom } from '../dist/carom.mjs';
import { colours, launch, none, open, phone } from './browser.mjs';
import { serve } from './serve.mjs';

const path = (/** @type {string} */ p) => new URL(p, import.meta.url).pathname;
const pictures = path('../../out/web/');
const ids = readdirSync(path('../../scenes')).filter((f) => f.endsWith('.json')).map((f) => f.replace('.json', ''));
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {{url: string, close: () => void}} */
let server;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await launch();
  server = await serve(path('../dist/viewer'));
});
after(async () => {
  await browser.close();
  server.close();
});

/** @param {string} hash @param {{width: number, height: number}} [viewport] */
async function viewer(hash, viewport) {
  const opened = await open(browser, `${server.url}#${hash}`, viewport);
  await opened.page.waitForFunction(() => window.viewer?.scenes.view, null, { timeout: 60000 });
  return opened;
}

/** The lowest height of all bodies that move, and how far they went in all. @param {import('playwright-core').Page} page */
const look = (page) =>
  page.evaluate(() => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    const heights = view.data.bodies.map((b, i) => (b.fixed || b.name.startsWith('ball ') ? NaN : view.bodies.position(i).z)).filter((z) => !Number.isNaN(z));
    return { frame: view.playback.frame, lowest: Math.min(...heights), sum: heights.reduce((a, b) => a + b, 0) };
  });

/** Goes on by so many steps, whatever the machine's speed. @param {import('playwright-core').Page} page @param {number} steps */
const run = (page, steps) =>
  page.evaluate((count) => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    for (let i = 0; i < count; ++i) view.playback.step(1);
    view.show();
  }, steps);

for (const id of ids) {
  test(`scene ${id} runs: nothing falls through, no errors, not blank`, async () => {
    const { page, errors, close } = await viewer(id);
    await page.keyboard.press('Space');
    await run(page, 90);
    const { lowest } = await look(page);
    assert.ok(lowest > -20 && Number.isFinite(lowest), `lowest ${lowest}`);
    assert.ok((await colours(page, `${pictures}scene-${id}.png`)) > 12);
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

test('the mouse pulls a body', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  // A body that is seen: where its middle is on the screen.
  const at = await page.evaluate(() => {
    const { scenes, stage } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    const view = /** @type {NonNullable<typeof scenes.view>} */ (scenes.view);
    const box = stage.renderer.domElement.getBoundingClientRect();
    const last = view.data.bodies.map((b, i) => ({ b, i })).filter(({ b }) => !b.fixed && !b.name.startsWith('ball ')).pop();
    const p = view.bodies.position(last?.i ?? 0).project(stage.camera);
    return { body: last?.i ?? 0, x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  });
  const height = (/** @type {number} */ body) => page.evaluate((b) => window.viewer?.scenes.view?.bodies.position(b).z ?? NaN, body);
  const before = await height(at.body);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  assert.ok(await page.evaluate(() => window.viewer?.scenes.view?.held !== null), 'a body is held');
  await page.mouse.move(at.x, at.y - 120, { steps: 4 });
  await run(page, 60);
  const after = await height(at.body);
  assert.ok(after > before + 0.3, `pulled up from ${before} to ${after}`);
  await page.mouse.up();
  assert.equal(await page.evaluate(() => window.viewer?.scenes.view?.held), null);
  none(errors);
  await close();
});

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
    assert.ok(shown?.holds, shown?.why);
    assert.ok((await page.locator('.answer').textContent())?.includes(expected.toPrecision(12)));
  }
  for (const b of ['Capsule', 'Cylinder', 'Cone', 'Ellipsoid', 'Hull', 'Ring (a solid mesh)']) {
    await page.getByLabel('Shape B').selectOption(b);
    assert.ok(await page.evaluate(() => window.viewer?.queries.reading?.holds), b);
  }
  await page.keyboard.press('m');
  const impact = await page.evaluate(() => {
    const { bench } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer).queries;
    bench.place(0, { position: [-2.2, 0, 0], rotation: [0, 0, 0, 1] });
    return window.viewer?.queries.reading;
  });
  assert.equal(impact?.kind, 'impact');
  assert.ok(impact?.holds, impact?.why);
  assert.ok(impact.value > 0 && impact.value < 1, `impact at ${impact.value}`);
  assert.ok((await colours(page, `${pictures}queries.png`)) > 12);
  none(errors);
  await close();
});

test('a mesh and a scene can be opened; what is neither is told', async () => {
  const { page, errors, close } = await viewer('queries');
  const input = page.locator('input[type=file]');
  const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
  await input.setInputFiles({ name: 'corner.obj', mimeType: 'text/plain', buffer: Buffer.from(tetrahedron) });
  await page.waitForFunction(() => document.querySelector('select[aria-label="Shape A"]')?.textContent?.includes('corner.obj'));
  assert.ok(await page.evaluate(() => window.viewer?.queries.reading?.holds));
  await input.setInputFiles({ name: 'bad.obj', mimeType: 'text/plain', buffer: Buffer.from('v 0 0\n') });
  await page.waitForFunction(() => document.querySelector('[role=status]')?.textContent?.includes('bad.obj'));
  await input.setInputFiles({ name: 'mine.json', mimeType: 'application/json', buffer: readFileSync(path('../../scenes/pyramid.json')) });
  await page.waitForFunction(() => document.querySelector('select[aria-label="Scene"]')?.textContent?.includes('mine.json'));
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
