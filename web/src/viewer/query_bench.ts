// The query bench: two shapes to move and turn with handles, and what the library says of them, live, with its certificate checked: at once, or when nothing moves (check.ts).
import { BufferGeometry, Group, Mesh, MeshStandardMaterial, type Object3D, Quaternion, Raycaster, Vector3 } from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Carom, Check, Pose, Shape } from '../carom/index.ts';
import type { Point } from '../page_json.ts';
import { rayAt } from '../view/pointer.ts';
import type { Stage } from '../view/stage.ts';
import { Witness } from '../view/witness.ts';
import { BackgroundCheck } from './background_check.ts';
import { type BenchShape, benchShapes } from './bench_shapes.ts';
import { type CheckQuestion, motions, runCheck, whenToCheck } from './check.ts';
import { makeShape, partCount } from './shape_data.ts';

const colours = ['#3b82f6', '#f5a524'];

/** What the library says. */
interface Answer {
  kind: CheckQuestion['kind'];
  rows: [string, string][];
  value: number;
}
/** What is shown beside the picture: an answer, and what carom/verify says of its proof. */
export interface Reading extends Answer {
  check: 'holds' | 'fails' | 'not proved' | 'pending' | 'left out';
  why: string; // where the proof does not hold, or was not looked at
}

/** One of the two: the library's shape, and the thing on the screen. */
class Sample {
  readonly group = new Group();
  shape: Shape | null = null;
  private readonly mesh: Mesh;

  constructor(
    private readonly carom: Carom,
    colour: string,
    opacity: number,
  ) {
    const material = new MeshStandardMaterial({ color: colour, roughness: 0.7, transparent: true, opacity, depthWrite: opacity > 0.5 });
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.group.add(this.mesh);
  }

  set(kind: BenchShape): void {
    this.shape?.free();
    this.shape = makeShape(this.carom, kind.data);
    this.mesh.geometry.dispose();
    this.mesh.geometry = toCreasedNormals(kind.geometry(), Math.PI / 6);
  }

  get pose(): Pose {
    const { position: p, quaternion: q } = this.group;
    return { position: [p.x, p.y, p.z], rotation: [q.x, q.y, q.z, q.w] };
  }
  set pose({ position, rotation }: Pose) {
    this.group.position.set(...position);
    this.group.quaternion.set(...rotation);
  }
}

export class QueryBench {
  readonly group = new Group();
  readonly kinds = [...benchShapes];
  readonly chosen: [number, number] = [0, 6];
  private readonly samples: [Sample, Sample];
  private readonly end: Sample; // where A goes
  private readonly impact: Sample; // A at the time of impact
  private readonly witness = new Witness();
  private readonly handles: TransformControls;
  readonly background: BackgroundCheck;
  private moving = false;
  private unchecked: Answer | null = null; // whose check was left out

  constructor(
    private readonly carom: Carom,
    private readonly stage: Stage,
    private readonly changed: (reading: Reading) => void,
  ) {
    this.background = new BackgroundCheck(carom);
    this.samples = [new Sample(carom, colours[0]!, 0.85), new Sample(carom, colours[1]!, 0.85)];
    this.end = new Sample(carom, colours[0]!, 0.25);
    this.impact = new Sample(carom, '#e5484d', 0.5);
    this.handles = new TransformControls(stage.camera, stage.renderer.domElement);
    this.handles.setSize(0.8);
    this.handles.addEventListener('dragging-changed', (e) => (stage.orbit.enabled = !e.value));
    this.handles.addEventListener('objectChange', () => this.ask());
    this.handles.addEventListener('change', () => stage.invalidate());
    this.group.add(this.samples[0].group, this.samples[1].group, this.end.group, this.impact.group, this.witness.group, this.handles.getHelper());
    this.samples[0].pose = { position: [-1.4, 0, 0], rotation: [0, 0, 0, 1] };
    this.samples[1].pose = { position: [1.3, 0.3, 0.2], rotation: [0.2, 0.1, 0.3, 0.93] };
    this.end.pose = { position: [1.6, 1.2, 0.6], rotation: [0, 0, 0.5, 0.87] };
    this.samples.forEach((_, i) => this.choose(i as 0 | 1, this.chosen[i]!));
    this.grab(0);
    stage.renderer.domElement.addEventListener('pointerdown', (e) => this.pick(e));
  }

  /** Another shape for A or B. */
  choose(which: 0 | 1, kind: number): void {
    this.chosen[which] = kind;
    const shape = this.kinds[kind]!;
    this.samples[which].set(shape);
    if (which === 0) {
      this.end.set(shape);
      this.impact.set(shape);
    }
    this.ask();
  }

  /** The handles go to A, B, or where A goes. */
  grab(which: 0 | 1 | 2): void {
    this.handles.attach([...this.samples, this.end][which]!.group);
    this.stage.invalidate();
  }
  /** Moves what has the handles by so much along an axis of the world, or turns it about that by so many radians. */
  nudge(axis: 0 | 1 | 2, by: number): void {
    const held = this.handles.object;
    if (!held) return;
    const along = new Vector3().setComponent(axis, 1);
    if (this.turns) held.quaternion.premultiply(new Quaternion().setFromAxisAngle(along, by));
    else held.position.addScaledVector(along, by);
    this.ask();
  }
  turn(on: boolean): void {
    this.handles.setMode(on ? 'rotate' : 'translate');
    this.stage.invalidate();
  }
  /** Which of the handles is under the pointer: X, Y, Z and such. */
  get handle(): string | null {
    return this.handles.axis;
  }
  get turns(): boolean {
    return this.handles.mode === 'rotate';
  }

