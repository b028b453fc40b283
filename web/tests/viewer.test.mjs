// The viewer in Chromium: scenes run, the mouse pulls bodies, the query bench says what the library says.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Carom } from '../dist/carom.mjs';
import { colours, launch, none, open, phone } from './browser.mjs';
import { gltfBox } from './gltf_box.mjs';
import { serve } from './serve.mjs';

const path = (/** @type {string} */ p) => new URL(p, import.meta.url).pathname;
// With CAROM_PICTURES, those of scenes go there: docs/scenes are made so (./dev web-test --pictures).
const pictures = path('../../out/web/');
const scenePictures = process.env['CAROM_PICTURES'] ?? pictures;
const small = { width: 480, height: 300 };
/** Steps after which a scene looks best. @type {Record<string, number>} */
const pictureAt = { bullet: 30, conveyor: 330, dominoes: 300, friction_slope: 130, mover_level: 150, ragdolls: 200, terrain: 300, wrecking_ball: 130 };
const ids = readdirSync(path('../../scenes')).filter((f) => f.endsWith('.json')).map((f) => f.replace('.json', ''));
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {{url: string, close: () => void}} */
let server;
before(async () => {
  for (const folder of [pictures, scenePictures]) mkdirSync(folder, { recursive: true });
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

/** Where all bodies are, the lowest of those that move, and how different all that is from other places. @param {import('playwright-core').Page} page @param {number[][]} [from] */
const look = (page, from) =>
  page.evaluate((others) => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    const shown = view.data.bodies.map((b, i) => ({ fixed: b.fixed, matrix: view.bodies.matrix(i).toArray() })).filter((b) => b.matrix[14] > -1e6); // a ball that waits is far below
    const places = shown.map((b) => b.matrix);
    const way = places.reduce((sum, p, i) => sum + Math.hypot(...p.map((x, k) => x - (others?.[i]?.[k] ?? x))), 0);
    const lowest = Math.min(...shown.filter((b) => !b.fixed).map((b) => b.matrix[14]));
    return { frame: view.playback.frame, places, lowest, bottom: view.bodies.bounds((b) => b.fixed).min.z, way };
  }, from);

/** Goes on by so many steps, whatever the machine's speed. @param {import('playwright-core').Page} page @param {number} steps */
const run = (page, steps) =>
  page.evaluate((count) => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    for (let i = 0; i < count; ++i) view.playback.step(1);
    view.show();
  }, steps);

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

test('contacts, normals, islands and sleeping bodies show in the picture', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  await run(page, 300); // they sleep
  const picture = async () => (await page.screenshot({ clip: { x: 250, y: 150, width: 600, height: 400 } })).toString('base64');
  let last = await picture();
  assert.equal(await picture(), last, 'nothing moves by itself');
  for (const key of ['c', 'n', 's', 'i']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    const now = await picture();
    assert.notEqual(now, last, `key ${key} changes the picture`);
    last = now;
  }
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

test('the query bench goes by keys alone', async () => {
  const { page, errors, close } = await viewer('queries');
  const place = (/** @type {0 | 1 | 2} */ which) => page.evaluate((w) => window.viewer?.queries.bench.poses()[w] ?? { position: [], rotation: [] }, which);
  const first = await place(1);
  await page.keyboard.press('2');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp', 'PageDown']) await page.keyboard.press(key);
  const moved = await place(1);
  const by = moved.position.map((x, k) => Math.round((x - (first.position[k] ?? NaN)) * 1000) / 1000);
  assert.deepEqual(by, [0.1, 0.05, -0.05]);
  assert.deepEqual(moved.rotation, first.rotation);
  await page.keyboard.press('g');
  await page.keyboard.press('ArrowLeft');
  assert.notDeepEqual((await place(1)).rotation, first.rotation);
  assert.deepEqual((await place(1)).position, moved.position);
  const reading = await page.evaluate(() => window.viewer?.queries.reading);
  assert.ok(reading?.holds, String(reading?.why));
  none(errors);
  await close();
});

test('the impact follows the motion that is dragged', async () => {
  const { page, errors, close } = await viewer('queries');
  await page.getByLabel('Shape B').selectOption('Sphere');
  await page.keyboard.press('m'); // the handles are now where A goes
  const read = () => page.evaluate(() => ({ t: window.viewer?.queries.reading?.value ?? NaN, holds: window.viewer?.queries.reading?.holds, end: window.viewer?.queries.bench.poses()[2].position }));
  const before = await read();
  // The middle of the goal on the screen is the middle of its handles: the one that moves freely.
  const at = await page.evaluate(() => {
    const { queries, stage } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    const box = stage.renderer.domElement.getBoundingClientRect();
    const p = stage.camera.position.clone().set(...queries.bench.poses()[2].position).project(stage.camera);
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  });
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 40, at.y + 30, { steps: 5 });
  await page.mouse.up();
  const after = await read();
  assert.notDeepEqual(after.end, before.end, 'the goal was dragged');
  assert.ok(before.holds && after.holds);
  assert.notEqual(after.t, before.t);
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

/** Opens files as a user would who drops them. @param {import('playwright-core').Page} page @param {{name: string, bytes: Buffer}[]} files */
const drop = (page, files) =>
  page.evaluate((list) => {
    const transfer = new DataTransfer();
    for (const { name, base64 } of list) transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })));

