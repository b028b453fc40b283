// The data of text and binary files is walked by the same code, over an input that gives the next number of a type: words or bytes.
#include "carom/mesh/ply_file.h"

#include "carom/mesh/mesh_text.h"
#include "carom/mesh/ply_header.h"
#include "carom/mesh/text_cursor.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

// Integers beyond this are no counts, corners or materials, whatever they are; as doubles, all up to here are exact.
constexpr double greatest_integer = 0x1p53;

class TextInput {
public:
  TextInput(std::string_view text, std::size_t line) : cursor_(text, line) {}

  bool number(PlyType /*type*/, double& value, const char* what) {
    return (cursor_.word_ahead() ||
            cursor_.fail(std::string("the file ends where ") + what + " should be")) &&
           cursor_.number(value, what);
  }
  bool skip(PlyType /*type*/, std::size_t count) {
    for (; count > 0; --count) {
      if (!cursor_.word_ahead()) return cursor_.fail("the file ends in its data");
      cursor_.word();
    }
    return true;
  }
  /// The least that a number takes: a digit and a space. The last one may do without the space.
  [[nodiscard]] static std::size_t least_size(PlyType /*type*/) { return 2; }
  [[nodiscard]] std::size_t remaining() const { return cursor_.remaining() + 1; }

  bool fail(const std::string& message) { return cursor_.fail(message); }
  [[nodiscard]] tl::unexpected<Error> error() const { return cursor_.error(); }
  void end(MeshFileReport& report) {
    for (; cursor_.word_ahead(); cursor_.next_line()) {
      if (report.unknown_lines++ == 0) report.first_unknown_line = cursor_.line();
    }
  }

private:
  TextCursor cursor_;
};

class BinaryInput {
public:
  /// `bytes` begin `before` bytes behind the start of the file.
  BinaryInput(std::string_view bytes, std::size_t before, ByteOrder order)
      : bytes_(bytes), before_(before), order_(order) {}

  bool number(PlyType type, double& value, const char* what) {
    const std::size_t size = size_of(type);
    if (remaining() < size) {
      return fail(std::string("the file ends where ") + what + " should be");
    }
    value = load(type, bytes_.data() + at_);
    if (!std::isfinite(value)) return fail(std::string(what) + " is not finite");
    at_ += size;
    return true;
  }
  bool skip(PlyType type, std::size_t count) {
    if (count > remaining() / size_of(type)) return fail("the file ends in its data");
    at_ += count * size_of(type);
    return true;
  }
  [[nodiscard]] static std::size_t least_size(PlyType type) { return size_of(type); }
  [[nodiscard]] std::size_t remaining() const { return bytes_.size() - at_; }

  bool fail(const std::string& message) {
    if (error_.empty()) error_ = "byte " + std::to_string(before_ + at_) + ": " + message;
    return false;
  }
  [[nodiscard]] tl::unexpected<Error> error() const { return failure(ErrorCode::bad_file, error_); }
  void end(MeshFileReport& report) const { report.trailing_bytes = remaining(); }

private:
  [[nodiscard]] double load(PlyType type, const char* p) const {
    switch (type) {
    case PlyType::int8:
      return load_bytes<std::int8_t>(p, order_);
    case PlyType::uint8:
      return load_bytes<std::uint8_t>(p, order_);
    case PlyType::int16:
      return load_bytes<std::int16_t>(p, order_);
    case PlyType::uint16:
      return load_bytes<std::uint16_t>(p, order_);
    case PlyType::int32:
      return load_bytes<std::int32_t>(p, order_);
    case PlyType::uint32:
      return load_bytes<std::uint32_t>(p, order_);
    case PlyType::int64:
      return static_cast<double>(load_bytes<std::int64_t>(p, order_));
    case PlyType::uint64:
      return static_cast<double>(load_bytes<std::uint64_t>(p, order_));
    case PlyType::float32:
      return load_bytes<float>(p, order_);
    case PlyType::float64:
      break;
    }
    return load_bytes<double>(p, order_);
  }

  std::string_view bytes_;
  std::size_t before_;
  ByteOrder order_;
  std::size_t at_ = 0;
  std::string error_;
};