  /** Whether A moves, and its time of impact is asked for. */
  get moves(): boolean {
    return this.moving;
  }
  set moves(on: boolean) {
    this.moving = on;
    this.grab(on ? 2 : 0);
    this.ask();
  }

  poses(): [Pose, Pose, Pose] {
    return [this.samples[0].pose, this.samples[1].pose, this.end.pose];
  }
  place(which: 0 | 1 | 2, pose: Pose): void {
    [...this.samples, this.end][which]!.pose = pose;
    this.ask();
  }

  set visible(on: boolean) {
    this.group.visible = on;
    this.handles.enabled = on;
    if (on) this.ask();
    else this.background.stop();
  }
  get visible(): boolean {
    return this.group.visible;
  }

  /** For tests: what is drawn of the answer. */
  get drawn(): Witness['drawn'] {
    return this.witness.drawn;
  }

  /** Asks the library anew, and shows the answer. */
  private ask(): void {
    const [a, b] = this.samples;
    if (!a.shape || !b.shape) return;
    this.end.group.visible = this.moving;
    this.impact.group.visible = false;
    const answer = this.moving ? this.askImpact(a, b) : this.askDistance(a, b);
    this.stage.invalidate();
    this.check(answer);
  }

  private question({ kind }: Answer): CheckQuestion {
    const [a, b] = this.chosen.map((i) => this.kinds[i]!.data) as [BenchShape['data'], BenchShape['data']];
    return { kind, shapes: [a, b], poses: this.poses() };
  }

  /** Shows the answer, with its check as soon as there is one. */
  private check(answer: Answer): void {
    const question = this.question(answer);
    const when = whenToCheck(question);
    this.background.stop();
    this.unchecked = when === 'if asked' ? answer : null;
    if (when === 'now') this.changed(checked(answer, runCheck(this.carom.queries, question, this.samples[0].shape!, this.samples[1].shape!)));
    else if (when === 'at rest') this.checkLater(answer, 'at rest');
    else {
      const triangles = question.shapes.map(partCount).join(' and ');
      this.changed({ ...answer, check: 'left out', why: `${triangles} triangles` });
    }
  }
  private checkLater(answer: Answer, when: 'now' | 'at rest'): void {
    this.changed({ ...answer, check: 'pending', why: '' });
    this.background.start(this.question(answer), when, (check) => this.changed(checked(answer, check)));
  }
  /** Has the answer checked that was left out, however long it takes. */
  checkNow(): void {
    if (this.unchecked) this.checkLater(this.unchecked, 'now');
    this.unchecked = null;
  }

  private askDistance(a: Sample, b: Sample): Answer {
    const { queries } = this.carom;
    const [s, t] = [a.shape!, b.shape!];
    const d = queries.distance(s, a.pose, t, b.pose);
    if (d.value > 0) {
      this.witness.show(d.onA as Point, d.onB as Point, d.normal as Point, 1.6);
      const rows: Answer['rows'] = [['distance', number(d.value)], ['at least', number(d.lowerBound)], ['left open', exponent(d.value - d.lowerBound)]];
      return { kind: 'distance', rows, value: d.value };
    }
    const p = queries.penetration(s, a.pose, t, b.pose);
    this.witness.show(p.onA as Point, p.onB as Point, p.normal as Point, 1.6);
    const rows: Answer['rows'] = [['depth', number(p.depth)], ['at least', number(p.lowerBound)], ['at most', number(p.upperBound)]];
    return { kind: 'penetration', rows, value: p.depth };
  }

  private askImpact(a: Sample, b: Sample): Answer {
    const { queries } = this.carom;
    const [way, rest] = motions(this.poses());
    const i = queries.timeOfImpact(a.shape!, way, b.shape!, rest);
    if (i.hit) {
      this.impact.pose = i.poseA;
      this.impact.group.visible = !i.initialOverlap;
      this.witness.show(i.onA as Point, i.onB as Point, i.normal as Point, 1.2);
    } else this.witness.hide();
    const rows: Answer['rows'] = [['time of impact', i.initialOverlap ? 'they overlap at the start' : i.hit ? number(i.t) : 'they do not touch']];
    if (i.initialOverlap) rows.push(['depth', number(-i.distance)]);
    else if (i.hit) rows.push(['apart then', exponent(i.distance)]);
    return { kind: 'impact', rows, value: i.t };
  }

  /** A click on one of them gives it the handles. */
  private pick(e: PointerEvent): void {
    if (!this.visible || this.handle !== null) return;
    const caster = new Raycaster();
    caster.ray.copy(rayAt(e, this.stage.renderer.domElement, this.stage.camera));
    const things: Object3D[] = [this.samples[0].group, this.samples[1].group];
    if (this.moving) things.push(this.end.group);
    const hits = things.map((t, i) => ({ i, d: caster.intersectObject(t, true)[0]?.distance ?? Infinity })).sort((x, y) => x.d - y.d);
    if (hits[0] && hits[0].d < Infinity) this.grab(hits[0].i as 0 | 1 | 2);
  }
}

function checked(answer: Answer, { holds, found, why }: Check): Reading {
  return { ...answer, check: holds ? 'holds' : found ? 'fails' : 'not proved', why };
}

const number = (x: number) => x.toPrecision(12);
const exponent = (x: number) => x.toExponential(1);
