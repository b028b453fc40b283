// Two nearest or deepest points: a dot at each, the line between them, and the plane that stands between.
import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial, PlaneGeometry, Points, PointsMaterial, Vector3 } from 'three';
import type { Point } from '../page_data.ts';

export class Witness {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly plane: Mesh;

  constructor() {
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array(6), 3));
    const dots = new Points(this.geometry, new PointsMaterial({ color: 0xe5484d, size: 9, sizeAttenuation: false, depthTest: false, transparent: true }));
    const line = new LineSegments(this.geometry, new LineBasicMaterial({ color: 0xe5484d, depthTest: false, transparent: true }));
    this.plane = new Mesh(new PlaneGeometry(1, 1), new MeshBasicMaterial({ color: 0x3b82f6, transparent: true, opacity: 0.14, side: DoubleSide, depthWrite: false }));
    for (const thing of [dots, line, this.plane]) {
      thing.frustumCulled = false;
      thing.renderOrder = 3;
    }
    this.group.add(dots, line, this.plane);
    this.group.visible = false;
  }

  /** `size` of the plane; without a normal there is none. */
  show(a: Point, b: Point, normal: Point | null, size: number): void {
    const positions = this.geometry.getAttribute('position') as BufferAttribute;
    positions.setXYZ(0, ...a);
    positions.setXYZ(1, ...b);
    positions.needsUpdate = true;
    this.plane.visible = normal !== null;
    if (normal) {
      const middle = new Vector3(...a).add(new Vector3(...b)).multiplyScalar(0.5);
      this.plane.position.copy(middle);
      this.plane.lookAt(middle.clone().add(new Vector3(...normal)));
      this.plane.scale.setScalar(size);
    }
    this.group.visible = true;
  }

  hide(): void {
    this.group.visible = false;
  }
}
