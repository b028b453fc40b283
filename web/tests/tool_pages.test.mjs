// Pages that the command writes, opened from disk: carom sim --html, carom clash --html.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { colours, launch, none, open } from './browser.mjs';

const root = new URL('../../', import.meta.url).pathname;
const carom = join(root, 'build/release/tools/carom');
const folder = mkdtempSync(join(tmpdir(), 'carom-tool-'));
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

test('carom sim: the page plays what was simulated', async () => {
  const html = join(folder, 'wall.html');
  const told = JSON.parse(execFileSync(carom, ['sim', join(root, 'scenes/brick_wall.json'), '--seconds', '2', '--html', html, '--json'], { encoding: 'utf8' }));
  const { page, errors, close } = await open(browser, pathToFileURL(html).href);
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
  assert.equal(spawnSync(carom, ['clash', obj, '--clearance', '0.2', '--html', html]).status, 1);
  const { page, errors, close } = await open(browser, pathToFileURL(html).href);
  const findings = page.getByRole('complementary', { name: 'Findings' }).getByRole('button');
  await findings.first().click();
  assert.equal(await findings.count(), 2);
  assert.match((await findings.first().textContent()) ?? '', /left.*middle|middle.*left/);
  assert.match((await findings.nth(1).textContent()) ?? '', /middle.*right|right.*middle/);
  none(errors);
  await close();
});
