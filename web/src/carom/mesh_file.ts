// A mesh file: OBJ, STL, PLY or OFF, read by the library.
import type { Module } from './module.ts';
import { Shape } from './shape.ts';

export class MeshFile {
  private constructor(
    private readonly module: Module,
    readonly positions: Float32Array, // three a vertex, for the screen
    readonly triangles: Uint32Array, // three indices a triangle
    private readonly vertices: Float64Array,
  ) {}

  /** Throws a CaromError that says what is wrong with the file. `size`: its longest side afterwards, its middle at the origin; 0: as it is. */
  static read(module: Module, name: string, bytes: Uint8Array, size = 0): MeshFile {
    const format = ['obj', 'stl', 'ply', 'off'].indexOf(name.replace(/^.*\./, '').toLowerCase());
    module.checked(module.call.carom_mesh_file!(module.putBytes(bytes), format, size));
    const [vertexAddress, vertices, triangleAddress, triangles] = module.buffer() as unknown as [number, number, number, number];
    const doubles = module.doubles(vertexAddress, 3 * vertices).slice();
    const indices = new Uint32Array(module.call.memory.buffer, triangleAddress, 3 * triangles).slice();
    return new MeshFile(module, Float32Array.from(doubles), indices, doubles);
  }

  /** A solid where the triangles are closed, else a surface. */
  shape(): Shape {
    this.module.write(this.vertices, this.triangles);
    return new Shape(this.module, this.module.checked(this.module.call.carom_shape_mesh!(this.vertices.length / 3, this.triangles.length / 3, 2)));
  }
}
