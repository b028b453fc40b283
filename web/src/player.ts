// The player page: plays a recording, or shows the findings of a report. Its data stands in the page itself.
import { Box3, Vector2, Vector3 } from 'three';
import './ui/style.css';
import { type Finding, type PageData, parsePage } from './page_data.ts';
import { poseSize } from './page_frames.ts';
import { Playback, speeds } from './playback.ts';
import { el, iconButton, Toggle } from './ui/dom.ts';
import { FindingsList } from './ui/findings.ts';
import { type Key, listen } from './ui/keys.ts';
import { onTheme, switchTheme } from './ui/theme.ts';
import { Transport } from './ui/transport.ts';
import { Bodies } from './view/bodies.ts';
import { cameraKeys } from './view/camera_keys.ts';
import { Contacts } from './view/contacts.ts';
import { islandColours } from './view/island_colours.ts';
import { rayAt } from './view/pointer.ts';
import { Stage } from './view/stage.ts';
import { Witness } from './view/witness.ts';

const pairColours = ['#3b82f6', '#f5a524'];

class Player {
  readonly playback: Playback;
  readonly bodies: Bodies;
  private readonly stage: Stage;
  private readonly contacts: Contacts;
  private readonly witness = new Witness();
  private readonly transport: Transport;
  private readonly findings: FindingsList;
  private readonly note = el('div', { class: 'note card', role: 'status', hidden: true });
  private readonly toggles: Record<'sleeping' | 'contacts' | 'normals' | 'islands' | 'edges', Toggle>;
  private readonly size: number;
  private readonly colours: string[];

  constructor(
    app: HTMLElement,
    readonly data: PageData,
  ) {
    const { frames, bodies } = data;
    this.playback = new Playback(frames.count, frames.dt);
    this.bodies = new Bodies(data.shapes, bodies);
    this.colours = bodies.map((b) => b.colour);
    this.bodies.place(this.poses(0));
    const moving = this.mainBox();
    this.size = Math.max(moving.getSize(new Vector3()).length(), 1e-6);
    this.contacts = new Contacts(this.size * 0.01);
    const refresh = () => this.refresh();
    this.toggles = {
      sleeping: new Toggle('Sleeping', 's', true, refresh),
      contacts: new Toggle('Contacts', 'c', false, refresh),
      normals: new Toggle('Normals', 'n', false, refresh),
      islands: new Toggle('Islands', 'i', false, refresh),
      edges: new Toggle('Edges', 'e', true, refresh),
    };
    this.transport = new Transport(this.playback, refresh);
    this.findings = new FindingsList(data.findings, (f) => this.single(f));
    const stageHost = el('main', { class: 'stage' });
    const keys = listen(this.keys());
    app.append(stageHost, this.top(keys.help), ...(data.kind === 'report' ? [this.findings.element] : []), this.note, this.bar());

    this.stage = new Stage(stageHost, (seconds) => this.advance(seconds));
    this.stage.scene.add(this.bodies.group, this.contacts.group, this.witness.group);
    this.stage.light(moving);
    this.home();
    if (data.findings.length === 1) this.findings.set(0);
    this.pick();
    onTheme((dark) => {
      this.bodies.edges.uniforms['colour']!.value.set(dark ? 0x05080b : 0x10161d);
      this.stage.invalidate();
    });
    this.refresh();
  }

  private poses(frame: number): Float32Array {
    const size = this.data.bodies.length * poseSize;
    return this.data.frames.poses.subarray(frame * size, (frame + 1) * size);
  }

  /** What moves, or everything where nothing does; and what findings point at, which may be far from it. */
  private mainBox(): Box3 {
    const moving = this.bodies.bounds((b) => !b.fixed);
    const box = moving.isEmpty() ? this.bodies.bounds(() => true) : moving;
    for (const finding of this.data.findings) this.include(box, finding);
    return box;
  }

  /** All that is to be seen of a finding. */
  private include(box: Box3, { points, plane }: Finding): void {
    for (const p of plane ? [...points, plane.point] : points) box.expandByPoint(new Vector3(...p));
  }

  /** The bodies of a finding, at the beginning and at the end, and what it points at. */
  private boxOf(finding: Finding): Box3 {
    const box = new Box3();
    for (const frame of [0, this.playback.last]) {
      this.bodies.place(this.poses(frame));
      box.union(this.bodies.bounds((_, i) => i === finding.a || i === finding.b));
    }
    this.include(box, finding);
    return box;
  }

