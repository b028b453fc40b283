// What stands beside the query bench: which shapes, which question, the answer and its check.
import type { Carom } from '../carom/index.ts';
import { el, Toggle } from '../ui/dom.ts';
import type { Key } from '../ui/keys.ts';
import type { Stage } from '../view/stage.ts';
import type { BenchShape } from './bench_shapes.ts';
import { QueryBench, type Reading } from './query_bench.ts';

const step = 0.05; // of a key: metres, or radians

const titles: Record<Reading['kind'], string> = { distance: 'They are apart', penetration: 'They overlap', impact: 'A moves to the pale place' };

const verdicts: Record<Reading['check'], { look: string; text: (why: string) => string }> = {
  holds: { look: 'holds', text: () => 'The proof holds' },
  fails: { look: 'fails', text: (why) => `The proof does not hold: ${why}` },
  'not proved': { look: 'open', text: (why) => `No proof was found ${why}` },
  pending: { look: 'open', text: () => 'Check: pending' },
  'left out': { look: 'open', text: (why) => `Not checked: ${why}` },
};

export class QueryPanel {
  readonly element: HTMLElement;
  readonly bar: HTMLElement;
  readonly bench: QueryBench;
  reading: Reading | null = null;
  private readonly selects: [HTMLSelectElement, HTMLSelectElement];
  private readonly answer = el('section', { class: 'answer', 'aria-live': 'polite' });
  private readonly turn: Toggle;
  private readonly motion: Toggle;

  constructor(carom: Carom, stage: Stage) {
    this.selects = [el('select', { class: 'wide', 'aria-label': 'Shape A' }), el('select', { class: 'wide', 'aria-label': 'Shape B' })];
    this.bench = new QueryBench(carom, stage, (reading) => this.show(reading));
    this.turn = new Toggle('Turn', 'g', false, (on) => this.bench.turn(on));
    this.motion = new Toggle('Motion of A', 'm', false, (on) => (this.bench.moves = on));
    this.selects.forEach((select, i) => select.addEventListener('change', () => this.bench.choose(i as 0 | 1, select.selectedIndex)));
    this.list();
    const [a, b] = this.selects;
    const label = (name: string, select: HTMLSelectElement) => el('label', { class: `sample ${name}` }, name, select);
    this.element = el('aside', { class: 'side card queries', 'aria-label': 'Query bench' }, label('A', a), label('B', b), this.answer);
    this.bar = el('footer', { class: 'bar card' }, el('div', { class: 'toggles' }, this.turn.element, this.motion.element), el('span', { class: 'quiet' }, 'Click a shape, then drag its handles; or keys (?).'));
  }

  private list(): void {
    this.selects.forEach((select, i) => {
      select.replaceChildren(...this.bench.kinds.map((k) => el('option', {}, k.name)));
      select.selectedIndex = this.bench.chosen[i]!;
    });
  }

  /** Adds a shape that was dropped, as A. */
  add(shape: BenchShape): void {
    this.bench.kinds.push(shape);
    this.bench.choose(0, this.bench.kinds.length - 1);
    this.list();
  }

  show(reading: Reading): void {
    this.reading = reading;
    const rows = reading.rows.map(([name, value]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value)));
    const { look, text } = verdicts[reading.check];
    const verdict = el('p', { class: look }, text(reading.why));
    if (reading.check === 'left out') verdict.append(' ', el('button', { type: 'button', class: 'text small', title: 'In the background, however long it takes (v)', onclick: () => this.bench.checkNow() }, 'Check now'));
    this.answer.replaceChildren(el('h2', {}, titles[reading.kind]), el('table', {}, ...rows), verdict);
  }

  set visible(on: boolean) {
    this.bench.visible = on;
    this.element.hidden = this.bar.hidden = !on;
  }

  keys(): Key[] {
    const act = (f: () => void) => () => {
      if (this.bench.visible) f();
    };
    const nudge = (key: string, name: string, does: string, axis: 0 | 1 | 2, sign: 1 | -1): Key => ({ key, name, does: `query bench: ${does}`, act: act(() => this.bench.nudge(axis, sign * step)) });
    return [
      { key: '1', name: '1', does: 'query bench: take A', act: act(() => this.bench.grab(0)) },
      { key: '2', name: '2', does: 'query bench: take B', act: act(() => this.bench.grab(1)) },
      { key: '3', name: '3', does: 'query bench: take the place where A goes', act: act(() => this.bench.moves && this.bench.grab(2)) },
      { key: 'g', name: 'g', does: 'query bench: turn or move', act: act(() => this.turn.flip()) },
      { key: 'v', name: 'v', does: 'query bench: check what was left out', act: act(() => this.bench.checkNow()) },
      { key: 'm', name: 'm', does: 'query bench: A moves', act: act(() => this.motion.flip()) },
      nudge('ArrowLeft', '←', 'back along x, or turn about it', 0, -1),
      nudge('ArrowRight', '→', 'on along x, or turn about it', 0, 1),
      nudge('ArrowDown', '↓', 'back along y, or turn about it', 1, -1),
      nudge('ArrowUp', '↑', 'on along y, or turn about it', 1, 1),
      nudge('PageDown', 'page down', 'down along z, or turn about it', 2, -1),
      nudge('PageUp', 'page up', 'up along z, or turn about it', 2, 1),
    ];
  }
}
