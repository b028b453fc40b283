// Recordings of the native command in the viewer: they play, can be sought in, and run again to the same bits, or not.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { none } from './browser.mjs';
import { carom, folder, root } from './tool.mjs';
import { drop, pictures, viewer } from './viewer_page.mjs';

const file = join(folder, 'dominoes.crm');
carom(['sim', join(root, 'scenes/dominoes.json'), '--seconds', '2', '--record', file]);

/** The recording with another word of the same length in its scene, and the sum that fits (docs/recording.md). @param {string} from @param {string} to */
function altered(from, to) {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(from);
  assert.ok(at > 0 && from.length === to.length);
  bytes.write(to, at);
  let sum = 0xcbf29ce484222325n;
  for (const byte of bytes.subarray(0, -8)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  bytes.writeBigUInt64LE(sum, bytes.length - 8);
  return bytes;
}

/** @param {import('playwright-core').Page} page */
const replay = (page) => page.evaluate(() => window.viewer?.scenes.view?.replay);
/** @param {import('playwright-core').Page} page @param {RegExp} words */
const says = (page, words) => page.waitForFunction((w) => new RegExp(w).test(document.querySelector('.replay')?.textContent ?? ''), words.source, { timeout: 60000 });
/** Where a body is. @param {import('playwright-core').Page} page @param {string} name */
const place = (page, name) =>
  page.evaluate((n) => {
    const view = window.viewer?.scenes.view;
    return view?.bodies.position(view.data.bodies.findIndex((b) => b.name === n)).toArray() ?? [];
  }, name);

test('a recording opens, plays, and replays identically', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await drop(page, [{ name: 'dominoes.crm', bytes: readFileSync(file) }]);
  await page.waitForFunction(() => (window.viewer?.scenes.view?.replay?.steps ?? 0) === 120);
  await page.waitForFunction(() => (window.viewer?.scenes.view?.playback.frame ?? 0) > 3, null, { timeout: 60000 });
  await says(page, /120 steps: it replays identically, to the bit/);
  assert.deepEqual(await replay(page), { steps: 120, run: 120, difference: null, tookPart: false });
  assert.equal(await page.evaluate(() => window.viewer?.scenes.view?.playback.last), 120);
  // Where what was recorded is shown, and what ran again: the same, but for rounding.
  await page.keyboard.press('Space');
  await page.getByRole('slider', { name: 'Frame' }).fill('100');
  const film = await place(page, 'domino 3');
  await page.keyboard.press('o');
  const run = await place(page, 'domino 3');
  assert.notDeepEqual(film, run, 'one is rounded');
  film.forEach((x, k) => assert.ok(Math.abs(x - (run[k] ?? NaN)) < 1e-4, `${film} and ${run}`));
  await page.screenshot({ path: `${pictures}recording.png` });
  none(errors);
  await close();
});

test('any step can be sought before anything has run again', async () => {
  const { page, errors, close } = await viewer('pyramid');
  const bytes = readFileSync(file).toString('base64');
  const seen = await page.evaluate((base64) => {
    const { scenes } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    scenes.add({ id: 'film', name: 'film', text: '', recording: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)) });
    const view = /** @type {NonNullable<typeof scenes.view>} */ (scenes.view);
    view.playback.seek(120);
    view.show();
    const marble = view.data.bodies.findIndex((b) => b.name === 'marble');
    return { run: view.replay?.run, at: view.bodies.position(marble).toArray() };
  }, bytes);
  assert.equal(seen.run, 0);
  assert.ok(Math.abs((seen.at[1] ?? -0.6) + 0.6) > 0.5, `the marble went from y = -0.6 to ${seen.at[1]}`);
  none(errors);
  await close();
});

test('a recording that differs: the page names the step that the command names, and shows it', async () => {
  const other = join(folder, 'other.crm');
  writeFileSync(other, altered('"friction": 0.4', '"friction": 0.1'));
  const { first_difference: step } = JSON.parse(carom(['replay', other, '--verify', '--json'], 1));
  assert.ok(step > 0 && step < 120, `step ${step}`);
  const { page, errors, close } = await viewer('pyramid');
  await drop(page, [{ name: 'other.crm', bytes: readFileSync(other) }]);
  await says(page, new RegExp(`From step ${step} on this is not what was recorded`));
  await page.getByRole('button', { name: `Show step ${step}` }).click();
  assert.equal(await page.evaluate(() => window.viewer?.scenes.view?.playback.frame), step);
  await page.waitForFunction(() => window.viewer?.scenes.view?.replay?.run === 120, null, { timeout: 60000 });
  await page.getByRole('slider', { name: 'Frame' }).fill('120');
  await says(page, /At this step (domino \d+|marble) is farthest from where it was: [\d.]+ m/);
  await page.screenshot({ path: `${pictures}recording-differs.png` });
  none(errors);
  await close();
});

test('who takes part is told that it is no replay any more', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await drop(page, [{ name: 'dominoes.crm', bytes: readFileSync(file) }]);
  await says(page, /replays identically/);
  await page.keyboard.press('x');
  await says(page, /You took part/);
  assert.equal(await page.locator('.toggle', { hasText: 'Recorded' }).locator('input').isChecked(), false);
  await page.keyboard.press('r');
  await says(page, /replays identically/);
  none(errors);
  await close();
});
