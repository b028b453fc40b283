// Shapes: built once, never changed, used by any number of bodies and queries.
import type { Module } from './module.ts';

export type Vec3 = readonly [x: number, y: number, z: number];
/** x y z w */
export type Quat = readonly [x: number, y: number, z: number, w: number];

/** Where a shape or body is. */
export interface Pose {
  position: Vec3;
  rotation: Quat;
}

export const identity: Pose = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
export const at = (x: number, y: number, z: number): Pose => ({ position: [x, y, z], rotation: [0, 0, 0, 1] });

/** A shape of the library. It is there until free() is called. */
export class Shape {
  constructor(
    private readonly module: Module,
    readonly handle: number,
  ) {}

  private other(handle: number): Shape {
    return new Shape(this.module, this.module.checked(handle));
  }
  /** Grown by so much on all sides. */
  rounded(radius: number): Shape {
    return this.other(this.module.call.carom_shape_rounded!(this.handle, radius));
  }
  /** Each coordinate multiplied by its factor, which is not 0; negative ones mirror. */
  scaled(factors: Vec3): Shape {
    return this.other(this.module.call.carom_shape_scaled!(this.handle, ...factors));
  }
  /** Of a mesh: the same triangles with their vertices elsewhere, three numbers each. */
  deformed(vertices: ArrayLike<number>): Shape {
    this.module.write(vertices);
    return this.other(this.module.call.carom_shape_deformed!(this.handle, vertices.length / 3));
  }
  free(): void {
    this.module.call.carom_shape_free!(this.handle);
  }
}

/** normal . x <= offset; the normal is of any length but 0. */
export interface HalfSpace {
  normal: Vec3;
  offset: number;
}

// As height_field.h counts them.
const diagonals = ['main', 'other', 'alternating'] as const;

/** A grid of heights: sample i of row j is at x = i * spacing[0], y = j * spacing[1], z = offset + scale * sample (carom/shape/height_field.h). */
export interface HeightField {
  columns: number; // samples in a row
  rows: number;
  samples: Float32Array | Uint16Array | readonly number[]; // row by row; kept as floats, or as whole numbers of 16 bits where they came so
  spacing?: readonly [x: number, y: number]; // 1 where left out, like the scale
  scale?: number;
  offset?: number;
  holes?: ArrayLike<number>; // one a cell, row by row: nothing is there where it is not 0
  diagonal?: (typeof diagonals)[number]; // how a cell is split in two: 'main' where left out
}

// As shapes.cpp counts them.
const kinds = ['point', 'segment', 'triangle', 'sphere', 'capsule', 'tapered_capsule', 'box', 'cylinder', 'cone', 'ellipsoid', 'hull', 'half_space', 'brush', 'point_cloud'] as const;

/** Makes shapes. Throws a CaromError, with a sentence, where the numbers do not make one. */
export class Shapes {
  constructor(private readonly module: Module) {}

  private make(kind: (typeof kinds)[number], numbers: ArrayLike<number>, count = 0, more: ArrayLike<number> = []): Shape {
    this.module.write(numbers, more);
    return this.keep(this.module.call.carom_shape!(kinds.indexOf(kind), count));
  }
  private keep(handle: number): Shape {
    return new Shape(this.module, this.module.checked(handle));
  }

  point(at: Vec3): Shape {
    return this.make('point', at);
  }
  segment(a: Vec3, b: Vec3): Shape {
    return this.make('segment', [...a, ...b]);
  }
  triangle(a: Vec3, b: Vec3, c: Vec3): Shape {
    return this.make('triangle', [...a, ...b, ...c]);
  }
  sphere(radius: number, center: Vec3 = [0, 0, 0]): Shape {
    return this.make('sphere', [radius, ...center]);
  }
  /** The points within `radius` of the segment from a to b. */
  capsule(a: Vec3, b: Vec3, radius: number): Shape {
    return this.make('capsule', [...a, ...b, radius]);
  }
  /** The hull of two balls. */
  taperedCapsule(a: Vec3, radiusA: number, b: Vec3, radiusB: number): Shape {
    return this.make('tapered_capsule', [...a, radiusA, ...b, radiusB]);
  }
  /** Around the origin; half the edge lengths. */
  box(half: Vec3): Shape {
    return this.make('box', half);
  }
  /** Around the origin, along z. */
  cylinder(halfHeight: number, radius: number): Shape {
    return this.make('cylinder', [halfHeight, radius]);
  }
  /** The base around the origin, the apex at z = height. */
  cone(height: number, radius: number): Shape {
    return this.make('cone', [height, radius]);
  }
  ellipsoid(radii: Vec3): Shape {
    return this.make('ellipsoid', radii);
  }
  /** The convex hull of points, three numbers each. */
  hull(points: ArrayLike<number>): Shape {
    return this.make('hull', points, Math.floor(points.length / 3));
  }
  /** normal . x <= offset: it reaches to infinity. */
  halfSpace(normal: Vec3, offset: number): Shape {
    return this.make('half_space', [...normal, offset]);
  }
  /** What half-spaces have in common: bounded, and not flat. */
  brush(faces: readonly HalfSpace[]): Shape {
    return this.make('brush', faces.flatMap(({ normal, offset }) => [...normal, offset]), faces.length);
  }
  /** All sums of a point of A and a point of B: A swept over B. */
  sum(a: Shape, b: Shape): Shape {
    return this.keep(this.module.call.carom_shape_sum!(a.handle, b.handle));
  }
  /** The least convex shape around both. */
  hullOfTwo(a: Shape, b: Shape): Shape {
    return this.keep(this.module.call.carom_shape_hull_of_two!(a.handle, b.handle));
  }
  /** Balls of one radius around points, three numbers each. */
  pointCloud(points: ArrayLike<number>, radius = 0): Shape {
    return this.make('point_cloud', [radius], Math.floor(points.length / 3), points);
  }
  /** Three numbers a vertex, three indices a triangle. Solid: with all that is inside; it must be closed then. */
  mesh(vertices: ArrayLike<number>, triangles: ArrayLike<number>, solid: boolean | 'if closed' = false): Shape {
    this.module.write(vertices, triangles);
    return this.keep(this.module.call.carom_shape_mesh!(vertices.length / 3, triangles.length / 3, solid === 'if closed' ? 2 : Number(solid)));
  }
  /** Terrain: a surface, without anything solid below. */
  heightField({ columns, rows, samples, spacing = [1, 1], scale = 1, offset = 0, holes = [], diagonal = 'main' }: HeightField): Shape {
    this.module.write([...spacing, scale, offset], samples, holes);
    const whole = Number(samples instanceof Uint16Array);
    return this.keep(this.module.call.carom_shape_height_field!(columns, rows, diagonals.indexOf(diagonal), whole, samples.length, holes.length));
  }
  compound(parts: readonly { shape: Shape; pose?: Pose }[]): Shape {
    this.module.write(...parts.map(({ shape, pose = identity }) => [shape.handle, ...pose.position, ...pose.rotation]));
    return this.keep(this.module.call.carom_shape_compound!(parts.length));
  }
}
