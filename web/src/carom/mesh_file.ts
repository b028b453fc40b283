// A mesh file: OBJ, STL, PLY or OFF, read by the library.
import type { Module } from './module.ts';

export class MeshFile {
  private constructor(
    readonly positions: Float32Array, // three a vertex, for the screen
    readonly triangles: Uint32Array, // three indices a triangle
    readonly vertices: Float64Array, // the same, as they are
  ) {}

  /** Throws a CaromError that says what is wrong with the file. `size`: its longest side afterwards, its middle at the origin; 0: as it is. */
  static read(module: Module, name: string, bytes: Uint8Array, size = 0): MeshFile {
    module.checked(module.call.carom_mesh_file!(...module.putFile(name, bytes), size));
    const [vertexAddress, vertices, triangleAddress, triangles] = module.buffer() as unknown as [number, number, number, number];
    const doubles = module.doubles(vertexAddress, 3 * vertices).slice();
    const indices = new Uint32Array(module.call.memory.buffer, triangleAddress, 3 * triangles).slice();
    return new MeshFile(Float32Array.from(doubles), indices, doubles);
  }
}