/// What a property of a vertex or face is to the mesh.
enum class Role { x, y, z, corners, material, normal, texture, color, other };

Role role_in_vertex(const PlyProperty& p) {
  constexpr std::string_view textures[] = {"s", "t", "u", "v", "texture_u", "texture_v"};
  const std::string& name = p.name;
  if (name == "x" || name == "y" || name == "z") {
    return p.list ? Role::other : name == "x" ? Role::x : name == "y" ? Role::y : Role::z;
  }
  if (name == "nx" || name == "ny" || name == "nz") return Role::normal;
  if (std::find(std::begin(textures), std::end(textures), name) != std::end(textures)) {
    return Role::texture;
  }
  return Role::other;
}

Role role_in_face(const PlyProperty& p) {
  if (p.list) {
    const bool corners = p.name == "vertex_indices" || p.name == "vertex_index";
    return corners ? Role::corners : p.name == "texcoord" ? Role::texture : Role::other;
  }
  if (p.name == "nx" || p.name == "ny" || p.name == "nz") return Role::normal;
  return p.name == "material_index" ? Role::material : Role::other;
}

bool is_color(std::string_view name) {
  for (const std::string_view prefix : {"diffuse_", "ambient_", "specular_"}) {
    if (name.substr(0, prefix.size()) == prefix) name.remove_prefix(prefix.size());
  }
  return name == "red" || name == "green" || name == "blue" || name == "alpha";
}

template<class Input>
class PlyReader {
public:
  PlyReader(const PlyHeader& header, Input input, MeshFileReport& report)
      : header_(header), input_(std::move(input)), report_(report) {
    for (const PlyElement& e : header.elements) {
      if (e.name == "vertex") vertex_count_ = e.count;
    }
  }

  Result<PolygonMesh> read() {
    for (const PlyElement& e : header_.elements) {
      if (!fits(e) || !element(e)) return input_.error();
    }
    if (mesh_.vertices.size() > most_vertices || mesh_.corners.size() > most_corners) {
      input_.fail("too many vertices, or corners of faces");
      return input_.error();
    }
    input_.end(report_);
    return std::move(mesh_);
  }

private:
  /// Nothing is allocated or counted to on the word of the head alone.
  bool fits(const PlyElement& e) {
    std::size_t row = 0;
    for (const PlyProperty& p : e.properties) {
      row += Input::least_size(p.list ? p.count_type : p.type);
    }
    return row == 0 || e.count <= input_.remaining() / row ||
           input_.fail(std::to_string(e.count) + " of element " + quoted(e.name) +
                       " do not fit in the rest of the file: it is cut off, or the count is wrong");
  }

  bool element(const PlyElement& e) {
    if (e.name == "vertex") return vertices(e);
    if (e.name == "face") return faces(e);
    (e.name == "edge" ? report_.lines : report_.other_elements) += e.count;
    if (e.properties.empty()) return true;
    for (std::size_t i = 0; i < e.count; ++i) {
      for (const PlyProperty& p : e.properties) {
        if (!skip(p)) return false;
      }
    }
    return true;
  }

  std::vector<Role> roles(const PlyElement& e, Role (*role)(const PlyProperty&)) {
    std::vector<Role> result;
    for (const PlyProperty& p : e.properties) {
      const Role r = is_color(p.name) ? Role::color : role(p);
      result.push_back(r);
      report_.other_properties += r == Role::other ? 1 : 0;
    }
    const auto counted = [&](Role r) { return has(result, r) ? e.count : 0; };
    report_.normals += counted(Role::normal);
    report_.texture_coordinates += counted(Role::texture);
    report_.colors += counted(Role::color);
    return result;
  }
  static bool has(const std::vector<Role>& roles, Role r) {
    return std::find(roles.begin(), roles.end(), r) != roles.end();
  }

