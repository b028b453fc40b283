// A worker that checks one answer, with a copy of the library for itself: the page goes on meanwhile.
import { Carom, type Check } from '../carom/index.ts';
import { type CheckQuestion, runCheck } from './check.ts';
import { makeShape } from './shape_data.ts';

export interface CheckTask {
  compiled: WebAssembly.Module;
  question: CheckQuestion;
}

addEventListener('message', async ({ data }: MessageEvent<CheckTask>) => {
  const carom = await Carom.load(data.compiled);
  const [a, b] = data.question.shapes.map((shape) => makeShape(carom, shape)) as [ReturnType<typeof makeShape>, ReturnType<typeof makeShape>];
  postMessage(runCheck(carom.queries, data.question, a, b) satisfies Check);
});
