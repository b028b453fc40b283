// The triangles of a glTF file (.glb, or .gltf with its buffers inside or beside it), as the text of an OBJ file, which the library reads.
//
// Only what makes triangles is read: no materials, no pictures, no animation. glTF repeats vertices where a normal or a colour changes; the library takes those at one
// place for one. glTF's up is y, ours is z.

interface Gltf {
  asset?: { version?: string };
  extensionsRequired?: string[];
  scene?: number;
  scenes?: { nodes?: number[] }[];
  nodes?: { mesh?: number; children?: number[]; matrix?: number[]; translation?: number[]; rotation?: number[]; scale?: number[] }[];
  meshes?: { primitives: { attributes: Record<string, number>; indices?: number; mode?: number }[] }[];
  accessors?: { bufferView?: number; byteOffset?: number; componentType: number; normalized?: boolean; count: number; type: string; sparse?: unknown }[];
  bufferViews?: { buffer: number; byteOffset?: number; byteLength: number; byteStride?: number }[];
  buffers?: { uri?: string; byteLength: number }[];
}

/** A 3 x 4 matrix, by columns: what a node does to its points. */
type Place = readonly number[];
const identity: Place = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

const most = 3_000_000; // triangles
const deepest = 100; // nodes in each other

/** `beside` finds a file by its name among those that came with this one. Throws an Error with a sentence. */
export function gltfAsObj(bytes: Uint8Array, beside: (name: string) => Uint8Array | undefined): Uint8Array {
  const { json, inside } = parts(bytes);
  const reader = new Reader(json, inside, beside);
  const out = new Triangles();
  const scene = json.scenes?.[json.scene ?? 0];
  const roots = scene?.nodes ?? json.nodes?.map((_, i) => i) ?? [];
  for (const node of roots) reader.node(node, identity, out, 0);
  if (out.faces.length === 0) throw new Error('There is no triangle in it.');
  return out.obj();
}

/** The JSON, and the buffer that stands behind it in a .glb. */
function parts(bytes: Uint8Array): { json: Gltf; inside: Uint8Array | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = bytes;
  let inside: Uint8Array | undefined;
  if (bytes.length >= 12 && view.getUint32(0, true) === 0x46546c67) {
    if (view.getUint32(4, true) !== 2) throw new Error('This is not version 2 of glTF.');
    const chunks: Uint8Array[] = [];
    for (let at = 12; at + 8 <= bytes.length; ) {
      const length = view.getUint32(at, true);
      if (at + 8 + length > bytes.length) throw new Error('The file ends too early.');
      chunks.push(bytes.subarray(at + 8, at + 8 + length));
      at += 8 + length + ((4 - (length % 4)) % 4);
    }
    if (!chunks[0]) throw new Error('The file ends too early.');
    [text, inside] = [chunks[0], chunks[1]];
  }
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(text));
  } catch {
    throw new Error('This is no glTF: its JSON cannot be read.');
  }
  if (typeof json !== 'object' || json === null || !/^2\./.test((json as Gltf).asset?.version ?? '')) throw new Error('This is not version 2 of glTF.');
  return { json: json as Gltf, inside };
}

/** Triangles that are put together. */
class Triangles {
  readonly faces: number[] = [];
  private readonly lines: string[] = [];

  /** The number of the vertex, from 1 on. */
  vertex(x: number, y: number, z: number): number {
    if (!Number.isFinite(x + y + z)) throw new Error('A position is not a finite number.');
    this.lines.push(`v ${x} ${-z} ${y}`);
    return this.lines.length;
  }
  triangle(a: number, b: number, c: number): void {
    if (this.faces.length >= 3 * most) throw new Error(`There are more than ${most} triangles in it.`);
    this.faces.push(a, b, c);
  }
  obj(): Uint8Array {
    const { faces, lines } = this;
    for (let i = 0; i < faces.length; i += 3) lines.push(`f ${faces[i]} ${faces[i + 1]} ${faces[i + 2]}`);
    return new TextEncoder().encode(lines.join('\n') + '\n');
  }
}

const componentBytes: Record<number, number> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
/** What a whole number is divided by where it stands for one up to 1. */
const componentMost: Record<number, number> = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };

class Reader {
  private readonly buffers = new Map<number, Uint8Array>();

  constructor(
    private readonly json: Gltf,
    private readonly inside: Uint8Array | undefined,
    private readonly beside: (name: string) => Uint8Array | undefined,
  ) {
    const known = ['KHR_mesh_quantization', 'KHR_texture_transform', 'KHR_materials_unlit'];
    const unknown = json.extensionsRequired?.find((e) => !known.includes(e));
    if (unknown) throw new Error(`It needs the extension ${unknown}, which is not read here.`);
  }

  node(number: number, around: Place, out: Triangles, depth: number): void {
    const node = this.json.nodes?.[number];
    if (!node) throw new Error(`There is no node ${number}.`);
    if (depth > deepest) throw new Error('Its nodes are nested too deeply.');
    const place = times(around, placeOf(node));
    const mesh = node.mesh === undefined ? undefined : this.json.meshes?.[node.mesh];
    for (const primitive of mesh?.primitives ?? []) this.primitive(primitive, place, out);
    for (const child of node.children ?? []) this.node(child, place, out, depth + 1);
  }

