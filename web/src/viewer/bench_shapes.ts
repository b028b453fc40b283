// The shapes of the query bench: what the library makes each of, and what it looks like.
import { BoxGeometry, BufferGeometry, CapsuleGeometry, ConeGeometry, CylinderGeometry, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import { mergeVertices } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { ShapeData } from './shape_data.ts';

export interface BenchShape {
  name: string;
  data: ShapeData;
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

const ring = torus();

export const benchShapes: readonly BenchShape[] = [
  { name: 'Box', data: { make: 'box', of: [[0.8, 0.5, 0.6]] }, geometry: () => new BoxGeometry(1.6, 1.0, 1.2) },
  { name: 'Sphere', data: { make: 'sphere', of: [0.7] }, geometry: () => new SphereGeometry(0.7, 48, 32) },
  { name: 'Capsule', data: { make: 'capsule', of: [[0, 0, -0.6], [0, 0, 0.6], 0.4] }, geometry: () => new CapsuleGeometry(0.4, 1.2, 16, 40).rotateX(Math.PI / 2) },
  { name: 'Cylinder', data: { make: 'cylinder', of: [0.7, 0.5] }, geometry: () => new CylinderGeometry(0.5, 0.5, 1.4, 64).rotateX(Math.PI / 2) },
  { name: 'Cone', data: { make: 'cone', of: [1.4, 0.7] }, geometry: () => new ConeGeometry(0.7, 1.4, 64).rotateX(Math.PI / 2).translate(0, 0, 0.7) },
  { name: 'Ellipsoid', data: { make: 'ellipsoid', of: [[1, 0.6, 0.4]] }, geometry: () => new SphereGeometry(1, 48, 32).scale(1, 0.6, 0.4) },
  { name: 'Hull', data: { make: 'hull', of: [rock.flatMap((p) => p.toArray())] }, geometry: () => new ConvexGeometry(rock) },
  { name: 'Ring (a solid mesh)', data: { make: 'mesh', of: [ring.getAttribute('position').array, ring.index!.array, true] }, geometry: () => ring.clone() },
];
