// Meshes in files: OBJ, STL, PLY and OFF, read and written in double, nothing lost without a word.
//
//   PolygonMesh rock = load_mesh("rock.obj").value();
//
// Reading is a pure function of the bytes (no locale, no file system: it works in WebAssembly too), linear in their number. What is wrong
// with a file is an Error of code bad_file: "rock.obj: line 12: ...", with the byte instead of the line where the file is binary. Wrong is:
// a coordinate that is no number or not finite, a corner that does not exist, data that ends too early, counts that the bytes cannot hold.
// What a file has beyond the mesh is not wrong; the report counts it. Whether the *mesh* is any good, inspect() says.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

enum class MeshFormat { obj, stl, ply, off };

/// 'OBJ', 'STL', 'PLY' or 'OFF'.
[[nodiscard]] std::string_view name_of(MeshFormat format);

/// By the ending of the name, in capitals or not: .obj, .stl, .ply, .off.
[[nodiscard]] std::optional<MeshFormat> mesh_format_of_name(std::string_view path);
/// By the bytes, where they cannot be mistaken: the first word of a PLY or OFF file, the frame of an STL file. OBJ has no such mark.
[[nodiscard]] std::optional<MeshFormat> mesh_format_of_content(std::string_view bytes);

/// What was in a file, and what of it the mesh does not have.
struct MeshFileReport {
  MeshFormat format = MeshFormat::obj;
  bool binary = false;
  std::size_t normals = 0; ///< normal vectors, of vertices (OBJ, PLY, OFF) or facets (STL)
  std::size_t texture_coordinates = 0; ///< of vertices
  std::size_t colors = 0; ///< vertices or faces with numbers behind those used: colours, mostly
  std::size_t lines = 0;  ///< OBJ `l`, PLY edges
  std::size_t points = 0; ///< OBJ `p`
  std::size_t other_statements =
      0; ///< OBJ: known, and not about polygons (smoothing, curves, libraries)
  std::size_t other_properties =
      0;                          ///< PLY: properties of vertices and faces that are none of these
  std::size_t other_elements = 0; ///< PLY: items of elements that are neither vertex, face nor edge
  std::size_t unknown_lines =
      0; ///< lines that the format does not know, or that stand behind its end
  std::size_t first_unknown_line = 0; ///< counted from 1; 0 where there is none
  std::size_t trailing_bytes = 0;     ///< behind the end of binary data
  /// OBJ: the runs of faces under one `o` statement each, in the order of the file, also where two have the same name. The parts of the mesh are these, cut where a group begins.
  std::vector<MeshPart> objects{};
};

/// Reads a file; its format is told by its content, then by its name.
[[nodiscard]] Result<PolygonMesh> load_mesh(const std::string& path,
                                            MeshFileReport* report = nullptr);

/// The same for bytes at hand. Errors name no file.
[[nodiscard]] Result<PolygonMesh> read_mesh(std::string_view bytes, MeshFormat format,
                                            MeshFileReport* report = nullptr);

enum class MeshEncoding {
  text,          ///< the shortest decimals that are read back as the same doubles
  little_endian, ///< binary STL and PLY
  big_endian,    ///< binary PLY
};

/// Writes a file of the format that the name ends with. What each format keeps:
///   OBJ  everything;
///   PLY  vertices, faces and material numbers; binary as doubles;
///   OFF  vertices and faces;
///   STL  triangles and, as text, the parts' names. Binary STL has floats: coordinates are rounded to them.
/// Refused: a mesh that could not be read back (a coordinate that is not finite, a corner that does not exist), other faces than triangles
/// in STL (triangulate.h makes some), an encoding that the format does not have, a file that cannot be written.
[[nodiscard]] Result<void> save_mesh(const std::string& path, const PolygonMesh& mesh,
                                     MeshEncoding encoding = MeshEncoding::text);

/// The bytes of such a file.
[[nodiscard]] Result<std::string> write_mesh(const PolygonMesh& mesh, MeshFormat format,
                                             MeshEncoding encoding = MeshEncoding::text);

} // namespace carom