  bool vertices(const PlyElement& e) {
    const std::vector<Role> role = roles(e, role_in_vertex);
    if (!has(role, Role::x) || !has(role, Role::y) || !has(role, Role::z)) {
      return e.count == 0 || input_.fail("element 'vertex' has no property x, y or z");
    }
    mesh_.vertices.reserve(e.count);
    for (std::size_t i = 0; i < e.count; ++i) {
      Vec3 point;
      for (std::size_t k = 0; k < role.size(); ++k) {
        const PlyProperty& p = e.properties[k];
        const bool good = role[k] == Role::x   ? input_.number(p.type, point.x, "the x coordinate")
                          : role[k] == Role::y ? input_.number(p.type, point.y, "the y coordinate")
                          : role[k] == Role::z ? input_.number(p.type, point.z, "the z coordinate")
                                               : skip(p);
        if (!good) return false;
      }
      mesh_.vertices.push_back(point);
    }
    return true;
  }

  bool faces(const PlyElement& e) {
    const std::vector<Role> role = roles(e, role_in_face);
    if (!has(role, Role::corners)) {
      return e.count == 0 || input_.fail("element 'face' has no list 'vertex_indices'");
    }
    mesh_.face_begin.reserve(e.count + 1);
    for (std::size_t i = 0; i < e.count; ++i) {
      for (std::size_t k = 0; k < role.size(); ++k) {
        const PlyProperty& p = e.properties[k];
        const bool good = role[k] == Role::corners    ? corners(p)
                          : role[k] == Role::material ? material(p)
                                                      : skip(p);
        if (!good) return false;
      }
      mesh_.face_begin.push_back(static_cast<std::uint32_t>(mesh_.corners.size()));
    }
    return true;
  }

  bool corners(const PlyProperty& p) {
    std::size_t count = 0;
    if (!natural(p.count_type, count, "the number of corners")) return false;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t n = 0;
      if (!natural(p.type, n, "a corner")) return false;
      if (n >= vertex_count_) {
        return input_.fail("vertex " + std::to_string(n) + " does not exist: there are " +
                           std::to_string(vertex_count_) + ", counted from 0");
      }
      mesh_.corners.push_back(static_cast<std::uint32_t>(n));
    }
    return true;
  }

  bool material(const PlyProperty& p) {
    std::size_t n = 0;
    if (!natural(p.type, n, "the material")) return false;
    if (n > 0xffffffffu) return input_.fail("the material's number is too great");
    mesh_.materials.push_back(static_cast<std::uint32_t>(n));
    return true;
  }

  /// A number that counts, whatever its type.
  bool natural(PlyType type, std::size_t& value, const char* what) {
    double x = 0;
    if (!input_.number(type, x, what)) return false;
    if (!(x >= 0 && x <= greatest_integer && x == std::floor(x))) {
      return input_.fail(std::string(format_double(x).view()) + " cannot be " + what);
    }
    value = static_cast<std::size_t>(x);
    return true;
  }

  bool skip(const PlyProperty& p) {
    if (!p.list) return input_.skip(p.type, 1);
    std::size_t count = 0;
    return natural(p.count_type, count, "the count of a list") && input_.skip(p.type, count);
  }

  const PlyHeader& header_;
  Input input_;
  MeshFileReport& report_;
  PolygonMesh mesh_;
  std::size_t vertex_count_ = 0;
};

} // namespace

bool is_ply(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") bytes.remove_prefix(3);
  return bytes.substr(0, 4) == "ply\n" || bytes.substr(0, 4) == "ply\r";
}

Result<PolygonMesh> read_ply(std::string_view bytes, MeshFileReport* report) {
  MeshFileReport counted{.format = MeshFormat::ply};
  if (bytes.empty()) return failure(ErrorCode::bad_file, "the file is empty");
  std::string with_line_ends;
  const std::string_view text = plain_text(bytes, with_line_ends);
  const Result<PlyHeader> header = read_ply_header(text);
  if (!header) return tl::unexpected<Error>(header.error());
  if (header->binary && text.data() == with_line_ends.data()) {
    return failure(ErrorCode::bad_file, "line 1: binary PLY needs line ends of '\\n' in its head");
  }
  const std::string_view data = text.substr(header->data_byte);
  const std::size_t before = bytes.size() - data.size();
  counted.binary = header->binary;
  Result<PolygonMesh> mesh =
      header->binary ? PlyReader(*header, BinaryInput(data, before, header->order), counted).read()
                     : PlyReader(*header, TextInput(data, header->data_line), counted).read();
  if (report) *report = counted;
  return mesh;
}

} // namespace carom
