// The viewer's scenes: which one, how it plays, what is drawn, and the mouse that pulls and shoots.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Vector3 } from 'three';
import type { Carom } from '../carom/index.ts';
import { el, Toggle } from '../ui/dom.ts';
import type { Key } from '../ui/keys.ts';
import { Transport } from '../ui/transport.ts';
import { rayAt } from '../view/pointer.ts';
import type { Stage } from '../view/stage.ts';
import { type SceneText, scenes } from './scene_list.ts';
import { type Overlays, SceneView } from './scene_view.ts';

const names: [keyof Overlays, string, string][] = [
  ['contacts', 'Contacts', 'c'],
  ['normals', 'Normals', 'n'],
  ['trees', 'Trees', 'b'],
  ['islands', 'Islands', 'i'],
  ['sleeping', 'Sleeping', 's'],
];

export class ScenePanel {
  readonly about = el('section', { class: 'about card' });
  readonly bar = el('footer', { class: 'bar card' });
  readonly scenes: SceneText[] = [...scenes];
  private readonly select = el('select', { class: 'wide', 'aria-label': 'Scene' });
  private readonly text = el('p', { class: 'quiet' });
  private readonly toggles: Toggle[];
  private readonly line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: 0xe5484d, depthTest: false }));
  private transport: Transport | null = null;
  private on = true;
  view: SceneView | null = null;

  constructor(
    private readonly carom: Carom,
    private readonly stage: Stage,
    private readonly say: (text: string) => void,
  ) {
    this.toggles = names.map(([key, name, letter]) => new Toggle(name, letter, key === 'sleeping', () => this.overlay()));
    this.select.addEventListener('change', () => this.open(this.select.selectedIndex));
    this.about.append(this.select, this.text);
    this.list();
    this.line.frustumCulled = false;
    this.line.renderOrder = 4;
    this.line.visible = false;
    stage.scene.add(this.line);
    this.mouse();
  }

  private list(): void {
    this.select.replaceChildren(...this.scenes.map((s) => el('option', {}, s.name)));
  }

  /** Adds a scene that was dropped, and opens it. */
  add(scene: SceneText): void {
    this.scenes.push(scene);
    this.list();
    this.open(this.scenes.length - 1);
  }

  open(index: number): void {
    const scene = this.scenes[index];
    if (!scene) return;
    try {
      const next = new SceneView(this.carom, this.stage, scene);
      this.view?.dispose();
      this.view = next;
    } catch (error) {
      this.say(`${scene.name}: ${error instanceof Error ? error.message : error}`);
      return;
    }
    this.say('');
    this.select.selectedIndex = index;
    this.stage.scene.add(this.view.group);
    this.text.textContent = this.view.about;
    this.transport = new Transport(this.view.playback, () => this.act());
    const shoot = el('button', { type: 'button', class: 'text', title: 'Shoot a ball (x)', onclick: () => this.shoot() }, 'Shoot');
    const again = el('button', { type: 'button', class: 'text', title: 'Begin anew (r)', onclick: () => this.rewind() }, 'Anew');
    const toggles = el('div', { class: 'toggles' }, again, shoot, ...this.toggles.map((t) => t.element));
    this.bar.replaceChildren(this.transport.element, toggles);
    this.overlay();
    this.view.playback.toggle();
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
    if (!this.on || !this.view?.advance(seconds)) return false;
    this.transport?.update();
    this.drawLine();
    const step = this.view.difference();
    if (step !== null) this.say(`From step ${step} on this is not what was recorded.`);
    return true;
  }

  private act(): void {
    this.view?.show();
    this.transport?.update();
  }
  private overlay(): void {
    if (!this.view) return;
    names.forEach(([key], i) => (this.view!.overlays[key] = this.toggles[i]!.on));
    this.view.show();
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

  /** Left button on a body: it is pulled. Elsewhere: the view turns. */
  private mouse(): void {
    const { camera, orbit, renderer } = this.stage;
    const canvas = renderer.domElement;
    canvas.addEventListener(
      'pointerdown',
      (e) => {
        if (!this.on || !this.view || e.button !== 0) return;
        const hit = this.view.bodies.hit(rayAt(e, canvas, camera));
        if (!hit || !this.view.grab(hit.body, hit.point, camera.getWorldDirection(new Vector3()))) return;
        orbit.enabled = false;
        canvas.setPointerCapture(e.pointerId);
        this.say(this.view.data.bodies[hit.body]!.name);
        if (!this.view.playback.playing) this.view.playback.toggle();
      },
      { capture: true },
    );
    canvas.addEventListener('pointermove', (e) => this.view?.held?.move(rayAt(e, canvas, camera)));
    for (const end of ['pointerup', 'pointercancel']) {
      canvas.addEventListener(end, () => {
        if (!this.view?.held) return;
        this.view.release();
        orbit.enabled = true;
        this.line.visible = false;
        this.say('');
        this.stage.invalidate();
      });
    }
  }

  /** The spring. */
  private drawLine(): void {
    const spring = this.view?.held;
    this.line.visible = spring !== null && spring !== undefined;
    if (spring) this.line.geometry.setAttribute('position', new BufferAttribute(new Float32Array([...spring.held().toArray(), ...spring.goal.toArray()]), 3));
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
      { key: 'ArrowUp', name: '↑', does: 'faster', act: act((v) => v.playback.faster(1)) },
      { key: 'ArrowDown', name: '↓', does: 'slower', act: act((v) => v.playback.faster(-1)) },
      { key: 'r', name: 'r', does: 'begin the scene anew', act: () => this.on && this.rewind() },
      { key: 'x', name: 'x', does: 'shoot a ball', act: () => this.on && this.shoot() },
      ...names.map(([, name, key], i): Key => ({ key, name: key, does: name.toLowerCase(), act: () => this.on && this.toggles[i]!.flip() })),
    ];
  }
}
