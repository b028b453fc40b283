// What stands beside the query bench: which shapes, which question, the answer and its check.
import type { Carom } from '../carom/index.ts';
import { el, Toggle } from '../ui/dom.ts';
import type { Key } from '../ui/keys.ts';
import type { Stage } from '../view/stage.ts';
import type { BenchShape } from './bench_shapes.ts';
import { QueryBench, type Reading } from './query_bench.ts';

const titles: Record<Reading['kind'], string> = { distance: 'They are apart', penetration: 'They overlap', impact: 'A moves to the pale place' };

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
    this.bar = el('footer', { class: 'bar card' }, el('div', { class: 'toggles' }, this.turn.element, this.motion.element), el('span', { class: 'quiet' }, 'Click a shape, then drag its handles.'));
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

  private show(reading: Reading): void {
    this.reading = reading;
    const rows = reading.rows.map(([name, value]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value)));
    const proof = reading.holds ? 'The proof holds' : `The proof does not hold: ${reading.why}`;
    this.answer.replaceChildren(el('h2', {}, titles[reading.kind]), el('table', {}, ...rows), el('p', { class: reading.holds ? 'holds' : 'fails' }, proof));
  }

  set visible(on: boolean) {
    this.bench.visible = on;
    this.element.hidden = this.bar.hidden = !on;
  }

  keys(): Key[] {
    return [
      { key: 'g', name: 'g', does: 'query bench: turn or move', act: () => this.bench.visible && this.turn.flip() },
      { key: 'm', name: 'm', does: 'query bench: A moves', act: () => this.bench.visible && this.motion.flip() },
    ];
  }
}
