// Debian's Chromium, driven by Playwright. A page counts as broken where it writes an error to its console or asks for anything outside.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'];

/** @returns {Promise<import('playwright-core').Browser>} */
export function launch() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
}

export const desk = { width: 1100, height: 700 };
export const phone = { width: 390, height: 844 };

/**
 * Opens a page; `errors` fills with what goes wrong.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {{width: number, height: number}} [viewport]
 */
export async function open(browser, url, viewport = desk) {
  const context = await browser.newContext({ viewport, hasTouch: viewport === phone, reducedMotion: 'reduce' });
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  const origin = new URL(url).origin;
  page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
  page.on('pageerror', (e) => errors.push(String(e)));
  page.on('request', (r) => {
    const outside = !/^(file|data|blob):/.test(r.url()) && new URL(r.url()).origin !== origin;
    if (outside) errors.push(`asked for ${r.url()}`);
  });
  await page.goto(url);
  return { page, errors, close: () => context.close() };
}

/**
 * How many different colours a picture of the page has, coarsely, in its middle: an empty page has few.
 * @param {import('playwright-core').Page} page
 * @param {string} [path] where the picture is kept
 */
export async function colours(page, path) {
  const png = await page.screenshot(path ? { path } : {});
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.drawImage(image, 0, 0);
    const { width, height } = image;
    const { data } = context.getImageData(width * 0.15, height * 0.3, width * 0.4, height * 0.4);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add(((data[i] ?? 0) >> 4) * 256 + ((data[i + 1] ?? 0) >> 4) * 16 + ((data[i + 2] ?? 0) >> 4));
    return seen.size;
  }, png.toString('base64'));
}

/** @param {string[]} errors */
export function none(errors) {
  assert.deepEqual(errors, []);
}
