// The viewer: scenes that run in the page, and a bench for queries. Everything is computed here, by the library in WebAssembly.
import { Vector3 } from 'three';
import './ui/style.css';
import './ui/viewer.css';
import wasm from '../dist/carom.wasm?url';
import { Carom } from './carom/index.ts';
import { el, iconButton } from './ui/dom.ts';
import { listen } from './ui/keys.ts';
import { switchTheme } from './ui/theme.ts';
import { cameraKeys } from './view/camera_keys.ts';
import { Stage } from './view/stage.ts';
import { listenForFiles, take } from './viewer/drop.ts';
import { QueryPanel } from './viewer/query_panel.ts';
import { ScenePanel } from './viewer/scene_panel.ts';

type Mode = 'scenes' | 'queries';

/** For tests: what the page shows. */
declare global {
  interface Window {
    viewer?: { scenes: ScenePanel; queries: QueryPanel; stage: Stage };
  }
}

async function start(app: HTMLElement): Promise<void> {
  const carom = await Carom.load(fetch(wasm));
  const host = el('main', { class: 'stage' });
  const note = el('div', { class: 'note card', role: 'status', hidden: true });
  const say = (text: string) => {
    note.textContent = text;
    note.hidden = text === '';
  };
  app.append(host);
  const stage = new Stage(host, (seconds) => scenes.advance(seconds));
  const scenes = new ScenePanel(carom, stage, say);
  const queries = new QueryPanel(carom, stage);
  stage.scene.add(queries.bench.group);

  const tabs = (['scenes', 'queries'] as const).map((mode) => el('button', { type: 'button', class: 'text', 'aria-pressed': 'false', onclick: () => show(mode) }, mode === 'scenes' ? 'Scenes' : 'Query bench'));
  const show = (mode: Mode) => {
    tabs.forEach((tab, i) => tab.setAttribute('aria-pressed', String((i === 0) === (mode === 'scenes'))));
    scenes.visible = mode === 'scenes';
    queries.visible = mode === 'queries';
    stage.orbit.enabled = true;
    if (mode === 'queries') stage.look(new Vector3(2.5, -7, 3.5), new Vector3(0, 0, 0), 3);
    else scenes.view?.home();
    stage.invalidate();
  };

  const targets = {
    scene: (scene: Parameters<ScenePanel['add']>[0]) => {
      show('scenes');
      scenes.add(scene);
    },
    shape: (shape: Parameters<QueryPanel['add']>[0]) => {
      show('queries');
      queries.add(shape);
    },
    say,
  };
  listenForFiles(carom, targets);
  const chooser = el('input', { type: 'file', multiple: true, hidden: true });
  chooser.addEventListener('change', () => void take(carom, chooser.files ?? [], targets));
  const keys = listen([...scenes.keys(), ...queries.keys(), ...cameraKeys(() => stage), { key: 't', name: 't', does: 'light or dark', act: switchTheme }]);
  const buttons = el(
    'div',
    { class: 'buttons card' },
    el('button', { type: 'button', class: 'text', title: 'Open a scene, a recording or a mesh; or drop one here', onclick: () => chooser.click() }, 'Open'),
    iconButton('theme', 'Light or dark (t)', switchTheme),
    el('button', { type: 'button', class: 'icon', title: 'Keys (?)', 'aria-label': 'Keys', onclick: keys.help }, '?'),
  );
  const modes = el('nav', { class: 'buttons card', 'aria-label': 'Mode' }, ...tabs);
  app.append(el('header', { class: 'top' }, el('div', { class: 'column' }, modes, scenes.about), el('div', { class: 'spacer' }), buttons, chooser), queries.element, note, scenes.bar, queries.bar);

  show('scenes');
  const wanted = scenes.scenes.findIndex((s) => s.id === (location.hash.slice(1) || 'brick_wall'));
  scenes.open(Math.max(wanted, 0));
  if (location.hash === '#queries') show('queries');
  window.viewer = { scenes, queries, stage };
}

const app = document.getElementById('app')!;
start(app).catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  app.append(el('p', { class: 'message card', role: 'alert' }, text));
});