  private primitive({ attributes, indices, mode = 4 }: NonNullable<Gltf['meshes']>[number]['primitives'][number], m: Place, out: Triangles): void {
    if (mode < 4) return; // points and lines
    const positions = this.numbers(attributes['POSITION'] ?? -1, 'VEC3', 3);
    const vertices: number[] = [];
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = [positions[i]!, positions[i + 1]!, positions[i + 2]!];
      const along = (k: number) => m[k]! * x + m[3 + k]! * y + m[6 + k]! * z + m[9 + k]!;
      vertices.push(out.vertex(along(0), along(1), along(2)));
    }
    const order = indices === undefined ? vertices.map((_, i) => i) : this.numbers(indices, 'SCALAR', 1);
    const corner = (i: number): number => {
      const vertex = vertices[order[i]!];
      if (vertex === undefined) throw new Error('A triangle has a corner that is no vertex.');
      return vertex;
    };
    // A node that mirrors turns triangles inside out.
    const mirrors = determinant(m) < 0;
    const triangle = (a: number, b: number, c: number) => (mirrors ? out.triangle(corner(a), corner(c), corner(b)) : out.triangle(corner(a), corner(b), corner(c)));
    if (mode === 4) for (let i = 0; i + 2 < order.length; i += 3) triangle(i, i + 1, i + 2);
    else if (mode === 5) for (let i = 0; i + 2 < order.length; ++i) triangle(i, i + 1 + (i % 2), i + 2 - (i % 2));
    else for (let i = 1; i + 1 < order.length; ++i) triangle(0, i, i + 1);
  }

  /** All numbers of an accessor. */
  private numbers(number: number, type: string, width: number): number[] {
    const a = this.json.accessors?.[number];
    if (!a || a.type !== type) throw new Error(`There is no accessor ${number} of type ${type}.`);
    if (a.sparse) throw new Error('It has sparse accessors, which are not read here.');
    const size = componentBytes[a.componentType];
    if (size === undefined || !Number.isInteger(a.count) || a.count < 0) throw new Error(`Accessor ${number} is broken.`);
    if (a.bufferView === undefined) return new Array<number>(a.count * width).fill(0);
    const bytes = this.view(a.bufferView);
    const stride = this.json.bufferViews?.[a.bufferView]?.byteStride ?? size * width;
    const start = a.byteOffset ?? 0;
    if (a.count > 0 && start + (a.count - 1) * stride + size * width > bytes.byteLength) throw new Error('A buffer ends too early.');
    const scale = a.normalized ? 1 / (componentMost[a.componentType] ?? 1) : 1;
    const list: number[] = [];
    for (let i = 0; i < a.count; ++i)
      for (let k = 0; k < width; ++k) {
        const x = component(bytes, start + i * stride + k * size, a.componentType) * scale;
        list.push(a.normalized ? Math.max(x, -1) : x);
      }
    return list;
  }

  private view(number: number): DataView {
    const view = this.json.bufferViews?.[number];
    if (!view) throw new Error(`There is no buffer view ${number}.`);
    const buffer = this.buffer(view.buffer);
    const start = view.byteOffset ?? 0;
    if (!(start >= 0 && view.byteLength >= 0 && start + view.byteLength <= buffer.length)) throw new Error('A buffer ends too early.');
    return new DataView(buffer.buffer, buffer.byteOffset + start, view.byteLength);
  }

  private buffer(number: number): Uint8Array {
    const known = this.buffers.get(number);
    if (known) return known;
    const uri = this.json.buffers?.[number]?.uri;
    const bytes = uri === undefined ? this.inside : this.fetched(uri);
    if (!bytes) throw new Error(`There is no buffer ${number}.`);
    this.buffers.set(number, bytes);
    return bytes;
  }

  /** From the address itself, or a file beside this one. Nothing is asked of the network. */
  private fetched(uri: string): Uint8Array {
    const data = /^data:[^,]*;base64,(.*)$/s.exec(uri);
    if (data) return Uint8Array.from(atob(data[1]!), (c) => c.charCodeAt(0));
    const name = decodeURIComponent(uri.replace(/^.*\//, ''));
    const found = this.beside(name);
    if (!found) throw new Error(`Its buffer ${name} is another file: drop both together.`);
    return found;
  }
}

function component(view: DataView, at: number, type: number): number {
  switch (type) {
    case 5120:
      return view.getInt8(at);
    case 5121:
      return view.getUint8(at);
    case 5122:
      return view.getInt16(at, true);
    case 5123:
      return view.getUint16(at, true);
    case 5125:
      return view.getUint32(at, true);
    default:
      return view.getFloat32(at, true);
  }
}

function placeOf({ matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: NonNullable<Gltf['nodes']>[number]): Place {
  if (matrix) return [0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14].map((i) => matrix[i] ?? 0);
  const [x, y, z, w] = rotation as [number, number, number, number];
  const turn = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)];
  return [...turn.map((t, i) => t * (scale[Math.floor(i / 3)] ?? 1)), translation[0] ?? 0, translation[1] ?? 0, translation[2] ?? 0];
}

/** First b, then a. */
function times(a: Place, b: Place): Place {
  const product: number[] = [];
  for (let column = 0; column < 4; ++column)
    for (let row = 0; row < 3; ++row) {
      let sum = column === 3 ? a[9 + row]! : 0;
      for (let k = 0; k < 3; ++k) sum += a[3 * k + row]! * b[3 * column + k]!;
      product.push(sum);
    }
  return product;
}

function determinant(m: Place): number {
  const [a, b, c, d, e, f, g, h, i] = m as [number, number, number, number, number, number, number, number, number];
  return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
}
