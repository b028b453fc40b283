// A scene that runs: its world, its picture, and what was. Play, step and rewind are the playback's.
import { Color, Group, Vector3 } from 'three';
import { type Carom, SceneWorld } from '../carom/index.ts';
import type { PageBody, Point, ShapeMesh } from '../page_data.ts';
import { Playback } from '../playback.ts';
import { Bodies } from '../view/bodies.ts';
import { Contacts } from '../view/contacts.ts';
import type { Stage } from '../view/stage.ts';
import { TreeLines } from '../view/trees.ts';
import { type Frame, History } from './history.ts';
import type { SceneText } from './scene_list.ts';
import { Spring } from './spring.ts';

export interface Overlays {
  contacts: boolean;
  normals: boolean;
  trees: boolean;
  islands: boolean;
  sleeping: boolean;
}

/** Balls that can be shot: they wait out of sight until then. */
const balls = 12;
const outOfSight = [0, 0, -1e7, 0, 0, 0, 1];

export class SceneView {
  readonly data: { bodies: PageBody[]; shapes: ShapeMesh[]; camera: { eye: Point; target: Point } | null };
  readonly group = new Group();
  readonly playback: Playback;
  readonly bodies: Bodies;
  readonly overlays: Overlays = { contacts: false, normals: false, trees: false, islands: false, sleeping: true };
  private world: SceneWorld;
  private readonly history = new History();
  private readonly contacts: Contacts;
  private readonly trees = new TreeLines();
  private readonly colours: string[];
  private readonly size: number;
  private spring: Spring | null = null;
  private shot: number[] = []; // bodies

  constructor(
    private readonly carom: Carom,
    private readonly stage: Stage,
    private readonly source: SceneText,
  ) {
    this.world = this.open();
    const { bodies, camera, shapes } = this.world.description;
    this.data = { bodies: [...bodies], camera: camera ?? null, shapes: Array.from({ length: shapes }, (_, i) => this.world.drawing(i)) };
    this.size = this.addBalls();
    this.colours = this.data.bodies.map((b) => b.colour);
    this.bodies = new Bodies(this.data.shapes, this.data.bodies);
    this.contacts = new Contacts(this.size * 0.02);
    this.group.add(this.bodies.group, this.contacts.group, this.trees.lines);
    this.playback = new Playback(1, this.world.description.timeStep, () => this.more());
    this.record();
    this.show();
    this.home();
  }

  get about(): string {
    return this.world.description.about;
  }

  private open(): SceneWorld {
    const { recording, text } = this.source;
    return recording ? SceneWorld.openRecording(this.carom.module, recording) : SceneWorld.open(this.carom.module, text);
  }

  /** Of a recording: the step at which it came out differently; null where all is the same to the bit. What the user does makes a difference, too. */
  difference(): number | null {
    return this.world.difference();
  }

  /** Where the camera and the light are at first. */
  home(): void {
    const { camera } = this.data;
    this.stage.light(this.box());
    if (camera) this.stage.look(new Vector3(...camera.eye), new Vector3(...camera.target), this.size / 2);
    else this.stage.fit(this.box());
  }

  /** What moves, or everything where nothing does. */
  private box() {
    const count = this.world.placedCount;
    const moving = this.bodies.bounds((b, i) => i < count && !b.fixed);
    return moving.isEmpty() ? this.bodies.bounds((_, i) => i < count) : moving;
  }

  /** Adds the balls to the data; the size of what moves. */
  private addBalls(): number {
    const probe = new Bodies(this.data.shapes, this.data.bodies);
    probe.place(this.world.placed());
    const moving = probe.bounds((b) => !b.fixed);
    const size = Math.max((moving.isEmpty() ? probe.bounds(() => true) : moving).getSize(new Vector3()).length(), 1e-3);
    probe.dispose();
    const shape = this.data.shapes.push(ball(size * 0.04)) - 1;
    for (let i = 0; i < balls; ++i) this.data.bodies.push({ name: `ball ${i + 1}`, shape, colour: '#e5484d', fixed: false });
    return size;
  }

  private more(): boolean {
    if (this.history.full) return false;
    this.spring?.pull();
    this.world.next();
    this.record();
    return true;
  }

