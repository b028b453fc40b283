// The frames of a page, as carom/record/page_frames.h packs them.
import { bytes, record } from './page_json.ts';

/** Numbers of a pose: x y z qx qy qz qw. */
export const poseSize = 7;
/** Numbers of a contact: point xyz, normal xyz, impulse. */
export const contactSize = 7;

export interface Frames {
  dt: number; // seconds from one frame to the next
  count: number;
  poses: Float32Array; // [count][bodies][poseSize]
  asleep: Uint8Array | null; // [count][bodies]
  islands: Int32Array | null; // [count][bodies]: the same for those that hang together; -1: none
  contacts: { starts: Uint32Array; data: Float32Array } | null; // frame i has contacts starts[i] to starts[i + 1]
}

export function parseFrames(frames: Record<string, unknown>, bodies: number): Frames {
  const dt = Number(frames['dt']);
  const count = Number(frames['count']);
  const poses = parsePoses(frames['poses'], count);
  if (!(count >= 1) || poses.length !== count * bodies * poseSize) throw new Error('The data has another number of poses than it says.');
  const column = (name: 'asleep' | 'islands'): Int32Array | null => {
    if (frames[name] === undefined) return null;
    const numbers = rows(frames[name], count, 1);
    if (numbers.length !== count * bodies) throw new Error(`The data does not have '${name}' of each body.`);
    return numbers;
  };
  const asleep = column('asleep');
  return { dt: dt > 0 ? dt : 1 / 60, count, poses, asleep: asleep && Uint8Array.from(asleep), islands: column('islands'), contacts: parseContacts(frames['contacts'], count) };
}

/** Floats, or packed. */
function parsePoses(raw: unknown, count: number): Float32Array {
  if (typeof raw === 'string') return new Float32Array(bytes(raw, 4));
  const [place, turn] = units(raw);
  return Float32Array.from(rows(raw, count, poseSize), (x, i) => x * (i % poseSize < 3 ? place : turn));
}

const packedContact = 6; // impulse, point, normal

function parseContacts(raw: unknown, count: number): Frames['contacts'] {
  if (raw === undefined) return null;
  const [place, turn] = units(raw);
  const zero = Number(record(raw, 'contacts')['impulse_zero']);
  const all = rows(raw, count, packedContact);
  const size = all.length / count;
  const starts = new Uint32Array(count + 1);
  const data: number[] = [];
  for (let i = 0; i < all.length; i += packedContact) {
    if (all[i] === 0) continue;
    const point = [1, 2, 3].map((k) => all[i + k]! * place);
    data.push(...point, ...folded(all[i + 4]! * turn, all[i + 5]! * turn), 2 ** ((all[i]! - zero) / 2));
    ++starts[Math.floor(i / size) + 1];
  }
  for (let i = 0; i < count; ++i) starts[i + 1] += starts[i]!;
  return { starts, data: Float32Array.from(data) };
}

/** The normal whose octahedron was unfolded. */
function folded(u: number, v: number): [number, number, number] {
  const z = 1 - Math.abs(u) - Math.abs(v);
  const [x, y] = z >= 0 ? [u, v] : [(1 - Math.abs(v)) * (u < 0 ? -1 : 1), (1 - Math.abs(u)) * (v < 0 ? -1 : 1)];
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

function units(raw: unknown): [number, number] {
  const [a, b] = record(raw, 'units')['units'] as [number, number];
  return [Number(a), Number(b)];
}

/** [frames][rows][numbers], from their differences (carom/record/delta_frames.h). */
function rows(raw: unknown, frames: number, numbers: number): Int32Array {
  const packed = record(raw, 'frames');
  const count = Number(packed['rows']);
  const from = new Uint8Array(bytes(packed['deltas'], 1));
  let at = 0;
  const byte = (): number => {
    if (at >= from.length) throw new Error('An array of the data is cut short.');
    return from[at++]!;
  };
  const signed = (): number => {
    let [sum, scale, next] = [0, 1, byte()];
    for (; next >= 128; next = byte(), scale *= 128) sum += (next - 128) * scale;
    sum += next * scale;
    return sum % 2 === 0 ? sum / 2 : -(sum + 1) / 2;
  };
  const flags = (length: number): number[] => Array.from({ length: Math.ceil(length / 8) }, byte);
  const set = (bits: number[], i: number) => (bits[i >> 3]! >> (i & 7)) & 1;

  const size = count * numbers;
  const all = new Int32Array(frames * size);
  for (let f = 0; f < frames; ++f) {
    const begin = f * size;
    if (f > 0) all.copyWithin(begin, begin - size, begin);
    const changed = flags(count);
    for (let row = 0; row < count; ++row) {
      if (!set(changed, row)) continue;
      const others = flags(numbers);
      for (let k = 0; k < numbers; ++k) if (set(others, k)) all[begin + row * numbers + k]! += signed();
    }
  }
  return all;
}
