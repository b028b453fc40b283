// The player page, opened from disk as a user would.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { colours, desk, launch, none, open, phone } from './browser.mjs';
import { page as write, recording, report } from './sample.mjs';

const pictures = new URL('../../out/web/', import.meta.url).pathname;
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await launch();
});
after(() => browser.close());

/** @param {import('playwright-core').Page} page */
const state = (page) =>
  page.evaluate(() => {
    const { playback, position } = /** @type {NonNullable<Window['carom']>} */ (window.carom);
    return { playing: playback.playing, frame: playback.frame, at: playback.position, speed: playback.speed, z: position(5)[2] };
  });

test('a recording plays: bodies move, the picture is not blank, no errors', async () => {
  const { page, errors, close } = await open(browser, write('wall', recording(8, 12, 200)));
  await page.waitForFunction(() => (window.carom?.playback.frame ?? 0) > 2);
  assert.match(await page.title(), /A brick wall/);
  const first = await state(page);
  await page.waitForFunction((at) => (window.carom?.playback.position ?? 0) > at + 3, first.at);
  const later = await state(page);
  assert.ok(later.z < first.z, `a brick falls: ${first.z} then ${later.z}`);
  assert.ok((await colours(page, `${pictures}player.png`)) > 20);
  none(errors);
  await close();
});

test('contacts, normals, islands and sleeping bodies show in the picture', async () => {
  const { page, errors, close } = await open(browser, write('overlays', recording(8, 12, 100)));
  await page.keyboard.press('Space');
  await page.keyboard.press('End'); // they sleep
  const picture = async () => (await page.screenshot({ clip: { x: 200, y: 150, width: 900, height: 470 } })).toString('base64');
  let last = await picture();
  assert.ok((await picture()) === last, 'nothing moves by itself');
  for (const key of ['c', 'n', 's', 'i']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    const now = await picture();
    assert.ok(now !== last, `key ${key} changes the picture`);
    last = now;
  }
  await page.screenshot({ path: `${pictures}player-overlays.png` });
  none(errors);
  await close();
});

test('keys: space, arrows, Home, End, letters and ?', async () => {
  const { page, errors, close } = await open(browser, write('keys', recording(4, 4, 100)));
  await page.waitForFunction(() => window.carom?.playback.playing);
  await page.keyboard.press('Space');
  assert.equal((await state(page)).playing, false);
  await page.keyboard.press('Home');
  assert.equal((await state(page)).at, 0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.equal((await state(page)).frame, 2);
  await page.keyboard.press('ArrowLeft');
  assert.equal((await state(page)).frame, 1);
  await page.keyboard.press('Shift+ArrowRight');
  assert.equal((await state(page)).frame, 11);
  await page.keyboard.press('ArrowDown');
  assert.equal((await state(page)).speed, 0.5);
  await page.keyboard.press('End');
  assert.equal((await state(page)).frame, 99);
  for (const key of ['c', 'n', 's', 'e', 'f', 't']) await page.keyboard.press(key);
  assert.equal(await page.locator('.toggle', { hasText: 'Contacts' }).locator('input').isChecked(), true);
  assert.equal(await page.locator('.toggle', { hasText: 'Edges' }).locator('input').isChecked(), false);
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  await page.keyboard.press('Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
  none(errors);
  await close();
});

test('buttons and timeline', async () => {
  const { page, errors, close } = await open(browser, write('buttons', recording(4, 4, 100)));
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('slider', { name: 'Frame' }).fill('40');
  assert.equal((await state(page)).frame, 40);
  await page.getByRole('button', { name: 'Step back' }).click();
  assert.equal((await state(page)).frame, 39);
  await page.getByRole('button', { name: 'To the start' }).click();
  assert.equal((await state(page)).frame, 0);
  await page.getByLabel('Speed').selectOption('0.25');
  await page.getByRole('button', { name: 'Play', exact: false }).first().click();
  assert.equal((await state(page)).playing, true);
  none(errors);
  await close();
});

test('a report lists its findings; a click shows the pair', async () => {
  const { page, errors, close } = await open(browser, write('report', report()));
  const findings = page.getByRole('complementary', { name: 'Findings' }).getByRole('button');
  assert.equal(await findings.count(), 2);
  const before = await page.screenshot();
  await findings.first().click();
  assert.equal(await findings.first().getAttribute('aria-pressed'), 'true');
  assert.match((await page.getByRole('status').textContent()) ?? '', /bracket and bolt/);
  await page.waitForTimeout(200);
  assert.ok((await colours(page, `${pictures}report.png`)) > 10);
  assert.notDeepEqual(await page.screenshot(), before);
  await page.keyboard.press('ArrowDown');
  assert.equal(await findings.nth(1).getAttribute('aria-pressed'), 'true');
  none(errors);
  await close();
});

test('on a phone everything is on the screen', async () => {
  for (const [name, data] of /** @type {[string, unknown][]} */ ([['phone', recording(6, 6, 100)], ['phone-report', report()]])) {
    const { page, errors, close } = await open(browser, write(name, data), phone);
    await page.waitForFunction(() => window.carom !== undefined);
    await page.waitForTimeout(300);
    const outside = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, h1')].filter((e) => {
        const b = e.getBoundingClientRect();
        return b.width > 0 && (b.left < 0 || b.right > innerWidth + 0.5 || b.bottom > innerHeight + 0.5);
      }).map((e) => e.outerHTML),
    );
    assert.deepEqual(outside, []);
    assert.ok((await colours(page, `${pictures}${name}.png`)) > 8);
    none(errors);
    await close();
  }
});

test('a page without data, and one with bad data, say so', async () => {
  for (const [name, data, text] of /** @type {[string, unknown, RegExp][]} */ ([
    ['empty', null, /Nothing to play yet/],
    ['version', { carom: 2 }, /version/],
    ['short', { ...recording(1, 1, 3), frames: { dt: 1, count: 3, poses: { rows: 2, deltas: 'AwM=', units: [1, 1] } } }, /cut short/],
    ['cut', { ...recording(1, 1, 3), frames: { dt: 1, count: 9, poses: '' } }, /number of poses/],
  ])) {
    const { page, errors, close } = await open(browser, write(name, data), desk);
    assert.match((await page.getByRole('alert').textContent()) ?? '', text);
    none(errors);
    await close();
  }
});

test('2,000 bricks are drawn in a few calls', async () => {
  const { page, errors, close } = await open(browser, write('many', recording(40, 50, 60)));
  await page.waitForFunction(() => window.carom !== undefined);
  const calls = await page.evaluate(() => window.carom?.drawCalls());
  assert.ok(calls !== undefined && calls <= 12, `${calls} calls`);
  await page.keyboard.press('Space');
  await page.keyboard.press('End');
  await page.waitForTimeout(500);
  await colours(page, `${pictures}many.png`);
  none(errors);
  await close();
});
