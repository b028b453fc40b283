// ./dev bench web [--json FILE]: our world in WebAssembly against the same natively on one thread, and against Rapier's in WebAssembly, interleaved in one run.
// The state at the end must be the same to the bit in WebAssembly and natively. Exits 1 where a ratio is below its bar.
import { writeFileSync } from 'node:fs';
import { brickWall, inNative, inRapier, inWebAssembly, pyramid } from './scenes.mjs';

const repetitions = 7;
const sides = { wasm: inWebAssembly, native: inNative, rapier: inRapier };
/** The peers, and what a ratio to each has to be at least. @type {[keyof typeof sides, string, number][]} */
const peers = [['native', 'native, one thread', 0.4], ['rapier', 'rapier3d-simd', 1]];
/** @param {number[]} list */
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? NaN;

/** @type {{case: string, peer: string, ours: number, peer_time: number, ratio: number, bar: number}[]} */
const rows = [];
for (const scene of [pyramid(60), brickWall()]) {
  /** @type {Record<keyof typeof sides, number[]>} */
  const times = { wasm: [], native: [], rapier: [] };
  const hashes = new Set();
  let heights = '';
  for (let i = 0; i <= repetitions; ++i) {
    const order = /** @type {(keyof typeof sides)[]} */ (Object.keys(sides)).sort(() => Math.random() - 0.5);
    for (const side of order) {
      const run = sides[side](scene);
      if (i > 0) times[side].push(run.time); // the first is for the compilers
      if (run.hash) hashes.add(run.hash);
      if (i === 0 && side !== 'native') heights += ` ${side} ${run.height.toFixed(4)}`;
    }
  }
  if (hashes.size !== 1) throw new Error(`${scene.name}: WebAssembly and native end differently: ${[...hashes].join(' ')}`);
  console.log(`${scene.name}: mean height at the end:${heights}; same bits as native (${[...hashes][0]})`);
  const ours = median(times.wasm);
  for (const [side, peer, bar] of peers) {
    const time = median(times[side]);
    rows.push({ case: `web ${scene.name}`, peer, ours, peer_time: time, ratio: time / ours, bar });
  }
}

console.log('| case | peer | ours [ms a step] | peer [ms a step] | ratio |\n|---|---|---:|---:|---:|');
for (const r of rows) console.log(`| ${r.case} | ${r.peer} | ${(r.ours / 1e6).toFixed(3)} | ${(r.peer_time / 1e6).toFixed(3)} | ${r.ratio.toFixed(2)} |`);
const json = process.argv.indexOf('--json');
if (json > 0) writeFileSync(process.argv[json + 1] ?? 'web.json', JSON.stringify(rows, null, 1) + '\n');

const missed = rows.filter((r) => !(r.ratio >= r.bar));
for (const r of missed) console.log(`below the bar: ${r.case} against ${r.peer} is ${r.ratio.toFixed(2)}, and should be ${r.bar} at least`);
if (missed.length > 0) process.exitCode = 1;
