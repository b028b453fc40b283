// The viewer's scenes in Chromium: they run, the mouse pulls bodies, what is drawn over them is there.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { Carom, SceneWorld } from '../dist/carom.mjs';
import { colours, none, phone } from './browser.mjs';
import { carom } from './tool.mjs';
import { drop, look, path, pictures, run, viewer } from './viewer_page.mjs';

// With CAROM_PICTURES, those of scenes go there: docs/scenes are made so (./dev web-test --pictures).
const scenePictures = process.env['CAROM_PICTURES'] ?? pictures;
const small = { width: 480, height: 300 };
/** Steps after which a scene looks best. @type {Record<string, number>} */
const pictureAt = { bullet: 30, conveyor: 330, dominoes: 300, friction_slope: 130, horseshoes: 150, mover_level: 150, ragdolls: 200, terrain: 300, wrecking_ball: 130 };
const ids = readdirSync(path('../../scenes')).filter((f) => f.endsWith('.json')).map((f) => f.replace('.json', ''));
const library = await Carom.load(readFileSync(path('../dist/carom.wasm')));
before(() => mkdirSync(scenePictures, { recursive: true }));

/** The scene in Node, after so many steps. @param {string} id @param {number} steps */
function inNode(id, steps) {
  const text = readFileSync(path(`../../scenes/${id}.json`), 'utf8');
  const files = new Map(readdirSync(path('../../scenes/meshes')).map((f) => [f, readFileSync(path(`../../scenes/meshes/${f}`))]));
  const world = SceneWorld.open(library.module, text, files);
  for (let i = 0; i < steps; ++i) world.next();
  const [numbers, dt] = [world.placed(), world.description.timeStep];
  const places = Array.from({ length: world.placedCount }, (_, i) => {
    const [x, y, z, ...turn] = /** @type {[number, number, number, number, number, number, number]} */ ([...numbers.subarray(7 * i, 7 * i + 7)]);
    return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(...turn), new Vector3(1, 1, 1)).toArray();
  });
  world.free();
  return { dt, places };
}

// What each scene is about is asserted in tests/record/scenes_test.cpp; here, that the page runs the same, and shows it.
for (const id of ids) {
  test(`scene ${id}: the page runs what the command runs, to the bit, and draws it where it is`, async () => {
    const { page, errors, close } = await viewer(id, small);
    await page.keyboard.press('Space');
    await page.keyboard.press('r');
    const start = await look(page);
    const steps = pictureAt[id] ?? 90;
    await run(page, steps);
    const { hash, places, way } = await look(page, start.places);
    const { dt, places: expected } = inNode(id, steps);
    const native = JSON.parse(carom(['sim', path(`../../scenes/${id}.json`), '--seconds', String(steps * dt), '--json']));
    assert.equal(native.steps, steps);
    assert.equal(hash, native.hash);
    assert.notEqual(hash, start.hash);
    assert.ok(way > 0.001, `bodies moved by ${way} in all`);
    assert.equal(places.length, expected.length);
    const far = places.map((p, i) => Math.hypot(...p.map((x, k) => x - (expected[i]?.[k] ?? NaN))));
    assert.ok(Math.max(...far) < 1e-5, `shape ${far.indexOf(Math.max(...far))} is drawn ${Math.max(...far)} elsewhere`);
    await page.addStyleTag({ content: '.top, .bar, .note { display: none !important }' });
    assert.ok((await colours(page)) > 12);
    await page.screenshot({ path: `${scenePictures}${id}.jpg`, type: 'jpeg', quality: 82 });
    none(errors);
    await close();
  });
}

