// All bodies of a page, drawn in one call a shape, however many there are.
import { Box3, Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Mesh, MeshStandardMaterial, Quaternion, Ray, Raycaster, Vector3 } from 'three';
import type { PageBody, ShapeMesh } from '../page_data.ts';
import { poseSize } from '../page_frames.ts';
import { edgeMaterial, instancedEdges } from './edges.ts';
import { type Drawable, drawable } from './geometry.ts';

const sleepingColour = new Color(0x6f7d8c);
const nothing = new Matrix4().makeScale(0, 0, 0);
const faint = 0.16;
const sensorOpacity = 0.25;

export class Bodies {
  readonly group = new Group();
  readonly edges = edgeMaterial();
  private readonly drawables: Drawable[];
  private readonly material = new MeshStandardMaterial({ roughness: 0.75, metalness: 0.02, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  private readonly glass = new MeshStandardMaterial({ roughness: 0.75, transparent: true, opacity: sensorOpacity, depthWrite: false });
  private readonly sensors = new Group();
  private readonly meshes: InstancedMesh[] = []; // sensors included
  private readonly home: { mesh: InstancedMesh; slot: number }[] = []; // of each body
  private readonly members = new Map<InstancedMesh, number[]>();
  private readonly places: Matrix4[];
  private readonly colours: Color[];
  private shown: Mesh[] = []; // bodies pulled out of the crowd
  private shownBodies: number[] = [];

  constructor(
    shapes: ShapeMesh[],
    private readonly bodies: PageBody[],
  ) {
    this.drawables = shapes.map(drawable);
    this.places = bodies.map(() => new Matrix4());
    this.colours = bodies.map((b) => new Color(b.colour));
    const ofShape = shapes.map(() => [] as number[]);
    bodies.forEach((b, i) => ofShape[b.shape]?.push(i));
    this.group.add(this.sensors);
    ofShape.forEach((members, shape) => {
      this.addShape(shape, members.filter((i) => !bodies[i]!.sensor), this.group);
      this.addShape(shape, members.filter((i) => bodies[i]!.sensor), this.sensors);
    });
  }

  private addShape(shape: number, members: number[], group: Group): void {
    const look = this.drawables[shape];
    if (members.length === 0 || !look) return;
    const solid = group === this.group;
    const mesh = new InstancedMesh(look.faces, solid ? this.material : this.glass, members.length);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = mesh.receiveShadow = solid;
    if (!solid) mesh.renderOrder = 1; // after what is seen through them
    members.forEach((body, slot) => {
      this.home[body] = { mesh, slot };
      mesh.setColorAt(slot, this.colours[body]!);
    });
    this.meshes.push(mesh);
    this.members.set(mesh, members);
    group.add(mesh, instancedEdges(look.edges, mesh.instanceMatrix, this.edges));
  }

  /** Puts all bodies where the poses say; or between there and the next ones, by this share of the way. */
  place(poses: Float32Array, following: Float32Array | null = null, share = 0): void {
    const p = new Vector3(), q = new Quaternion(), next = new Vector3(), nextTurn = new Quaternion();
    const one = new Vector3(1, 1, 1);
    for (let i = 0; i < this.bodies.length; ++i) {
      const o = i * poseSize;
      p.fromArray(poses, o);
      q.fromArray(poses, o + 3);
      if (following && share > 0) {
        p.lerp(next.fromArray(following, o), share);
        q.slerp(nextTurn.fromArray(following, o + 3), share);
      }
      this.places[i]!.compose(p, q, one);
    }
    this.upload();
  }

  private upload(): void {
    const out = new Set(this.shownBodies);
    this.home.forEach(({ mesh, slot }, i) => mesh.setMatrixAt(slot, out.has(i) ? nothing : this.places[i]!));
    for (const mesh of this.meshes) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
      mesh.boundingBox = null;
    }
    this.shown.forEach((mesh, k) => mesh.matrix.copy(this.places[this.shownBodies[k]!]!));
  }

  /** Colours of their own, but sleeping bodies are pale. `asleep` null: nobody sleeps. */
  paint(asleep: Uint8Array | null): void {
    const colour = new Color();
    this.home.forEach(({ mesh, slot }, i) => {
      colour.copy(this.colours[i]!);
      if (asleep?.[i]) colour.lerp(sleepingColour, 0.75);
      mesh.setColorAt(slot, colour);
    });
    for (const mesh of this.meshes) if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  /** Gives bodies other colours, until the next time. */
  setColours(colours: string[]): void {
    colours.forEach((c, i) => this.colours[i]?.set(c));
  }

  /** These stand out in their colours, the others are faint. None: all are as usual. */
  single(bodies: number[], colours: string[]): void {
    this.group.remove(...this.shown);
    for (const mesh of this.shown) (mesh.material as MeshStandardMaterial).dispose();
    this.shownBodies = bodies;
    this.shown = bodies.map((body, k) => {
      const look = this.drawables[this.bodies[body]!.shape]!;
      const material = new MeshStandardMaterial({ color: colours[k] ?? this.bodies[body]!.colour, roughness: 0.75, transparent: true, opacity: 0.82 });
      const mesh = new Mesh(look.faces, material);
      mesh.matrixAutoUpdate = false;
      mesh.renderOrder = 1;
      return mesh;
    });
    if (this.shown.length > 0) this.group.add(...this.shown);
    const alone = bodies.length > 0;
    this.material.transparent = alone;
    this.material.opacity = alone ? faint : 1;
    this.material.depthWrite = !alone;
    this.material.needsUpdate = true;
    this.edges.uniforms['opacity']!.value = alone ? 0.08 : 0.35;
    for (const mesh of this.solids()) mesh.castShadow = !alone;
    this.upload();
  }

  /** Those that are no sensors. */
  private solids(): InstancedMesh[] {
    return this.meshes.filter((mesh) => mesh.material !== this.glass);
  }
  showSensors(on: boolean): void {
    this.sensors.visible = on;
  }
  showEdges(on: boolean): void {
    this.edges.visible = on;
  }

  /** The box of these bodies, where they are now. */
  bounds(include: (body: PageBody, index: number) => boolean): Box3 {
    const all = new Box3();
    this.bodies.forEach((body, i) => {
      const box = this.drawables[body.shape]?.faces.boundingBox;
      if (box && !box.isEmpty() && include(body, i)) all.union(box.clone().applyMatrix4(this.places[i]!));
    });
    return all;
  }

  /** The body that the ray meets first, and where. It goes through sensors. */
  hit(ray: Ray): { body: number; point: Vector3 } | null {
    const caster = new Raycaster(ray.origin, ray.direction);
    const first = caster.intersectObjects(this.solids(), false)[0];
    if (!first || first.instanceId === undefined) return null;
    const body = this.members.get(first.object as InstancedMesh)?.[first.instanceId];
    return body === undefined ? null : { body, point: first.point };
  }

  position(body: number): Vector3 {
    return new Vector3().setFromMatrixPosition(this.matrix(body));
  }
  /** Where the body is: its frame in the world. */
  matrix(body: number): Matrix4 {
    return this.places[body]!;
  }

  dispose(): void {
    for (const mesh of this.meshes) mesh.dispose();
    for (const { faces, edges } of this.drawables) {
      faces.dispose();
      edges.dispose();
    }
    this.material.dispose();
    this.glass.dispose();
    this.edges.dispose();
  }
}