  private record(): void {
    const { world } = this;
    const poses = new Float32Array(7 * this.data.bodies.length);
    poses.set(world.placed());
    const all = world.poses();
    for (let i = 0; i < balls; ++i) {
      const body = this.shot[i];
      poses.set(body === undefined ? outOfSight : all.subarray(7 * body, 7 * body + 7), 7 * (world.placedCount + i));
    }
    const asleep = world.asleep().slice();
    this.history.add({ poses, asleep, islands: world.islands(), contacts: world.contactFloats() });
  }

  /** Back to the beginning: the same world again, to the bit, without what the user did to it. */
  rewind(): void {
    this.spring = null;
    this.shot = [];
    this.world.free();
    this.world = this.open();
    this.history.clear();
    this.playback.count = 1;
    this.playback.rewind();
    this.record();
    this.show();
  }

  /** Goes on; true where the picture changes. */
  advance(seconds: number): boolean {
    if (!this.playback.advance(seconds)) return false;
    this.show();
    return true;
  }

  /** Draws the frame at which the playback stands. */
  show(): void {
    const { frame, position, last } = this.playback;
    const now = this.history.at(frame);
    this.bodies.place(now.poses, frame < last ? this.history.at(frame + 1).poses : null, position - frame);
    this.paint(now);
    this.contacts.show(now.contacts, 0, now.contacts.length / 7);
    this.contacts.points.visible = this.overlays.contacts;
    this.contacts.normals.visible = this.overlays.normals;
    // The trees are those of the world as it is now.
    this.trees.lines.visible = this.overlays.trees && frame === last;
    if (this.trees.lines.visible) this.trees.show(this.world.trees());
    this.stage.invalidate();
  }

  /** How many boxes the trees have at each level; level 0 is around one shape. */
  treeLevels(): number[] {
    const counts: number[] = [];
    const boxes = this.world.trees();
    for (let i = 6; i < boxes.length; i += 7) counts[boxes[i]!] = (counts[boxes[i]!] ?? 0) + 1;
    return counts;
  }

  private paint(frame: Frame): void {
    const { bodyOf, placedCount } = this.world;
    const ofPlaced = (i: number) => (i < placedCount ? bodyOf[i]! : (this.shot[i - placedCount] ?? -1));
    const colour = new Color();
    const colours = this.colours.map((own, i) => {
      const island = frame.islands[ofPlaced(i)] ?? -1;
      if (!this.overlays.islands || island < 0) return own;
      return `#${colour.setHSL((island * 0.618034) % 1, 0.6, 0.55).getHexString()}`;
    });
    this.bodies.setColours(colours);
    const asleep = this.overlays.sleeping ? Uint8Array.from(this.colours, (_, i) => frame.asleep[ofPlaced(i)] ?? 0) : null;
    this.bodies.paint(asleep);
  }

  /** Takes hold of what is there at this point; false where that does not move. */
  grab(placed: number, point: Vector3, facing: Vector3): boolean {
    const { placedCount, bodyOf } = this.world;
    const body = placed < placedCount ? bodyOf[placed] : this.shot[placed - placedCount];
    if (body === undefined || this.data.bodies[placed]!.fixed) return false;
    this.playback.seek(this.playback.last);
    this.spring = new Spring(body, point, facing, this.world);
    return true;
  }
  get held(): Spring | null {
    return this.spring;
  }
  release(): void {
    this.spring = null;
  }

  /** From the eye, to where it looks. */
  shoot(eye: Vector3, direction: Vector3): void {
    if (this.shot.length >= balls) return;
    this.playback.seek(this.playback.last);
    const velocity = direction.clone().multiplyScalar(this.size * 3);
    this.shot.push(this.world.shoot(this.size * 0.04, 3000, eye.toArray(), velocity.toArray()));
    if (!this.playback.playing) this.playback.toggle();
  }

  dispose(): void {
    this.world.free();
    this.bodies.dispose();
    this.contacts.dispose();
    this.trees.dispose();
    this.group.removeFromParent();
  }
}

/** A ball of 20 x 12 pieces, as page data has shapes. */
function ball(radius: number): ShapeMesh {
  const [around, up] = [20, 12];
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= up; ++j)
    for (let i = 0; i < around; ++i) {
      const [a, b] = [(i / around) * 2 * Math.PI, (j / up) * Math.PI];
      positions.push(radius * Math.sin(b) * Math.cos(a), radius * Math.sin(b) * Math.sin(a), radius * Math.cos(b));
      const next = j * around + ((i + 1) % around);
      if (j < up) indices.push(j * around + i, (j + 1) * around + i, next, next, (j + 1) * around + i, next + around);
    }
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices), edges: new Uint32Array(0) };
}
