// The shapes of the query bench: how the library makes each, and what it looks like.
import { BoxGeometry, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import { mergeVertices } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Carom, Shape } from '../carom/index.ts';

export interface BenchShape {
  name: string;
  make: (carom: Carom) => Shape;
  geometry: () => BufferGeometry;
}

const rock = [
  [0.9, 0.1, -0.3], [0.3, 0.8, -0.5], [-0.6, 0.7, -0.2], [-0.9, -0.2, -0.4], [-0.2, -0.9, -0.3], [0.6, -0.7, -0.5],
  [0.7, 0.2, 0.6], [0.1, 0.7, 0.7], [-0.6, 0.3, 0.6], [-0.4, -0.6, 0.7], [0.4, -0.5, 0.8], [0.1, 0.0, -0.9],
].map(([x, y, z]) => new Vector3(x, y, z));

/** The same triangles for the library and the screen, each vertex once. */
function torus(): BufferGeometry {
  const welded = new TorusGeometry(0.8, 0.3, 12, 28);
  welded.deleteAttribute('normal');
  welded.deleteAttribute('uv');
  return mergeVertices(welded, 1e-6);
}

export const benchShapes: readonly BenchShape[] = [
  { name: 'Box', make: (c) => c.shapes.box([0.8, 0.5, 0.6]), geometry: () => new BoxGeometry(1.6, 1.0, 1.2) },
  { name: 'Sphere', make: (c) => c.shapes.sphere(0.7), geometry: () => new SphereGeometry(0.7, 48, 32) },
  { name: 'Capsule', make: (c) => c.shapes.capsule([0, 0, -0.6], [0, 0, 0.6], 0.4), geometry: () => new CapsuleGeometry(0.4, 1.2, 16, 40).rotateX(Math.PI / 2) },
  { name: 'Cylinder', make: (c) => c.shapes.cylinder(0.7, 0.5), geometry: () => new CylinderGeometry(0.5, 0.5, 1.4, 64).rotateX(Math.PI / 2) },
  { name: 'Cone', make: (c) => c.shapes.cone(1.4, 0.7), geometry: () => new ConeGeometry(0.7, 1.4, 64).rotateX(Math.PI / 2).translate(0, 0, 0.7) },
  { name: 'Ellipsoid', make: (c) => c.shapes.ellipsoid([1, 0.6, 0.4]), geometry: () => new SphereGeometry(1, 48, 32).scale(1, 0.6, 0.4) },
  { name: 'Hull', make: (c) => c.shapes.hull(rock.flatMap((p) => p.toArray())), geometry: () => new ConvexGeometry(rock) },
  {
    name: 'Ring (a solid mesh)',
    make: (c) => {
      const mesh = torus();
      return c.shapes.mesh(mesh.getAttribute('position').array, mesh.index!.array, true);
    },
    geometry: torus,
  },
];