test('playing moves bodies; steps go on and back, and what was is shown again; anew begins at the start', async () => {
  const { page, errors, close } = await viewer('brick_wall');
  const press = async (/** @type {string[]} */ ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
    return look(page);
  };
  await page.waitForFunction(() => (window.viewer?.scenes.view?.playback.frame ?? 0) > 5, null, { timeout: 60000 });
  const paused = await press('Space');
  assert.equal(paused.playing, false);
  const whole = await press('ArrowLeft');
  assert.equal(whole.frame, Math.ceil(paused.position) - 1, 'from between two frames, to the one before');
  assert.equal((await press('ArrowLeft')).frame, whole.frame - 1);

  const film = [await press('r')];
  for (let i = 1; i <= 5; ++i) film.push(await press('ArrowRight'));
  assert.deepEqual(film.map((f) => f.frame), [0, 1, 2, 3, 4, 5]);
  for (let i = 1; i <= 5; ++i) assert.notDeepEqual(film[i]?.places, film[i - 1]?.places, `something moves in step ${i}`);
  for (const i of [4, 3, 2]) {
    const back = await press('ArrowLeft');
    assert.equal(back.frame, i);
    assert.deepEqual(back.places, film[i]?.places, `frame ${i} is shown as it was`);
  }
  assert.deepEqual((await press('ArrowRight')).places, film[3]?.places);
  assert.deepEqual((await press('Home')).places, film[0]?.places);
  const end = await press('End');
  assert.deepEqual([end.frame, end.places], [5, film[5]?.places]);
  assert.equal(end.hash, film[5]?.hash, 'looking back changes nothing');

  const anew = await press('r');
  assert.deepEqual([anew.frame, anew.hash, anew.places], [0, film[0]?.hash, film[0]?.places]);
  for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowRight');
  assert.equal((await look(page)).hash, film[5]?.hash);
  none(errors);
  await close();
});

test('up and down change the speed, and slow is slow', async () => {
  const { page, errors, close } = await viewer('brick_wall');
  await page.keyboard.press('Space');
  const speed = async (/** @type {string} */ key) => {
    await page.keyboard.press(key);
    return { speed: (await look(page)).speed, shown: await page.getByLabel('Speed').inputValue() };
  };
  assert.deepEqual(await speed('ArrowUp'), { speed: 2, shown: '2' });
  assert.deepEqual(await speed('ArrowDown'), { speed: 1, shown: '1' });
  assert.deepEqual(await speed('ArrowDown'), { speed: 0.5, shown: '0.5' });
  assert.deepEqual(await speed('ArrowDown'), { speed: 0.25, shown: '0.25' });
  await page.keyboard.press('r');
  const gone = await page.evaluate(() => {
    const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
    view.playback.toggle();
    view.advance(6 / 60);
    view.playback.toggle();
    return view.playback.position;
  });
  assert.ok(Math.abs(gone - 1.5) < 1e-9, `six frames of time are ${gone}`);
  none(errors);
  await close();
});

test('keys switch what is drawn over the scene, and shoot', async () => {
  const { page, errors, close } = await viewer('brick_wall');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  const state = () =>
    page.evaluate(() => {
      const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
      return { overlays: { ...view.overlays }, movable: view.movable().length, playing: view.playback.playing };
    });
  for (const [key, what, name] of /** @type {const} */ ([['c', 'contacts', 'Contacts'], ['n', 'normals', 'Normals'], ['b', 'trees', 'Trees'], ['i', 'islands', 'Islands'], ['s', 'sleeping', 'Sleeping']])) {
    const before = await state();
    await page.keyboard.press(key);
    const after = await state();
    assert.deepEqual(after, { ...before, overlays: { ...before.overlays, [what]: !before.overlays[what] } }, key);
    assert.equal(await page.getByLabel(name).isChecked(), after.overlays[what], key);
  }
  const before = await state();
  await page.keyboard.press('x');
  const after = await state();
  assert.deepEqual([after.movable, after.playing], [before.movable + 1, true]);
  none(errors);
  await close();
});

