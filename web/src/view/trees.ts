// The boxes of trees, as lines: the higher a node stands, the darker, and the root is red.
import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments } from 'three';

const corners = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];
const boxSize = 7; // two corners and the level
const [leaf, top, root] = [new Color(0x7cb8ff), new Color(0x1d3fa8), new Color(0xe5484d)];

export class TreeLines {
  readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.6 }));

  constructor() {
    this.lines.frustumCulled = false;
    this.lines.visible = false;
  }

  /** Two corners and a level for each box; level 0 is around one shape. */
  show(boxes: Float32Array): void {
    const count = boxes.length / boxSize;
    let highest = 1;
    for (let i = 0; i < count; ++i) highest = Math.max(highest, boxes[i * boxSize + 6]!);
    const positions = new Float32Array(count * corners.length * 3);
    const colours = new Float32Array(count * corners.length * 3);
    const colour = new Color();
    let at = 0;
    for (let i = 0; i < count; ++i) {
      const o = i * boxSize;
      const level = boxes[o + 6]!;
      if (level === highest) colour.copy(root);
      else colour.lerpColors(leaf, top, level / highest);
      for (const corner of corners) {
        for (let k = 0; k < 3; ++k) positions[at + k] = boxes[o + k + ((corner >> k) & 1 ? 3 : 0)]!;
        colour.toArray(colours, at);
        at += 3;
      }
    }
    this.lines.geometry.setAttribute('position', new BufferAttribute(positions, 3));
    this.lines.geometry.setAttribute('color', new BufferAttribute(colours, 3));
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }
}
