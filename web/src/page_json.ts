// The data of a page, field by field. What is wrong with it is an Error of one sentence.

export type Point = [number, number, number];

export function record(raw: unknown, what: string): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new Error(`The data lacks ${what}.`);
  return raw as Record<string, unknown>;
}

export function list(raw: unknown, what: string): unknown[] {
  if (!Array.isArray(raw)) throw new Error(`The data lacks a list of ${what}.`);
  return raw;
}

export function index(raw: unknown, count: number, what: string): number {
  const i = Number(raw);
  if (!Number.isInteger(i) || i < 0 || i >= count) throw new Error(`The data names a ${what} that is not there.`);
  return i;
}

export function point(raw: unknown): Point {
  const [x, y, z] = list(raw, 'coordinates').map(Number);
  return [x ?? 0, y ?? 0, z ?? 0];
}

/** The bytes of a base64 text, a multiple of `unit` many. */
export function bytes(raw: unknown, unit: number): ArrayBuffer {
  const text = atob(String(raw ?? ''));
  if (text.length % unit !== 0) throw new Error('An array of the data is cut short.');
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out.buffer;
}
