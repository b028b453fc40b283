// A spring that pulls a body: a dot where it holds it, and a line to where it pulls.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Points, PointsMaterial, type Vector3 } from 'three';

export class SpringMark {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();

  constructor() {
    const look = { color: 0xe5484d, depthTest: false, transparent: true };
    this.geometry.setAttribute('position', new BufferAttribute(new Float32Array(6), 3));
    this.group.add(new Line(this.geometry, new LineBasicMaterial(look)), new Points(this.geometry, new PointsMaterial({ ...look, size: 9, sizeAttenuation: false })));
    for (const thing of this.group.children) {
      thing.frustumCulled = false;
      thing.renderOrder = 4;
    }
    this.group.visible = false;
  }

  show(held: Vector3, goal: Vector3): void {
    const positions = this.geometry.getAttribute('position') as BufferAttribute;
    positions.setXYZ(0, ...held.toArray());
    positions.setXYZ(1, ...goal.toArray());
    positions.needsUpdate = true;
    this.group.visible = true;
  }
  hide(): void {
    this.group.visible = false;
  }
}
