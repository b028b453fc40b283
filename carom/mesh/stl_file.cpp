#include "carom/mesh/stl_file.h"

#include "carom/geometry/triangle_normal.h"
#include "carom/mesh/byte_order.h"
#include "carom/mesh/mesh_text.h"
#include "carom/mesh/text_cursor.h"
#include "carom/mesh/vertex_pool.h"

#include <array>
#include <cmath>

namespace carom {
namespace {

// A binary file: 80 bytes of anything, the count, then for each triangle a normal, three corners (floats) and two bytes more.
constexpr std::size_t header_size = 80;
constexpr std::size_t triangles_begin = 84;
constexpr std::size_t triangle_size = 50;
constexpr std::size_t corners_begin = 12, corner_size = 12, attribute_begin = 48;

std::size_t triangle_count(std::string_view bytes) {
  return load_bytes<std::uint32_t>(bytes.data() + header_size, ByteOrder::little);
}

/// The file is as long as its own count says.
bool has_binary_size(std::string_view bytes) {
  return bytes.size() >= triangles_begin &&
         (bytes.size() - triangles_begin) / triangle_size == triangle_count(bytes) &&
         (bytes.size() - triangles_begin) % triangle_size == 0;
}

bool looks_like_text(std::string_view bytes) {
  TextCursor cursor(bytes.substr(bytes.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0));
  constexpr std::size_t start = 1024;
  return cursor.word_ahead() && same_word(cursor.word(), "solid") &&
         bytes.substr(0, start).find('\0') == std::string_view::npos;
}

class TextStlReader {
public:
  TextStlReader(std::string_view text, MeshFileReport& report) : cursor_(text), report_(report) {}

  Result<PolygonMesh> read() {
    while (cursor_.word_ahead()) {
      if (!statement()) return cursor_.error();
    }
    if (in_solid_) {
      cursor_.fail("the file ends inside of a solid: 'endsolid' is missing");
      return cursor_.error();
    }
    return std::move(mesh_);
  }

private:
  bool statement() {
    const std::string_view word = cursor_.word();
    if (same_word(word, "facet")) return facet();
    if (same_word(word, "solid")) {
      name_ = cursor_.rest_of_line();
      in_solid_ = part_begins_ = true;
    } else if (same_word(word, "endsolid")) {
      in_solid_ = false;
    } else if (report_.unknown_lines++ == 0) {
      report_.first_unknown_line = cursor_.line();
    }
    cursor_.next_line();
    return true;
  }

  /// 'normal x y z outer loop', vertices, 'endloop endfacet'. The normal's numbers are not looked at: many files have NaN there.
  bool facet() {
    if (part_begins_) begin_part(mesh_, name_);
    part_begins_ = false;
    ++report_.normals;
    std::string_view word;
    for (int words = 0; words < 5 && !same_word(word, "outer"); ++words) word = next();
    if (!same_word(word, "outer")) return expected("outer loop", word);
    if (!skip("loop")) return false;
    std::size_t corners = 0;
    for (word = next(); same_word(word, "vertex"); word = next(), ++corners) {
      Vec3 p;
      if (!cursor_.point(p)) return false;
      mesh_.corners.push_back(pool_.number(p));
    }
    if (!same_word(word, "endloop")) return expected("vertex' or 'endloop", word);
    if (corners < 3) return cursor_.fail("a facet needs three vertices or more");
    if (!skip("endfacet")) return false;
    mesh_.face_begin.push_back(static_cast<std::uint32_t>(mesh_.corners.size()));
    return mesh_.corners.size() <= most_corners || cursor_.fail("too many corners of faces");
  }

  std::string_view next() { return cursor_.word_ahead() ? cursor_.word() : std::string_view(); }
  bool skip(const char* wanted) {
    const std::string_view word = next();
    return same_word(word, wanted) || expected(wanted, word);
  }
  bool expected(const char* wanted, std::string_view word) {
    const std::string should = "' should be";
    return cursor_.fail(word.empty() ? "the file ends where '" + (wanted + should)
                                     : quoted(word) + " stands where '" + (wanted + should));
  }

