// The data of a page: a recording that plays, or a report of findings. Written by carom/record/page.h, read here.
//
// Lengths are metres, up is z, quaternions are x y z w. Arrays of numbers come as base64 of little-endian bytes.

import { type Frames, parseFrames } from './page_frames.ts';
import { bytes, index, list, point, type Point, record } from './page_json.ts';

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
  sensor: boolean; // it stops nobody
}

/** A point and a direction there, not zero. */
export interface Direction {
  point: Point;
  direction: Point;
}

export const findingKinds = ['overlap', 'touch', 'near', 'answer'] as const;

/** What was found about one body or two; then a and b are the same, or not. */
export interface Finding {
  title: string;
  caption: string; // what it is about; empty: the names of the bodies
  a: number;
  b: number;
  kind: (typeof findingKinds)[number];
  value: number;
  points: Point[]; // none, one, or the ends of a line
  plane: Direction | null; // that keeps the bodies apart
  arrow: Direction | null; // a normal
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
    sensor: body['sensor'] === true,
  };
}

function parseFinding(raw: unknown, bodies: number): Finding {
  const finding = record(raw, 'a finding');
  return {
    title: String(finding['title'] ?? ''),
    a: index(finding['a'], bodies, 'body'),
    b: index(finding['b'], bodies, 'body'),
    caption: String(finding['caption'] ?? ''),
    kind: findingKinds.find((kind) => kind === finding['kind']) ?? 'answer',
    value: Number(finding['value'] ?? 0),
    points: list(finding['points'] ?? [], 'points').map(point),
    plane: parseDirection(finding['plane']),
    arrow: parseDirection(finding['arrow']),
  };
}

/** One that is zero stands for none. */
function parseDirection(raw: unknown): Direction | null {
  if (raw === undefined) return null;
  const direction = record(raw, 'a direction');
  const along = point(direction['direction']);
  return along.every((x) => x === 0) ? null : { point: point(direction['point']), direction: along };
}
