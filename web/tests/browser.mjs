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
 * A part of a picture of the page: red, green, blue and opacity of each pixel, row by row.
 * @param {import('playwright-core').Page} page
 * @param {Buffer} png
 * @param {{x: number, y: number, width: number, height: number}} part
 */
async function part(page, png, part) {
  const base64 = await page.evaluate(async ({ base64, part }) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(part.x, part.y, part.width, part.height);
    return btoa(Array.from(data, (x) => String.fromCharCode(x)).join(''));
  }, { base64: png.toString('base64'), part });
  return Buffer.from(base64, 'base64');
}

/** Red, green and blue of some places of the page. @param {import('playwright-core').Page} page @param {{x: number, y: number}[]} places @returns {Promise<number[][]>} */
export async function pixels(page, places) {
  const png = await page.screenshot();
  return Promise.all(places.map(async (place) => [...(await part(page, png, { ...place, width: 1, height: 1 })).subarray(0, 3)]));
}

/**
 * How many different colours a picture of the page has, coarsely, in its middle: an empty page has few.
 * @param {import('playwright-core').Page} page
 * @param {string} [path] where the picture is kept
 */
export async function colours(page, path) {
  const png = await page.screenshot(path ? { path } : {});
  const { width, height } = page.viewportSize() ?? desk;
  const data = await part(page, png, { x: Math.round(width * 0.15), y: Math.round(height * 0.3), width: Math.round(width * 0.4), height: Math.round(height * 0.4) });
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) seen.add(((data[i] ?? 0) >> 4) * 256 + ((data[i + 1] ?? 0) >> 4) * 16 + ((data[i + 2] ?? 0) >> 4));
  return seen.size;
}

/** @param {string[]} errors */
export function none(errors) {
  assert.deepEqual(errors, []);
}
