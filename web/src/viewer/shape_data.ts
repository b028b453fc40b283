// A shape of the query bench as plain data: the page and its workers each make the library's shape of it.
import type { Carom, Shape, Shapes } from '../carom/index.ts';

type Maker = 'sphere' | 'capsule' | 'box' | 'cylinder' | 'cone' | 'ellipsoid' | 'hull' | 'mesh';
/** Which function of Shapes makes it, and of what. */
export type ShapeData = { [M in Maker]: { make: M; of: Parameters<Shapes[M]> } }[Maker];

export function makeShape({ shapes }: Carom, { make, of }: ShapeData): Shape {
  // The two belong together, which the type of a union's function cannot say.
  return (shapes[make] as (...numbers: unknown[]) => Shape).apply(shapes, of);
}

/** How many convex parts it has: the triangles of a mesh. */
export function partCount({ make, of }: ShapeData): number {
  return make === 'mesh' ? of[1].length / 3 : 1;
}
