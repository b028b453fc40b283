// The check of an answer by carom/verify, as a question that stands for itself: it can be asked here or in a worker.
//
// What a check costs depends on the pairs of parts, since the checker looks at each: nothing for convex shapes, seconds for two meshes of some thousand triangles.
import type { Check, Motion, Pose, Queries, Shape } from '../carom/index.ts';
import { partCount, type ShapeData } from './shape_data.ts';

export interface CheckQuestion {
  kind: 'distance' | 'penetration' | 'impact';
  shapes: readonly [ShapeData, ShapeData];
  poses: readonly [Pose, Pose, Pose]; // of A, of B, and where A goes
}

/** A pair takes up to 0.2 microseconds: these checks are done at once, while the pointer moves. */
const mostPairsAtOnce = 5e4;
/** And these in the background, without being asked: some ten seconds. */
const mostPairsUnasked = 1e8;

/** When it is worth its time: at once, as soon as nothing moves, or only where the user asks. */
export function whenToCheck({ shapes: [a, b] }: CheckQuestion): 'now' | 'at rest' | 'if asked' {
  const pairs = partCount(a) * partCount(b);
  return pairs <= mostPairsAtOnce ? 'now' : pairs <= mostPairsUnasked ? 'at rest' : 'if asked';
}

/** From one pose to another; B rests. */
export function motions([a, b, end]: CheckQuestion['poses']): [Motion, Motion] {
  return [{ start: a, end }, { start: b, end: b }];
}

export function runCheck(queries: Queries, { kind, poses }: CheckQuestion, a: Shape, b: Shape): Check {
  if (kind === 'distance') return queries.checkDistance(a, poses[0], b, poses[1]);
  if (kind === 'penetration') return queries.checkPenetration(a, poses[0], b, poses[1]);
  const [way, rest] = motions(poses);
  return queries.checkImpact(a, way, b, rest);
}
