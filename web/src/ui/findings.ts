// The list of a report's findings. One may be chosen; a second click lets it go.
import type { Finding } from '../page_data.ts';
import { el } from './dom.ts';

const meaning: Record<Finding['kind'], string> = { overlap: 'overlap', touch: 'touch', near: 'close to each other', answer: 'the answer' };

export class FindingsList {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  chosen: number | null = null;

  constructor(
    private readonly findings: Finding[],
    private readonly choose: (finding: Finding | null) => void,
  ) {
    this.buttons = findings.map((f, i) =>
      el(
        'button',
        { type: 'button', 'aria-pressed': 'false', onclick: () => this.set(this.chosen === i ? null : i) },
        el('span', { class: `dot ${f.kind}`, title: meaning[f.kind] }),
        el('span', {}, f.title),
      ),
    );
    const count = `${findings.length} finding${findings.length === 1 ? '' : 's'}`;
    const items = this.buttons.map((b) => el('li', {}, b));
    this.element = el('aside', { class: 'side card', 'aria-label': 'Findings' }, el('h2', {}, count), el('ol', { class: 'findings' }, ...items));
  }

  set(index: number | null): void {
    this.chosen = index;
    this.buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(i === index)));
    if (index !== null) this.buttons[index]?.scrollIntoView({ block: 'nearest' });
    this.choose(index === null ? null : (this.findings[index] ?? null));
  }

  /** The next or the one before. */
  move(by: 1 | -1): void {
    const count = this.findings.length;
    if (count === 0) return;
    this.set(this.chosen === null ? (by > 0 ? 0 : count - 1) : (this.chosen + by + count) % count);
  }
}
