// Meshes of page data as geometry to draw: smooth where the surface is, sharp at its edges.
import { BufferAttribute, BufferGeometry, EdgesGeometry } from 'three';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { ShapeMesh } from '../page_data.ts';

const crease = Math.PI / 6; // faces that meet at less are one surface
const many = 60_000; // triangles; above, normals are the vertices' own, which is quick

export interface Drawable {
  faces: BufferGeometry;
  edges: BufferGeometry;
}

export function drawable(mesh: ShapeMesh): Drawable {
  const indexed = new BufferGeometry();
  indexed.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  indexed.setIndex(new BufferAttribute(mesh.indices, 1));
  let faces = indexed;
  if (mesh.indices.length / 3 > many) indexed.computeVertexNormals();
  else faces = toCreasedNormals(indexed, crease);
  faces.computeBoundingBox();
  faces.computeBoundingSphere();
  return { faces, edges: edgesOf(mesh, indexed) };
}

function edgesOf(mesh: ShapeMesh, indexed: BufferGeometry): BufferGeometry {
  if (!mesh.edges) return mesh.indices.length / 3 > many ? new BufferGeometry() : new EdgesGeometry(indexed, 30);
  const edges = new BufferGeometry();
  edges.setAttribute('position', new BufferAttribute(mesh.positions, 3));
  edges.setIndex(new BufferAttribute(mesh.edges, 1));
  return edges;
}