  TextCursor cursor_;
  MeshFileReport& report_;
  PolygonMesh mesh_;
  VertexPool pool_{mesh_.vertices};
  std::string name_;
  bool in_solid_ = false, part_begins_ = false;
};

Result<PolygonMesh> read_binary(std::string_view bytes, MeshFileReport& report) {
  const auto bad = [](std::size_t byte, const std::string& why) {
    return failure(ErrorCode::bad_file, "byte " + std::to_string(byte) + ": " + why);
  };
  report.binary = true;
  if (bytes.size() < triangles_begin) {
    return bad(bytes.size(), "the file ends in its header: it is cut off, or not STL");
  }
  const std::size_t count = triangle_count(bytes);
  const std::size_t room = (bytes.size() - triangles_begin) / triangle_size;
  if (count > room || (count == 0 && room > 0)) {
    return bad(header_size, "it says " + std::to_string(count) + " triangles, but has bytes for " +
                                std::to_string(room) + ": it is cut off, or not STL");
  }
  if (count > most_corners / 3) return bad(header_size, "too many triangles");
  PolygonMesh mesh;
  VertexPool pool(mesh.vertices);
  mesh.corners.reserve(3 * count);
  mesh.face_begin.reserve(count + 1);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t begin = triangles_begin + t * triangle_size;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t at = begin + corners_begin + c * corner_size;
      Vec3 p;
      for (int axis = 0; axis < 3; ++axis) {
        p[axis] = load_bytes<float>(bytes.data() + at + 4 * static_cast<std::size_t>(axis),
                                    ByteOrder::little);
      }
      if (!is_finite(p)) {
        return bad(at, "triangle " + std::to_string(t) + " has a coordinate that is not finite");
      }
      mesh.corners.push_back(pool.number(p));
    }
    mesh.face_begin.push_back(static_cast<std::uint32_t>(mesh.corners.size()));
    if (load_bytes<std::uint16_t>(bytes.data() + begin + attribute_begin, ByteOrder::little) != 0) {
      ++report.colors;
    }
  }
  report.normals = count;
  report.trailing_bytes = bytes.size() - triangles_begin - count * triangle_size;
  return mesh;
}

/// The unit normal, to six digits: it is there for others to look at. Zero where there is none.
Vec3 normal(const std::array<Vec3, 3>& t) {
  Vec3 n = normalized_or(triangle_normal(t[0], t[1], t[2]), {});
  for (int axis = 0; axis < 3; ++axis) n[axis] = std::floor(n[axis] * 1e6 + 0.5) / 1e6;
  return n;
}

std::array<Vec3, 3> triangle(const PolygonMesh& mesh, std::size_t f) {
  const auto corners = mesh.face(f);
  return {mesh.vertices[corners[0]], mesh.vertices[corners[1]], mesh.vertices[corners[2]]};
}

void append_facet(std::string& text, const std::array<Vec3, 3>& t) {
  text += "facet normal";
  append_point(text, normal(t));
  text += "\nouter loop\n";
  for (const Vec3& p : t) {
    text += "vertex";
    append_point(text, p);
    text += '\n';
  }
  text += "endloop\nendfacet\n";
}

std::string as_text(const PolygonMesh& mesh) {
  std::string text;
  for_each_part(mesh, [&](std::string_view name, std::size_t begin, std::size_t end) {
    const std::string named = name.empty() ? "" : ' ' + written_name(name);
    text += "solid" + named + '\n';
    for (std::size_t f = begin; f < end; ++f) append_facet(text, triangle(mesh, f));
    text += "endsolid" + named + '\n';
  });
  return text.empty() ? "solid\nendsolid\n" : text;
}

Result<std::string> as_binary(const PolygonMesh& mesh) {
  std::string bytes = "binary STL";
  bytes.resize(header_size, ' ');
  append_bytes(bytes, static_cast<std::uint32_t>(mesh.face_count()), ByteOrder::little);
  const auto append_floats = [&](const Vec3& p) {
    for (int axis = 0; axis < 3; ++axis) {
      append_bytes(bytes, static_cast<float>(p[axis]), ByteOrder::little);
    }
  };
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const std::array<Vec3, 3> t = triangle(mesh, f);
    append_floats(normal(t));
    for (const Vec3& p : t) {
      if (!(max_abs(p) <= 0x1.fffffep127)) {
        return failure(ErrorCode::out_of_range, "face " + std::to_string(f) +
                                                    " of the mesh has a coordinate too great for "
                                                    "binary STL, which has floats");
      }
      append_floats(p);
    }
    append_bytes(bytes, std::uint16_t{0}, ByteOrder::little);
  }
  return bytes;
}

} // namespace

bool is_stl(std::string_view bytes) { return has_binary_size(bytes) || looks_like_text(bytes); }

Result<PolygonMesh> read_stl(std::string_view bytes, MeshFileReport* report) {
  MeshFileReport counted{.format = MeshFormat::stl};
  if (bytes.empty()) return failure(ErrorCode::bad_file, "the file is empty");
  std::string with_line_ends;
  Result<PolygonMesh> mesh = !has_binary_size(bytes) && looks_like_text(bytes)
                                 ? TextStlReader(plain_text(bytes, with_line_ends), counted).read()
                                 : read_binary(bytes, counted);
  if (report) *report = counted;
  return mesh;
}

Result<std::string> write_stl(const PolygonMesh& mesh, bool binary) {
  if (const std::optional<Error> wrong = unwritable(mesh)) return tl::unexpected<Error>(*wrong);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const std::size_t corners = mesh.face(f).size();
    if (corners == 3) continue;
    return failure(ErrorCode::out_of_range,
                   "face " + std::to_string(f) + " of the mesh has " + std::to_string(corners) +
                       " corners; STL has triangles only: use triangulated()");
  }
  return binary ? as_binary(mesh) : as_text(mesh);
}

} // namespace carom
