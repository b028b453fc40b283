// Files dropped onto the viewer, or chosen: meshes, scenes, recordings, and what is none of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Carom } from '../dist/carom.mjs';
import { none } from './browser.mjs';
import { gltfBox } from './gltf_box.mjs';
import { boxStl } from './sample_mesh.mjs';
import { chosen, drop, path, told, viewer } from './viewer_page.mjs';

test('meshes, scenes and recordings can be opened; what is none of them is told', async () => {
  const { page, errors, close } = await viewer('queries');
  const input = page.locator('input[type=file]');
  const tetrahedron = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
  await input.setInputFiles({ name: 'corner.obj', mimeType: 'text/plain', buffer: Buffer.from(tetrahedron) });
  await chosen(page, 'corner.obj');
  assert.equal(await page.evaluate(() => window.viewer?.queries.reading?.check), 'holds');
  await drop(page, [{ name: 'bad.obj', bytes: Buffer.from('v 0 0\n') }]);
  await told(page, 'bad.obj');
  await drop(page, [{ name: 'mine.json', bytes: readFileSync(path('../../scenes/pyramid.json')) }]);
  await page.waitForFunction(() => document.querySelector('select[aria-label="Scene"]')?.textContent?.includes('mine.json'));
  await drop(page, [{ name: 'garbage.crm', bytes: Buffer.from('this is no recording') }]);
  await told(page, 'garbage.crm');
  none(errors);
  await close();
});

test('STL, as text and as bytes: the same solid as the box it shows', async () => {
  const { page, errors, close } = await viewer('queries');
  await page.getByLabel('Shape B').selectOption('Sphere');
  for (const [name, bytes] of /** @type {[string, Buffer][]} */ ([['text.stl', boxStl('text')], ['bytes.stl', boxStl('bytes')]])) {
    await drop(page, [{ name, bytes }]);
    await chosen(page, name);
    const reading = await page.evaluate(() => {
      const { bench } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer).queries;
      bench.place(0, { position: [0, 0, 0], rotation: [0, 0, 0, 1] });
      bench.place(1, { position: [3, 0, 0], rotation: [0, 0, 0, 1] });
      return window.viewer?.queries.reading;
    });
    // From x = 1 to the ball of radius 0.7.
    assert.ok(Math.abs((reading?.value ?? NaN) - 1.3) < 1e-6, String(reading?.value));
    assert.equal(reading?.check, 'holds', reading?.why ?? '');
  }
  none(errors);
  await close();
});

test('a scene that cannot be opened leaves what is shown, and is not in the list', async () => {
  const { page, errors, close } = await viewer('pyramid');
  const list = () => page.getByLabel('Scene', { exact: true }).evaluate((e) => {
    const select = /** @type {HTMLSelectElement} */ (e);
    return { shown: select.selectedOptions[0]?.textContent, names: [...select.options].map((o) => o.textContent) };
  });
  const before = await list();
  assert.equal(before.shown, 'Pyramid');
  await drop(page, [{ name: 'bad.json', bytes: Buffer.from('{"carom_scene": 1, "bodies": 3}') }]);
  await told(page, 'bad.json');
  assert.deepEqual(await list(), before);
  await drop(page, [{ name: 'bad.crm', bytes: Buffer.from('CRMR') }]);
  await told(page, 'bad.crm');
  assert.deepEqual(await list(), before);
  assert.equal(await page.evaluate(() => window.viewer?.scenes.view?.data.bodies[1]?.name), 'crate 0 0', 'the pyramid is still there');
  await drop(page, [{ name: 'good.json', bytes: readFileSync(path('../../scenes/zoo.json')) }]);
  await page.waitForFunction((n) => document.querySelector('select[aria-label="Scene"]')?.children.length === n, before.names.length + 1);
  assert.equal((await list()).shown, 'good.json');
  none(errors);
  await close();
});

test('a scene and the mesh that it names, dropped together, open as one', async () => {
  const { page, errors, close } = await viewer('pyramid');
  const scene = { name: 'mine.json', bytes: readFileSync(path('../../scenes/horseshoes.json')) };
  const mesh = { name: 'horseshoe.obj', bytes: readFileSync(path('../../scenes/meshes/horseshoe.obj')) };
  await drop(page, [scene]);
  await told(page, 'mine.json');
  assert.match((await page.locator('[role=status]').textContent()) ?? '', /needs the file meshes\/horseshoe\.obj: drop both together/);
  await drop(page, [mesh, scene]);
  await page.waitForFunction(() => window.viewer?.scenes.view?.data.bodies.some((b) => b.name === 'shoe 7'));
  const shown = await page.evaluate(() => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    const shoe = view.data.bodies.find((b) => b.name === 'shoe 0');
    return { triangles: (view.data.shapes[shoe?.shape ?? -1]?.indices.length ?? 0) / 3, bench: window.viewer?.queries.bench.kinds.some((k) => k.name === 'horseshoe.obj') };
  });
  // 122 faces of four corners; and it is no shape of the query bench.
  assert.deepEqual(shown, { triangles: 244, bench: false });
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
    assert.equal(shown?.check, 'holds', shown?.why ?? '');
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
