// A scene that runs: its world, its picture, and what was. Play, step and rewind are the playback's.
import { Group, Vector3 } from 'three';
import { type Carom, SceneWorld } from '../carom/index.ts';
import type { PageBody, ShapeMesh } from '../page_data.ts';
import type { Point } from '../page_json.ts';
import { Playback } from '../playback.ts';
import { Bodies } from '../view/bodies.ts';
import { Contacts } from '../view/contacts.ts';
import { islandColours } from '../view/island_colours.ts';
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
  sensors: boolean;
  recorded: boolean; // of a recording: its poses, not those of the run
}

/** Balls that can be there at a time: they wait out of sight until they are shot, and the oldest one is shot again. */
const balls = 12;
const outOfSight = [0, 0, -1e7, 0, 0, 0, 1];

export class SceneView {
  readonly data: { bodies: PageBody[]; shapes: ShapeMesh[]; camera: { eye: Point; target: Point } | null };
  readonly group = new Group();
  readonly playback: Playback;
  readonly bodies: Bodies;
  readonly overlays: Overlays = { contacts: false, normals: false, trees: false, islands: false, sleeping: true, sensors: true, recorded: true };
  private world: SceneWorld;
  private readonly history = new History();
  private readonly contacts: Contacts;
  private readonly trees = new TreeLines();
  private readonly colours: string[];
  readonly size: number; // of what moves
  private spring: Spring | null = null;
  private shot: number[] = []; // bodies, at most as many as balls
  private shots = 0; // in all
  private readonly steps: number | null; // of a recording
  private filmed = false; // whether the playback is of what was recorded
  private tookPart = false; // the user did, so that the run is another than the recorded one

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
    this.steps = this.world.recordedSteps;
    this.playback = new Playback(1, this.world.description.timeStep, () => this.more());
    this.record();
    this.show();
    this.home();
  }

  get about(): string {
    return this.world.description.about;
  }

  /** Of the world where the run has come: the same in C++ (World::hash). */
  get hash(): string {
    return this.world.hash();
  }

  private open(): SceneWorld {
    const { recording, text, files } = this.source;
    return recording ? SceneWorld.openRecording(this.carom.module, recording) : SceneWorld.open(this.carom.module, text, files);
  }

  /** Of a recording: how many steps it has and how many of them ran again; the first that came out differently, null where all are the same to the bit. */
  get replay(): { steps: number; run: number; difference: number | null; tookPart: boolean } | null {
    if (this.steps === null) return null;
    return { steps: this.steps, run: Math.min(this.history.count - 1, this.steps), difference: this.world.difference(), tookPart: this.tookPart };
  }
  /** Of a recording: runs its scene on for a while, so that all of it is compared in the end. True where it did. */
  runAgain(milliseconds: number): boolean {
    const end = performance.now() + milliseconds;
    let ran = false;
    while (this.steps !== null && !this.tookPart && !this.history.full && this.history.count <= this.steps && performance.now() < end) {
      this.step();
      ran = true;
    }
    return ran;
  }
  /** What is farthest from where it was recorded, at the frame that is shown; null where that has not run again. */
  farthest(): { name: string; distance: number } | null {
    const { frame } = this.playback;
    if (this.steps === null || frame > this.steps || frame >= this.history.count) return null;
    const [run, film] = [this.history.at(frame).poses, this.world.recorded(frame).poses];
    const off = Array.from({ length: this.world.placedCount }, (_, i) => Math.hypot(...[0, 1, 2].map((k) => run[7 * i + k]! - film[7 * i + k]!)));
    const distance = Math.max(0, ...off);
    return { name: this.data.bodies[off.indexOf(distance)]?.name ?? '', distance };
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
    for (let i = 0; i < balls; ++i) this.data.bodies.push({ name: `ball ${i + 1}`, shape, colour: '#e5484d', fixed: false, sensor: false });
    return size;
  }

  /** One more frame for the playback: of the run, which may be ahead. */
  private more(): boolean {
    if (this.filmed) return false;
    if (this.playback.count < this.history.count) return true;
    if (this.history.full) return false;
    this.step();
    return true;
  }

  private step(): void {
    this.spring?.pull();
    this.world.next();
    this.record();
  }

  private record(): void {
    const { world } = this;
    const poses = this.withBalls(world.placed());
    this.history.add({ poses, asleep: world.asleep().slice(), islands: world.islands(), contacts: world.contactFloats() });
  }

  private withBalls(placed: Float32Array): Float32Array {
    const poses = new Float32Array(7 * this.data.bodies.length);
    poses.set(placed);
    const all = this.world.poses();
    for (let i = 0; i < balls; ++i) {
      const body = this.shot[i];
      poses.set(body === undefined ? outOfSight : all.subarray(7 * body, 7 * body + 7), placed.length + 7 * i);
    }
    return poses;
  }

  /** A frame of the recording, or of the run. What was not recorded is that of the run, where that has come so far. */
  private at(i: number): Frame {
    if (!this.filmed) return this.history.at(i);
    const { poses, asleep } = this.world.recorded(i);
    const { islands, contacts } = i < this.history.count ? this.history.at(i) : { islands: new Int32Array(0), contacts: new Float32Array(0) };
    return { poses: this.withBalls(poses), asleep, islands, contacts };
  }

  /** Back to the beginning: the same world again, to the bit, without what the user did to it. */
  rewind(): void {
    this.spring = null;
    this.shot = [];
    this.shots = 0;
    this.tookPart = false;
    this.world.free();
    this.world = this.open();
    this.history.clear();
    if (!this.filmed) this.playback.count = 1;
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
    this.follow();
    const { frame, position, last } = this.playback;
    const now = this.at(frame);
    this.bodies.place(now.poses, frame < last && position > frame ? this.at(frame + 1).poses : null, position - frame);
    this.paint(now);
    this.contacts.show(now.contacts, 0, now.contacts.length / 7);
    this.contacts.points.visible = this.overlays.contacts;
    this.contacts.normals.visible = this.overlays.normals;
    this.bodies.showSensors(this.overlays.sensors);
    // The trees are those of the world as it is now.
    this.trees.lines.visible = this.overlays.trees && !this.filmed && frame === this.history.count - 1;
    if (this.trees.lines.visible) this.trees.show(this.world.trees());
    this.stage.invalidate();
  }

  /** The playback is of what was recorded, or of the run, as the user wants it. */
  private follow(): void {
    const filmed = this.overlays.recorded && this.steps !== null;
    if (filmed === this.filmed) return;
    this.filmed = filmed;
    this.playback.count = filmed ? this.steps! + 1 : this.history.count;
    this.playback.seek(this.playback.position);
  }

  /** The user takes part: at the end of the run, since what was cannot be changed. */
  private join(): void {
    this.tookPart = true;
    this.overlays.recorded = false;
    this.follow();
    this.playback.count = this.history.count;
    this.playback.seek(this.playback.last);
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
    this.bodies.setColours(islandColours(this.colours, (i) => (this.overlays.islands ? (frame.islands[ofPlaced(i)] ?? -1) : -1)));
    const asleep = this.overlays.sleeping ? Uint8Array.from(this.colours, (_, i) => frame.asleep[ofPlaced(i)] ?? 0) : null;
    this.bodies.paint(asleep);
  }

  /** Takes hold of what is there at this point; false where that does not move. */
  grab(placed: number, point: Vector3, facing: Vector3): boolean {
    const { placedCount, bodyOf } = this.world;
    const body = placed < placedCount ? bodyOf[placed] : this.shot[placed - placedCount];
    if (body === undefined || this.data.bodies[placed]!.fixed) return false;
    this.join();
    this.spring = new Spring(body, point, facing, this.world);
    return true;
  }
  /** What can be taken hold of, in its order: no balls that wait. */
  movable(): number[] {
    const count = this.world.placedCount + this.shot.length;
    return this.data.bodies.flatMap((b, i) => (i < count && !b.fixed ? [i] : []));
  }
  get held(): Spring | null {
    return this.spring;
  }
  release(): void {
    this.spring = null;
  }

  /** From the eye, to where it looks. */
  shoot(eye: Vector3, direction: Vector3): void {
    this.join();
    const velocity = direction.clone().multiplyScalar(this.size * 3);
    const body = this.world.shoot(this.size * 0.04, 3000, eye.toArray(), velocity.toArray());
    const place = this.shots++ % balls;
    const oldest = this.shot[place];
    if (oldest !== undefined) this.world.remove(oldest);
    if (this.spring?.body === oldest) this.release();
    this.shot[place] = body;
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
