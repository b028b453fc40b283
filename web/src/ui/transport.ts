// The bar that plays: rewind, step, play, timeline, speed.
import { type Playback, speeds } from '../playback.ts';
import { changeIcon, el, iconButton } from './dom.ts';

export class Transport {
  readonly element: HTMLElement;
  private readonly playButton: HTMLButtonElement;
  private readonly timeline: HTMLInputElement;
  private readonly clock = el('output', { class: 'clock' });
  private readonly speed: HTMLSelectElement;

  /** Calls `changed` after each act of the user's. */
  constructor(
    private readonly playback: Playback,
    private readonly changed: () => void,
  ) {
    const act = (f: () => void) => () => {
      f();
      this.changed();
    };
    this.playButton = iconButton('play', 'Play (space)', act(() => playback.toggle()));
    this.playButton.classList.add('main');
    this.timeline = el('input', { type: 'range', class: 'timeline', min: 0, max: playback.last, step: 1, 'aria-label': 'Frame' });
    this.timeline.addEventListener('input', act(() => playback.seek(Number(this.timeline.value))));
    this.speed = el('select', { title: 'Speed (up and down)', 'aria-label': 'Speed' });
    for (const s of speeds) this.speed.append(el('option', { value: s }, `${s}×`));
    this.speed.addEventListener('change', act(() => playback.setSpeed(Number(this.speed.value))));
    this.element = el(
      'div',
      { class: 'transport', role: 'group', 'aria-label': 'Playing' },
      iconButton('rewind', 'To the start (Home)', act(() => playback.rewind())),
      iconButton('back', 'Step back (left)', act(() => playback.step(-1))),
      this.playButton,
      iconButton('forward', 'Step (right)', act(() => playback.step(1))),
      this.timeline,
      this.clock,
      this.speed,
    );
    this.update();
  }

  /** Shows where the playback stands. */
  update(): void {
    const { playing, frame, last, seconds, speed } = this.playback;
    changeIcon(this.playButton, playing ? 'pause' : 'play', playing ? 'Pause (space)' : 'Play (space)');
    this.timeline.max = String(last);
    this.timeline.value = String(frame);
    this.timeline.style.setProperty('--share', String(last > 0 ? frame / last : 0));
    this.timeline.setAttribute('aria-valuetext', `frame ${frame} of ${last}, ${seconds.toFixed(2)} seconds`);
    this.clock.value = `${seconds.toFixed(2)} s`;
    this.clock.title = `frame ${frame} of ${last}`;
    this.speed.value = String(speed);
  }
}
