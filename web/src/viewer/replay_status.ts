// What the viewer says of a recording: how far its scene ran again, and where it came out differently.
import { el } from '../ui/dom.ts';
import type { SceneView } from './scene_view.ts';

export class ReplayStatus {
  readonly element = el('div', { class: 'replay', 'aria-live': 'polite', hidden: true });
  private readonly text = el('p', { class: 'quiet' });
  private readonly there: HTMLButtonElement;
  private step = 0;

  /** Calls `seek` where the user wants to see a step. */
  constructor(seek: (step: number) => void) {
    this.there = el('button', { type: 'button', class: 'text small', title: 'The first step that differs (d)', onclick: () => seek(this.step), hidden: true });
    this.element.append(this.text, this.there);
  }

  update(view: SceneView): void {
    const { replay } = view;
    this.element.hidden = replay === null;
    if (!replay) return;
    const { steps, run, difference, tookPart } = replay;
    const differs = difference !== null && !tookPart;
    this.text.className = differs ? 'fails' : !tookPart && run === steps ? 'holds' : 'open';
    this.there.hidden = !differs;
    this.step = difference ?? 0;
    this.there.textContent = `Show step ${this.step}`;
    if (tookPart) this.say('You took part: this is not the recording any more. Begin anew to compare.');
    else if (differs) this.say(`From step ${difference} on this is not what was recorded. ${here(view)}`);
    else if (run === steps) this.say(`A recording of ${steps} steps: it replays identically, to the bit.`);
    else this.say(`A recording of ${steps} steps; ${run} of them ran again, identically so far.`);
  }

  private say(text: string): void {
    if (this.text.textContent !== text) this.text.textContent = text;
  }
}

function here(view: SceneView): string {
  const off = view.farthest();
  if (!off) return '';
  return off.distance < 1e-4 ? 'At this step all is where it was.' : `At this step ${off.name} is farthest from where it was: ${off.distance.toPrecision(2)} m.`;
}
