// Contacts of a frame: a dot at each point, and a line along its normal, the longer the more the bodies push.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Group, LineBasicMaterial, LineSegments, Points, PointsMaterial } from 'three';
import { contactSize } from '../page_frames.ts';

export class Contacts {
  readonly group = new Group();
  readonly points: Points;
  readonly normals: LineSegments;

  /** `length` of a normal where nothing pushes, in metres. */
  constructor(private readonly length: number) {
    const dots = new PointsMaterial({ color: 0xe5484d, size: 6, sizeAttenuation: false, depthTest: false, transparent: true });
    const lines = new LineBasicMaterial({ color: 0xf5a524, depthTest: false, transparent: true });
    this.points = new Points(new BufferGeometry(), dots);
    this.normals = new LineSegments(new BufferGeometry(), lines);
    for (const thing of [this.points, this.normals]) {
      thing.frustumCulled = false;
      thing.renderOrder = 2;
      thing.visible = false;
    }
    this.group.add(this.points, this.normals);
  }

  /** Contacts `from` to `to` of the data; see page_data.ts. */
  show(data: Float32Array, from: number, to: number): void {
    const count = to - from;
    let most = 0;
    for (let i = from; i < to; ++i) most = Math.max(most, data[i * contactSize + 6]!);
    const points = room(this.points.geometry, count);
    const lines = room(this.normals.geometry, count * 2);
    for (let i = 0; i < count; ++i) {
      const o = (from + i) * contactSize;
      const reach = this.length * (1 + (most > 0 ? (3 * data[o + 6]!) / most : 0));
      for (let k = 0; k < 3; ++k) {
        const p = data[o + k]!;
        points[i * 3 + k] = lines[i * 6 + k] = p;
        lines[i * 6 + 3 + k] = p + reach * data[o + 3 + k]!;
      }
    }
    this.points.geometry.setDrawRange(0, count);
    this.normals.geometry.setDrawRange(0, count * 2);
  }

  dispose(): void {
    for (const thing of [this.points, this.normals]) thing.geometry.dispose();
  }
}

/** The geometry's positions, of which there are at least so many. */
function room(geometry: BufferGeometry, count: number): Float32Array {
  let attribute = geometry.getAttribute('position') as BufferAttribute | undefined;
  if (!attribute || attribute.count < count) {
    attribute = new BufferAttribute(new Float32Array(Math.max(64, count * 2) * 3), 3);
    attribute.setUsage(DynamicDrawUsage);
    geometry.setAttribute('position', attribute);
  }
  attribute.needsUpdate = true;
  return attribute.array as Float32Array;
}