  /** Where the camera is at first. */
  home(): void {
    const { camera } = this.data;
    if (camera) this.stage.look(new Vector3(...camera.eye), new Vector3(...camera.target), this.size / 2);
    else this.stage.fit(this.mainBox());
  }

  private advance(seconds: number): boolean {
    if (!this.playback.advance(seconds)) return false;
    this.refresh();
    return true;
  }

  /** Draws the frame at which the playback stands. */
  private refresh(): void {
    const { frames, bodies } = this.data;
    const { frame, position } = this.playback;
    this.bodies.place(this.poses(frame), frame < this.playback.last ? this.poses(frame + 1) : null, position - frame);
    const [from, to] = [frame * bodies.length, (frame + 1) * bodies.length];
    if (frames.islands) this.bodies.setColours(islandColours(this.colours, (i) => (this.toggles.islands.on ? frames.islands![from + i]! : -1)));
    const asleep = frames.asleep?.subarray(from, to) ?? null;
    this.bodies.paint(this.toggles.sleeping.on ? asleep : null);
    this.bodies.showEdges(this.toggles.edges.on);
    if (frames.contacts) this.contacts.show(frames.contacts.data, frames.contacts.starts[frame]!, frames.contacts.starts[frame + 1]!);
    this.contacts.points.visible = this.toggles.contacts.on;
    this.contacts.normals.visible = this.toggles.normals.on;
    this.transport.update();
    this.stage.invalidate();
  }

  /** Shows the pair of a finding, all others faint; or everything. */
  single(finding: Finding | null): void {
    this.bodies.single(finding ? [finding.a, finding.b] : [], pairColours);
    if (finding) {
      const box = this.boxOf(finding);
      this.witness.draw(finding, box.getSize(new Vector3()).length() * 0.25);
      this.stage.fit(box);
    } else {
      this.witness.hide();
      this.home();
    }
    this.say(finding ? this.caption(finding) : '');
    this.refresh();
  }

  private caption({ caption, a, b }: Finding): string {
    return caption || (a === b ? this.name(a) : `${this.name(a)} and ${this.name(b)}`);
  }

  /** For tests: what is drawn of the finding that is chosen, and whether all of its points are in the picture. */
  get drawn(): Witness['drawn'] & { seen: boolean } {
    const points = this.data.findings[this.findings.chosen ?? -1]?.points ?? [];
    const seen = points.every((p) => {
      const { x, y } = new Vector3(...p).project(this.stage.camera);
      return Math.abs(x) < 1 && Math.abs(y) < 1;
    });
    return { ...this.witness.drawn, seen };
  }

  /** A motion of a moment, as an impact is, plays so slowly that it can be followed. */
  play(): void {
    const seconds = this.playback.last * this.playback.dt;
    if (this.data.kind === 'report') this.playback.setSpeed([...speeds].reverse().find((s) => seconds / s >= 2) ?? speeds[0]);
    this.playback.toggle();
  }

  drawCalls(): number {
    return this.stage.renderer.info.render.calls;
  }

  name(body: number): string {
    return this.data.bodies[body]?.name || `body ${body}`;
  }

  private say(text: string): void {
    this.note.textContent = text;
    this.note.hidden = text === '';
  }

  /** A click on a body tells its name. */
  private pick(): void {
    const canvas = this.stage.renderer.domElement;
    let down = new Vector2();
    canvas.addEventListener('pointerdown', (e) => (down = new Vector2(e.clientX, e.clientY)));
    canvas.addEventListener('pointerup', (e) => {
      if (down.distanceTo(new Vector2(e.clientX, e.clientY)) > 4) return;
      const hit = this.bodies.hit(rayAt(e, canvas, this.stage.camera));
      this.say(hit ? this.name(hit.body) : '');
    });
  }

