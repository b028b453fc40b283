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

  /** Grown by so much on all sides. */
  rounded(radius: number): Shape {
    return new Shape(this.module, this.module.checked(this.module.call.carom_shape_rounded!(this.handle, radius)));
  }
  free(): void {
    this.module.call.carom_shape_free!(this.handle);
  }
}

// As shapes.cpp counts them.
const kinds = ['point', 'segment', 'sphere', 'capsule', 'box', 'cylinder', 'cone', 'ellipsoid', 'hull', 'half_space'] as const;

/** Makes shapes. Throws a CaromError, with a sentence, where the numbers do not make one. */
export class Shapes {
  constructor(private readonly module: Module) {}

  private make(kind: (typeof kinds)[number], numbers: ArrayLike<number>, count = 0): Shape {
    this.module.write(numbers);
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
  sphere(radius: number): Shape {
    return this.make('sphere', [radius]);
  }
  /** The points within `radius` of the segment from a to b. */
  capsule(a: Vec3, b: Vec3, radius: number): Shape {
    return this.make('capsule', [...a, ...b, radius]);
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
  /** normal . x <= offset */
  halfSpace(normal: Vec3, offset: number): Shape {
    return this.make('half_space', [...normal, offset]);
  }
  /** Three numbers a vertex, three indices a triangle. Solid: with all that is inside; it must be closed then. */
  mesh(vertices: ArrayLike<number>, triangles: ArrayLike<number>, solid: boolean | 'if closed' = false): Shape {
    this.module.write(vertices, triangles);
    return this.keep(this.module.call.carom_shape_mesh!(vertices.length / 3, triangles.length / 3, solid === 'if closed' ? 2 : Number(solid)));
  }
  compound(parts: readonly { shape: Shape; pose?: Pose }[]): Shape {
    this.module.write(...parts.map(({ shape, pose = identity }) => [shape.handle, ...pose.position, ...pose.rotation]));
    return this.keep(this.module.call.carom_shape_compound!(parts.length));
  }
}
