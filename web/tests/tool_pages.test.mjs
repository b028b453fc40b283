// Pages that the command writes, opened from disk: carom sim --html, carom clash --html, and the questions about shapes.
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Carom, SceneWorld } from '../dist/carom.mjs';
import { colours, launch, none, open } from './browser.mjs';
import { carom, folder, root } from './tool.mjs';

const playerPicture = process.env['CAROM_PLAYER_PICTURE'] ?? join(root, 'out/web/player_page.png'); // ./dev web-test --pictures: docs/player.png
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('carom sim: the page plays what was simulated', async () => {
  const html = join(folder, 'wall.html');
  const scene = join(root, 'scenes/brick_wall.json');
  const told = JSON.parse(carom(['sim', scene, '--html', html, '--json']));
  assert.ok(statSync(html).size < 2e6, `${statSync(html).size} bytes: a page that can be sent by mail`);
  const { page, errors, close } = await open(browser, pathToFileURL(html).href, { width: 1080, height: 560 });
  await page.waitForFunction(() => (window.carom?.playback.frame ?? 0) > 2);
  assert.equal(await page.evaluate(() => window.carom?.playback.last), told.steps);
  await page.keyboard.press('Space');
  const places = () => page.evaluate(() => Array.from({ length: 140 }, (_, i) => window.carom?.position(i) ?? []));
  await page.keyboard.press('Home');
  const first = await places();
  await page.keyboard.press('End');
  const last = await places();
  const moved = first.filter((p, i) => Math.hypot(...p.map((x, k) => x - (last[i]?.[k] ?? NaN))) > 0.5).length;
  assert.ok(moved > 10, `${moved} bricks went far`);
  // The places are those of the run, but for rounding: 0.2 mm here.
  const world = SceneWorld.open((await Carom.load(readFileSync(join(root, 'web/dist/carom.wasm')))).module, readFileSync(scene, 'utf8'));
  for (let i = 0; i < told.steps; ++i) world.next();
  const run = world.placed();
  last.forEach((p, i) => p.forEach((x, k) => assert.ok(Math.abs(x - (run[7 * i + k] ?? NaN)) < 2e-4, `${i}: ${p}`)));
  for (const name of ['Contacts', 'Normals', 'Islands', 'Sleeping', 'Edges']) assert.equal(await page.getByLabel(name).count(), 1, name);
  // The picture of README.md: the wall flies apart, and the panel is folded, so that all of it is seen.
  await page.locator('summary').click();
  await page.getByRole('slider', { name: 'Frame' }).fill('72');
  await page.getByRole('slider', { name: 'Frame' }).blur();
  await page.waitForTimeout(500);
  const picture = await page.screenshot({ path: playerPicture });
  assert.ok(picture.length < 200e3, `${picture.length} bytes`);
  assert.ok((await colours(page)) > 12);
  none(errors);
  await close();
});

test('carom clash: the report lists what overlaps', async () => {
  const box = (/** @type {number} */ x, /** @type {string} */ name, /** @type {number} */ first) => {
    const corners = Array.from({ length: 8 }, (_, i) => `v ${x + (i & 1)} ${(i >> 1) & 1} ${i >> 2}`).join('\n');
    const faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]].map((f) => `f ${f.map((i) => i + first).join(' ')}`).join('\n');
    return `o ${name}\n${corners}\n${faces}\n`;
  };
  const obj = join(folder, 'parts.obj');
  writeFileSync(obj, box(0, 'left', 0) + box(0.75, 'middle', 8) + box(1.85, 'right', 16));
  const html = join(folder, 'report.html');
  carom(['clash', obj, '--clearance', '0.2', '--html', html], 1);
  const { page, errors, close } = await open(browser, pathToFileURL(html).href);
  const findings = page.getByRole('complementary', { name: 'Findings' }).getByRole('button');
  await findings.first().click();
  assert.equal(await findings.count(), 2);
  assert.match((await findings.first().textContent()) ?? '', /left.*middle|middle.*left/);
  assert.match((await findings.nth(1).textContent()) ?? '', /middle.*right|right.*middle/);
  none(errors);
  await close();
});