/** Where the middle of a body is on the screen. @param {import('playwright-core').Page} page @param {number} body */
const seenAt = (page, body) =>
  page.evaluate((i) => {
    const { scenes, stage } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
    const box = stage.renderer.domElement.getBoundingClientRect();
    const p = /** @type {NonNullable<typeof scenes.view>} */ (scenes.view).bodies.position(i).project(stage.camera);
    return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
  }, body);

test('the mouse pulls a body', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  const body = await page.evaluate(() => window.viewer?.scenes.view?.movable().pop() ?? -1);
  const at = await seenAt(page, body);
  const height = (/** @type {number} */ body) => page.evaluate((b) => window.viewer?.scenes.view?.bodies.position(b).z ?? NaN, body);
  const before = await height(body);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  assert.ok(await page.evaluate(() => window.viewer?.scenes.view?.held !== null), 'a body is held');
  await page.mouse.move(at.x, at.y - 120, { steps: 4 });
  await run(page, 60);
  const after = await height(body);
  assert.ok(after > before + 0.3, `pulled up from ${before} to ${after}`);
  await page.mouse.up();
  assert.equal(await page.evaluate(() => window.viewer?.scenes.view?.held), null);
  // Begun anew while one is held: it is let go, and the mouse turns the view again.
  await page.keyboard.press('r');
  const again = await seenAt(page, body);
  await page.mouse.move(again.x, again.y);
  await page.mouse.down();
  await page.keyboard.press('r');
  await page.mouse.up();
  assert.deepEqual(await page.evaluate(() => [window.viewer?.scenes.view?.held, window.viewer?.stage.orbit.enabled]), [null, true]);
  none(errors);
  await close();
});

test('a finger pulls a body on a phone, and a second finger does not disturb it', async () => {
  const { page, errors, close } = await viewer('pyramid', phone);
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  const body = await page.evaluate(() => window.viewer?.scenes.view?.movable().pop() ?? -1);
  const state = () =>
    page.evaluate((b) => {
      const { scenes, stage } = /** @type {NonNullable<Window['viewer']>} */ (window.viewer);
      return { z: scenes.view?.bodies.position(b).z ?? NaN, held: scenes.view?.held !== null, goal: scenes.view?.held?.goal.toArray(), eye: stage.camera.position.toArray() };
    }, body);
  const devtools = await page.context().newCDPSession(page);
  const touch = async (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {{x: number, y: number, id: number}[]} */ ...touchPoints) => {
    await devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))); // moves come with pictures
  };
  const at = { ...(await seenAt(page, body)), id: 1 };
  const before = await state();
  await touch('touchStart', at);
  assert.equal((await state()).held, true, 'the crate on top is held');
  for (let i = 1; i <= 4; ++i) await touch('touchMove', { ...at, y: at.y - 15 * i });
  const up = { ...at, y: at.y - 60 };
  const { goal } = await state();
  const other = { x: 60, y: 400, id: 2 };
  await touch('touchStart', up, other);
  await touch('touchMove', up, { ...other, x: 160 });
  await touch('touchMove', up); // the second one is gone
  const after = await state();
  assert.deepEqual([after.held, after.goal], [true, goal], 'the body does not follow the second one');
  after.eye.forEach((x, k) => assert.ok(Math.abs(x - (before.eye[k] ?? NaN)) < 1e-6, 'nor does the view'));
  await run(page, 60);
  const pulled = await state();
  assert.ok(pulled.z > before.z + 0.3, `pulled up from ${before.z} to ${pulled.z}`);
  await touch('touchEnd');
  assert.equal((await state()).held, false);
  // Beside the bodies, it turns the view.
  await touch('touchStart', other);
  for (let i = 1; i <= 4; ++i) await touch('touchMove', { ...other, x: 60 + 30 * i });
  await touch('touchEnd');
  await page.waitForFunction((eye) => window.viewer?.stage.camera.position.toArray().some((x, k) => Math.abs(x - (eye[k] ?? NaN)) > 0.1), before.eye);
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

