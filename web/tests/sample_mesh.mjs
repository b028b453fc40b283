// Meshes made here, as files.

/**
 * A ring with bumps, closed, of 2 * around * across triangles, as OBJ.
 * @param {number} around @param {number} across
 */
export function bumpyRing(around, across) {
  const lines = [];
  for (let i = 0; i < around; ++i)
    for (let j = 0; j < across; ++j) {
      const [a, b] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / across];
      const thick = 0.3 * (1 + 0.2 * Math.sin(7 * a) * Math.cos(5 * b));
      const out = 0.8 + thick * Math.cos(b);
      lines.push(`v ${out * Math.cos(a)} ${out * Math.sin(a)} ${thick * Math.sin(b)}`);
    }
  const corner = (/** @type {number} */ i, /** @type {number} */ j) => (i % around) * across + (j % across) + 1;
  for (let i = 0; i < around; ++i)
    for (let j = 0; j < across; ++j) {
      lines.push(`f ${corner(i, j)} ${corner(i + 1, j)} ${corner(i + 1, j + 1)}`, `f ${corner(i, j)} ${corner(i + 1, j + 1)} ${corner(i, j + 1)}`);
    }
  return Buffer.from(lines.join('\n') + '\n');
}

/** A box of 2 x 1.8 x 1.9 around the origin, as STL. @param {'text' | 'bytes'} as */
export function boxStl(as) {
  const corner = (/** @type {number} */ i) => [i & 1 ? 1 : -1, i & 2 ? 0.9 : -0.9, i & 4 ? 0.95 : -0.95];
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const triangles = faces.flatMap(([a = 0, b = 0, c = 0, d = 0]) => [[a, b, c], [a, c, d]].map((t) => t.map(corner)));
  if (as === 'text') {
    const facets = triangles.map((t) => `facet normal 0 0 0\nouter loop\n${t.map((p) => `vertex ${p.join(' ')}`).join('\n')}\nendloop\nendfacet`);
    return Buffer.from(`solid box\n${facets.join('\n')}\nendsolid box\n`);
  }
  const bytes = Buffer.alloc(84 + 50 * triangles.length);
  bytes.writeUInt32LE(triangles.length, 80);
  triangles.forEach((t, i) => t.flat().forEach((x, k) => bytes.writeFloatLE(x, 84 + 50 * i + 12 + 4 * k)));
  return bytes;
}