/** What the page of a question should show once it is open. @typedef {{ words: string[], status: number, caption: string, drawn: { points: number, plane: boolean, arrow: boolean } }} Shown */
/** @type {Shown[]} */
const questions = [
  { words: ['distance', 'sphere:1', 'box:1,1,1', '--pose-b', '5,0,0'], status: 0, caption: 'sphere:1 and box:1,1,1', drawn: { points: 2, plane: true, arrow: false } },
  { words: ['overlap', 'sphere:1', 'box:1,1,1', '--pose-b', '5,0,0'], status: 1, caption: 'sphere:1 and box:1,1,1', drawn: { points: 0, plane: true, arrow: false } },
  { words: ['overlap', 'sphere:1', 'box:1,1,1'], status: 0, caption: 'sphere:1 and box:1,1,1', drawn: { points: 1, plane: false, arrow: false } },
  { words: ['penetration', 'sphere:1', 'sphere:1', '--pose-b', '1,0,0'], status: 0, caption: 'sphere:1 and sphere:1', drawn: { points: 2, plane: false, arrow: false } },
  { words: ['impact', 'sphere:1', 'sphere:1', '--pose-b', '9,0,0'], status: 1, caption: 'sphere:1 and sphere:1', drawn: { points: 0, plane: false, arrow: false } },
  { words: ['ray', 'sphere:1', '--from', '-50,0,0', '--dir', '1,0,0'], status: 0, caption: 'ray on sphere:1', drawn: { points: 2, plane: false, arrow: true } },
  { words: ['closest', 'sphere:1', '--point', '50,0,0'], status: 0, caption: 'point and sphere:1', drawn: { points: 2, plane: false, arrow: true } },
];

test('the page of a question opens with its answer, and draws no more than there is', async () => {
  for (const { words, status, caption, drawn } of questions) {
    const html = join(folder, 'question.html');
    carom([...words, '--html', html], status);
    const { page, errors, close } = await open(browser, pathToFileURL(html).href);
    await page.waitForFunction(() => window.carom !== undefined);
    assert.equal(await page.locator('.note').textContent(), caption);
    const answer = page.getByRole('complementary', { name: 'Findings' }).getByRole('button');
    assert.equal(await answer.getAttribute('aria-pressed'), 'true', caption);
    await page.waitForFunction(() => window.carom?.witness().seen); // a ray's origin may be far from what it meets
    assert.deepEqual(await page.evaluate(() => window.carom?.witness()), { ...drawn, seen: true }, words.join(' '));
    assert.ok((await colours(page)) > 4, caption);
    none(errors);
    await close();
  }
});

test('carom impact: the page plays the motion up to the contact', async () => {
  const html = join(folder, 'impact.html');
  const told = JSON.parse(carom(['impact', 'sphere:1', 'sphere:1', '--pose-b', '5,0,0', '--motion-a', '10,0,0', '--html', html, '--json']));
  const { page, errors, close } = await open(browser, pathToFileURL(html).href);
  await page.waitForFunction(() => (window.carom?.playback.frame ?? 0) > 2);
  assert.deepEqual(await page.evaluate(() => window.carom?.witness()), { points: 2, plane: false, arrow: true, seen: true });
  const x = () => page.evaluate(() => window.carom?.position(0)[0] ?? NaN);
  await page.keyboard.press('Home');
  assert.ok((await x()) < 1.5, 'the motion begins again');
  await page.keyboard.press('End');
  assert.ok(Math.abs((await x()) - 10 * told.t) < 1e-4);
  assert.ok(Math.abs((await page.evaluate(() => window.carom?.playback.seconds ?? NaN)) - told.t) < 1e-6);
  none(errors);
  await close();
});
