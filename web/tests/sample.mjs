// Page data made here, as carom/record/page.h writes it: bricks that fall, and a report of two findings.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** @param {Float32Array | Uint32Array | Uint8Array} a */
const base64 = (a) => Buffer.from(a.buffer, a.byteOffset, a.byteLength).toString('base64');

/**
 * Frames of rows of whole numbers, as carom/record/delta_frames.h writes them.
 * @param {number[][][]} frames
 */
function packed(frames) {
  const rows = Math.max(...frames.map((f) => f.length));
  const numbers = frames[0]?.[0]?.length ?? 1;
  /** @type {number[]} */
  const out = [];
  const flags = (/** @type {boolean[]} */ bits) => {
    for (let i = 0; i < bits.length; i += 8) out.push(bits.slice(i, i + 8).reduce((byte, bit, k) => byte | (Number(bit) << k), 0));
  };
  let last = Array.from({ length: rows }, () => Array(numbers).fill(0));
  for (const frame of frames) {
    const now = last.map((_, i) => frame[i] ?? Array(numbers).fill(0));
    const differs = (/** @type {number} */ i, /** @type {number} */ k) => now[i]?.[k] !== last[i]?.[k];
    const every = Array.from({ length: numbers }, (_, k) => k);
    flags(now.map((_, i) => every.some((k) => differs(i, k))));
    now.forEach((row, i) => {
      if (!every.some((k) => differs(i, k))) return;
      flags(every.map((k) => differs(i, k)));
      for (const k of every.filter((k) => differs(i, k))) {
        const by = row[k] - last[i]?.[k];
        let zigzag = by < 0 ? -2 * by - 1 : 2 * by;
        for (; zigzag >= 128; zigzag = Math.floor(zigzag / 128)) out.push(128 + (zigzag % 128));
        out.push(zigzag);
      }
    });
    last = now;
  }
  return { rows, deltas: base64(Uint8Array.from(out)) };
}

/** @param {number} x @param {number} y @param {number} z half the sides */
export function box(x, y, z) {
  const corners = [];
  for (let i = 0; i < 8; ++i) corners.push(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
  const faces = [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
  const edges = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];
  return { positions: base64(new Float32Array(corners)), indices: base64(new Uint32Array(faces)), edges: base64(new Uint32Array(edges)) };
}

/** A wall of bricks that fall apart, `rows` high. @param {number} rows @param {number} columns @param {number} count of frames */
export function recording(rows, columns, count) {
  const bodies = [{ name: 'floor', shape: 0, colour: '#9aa5b1', fixed: true }];
  const palette = ['#d8a25e', '#c8794a', '#e0b980'];
  for (let i = 0; i < rows * columns; ++i) bodies.push({ name: `brick ${i}`, shape: 1, colour: palette[i % 3] ?? '', fixed: false });
  const poses = new Float32Array(count * bodies.length * 7);
  /** @type {number[][][]} */
  const asleep = [];
  /** @type {number[][][]} impulse, point, normal; lengths in millimetres */
  const contacts = [];
  for (let f = 0; f < count; ++f) {
    asleep.push(bodies.map((b) => [!b.fixed && f > 80 ? 1 : 0]));
    /** @type {number[][]} */
    const touching = [];
    contacts.push(touching);
    bodies.forEach((b, i) => {
      const o = (f * bodies.length + i) * 7;
      poses[o + 6] = 1;
      if (b.fixed) poses[o + 2] = -0.1;
      else {
        const row = Math.floor((i - 1) / columns);
        poses[o] = ((i - 1) % columns) * 0.42 + (row % 2) * 0.2;
        poses[o + 1] = row * f * 0.002;
        poses[o + 2] = Math.max(0.1, 0.1 + row * 0.2 + 1 - f * 0.02);
        if (row === 0) touching.push([100 + 2 * (i % 4), Math.round(1000 * (poses[o] ?? 0)), Math.round(1000 * (poses[o + 1] ?? 0)), 0, 0, 0]);
      }
    });
  }
  return {
    carom: 1,
    title: 'A brick wall',
    kind: 'recording',
    shapes: [box(20, 20, 0.1), box(0.2, 0.1, 0.1)],
    bodies,
    frames: {
      dt: 1 / 60,
      count,
      poses: base64(poses),
      asleep: packed(asleep),
      islands: packed(asleep.map((frame) => frame.map((_, i) => [i === 0 ? -1 : 1 + ((i - 1) % columns)]))), // a column each
      contacts: { ...packed(contacts), units: [0.001, 0.01], impulse_zero: 100 },
    },
    summary: [['steps', String(count)], ['bodies', String(bodies.length)], ['time a step', '1.3 ms']],
  };
}

export function report() {
  const bodies = ['bracket', 'bolt', 'cover'].map((name, i) => ({ name, shape: i, colour: '#8fa3b8', fixed: false }));
  const poses = new Float32Array([0, 0, 0, 0, 0, 0, 1, 1.9, 0, 0, 0, 0, 0, 1, 0, 0, 1.3, 0, 0, 0, 1]);
  return {
    carom: 1,
    title: 'bracket.obj, bolt.obj & cover.obj',
    kind: 'report',
    shapes: [box(1, 0.5, 0.25), box(1, 0.2, 0.2), box(0.8, 0.8, 1)],
    bodies,
    frames: { dt: 0, count: 1, poses: base64(poses) },
    findings: [
      { title: 'bracket and bolt overlap by 100 mm', a: 0, b: 1, kind: 'overlap', value: 0.1, points: [[1, 0, 0], [0.9, 0, 0]], plane: { point: [0.95, 0, 0], direction: [1, 0, 0] } },
      { title: 'bracket and cover are 50 mm apart', a: 0, b: 2, kind: 'near', value: 0.05, points: [[0, 0, 0.25], [0, 0, 0.3]], plane: { point: [0, 0, 0.275], direction: [0, 0, 1] } },
    ],
    summary: [['parts', '3'], ['pairs tested', '3']],
  };
}

const folder = join(tmpdir(), `carom-pages-${process.pid}`);
const empty = '<script id="carom-data" type="application/json">null</script>';

/** Writes the page with this data, and gives its address on disk. @param {string} name @param {unknown} data */
export function page(name, data) {
  const html = readFileSync(new URL('../dist/player.html', import.meta.url), 'utf8');
  if (html.split(empty).length !== 2) throw new Error('the page has not exactly one place for data');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.html`);
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  writeFileSync(path, html.replace(empty, () => empty.replace('null', () => json)));
  return pathToFileURL(path).href;
}