test('the thirteenth ball takes the place of the first', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  const balls = () =>
    page.evaluate(() => {
      const view = /** @type {NonNullable<NonNullable<Window['viewer']>['scenes']['view']>} */ (window.viewer?.scenes.view);
      return view.data.bodies.flatMap((b, i) => (b.name.startsWith('ball ') ? [view.bodies.position(i).toArray()] : []));
    });
  for (let i = 0; i < 12; ++i) {
    await page.keyboard.press('x');
    await run(page, 5);
  }
  const before = await balls();
  const { frame } = await look(page);
  assert.equal(before.filter((p) => p[2] > -1e6).length, 12, 'all have been shot');
  await page.keyboard.press('x'); // and it plays, until the next step
  await run(page, 1);
  const after = await balls();
  const { eye, size } = await page.evaluate(() => ({ eye: window.viewer?.stage.camera.position.toArray() ?? [], size: window.viewer?.scenes.view?.size ?? NaN }));
  const far = (/** @type {number[] | undefined} */ p) => Math.hypot(...eye.map((x, k) => x - (p?.[k] ?? NaN)));
  const flown = (3 * size * ((await look(page)).frame - frame)) / 60;
  assert.ok(Math.abs(far(after[0]) - flown) < 0.1 * flown, `from ${before[0]} to ${after[0]}, the eye at ${eye}: not by ${flown}`);
  assert.ok(far(before[0]) > 1.2 * flown, `it was at ${before[0]}`);
  await run(page, 30);
  none(errors);
  await close();
});

test('sensors are glass: seen, switched off, and no hindrance to the mouse', async () => {
  const { page, errors, close } = await viewer('pyramid');
  const scene = {
    carom_scene: 1,
    name: 'A gate',
    bodies: [
      { name: 'floor', kind: 'fixed', shape: { kind: 'box', half: [5, 5, 0.5] }, position: [0, 0, -0.5] },
      { name: 'gate', kind: 'fixed', sensor: true, shape: { kind: 'box', half: [1.5, 1.5, 1.5] }, position: [0, 0, 1.5], colour: '#3b82f6' },
      { name: 'box', shape: { kind: 'box', half: [0.5, 0.5, 0.5] }, position: [0, 0, 0.5] },
    ],
    cameras: [{ eye: [0, -8, 2], target: [0, 0, 1] }],
  };
  await drop(page, [{ name: 'gate.json', bytes: Buffer.from(JSON.stringify(scene)) }]);
  await page.waitForFunction(() => window.viewer?.scenes.view?.data.bodies[1]?.sensor);
  await page.keyboard.press('Space');
  await run(page, 60);
  const picture = async () => (await page.screenshot({ clip: { x: 250, y: 150, width: 600, height: 400 } })).toString('base64');
  const shown = await picture();
  await page.screenshot({ path: `${pictures}sensor.png` });
  await page.getByLabel('Sensors').uncheck();
  await page.waitForTimeout(100);
  assert.ok((await picture()) !== shown, 'the gate is gone');
  await page.getByLabel('Sensors').check();
  const box = await seenAt(page, 2);
  await page.mouse.move(box.x, box.y);
  await page.mouse.down();
  assert.equal(await page.locator('.note').textContent(), 'box', 'the pointer goes through the gate');
  await page.mouse.up();
  none(errors);
  await close();
});

test('contacts, normals, islands, sleeping bodies and the boxes of trees show in the picture', async () => {
  const { page, errors, close } = await viewer('pyramid');
  await page.keyboard.press('Space');
  await page.keyboard.press('r');
  await run(page, 300); // they sleep
  const picture = async () => (await page.screenshot({ clip: { x: 250, y: 150, width: 600, height: 400 } })).toString('base64');
  let last = await picture();
  assert.ok((await picture()) === last, 'nothing moves by itself');
  for (const key of ['c', 'n', 's', 'i', 'b']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    const now = await picture();
    assert.ok(now !== last, `key ${key} changes the picture`);
    last = now;
  }
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
