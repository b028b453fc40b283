// The viewer's scenes: which one, how it plays, what is drawn, and the mouse that pulls and shoots.
import { Vector3 } from 'three';
import type { Carom } from '../carom/index.ts';
import { el, Toggle } from '../ui/dom.ts';
import type { Key } from '../ui/keys.ts';
import { Transport } from '../ui/transport.ts';
import { rayAt } from '../view/pointer.ts';
import { SpringMark } from '../view/spring_mark.ts';
import type { Stage } from '../view/stage.ts';
import { PullKeys } from './pull_keys.ts';
import { ReplayStatus } from './replay_status.ts';
import { type SceneText, scenes } from './scene_list.ts';
import { type Overlays, SceneView } from './scene_view.ts';

/** Of each picture's time, for a recording that runs again. */
const replayMilliseconds = 5;

const onAtFirst: (keyof Overlays)[] = ['sleeping', 'sensors', 'recorded'];
const names: [keyof Overlays, string, string][] = [
  ['contacts', 'Contacts', 'c'],
  ['normals', 'Normals', 'n'],
  ['trees', 'Trees', 'b'],
  ['islands', 'Islands', 'i'],
  ['sleeping', 'Sleeping', 's'],
  ['sensors', 'Sensors', 'e'],
  ['recorded', 'Recorded', 'o'],
];

export class ScenePanel {
  readonly about = el('section', { class: 'about card' });
  readonly bar = el('footer', { class: 'bar card' });
  readonly scenes: SceneText[] = [...scenes];
  private readonly select = el('select', { class: 'wide', 'aria-label': 'Scene' });
  private readonly text = el('p', { class: 'quiet' });
  private readonly toggles: Toggle[];
  private readonly spring = new SpringMark();
  private readonly replay = new ReplayStatus((step) => this.seek(step));
  private transport: Transport | null = null;
  private on = true;
  private shown = -1; // of the scenes
  view: SceneView | null = null;

  constructor(
    private readonly carom: Carom,
    private readonly stage: Stage,
    private readonly say: (text: string) => void,
  ) {
    this.toggles = names.map(([key, name, letter]) => new Toggle(name, letter, onAtFirst.includes(key), () => this.overlay()));
    this.select.addEventListener('change', () => this.open(this.select.selectedIndex));
    this.about.append(this.select, this.text, this.replay.element);
    this.list();
    stage.scene.add(this.spring.group);
    this.mouse();
  }

  /** The scenes there are to choose, and which one is shown. */
  private list(): void {
    this.select.replaceChildren(...this.scenes.map((s) => el('option', {}, s.name)));
    this.select.selectedIndex = this.shown;
  }

  /** Opens a scene that was dropped, and keeps it in the list; not where it cannot be opened. */
  add(scene: SceneText): void {
    if (!this.start(scene)) return;
    this.shown = this.scenes.push(scene) - 1;
    this.list();
  }

  open(index: number): void {
    const scene = this.scenes[index];
    if (scene && this.start(scene)) this.shown = index;
    this.select.selectedIndex = this.shown;
  }

  /** False, and a sentence, where it cannot be opened: what is shown stays. */
  private start(scene: SceneText): boolean {
    try {
      const next = new SceneView(this.carom, this.stage, scene);
      this.view?.dispose();
      this.view = next;
    } catch (error) {
      this.say(`${scene.name}: ${error instanceof Error ? error.message : error}`);
      return false;
    }
    this.say('');
    this.stage.scene.add(this.view.group);
    this.text.textContent = this.view.about;
    this.transport = new Transport(this.view.playback, () => this.act());
    const shoot = el('button', { type: 'button', class: 'text', title: 'Shoot a ball (x)', onclick: () => this.shoot() }, 'Shoot');
    const again = el('button', { type: 'button', class: 'text', title: 'Begin anew (r)', onclick: () => this.rewind() }, 'Anew');
    const toggles = el('div', { class: 'toggles' }, again, shoot, ...this.toggles.map((t) => t.element));
    this.bar.replaceChildren(this.transport.element, toggles);
    this.toggle('sensors').element.hidden = !this.view.data.bodies.some((b) => b.sensor);
    this.toggle('recorded').element.hidden = this.view.replay === null;
    this.toggle('recorded').set(true);
    this.overlay();
    this.view.playback.toggle();
    return true;
  }

