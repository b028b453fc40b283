// What a finding points at: a dot, or two and the line between them; the plane that keeps two bodies apart; a normal.
import { ArrowHelper, BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry, Points, PointsMaterial, Vector3 } from 'three';
import type { Finding } from '../page_data.ts';
import type { Point } from '../page_json.ts';

const red = 0xe5484d;
const blue = 0x3b82f6;

export class Witness {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly plane: Mesh;
  private readonly arrow = new ArrowHelper(new Vector3(0, 0, 1), new Vector3(), 1, blue);

  constructor() {
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array(6), 3));
    const dots = new Points(this.geometry, new PointsMaterial({ color: red, size: 9, sizeAttenuation: false, depthTest: false, transparent: true }));
    const line = new LineSegments(this.geometry, new LineBasicMaterial({ color: red, depthTest: false, transparent: true }));
    this.plane = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ color: blue, transparent: true, opacity: 0.14, side: DoubleSide, depthWrite: false }));
    for (const thing of [dots, line, this.plane]) {
      thing.frustumCulled = false;
      thing.renderOrder = 3;
    }
    this.group.add(dots, line, this.plane, this.arrow);
    this.group.visible = false;
  }

  /** Two points, and the plane half way between them; without a normal there is none. */
  show(a: Point, b: Point, normal: Point | null, size: number): void {
    const middle = new Vector3(...a).add(new Vector3(...b)).multiplyScalar(0.5);
    this.draw({ points: [a, b], plane: normal && { point: middle.toArray(), direction: normal }, arrow: null }, size);
  }

  /** `size` of the plane and the arrow. What the finding does not have is not drawn. */
  draw({ points, plane, arrow }: Pick<Finding, 'points' | 'plane' | 'arrow'>, size: number): void {
    const positions = this.geometry.getAttribute('position') as BufferAttribute;
    points.slice(0, 2).forEach((p, i) => positions.setXYZ(i, ...p));
    positions.needsUpdate = true;
    this.geometry.setDrawRange(0, Math.min(points.length, 2));
    this.plane.visible = plane !== null;
    if (plane) {
      const at = new Vector3(...plane.point);
      this.plane.position.copy(at);
      this.plane.lookAt(at.clone().add(new Vector3(...plane.direction)));
      this.plane.scale.setScalar(size);
    }
    this.arrow.visible = arrow !== null;
    if (arrow) {
      this.arrow.position.set(...arrow.point);
      this.arrow.setDirection(new Vector3(...arrow.direction).normalize());
      this.arrow.setLength(size / 2, size / 8, size / 16);
    }
    this.group.visible = true;
  }

  hide(): void {
    this.group.visible = false;
  }

  /** What is drawn now, for tests. */
  get drawn(): { points: number; plane: boolean; arrow: boolean } {
    const { visible } = this.group;
    return { points: visible ? this.geometry.drawRange.count : 0, plane: visible && this.plane.visible, arrow: visible && this.arrow.visible };
  }
}
