// The viewer without a mouse: the camera and the bodies go by keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { none } from './browser.mjs';
import { run, viewer } from './viewer_page.mjs';

/** Where the camera is, seen from what it looks at. @param {import('playwright-core').Page} page */
const camera = (page) =>
  page.evaluate(() => {
    const { stage } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    const away = stage.camera.position.clone().sub(stage.orbit.target);
    return { azimuth: Math.atan2(away.y, away.x), height: Math.asin(away.z / away.length()), distance: away.length(), frame: window.viewer?.scenes.view?.playback.frame };
  });
/** @param {number} a @param {number} b */
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

/** @param {import('playwright-core').Page} page */
async function tabToPicture(page) {
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement instanceof HTMLCanvasElement)) return;
  }
  assert.fail('Tab never comes to the picture');
}

test('arrows turn the view where the picture has the focus, and step else; + and - come closer and go away', async () => {
  for (const hash of ['pyramid', 'queries']) {
    const { page, errors, close } = await viewer(hash);
    await page.keyboard.press('Space');
    await page.keyboard.press('r');
    const start = await camera(page);
    const shapes = () => page.evaluate(() => window.viewer?.queries.bench.poses());
    const before = await shapes();
    await tabToPicture(page);
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowUp']) await page.keyboard.press(key);
    const turned = await camera(page);
    near(turned.azimuth, start.azimuth + 0.1);
    near(turned.height, start.height + 0.1);
    near(turned.distance, start.distance);
    assert.equal(turned.frame, start.frame, 'no step was taken');
    assert.deepEqual(await shapes(), before, 'no shape was moved');
    await page.keyboard.press('+');
    near((await camera(page)).distance, start.distance / 1.15);
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    near((await camera(page)).distance, start.distance * 1.15);
    for (let i = 0; i < 40; ++i) await page.keyboard.press('ArrowUp');
    assert.ok((await camera(page)).height < Math.PI / 2, 'not over the pole');

    // A click leaves the keys to what they mean elsewhere.
    await page.mouse.click(550, 200);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
    const there = await camera(page);
    await page.keyboard.press('ArrowRight');
    near((await camera(page)).azimuth, there.azimuth);
    if (hash === 'pyramid') assert.equal((await camera(page)).frame, (there.frame ?? 0) + 1);
    else assert.notDeepEqual(await shapes(), before);
    none(errors);
    await close();
  }
});

test('a body is taken, pulled up and let go by keys alone', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  const at = (/** @type {string} */ name) =>
    page.evaluate((n) => {
      const view = window.viewer?.scenes.view;
      return view?.bodies.position(view.data.bodies.findIndex((b) => b.name === n)).toArray() ?? [];
    }, name);
  await page.keyboard.press(',');
  const name = ((await page.locator('.note').textContent()) ?? '').split(':')[0] ?? '';
  assert.equal(name, 'crate 13 0', 'the last one, on top');
  await page.keyboard.press('.');
  assert.match((await page.locator('.note').textContent()) ?? '', /^crate 0 0:/, 'round to the first');
  await page.keyboard.press(',');
  const before = await at(name);
  for (let i = 0; i < 4; ++i) await page.keyboard.press('Shift+ArrowUp');
  await run(page, 60);
  const up = await at(name);
  assert.ok((up[2] ?? 0) > (before[2] ?? 0) + 1, `from ${before} to ${up}`);
  for (let i = 0; i < 3; ++i) await page.keyboard.press('Shift+ArrowRight');
  await run(page, 60);
  const right = await at(name);
  assert.ok((right[0] ?? 0) > (up[0] ?? 0) + 0.5, `from ${up} to ${right}`);
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => window.viewer?.scenes.view?.held), null);
  await run(page, 30);
  assert.ok(((await at(name))[2] ?? 0) < (right[2] ?? 0) - 0.5, 'it falls');
  none(errors);
  await close();
});

test('the help tells of all this', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('?');
  const text = (await page.locator('dialog[open]').textContent()) ?? '';
  for (const words of ['turn the view', 'closer', 'take hold of the next body', 'pull it']) assert.ok(text.includes(words), words);
  const fits = await page.locator('dialog[open]').evaluate((d) => d.getBoundingClientRect().bottom <= innerHeight);
  assert.ok(fits, 'it is on the screen');
  none(errors);
  await close();
});