  /** Pauses and hides where the user is elsewhere. */
  set visible(on: boolean) {
    this.on = on;
    if (this.view) this.view.group.visible = on;
    if (!on && this.view?.playback.playing) this.view.playback.toggle();
    this.about.hidden = this.bar.hidden = !on;
    if (on && this.view) this.act();
  }

  advance(seconds: number): boolean {
    if (!this.on || !this.view) return false;
    const [ran, moved] = [this.view.runAgain(replayMilliseconds), this.view.advance(seconds)];
    if (!ran && !moved) return false;
    this.transport?.update();
    this.drawSpring();
    this.replay.update(this.view);
    return true;
  }

  private act(): void {
    if (!this.view) return;
    this.view.show();
    this.toggle('recorded').set(this.view.overlays.recorded);
    this.transport?.update();
    this.replay.update(this.view);
    this.drawSpring();
  }
  private toggle(wanted: keyof Overlays): Toggle {
    return this.toggles[names.findIndex(([key]) => key === wanted)]!;
  }
  private seek(step: number): void {
    if (this.view?.playback.playing) this.view.playback.toggle();
    this.view?.playback.seek(step);
    this.act();
  }
  private overlay(): void {
    if (!this.view) return;
    names.forEach(([key], i) => (this.view!.overlays[key] = this.toggles[i]!.on));
    this.act();
  }
  private rewind(): void {
    this.view?.rewind();
    this.act();
  }
  private shoot(): void {
    const { camera } = this.stage;
    this.view?.shoot(camera.position, camera.getWorldDirection(new Vector3()));
    this.act();
  }

  /** Left button or a finger on a body: it is pulled, by that pointer alone. Elsewhere, and with a second finger: the view turns. */
  private mouse(): void {
    const { camera, orbit, renderer } = this.stage;
    const canvas = renderer.domElement;
    let pulling: number | null = null; // the pointer that does
    canvas.addEventListener(
      'pointerdown',
      (e) => {
        if (!this.on || !this.view || e.button !== 0 || !e.isPrimary) return;
        const hit = this.view.bodies.hit(rayAt(e, canvas, camera));
        if (!hit || !this.view.grab(hit.body, hit.point, camera.getWorldDirection(new Vector3()))) return;
        pulling = e.pointerId;
        orbit.enabled = false;
        canvas.setPointerCapture(e.pointerId);
        this.say(this.view.data.bodies[hit.body]!.name);
        if (!this.view.playback.playing) this.view.playback.toggle();
        this.act();
      },
      { capture: true },
    );
    canvas.addEventListener('pointermove', (e) => {
      if (e.pointerId === pulling) this.view?.held?.move(rayAt(e, canvas, camera));
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, (e) => {
        if (e.pointerId !== pulling) return;
        pulling = null;
        orbit.enabled = true;
        this.view?.release();
        this.say('');
        this.act();
      });
    }
  }

  private drawSpring(): void {
    const spring = this.view?.held;
    if (spring) this.spring.show(spring.held(), spring.goal);
    else this.spring.hide();
  }

  keys(): Key[] {
    const act = (f: (view: SceneView) => void) => () => {
      if (!this.on || !this.view) return;
      f(this.view);
      this.act();
    };
    return [
      { key: ' ', name: 'space', does: 'play or pause', act: act((v) => v.playback.toggle()) },
      { key: 'ArrowRight', name: '→', does: 'one step on', act: act((v) => v.playback.step(1)) },
      { key: 'ArrowLeft', name: '←', does: 'one step back', act: act((v) => v.playback.step(-1)) },
      { key: 'Home', name: 'Home', does: 'to the start', act: act((v) => v.playback.rewind()) },
      { key: 'End', name: 'End', does: 'to the end of what has run', act: act((v) => v.playback.seek(v.playback.last)) },
      { key: 'ArrowUp', name: '↑', does: 'faster', act: act((v) => v.playback.faster(1)) },
      { key: 'ArrowDown', name: '↓', does: 'slower', act: act((v) => v.playback.faster(-1)) },
      { key: 'r', name: 'r', does: 'begin the scene anew', act: () => this.on && this.rewind() },
      { key: 'd', name: 'd', does: 'of a recording: to the first step that differs', act: act((v) => v.replay?.difference != null && this.seek(v.replay.difference)) },
      { key: 'x', name: 'x', does: 'shoot a ball', act: () => this.on && this.shoot() },
      ...new PullKeys(this.stage, act, this.say).keys(),
      ...names.map(([, name, key], i): Key => ({ key, name: key, does: name.toLowerCase(), act: () => this.on && this.toggles[i]!.flip() })),
    ];
  }
}
