// A box of 2 x 1.8 x 1.9 as glTF, made hard on purpose: each face has corners of its own, it lies under two nodes that turn and mirror it, indices are bytes.

const half = [1, 0.9, 0.95];

/** Six faces of four corners, wound outward; x, y, z as the box should be in the end, where up is z. */
function faces() {
  const list = [];
  for (let axis = 0; axis < 3; ++axis)
    for (const side of [-1, 1]) {
      const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
      const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([s, t]) => {
        const p = [0, 0, 0];
        p[axis] = side * (half[axis] ?? 0);
        p[u] = (s ?? 0) * (half[u] ?? 0);
        p[v] = (t ?? 0) * (half[v] ?? 0);
        return p;
      });
      list.push(side > 0 ? corners : corners.reverse());
    }
  return list;
}

/** @returns {{gltf: (uri: string) => Buffer, glb: Buffer, bin: Buffer}} */
export function gltfBox() {
  // The inner node mirrors x and stretches by 2, the outer one turns by 90 degrees about x: the file holds what their inverse makes of the box.
  const positions = [];
  for (const face of faces())
    for (const [x = 0, y = 0, z = 0] of face) {
      // In glTF's world: (x, z, -y). The outer node takes (a, b, c) to (a, -c, b), so (a, b, c) = (x, -y, -z). The inner one takes p to (-2 px, 2 py, 2 pz).
      positions.push(-x / 2, -y / 2, -z / 2);
    }
  const indices = [];
  // The inner node mirrors, and glTF has the winding of what is seen: triangles of the file are the other way round.
  for (let f = 0; f < 6; ++f) indices.push(4 * f, 4 * f + 2, 4 * f + 1, 4 * f, 4 * f + 3, 4 * f + 2);
  const bin = Buffer.concat([Buffer.from(new Float32Array(positions).buffer), Buffer.from(Uint8Array.from(indices))]);
  const json = (/** @type {string | undefined} */ uri) => ({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [
      { rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], children: [1] },
      { mesh: 0, scale: [-2, 2, 2] },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 24, type: 'VEC3' },
      { bufferView: 1, componentType: 5121, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 288 },
      { buffer: 0, byteOffset: 288, byteLength: 36 },
    ],
    buffers: [uri === undefined ? { byteLength: 324 } : { uri, byteLength: 324 }],
  });
  const text = Buffer.from(JSON.stringify(json(undefined)).padEnd(4 * Math.ceil(JSON.stringify(json(undefined)).length / 4)));
  const chunk = (/** @type {number} */ type, /** @type {Buffer} */ data) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(data.length, 0);
    head.writeUInt32LE(type, 4);
    return Buffer.concat([head, data]);
  };
  const body = Buffer.concat([chunk(0x4e4f534a, text), chunk(0x004e4942, bin)]);
  const head = Buffer.alloc(12);
  head.write('glTF', 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return { gltf: (uri) => Buffer.from(JSON.stringify(json(uri))), glb: Buffer.concat([head, body]), bin };
}
