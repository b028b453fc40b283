// The viewer in Chromium, for the tests of it: opened, run on, and given files.
import { mkdirSync } from 'node:fs';
import { after, before } from 'node:test';
import { launch, open } from './browser.mjs';
import { serve } from './serve.mjs';

/** @param {string} p from this folder */
export const path = (p) => new URL(p, import.meta.url).pathname;
export const pictures = path('../../out/web/');

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
export async function viewer(hash, viewport) {
  const opened = await open(browser, `${server.url}#${hash}`, viewport);
  await opened.page.waitForFunction(() => window.viewer?.scenes.view, null, { timeout: 60000 });
  return opened;
}

/** Where all bodies are, and how different that is from other places. @param {import('playwright-core').Page} page @param {number[][]} [from] */
export const look = (page, from) =>
  page.evaluate((others) => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    const places = view.data.bodies.map((_, i) => view.bodies.matrix(i).toArray()).filter((m) => m[14] > -1e6); // a ball that waits is far below
    const way = places.reduce((sum, p, i) => sum + Math.hypot(...p.map((x, k) => x - (others?.[i]?.[k] ?? x))), 0);
    const { frame, position, playing, speed } = view.playback;
    return { frame, position, playing, speed, hash: view.hash, places, way };
  }, from);

/** Goes on by so many steps, whatever the machine's speed. @param {import('playwright-core').Page} page @param {number} steps */
export const run = (page, steps) =>
  page.evaluate((count) => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    for (let i = 0; i < count; ++i) view.playback.step(1);
    view.show();
  }, steps);

/** Opens files as a user would who drops them. @param {import('playwright-core').Page} page @param {{name: string, bytes: Buffer}[]} files */
export const drop = (page, files) =>
  page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of list) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })));

/** @param {import('playwright-core').Page} page @param {string} text */
export const told = (page, text) => page.waitForFunction((t) => document.querySelector('[role=status]')?.textContent?.includes(t), text);
/** @param {import('playwright-core').Page} page @param {string} name */
export const chosen = (page, name) => page.waitForFunction((n) => /** @type {HTMLSelectElement | null} */ (document.querySelector('select[aria-label="Shape A"]'))?.selectedOptions[0]?.textContent === n, name);