/** @param {import('playwright-core').Page} page @param {string} text */
const told = (page, text) => page.waitForFunction((t) => document.querySelector('[role=status]')?.textContent?.includes(t), text);
/** @param {import('playwright-core').Page} page @param {string} name */
const chosen = (page, name) => page.waitForFunction((n) => /** @type {HTMLSelectElement | null} */ (document.querySelector('select[aria-label="Shape A"]'))?.selectedOptions[0]?.textContent === n, name);

test('meshes, scenes and recordings can be opened; what is none of them is told', async () => {
  const { page, errors, close } = await viewer('queries');
  const input = page.locator('input[type=file]');
  const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
  await input.setInputFiles({ name: 'corner.obj', mimeType: 'text/plain', buffer: Buffer.from(tetrahedron) });
  await chosen(page, 'corner.obj');
  assert.ok(await page.evaluate(() => window.viewer?.queries.reading?.holds));
  await drop(page, [{ name: 'bad.obj', bytes: Buffer.from('v 0 0\n') }]);
  await told(page, 'bad.obj');
  await drop(page, [{ name: 'mine.json', bytes: readFileSync(path('../../scenes/pyramid.json')) }]);
  await page.waitForFunction(() => document.querySelector('select[aria-label="Scene"]')?.textContent?.includes('mine.json'));
  await drop(page, [{ name: 'garbage.crm', bytes: Buffer.from('this is no recording') }]);
  await told(page, 'garbage.crm');
  none(errors);
  await close();
});

test('glTF: text and binary, with buffers inside or beside, are the same solid', async () => {
  const { page, errors, close } = await viewer('queries');
  const carom = await Carom.load(readFileSync(path('../dist/carom.wasm')));
  // Two long: the bench does not scale it. Turned on its side by its nodes, mirrored, and back again.
  const box = carom.shapes.box([1, 0.9, 0.95]);
  const { gltf, glb, bin } = gltfBox();
  const cases = [
    { name: 'inside.gltf', files: [{ name: 'inside.gltf', bytes: gltf(`data:application/octet-stream;base64,${bin.toString('base64')}`) }] },
    { name: 'beside.gltf', files: [{ name: 'beside.gltf', bytes: gltf('box.bin') }, { name: 'box.bin', bytes: bin }] },
    { name: 'box.glb', files: [{ name: 'box.glb', bytes: glb }] },
  ];
  for (const { name, files } of cases) {
    await drop(page, files);
    await chosen(page, name);
    await page.getByLabel('Shape B').selectOption('Sphere');
    /** @type {import('../dist/carom.mjs').Pose} */
    const pose = { position: [0.1, 0.05, 0], rotation: [0, 0, 0, 1] }; // inside, and touching no face: of a solid, that is deep
    const shown = await page.evaluate((p) => {
      const { bench } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer).queries;
      bench.place(0, { position: [0, 0, 0], rotation: [0, 0, 0, 1] });
      bench.place(1, p);
      return window.viewer?.queries.reading;
    }, pose);
    const depth = carom.queries.penetration(box, { position: [0, 0, 0], rotation: [0, 0, 0, 1] }, carom.shapes.sphere(0.7), pose).depth;
    assert.equal(shown?.kind, 'penetration');
    assert.ok(Math.abs((shown?.value ?? NaN) - depth) < 0.01 * depth, `${name}: ${shown?.value}, as a box ${depth}`);
    assert.ok(shown?.holds, shown?.why);
  }
  const broken = [
    { name: 'alone.gltf', bytes: gltf('box.bin'), says: 'drop both together' },
    { name: 'short.gltf', bytes: gltf(`data:application/octet-stream;base64,${bin.subarray(0, 40).toString('base64')}`), says: 'ends too early' },
    { name: 'cut.glb', bytes: glb.subarray(0, 60), says: 'ends too early' },
    { name: 'words.gltf', bytes: Buffer.from('not JSON'), says: 'no glTF' },
    { name: 'old.gltf', bytes: Buffer.from('{"asset": {"version": "1.0"}}'), says: 'version 2' },
    { name: 'empty.gltf', bytes: Buffer.from('{"asset": {"version": "2.0"}}'), says: 'no triangle' },
    { name: 'loop.gltf', bytes: Buffer.from('{"asset": {"version": "2.0"}, "nodes": [{"children": [0]}]}'), says: 'too deeply' },
  ];
  for (const { name, bytes, says } of broken) {
    await drop(page, [{ name, bytes }]);
    await told(page, name);
    assert.match((await page.locator('[role=status]').textContent()) ?? '', new RegExp(says));
  }
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