  private top(help: () => void): HTMLElement {
    const { title, summary } = this.data;
    const about = el('section', { class: 'about card' }, el('h1', {}, title));
    if (summary.length > 0) {
      const rows = summary.map(([name, value]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value)));
      about.append(el('details', { open: innerWidth > 640 }, el('summary', {}, 'Summary'), el('table', {}, ...rows)));
    }
    const helpButton = el('button', { type: 'button', class: 'icon', title: 'Keys (?)', 'aria-label': 'Keys', onclick: help }, '?');
    const buttons = [iconButton('fit', 'See everything (f)', () => this.findings.set(null)), iconButton('theme', 'Light or dark (t)', switchTheme), helpButton];
    return el('header', { class: 'top' }, about, el('div', { class: 'spacer' }), el('div', { class: 'buttons card' }, ...buttons));
  }

  private bar(): HTMLElement {
    const { frames } = this.data;
    const bar = el('footer', { class: 'bar card' });
    if (frames.count > 1) bar.append(this.transport.element);
    const toggles = [this.toggles.edges];
    if (frames.asleep) toggles.unshift(this.toggles.sleeping);
    if (frames.islands) toggles.unshift(this.toggles.islands);
    if (frames.contacts) toggles.unshift(this.toggles.contacts, this.toggles.normals);
    bar.append(el('div', { class: 'toggles' }, ...toggles.map((t) => t.element)));
    return bar;
  }

  private keys(): Key[] {
    const { playback } = this;
    const then = (f: () => void) => () => {
      f();
      this.refresh();
    };
    const report = this.data.kind === 'report' && this.data.frames.count < 2; // else they play
    const step = (by: 1 | -1) => (event: KeyboardEvent) => {
      if (report) this.findings.move(by);
      else playback.step(event.shiftKey ? 10 * by : by);
      this.refresh();
    };
    const vertical = (by: 1 | -1) => then(() => (report ? this.findings.move(by === 1 ? -1 : 1) : playback.faster(by)));
    const keys: Key[] = [
      { key: 'ArrowRight', name: '→', does: report ? 'next finding' : 'one frame on (with shift: ten)', act: step(1) },
      { key: 'ArrowLeft', name: '←', does: report ? 'finding before' : 'one frame back (with shift: ten)', act: step(-1) },
      { key: 'ArrowUp', name: '↑', does: report ? 'finding before' : 'faster', act: vertical(1) },
      { key: 'ArrowDown', name: '↓', does: report ? 'next finding' : 'slower', act: vertical(-1) },
      { key: 'e', name: 'e', does: 'edges', act: () => this.toggles.edges.flip() },
      { key: 'f', name: 'f', does: 'see everything', act: () => this.findings.set(null) },
      { key: 't', name: 't', does: 'light or dark', act: switchTheme },
      ...cameraKeys(() => this.stage),
    ];
    if (this.data.frames.count < 2) return keys;
    return [
      { key: ' ', name: 'space', does: 'play or pause', act: then(() => playback.toggle()) },
      { key: 'Home', name: 'Home', does: 'to the start', act: then(() => playback.rewind()) },
      { key: 'End', name: 'End', does: 'to the end', act: then(() => playback.seek(playback.last)) },
      ...keys,
      { key: 'c', name: 'c', does: 'contacts', act: () => this.toggles.contacts.flip() },
      { key: 'n', name: 'n', does: 'normals', act: () => this.toggles.normals.flip() },
      { key: 'i', name: 'i', does: 'colours of what hangs together', act: () => this.toggles.islands.flip() },
      { key: 's', name: 's', does: 'pale where bodies sleep', act: () => this.toggles.sleeping.flip() },
    ];
  }
}

/** For tests: what the page shows. */
declare global {
  interface Window {
    carom?: { playback: Playback; position: (body: number) => [number, number, number]; drawCalls: () => number; witness: () => Player['drawn'] };
  }
}

function start(): void {
  const app = document.getElementById('app')!;
  const tell = (...text: (Node | string)[]) => app.append(el('p', { class: 'message card', role: 'alert' }, ...text));
  try {
    const data = parsePage(document.getElementById('carom-data')?.textContent ?? 'null');
    if (!data) {
      tell('Nothing to play yet: ', el('code', {}, 'carom sim SCENE.json --html out.html'), ' writes a page that has something.');
      return;
    }
    document.title = `${data.title} · Carom`;
    const player = new Player(app, data);
    window.carom = {
      playback: player.playback,
      position: (body) => player.bodies.position(body).toArray(),
      drawCalls: () => player.drawCalls(),
      witness: () => player.drawn,
    };
    if (data.frames.count > 1) player.play();
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
  }
}

start();
