// Lines of many placed shapes in one call: the same edges, once for each matrix.
import { BufferGeometry, Color, InstancedBufferAttribute, InstancedBufferGeometry, LineSegments, ShaderMaterial } from 'three';

/** One for all lines of a page. Faces are drawn a little behind them (polygonOffset). */
export function edgeMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    uniforms: { colour: { value: new Color(0x10161d) }, opacity: { value: 0.35 } },
    vertexShader: `
      attribute mat4 place;
      void main() { gl_Position = projectionMatrix * modelViewMatrix * place * vec4(position, 1.0); }`,
    fragmentShader: `
      uniform vec3 colour;
      uniform float opacity;
      void main() { gl_FragColor = vec4(colour, opacity); }`,
  });
}

/** `places` are shared with the faces: 16 numbers a copy. */
export function instancedEdges(edges: BufferGeometry, places: InstancedBufferAttribute, material: ShaderMaterial): LineSegments {
  const geometry = new InstancedBufferGeometry();
  geometry.index = edges.index;
  const positions = edges.getAttribute('position');
  if (positions) geometry.setAttribute('position', positions);
  geometry.setAttribute('place', places);
  geometry.instanceCount = positions ? places.count : 0;
  const lines = new LineSegments(geometry, material);
  lines.frustumCulled = false;
  return lines;
}
