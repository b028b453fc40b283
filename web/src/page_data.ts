// The data of a page: a recording that plays, or a report of findings. Written by carom/record/page.h, read here.
//
// Lengths are metres, up is z, quaternions are x y z w. Arrays of numbers come as base64 of little-endian bytes.

/** What is drawn once and placed many times. */
export interface ShapeMesh {
  positions: Float32Array; // xyz of each vertex
  indices: Uint32Array; // three a triangle
  edges: Uint32Array | null; // two a line: the edges worth drawing
}

export interface PageBody {
  name: string;
  shape: number;
  colour: string;
  fixed: boolean;
}

/** Numbers of a pose: x y z qx qy qz qw. */
export const poseSize = 7;
/** Numbers of a contact: point xyz, normal xyz, impulse. */
export const contactSize = 7;

export interface Frames {
  dt: number; // seconds from one frame to the next
  count: number;
  poses: Float32Array; // [count][bodies][poseSize]
  asleep: Uint8Array | null; // [count][bodies]
  contacts: { starts: Uint32Array; data: Float32Array } | null; // frame i has contacts starts[i] to starts[i + 1]
}

export type Point = [number, number, number];

export interface Finding {
  title: string;
  a: number;
  b: number;
  kind: 'overlap' | 'near';
  value: number;
  points: Point[];
  normal: Point | null;
}

export interface PageData {
  title: string;
  kind: 'recording' | 'report';
  shapes: ShapeMesh[];
  bodies: PageBody[];
  frames: Frames;
  camera: { eye: Point; target: Point } | null;
  findings: Finding[];
  summary: [string, string][];
}

const defaultColour = '#8fa3b8';

/** The page's data, or null where the page has none. Throws an Error with one sentence where it is not what it should be. */
export function parsePage(text: string): PageData | null {
  const raw: unknown = JSON.parse(text);
  if (raw === null) return null;
  const page = record(raw, 'the page');
  if (page['carom'] !== 1) throw new Error('This page holds data of a version that it cannot read.');
  const shapes = list(page['shapes'], 'shapes').map(parseShape);
  const bodies = list(page['bodies'], 'bodies').map((b) => parseBody(b, shapes.length));
  const camera = page['camera'] === undefined ? null : record(page['camera'], 'camera');
  return {
    title: String(page['title'] ?? 'Carom'),
    kind: page['kind'] === 'report' ? 'report' : 'recording',
    shapes,
    bodies,
    frames: parseFrames(record(page['frames'], 'frames'), bodies.length),
    camera: camera && { eye: point(camera['eye']), target: point(camera['target']) },
    findings: list(page['findings'] ?? [], 'findings').map((f) => parseFinding(f, bodies.length)),
    summary: list(page['summary'] ?? [], 'summary').map((row) => {
      const [name, value] = list(row, 'summary');
      return [String(name), String(value)];
    }),
  };
}

function parseShape(raw: unknown): ShapeMesh {
  const shape = record(raw, 'a shape');
  const positions = new Float32Array(bytes(shape['positions'], 12));
  const indices = new Uint32Array(bytes(shape['indices'], 12));
  const edges = shape['edges'] === undefined ? null : new Uint32Array(bytes(shape['edges'], 8));
  const vertices = positions.length / 3;
  for (const index of indices) if (index >= vertices) throw new Error('A triangle of the data has a corner that is not there.');
  for (const index of edges ?? []) if (index >= vertices) throw new Error('An edge of the data has an end that is not there.');
  return { positions, indices, edges };
}

function parseBody(raw: unknown, shapes: number): PageBody {
  const body = record(raw, 'a body');
  const colour = String(body['colour'] ?? '');
  return {
    name: String(body['name'] ?? ''),
    shape: index(body['shape'], shapes, 'shape'),
    colour: /^#[0-9a-fA-F]{6}$/.test(colour) ? colour : defaultColour,
    fixed: body['fixed'] === true,
  };
}

function parseFrames(frames: Record<string, unknown>, bodies: number): Frames {
  const dt = Number(frames['dt']);
  const poses = new Float32Array(bytes(frames['poses'], 4));
  const count = Number(frames['count']);
  if (!(count >= 1) || poses.length !== count * bodies * poseSize) throw new Error('The data has another number of poses than it says.');
  const asleep = frames['asleep'] === undefined ? null : new Uint8Array(bytes(frames['asleep'], 1));
  if (asleep && asleep.length !== count * bodies) throw new Error('The data does not say of each body whether it sleeps.');
  return { dt: dt > 0 ? dt : 1 / 60, count, poses, asleep, contacts: parseContacts(frames['contacts'], count) };
}

function parseContacts(raw: unknown, frames: number): Frames['contacts'] {
  if (raw === undefined || raw === null) return null;
  const contacts = record(raw, 'contacts');
  const counts = new Uint32Array(bytes(contacts['counts'], 4));
  const data = new Float32Array(bytes(contacts['data'], 4));
  const starts = new Uint32Array(frames + 1);
  for (let i = 0; i < frames; ++i) starts[i + 1] = starts[i] + (counts[i] ?? 0);
  if (counts.length !== frames || data.length !== starts[frames] * contactSize) throw new Error('The data has another number of contacts than it says.');
  return { starts, data };
}

function parseFinding(raw: unknown, bodies: number): Finding {
  const finding = record(raw, 'a finding');
  return {
    title: String(finding['title'] ?? ''),
    a: index(finding['a'], bodies, 'body'),
    b: index(finding['b'], bodies, 'body'),
    kind: finding['kind'] === 'near' ? 'near' : 'overlap',
    value: Number(finding['value'] ?? 0),
    points: list(finding['points'] ?? [], 'points').map(point),
    normal: finding['normal'] === undefined ? null : point(finding['normal']),
  };
}

function record(raw: unknown, what: string): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new Error(`The data lacks ${what}.`);
  return raw as Record<string, unknown>;
}

function list(raw: unknown, what: string): unknown[] {
  if (!Array.isArray(raw)) throw new Error(`The data lacks a list of ${what}.`);
  return raw;
}

function index(raw: unknown, count: number, what: string): number {
  const i = Number(raw);
  if (!Number.isInteger(i) || i < 0 || i >= count) throw new Error(`The data names a ${what} that is not there.`);
  return i;
}

function point(raw: unknown): Point {
  const [x, y, z] = list(raw, 'coordinates').map(Number);
  return [x ?? 0, y ?? 0, z ?? 0];
}

/** The bytes of a base64 text, a multiple of `unit` many. */
function bytes(raw: unknown, unit: number): ArrayBuffer {
  const text = atob(String(raw ?? ''));
  if (text.length % unit !== 0) throw new Error('An array of the data is cut short.');
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out.buffer;
}
