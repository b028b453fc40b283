// Checks that take long: in a worker, once nothing has moved for a while. The next question ends the one before, however far it has come.
import type { Carom, Check } from '../carom/index.ts';
import type { CheckQuestion } from './check.ts';
import type { CheckTask } from './check_worker.ts';

const restMilliseconds = 300;

export class BackgroundCheck {
  /** How many were begun: for tests. */
  begun = 0;
  private worker: Worker | null = null;
  private timer = 0;

  constructor(private readonly carom: Carom) {}

  /** Begins at once, or when nothing was asked or stopped for a while. */
  start(question: CheckQuestion, when: 'now' | 'at rest', done: (check: Check) => void): void {
    this.stop();
    this.timer = window.setTimeout(() => this.run(question, done), when === 'now' ? 0 : restMilliseconds);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.worker?.terminate();
    this.worker = null;
  }

  private run(question: CheckQuestion, done: (check: Check) => void): void {
    ++this.begun;
    const worker = new Worker(new URL('./check_worker.ts', import.meta.url), { type: 'module' });
    this.worker = worker;
    const end = (check: Check) => {
      this.stop();
      done(check);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<Check>) => end(data));
    worker.addEventListener('error', ({ message }) => end({ holds: false, found: false, why: `(it stopped: ${message})` }));
    worker.postMessage({ compiled: this.carom.module.compiled, question } satisfies CheckTask);
  }
}
