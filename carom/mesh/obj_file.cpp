// One pass over the lines. A corner may name a vertex that comes later: such are checked at the end, in their order, so that the error has
// the line of the first. Continued lines are rare; a text that has some is rewritten first, each as one line followed by as many empty
// ones as it took, which keeps all line numbers.
#include "carom/mesh/obj_file.h"

#include "carom/mesh/mesh_text.h"
#include "carom/mesh/text_cursor.h"

#include <algorithm>
#include <array>
#include <map>

namespace carom {
namespace {

/// Statements of the format that are not about polygons.
constexpr std::array<std::string_view, 36> other_statements = {
    "bevel",      "bmat",   "bsp",   "bzp",    "c_interp", "call",      "cdc",  "cdp",    "con",
    "csh",        "cstype", "ctech", "curv",   "curv2",    "d_interp",  "deg",  "end",    "hole",
    "lod",        "maplib", "mg",    "mtllib", "parm",     "res",       "s",    "scmat",  "scrv",
    "shadow_obj", "sp",     "stech", "step",   "surf",     "trace_obj", "trim", "usemap", "vp"};

/// Where the line at `from` continues: the place of its '\', or null.
const char* continuation(const char* from, const char* line_end) {
  while (from != line_end && (*from == ' ' || *from == '\t')) ++from;
  if (from == line_end || *from == '#') return nullptr;
  if (line_end[-1] == '\r') --line_end;
  return line_end != from && line_end[-1] == '\\' ? line_end - 1 : nullptr;
}

std::string_view joined_lines(std::string_view text, std::string& storage) {
  if (text.find("\\\n") == std::string_view::npos &&
      text.find("\\\r\n") == std::string_view::npos) {
    return text;
  }
  std::string joined;
  joined.reserve(text.size());
  std::size_t owed = 0; // line ends left out since the last one
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    const char* const from = text.data() + at;
    const char* const slash = end < text.size() ? continuation(from, text.data() + end) : nullptr;
    joined.append(from, slash ? static_cast<std::size_t>(slash - from) : end - at);
    if (slash) {
      joined += ' ';
      ++owed;
    } else {
      joined.append(owed + (end < text.size() ? 1 : 0), '\n');
      owed = 0;
    }
    at = end + 1;
  }
  storage = std::move(joined);
  return storage;
}

class ObjReader {
public:
  ObjReader(std::string_view text, MeshFileReport& report) : cursor_(text), report_(report) {}

  Result<PolygonMesh> read() {
    while (!cursor_.at_end()) {
      if (cursor_.word_in_line('#') && !statement()) return cursor_.error();
      cursor_.next_line();
    }
    if (known_ == 0 && report_.unknown_lines > 0) {
      cursor_.fail_at(report_.first_unknown_line, "not OBJ: nothing in this file is");
      return cursor_.error();
    }
    for (const Ahead& a : ahead_) {
      if (a.vertex > mesh_.vertices.size()) {
        cursor_.fail_at(a.line, "vertex " + std::to_string(a.vertex) +
                                    " does not exist: there are " +
                                    std::to_string(mesh_.vertices.size()));
        return cursor_.error();
      }
    }
    return std::move(mesh_);
  }

private:
  /// A corner that names a vertex not yet read.
  struct Ahead {
    std::size_t line;
    std::uint64_t vertex;
  };

  bool statement() {
    const std::string_view word = cursor_.word();
    ++known_;
    if (word == "v") return vertex();
    if (word == "f" || word == "fo") return face();
    if (word == "vt") return count(report_.texture_coordinates);
    if (word == "vn") return count(report_.normals);
    if (word == "l") return count(report_.lines);
    if (word == "p") return count(report_.points);
    if (word == "o") return object();
    if (word == "g") return group();
    if (word == "usemtl") return material();
    if (std::find(other_statements.begin(), other_statements.end(), word) !=
        other_statements.end()) {
      return count(report_.other_statements);
    }
    --known_;
    if (report_.unknown_lines++ == 0) report_.first_unknown_line = cursor_.line();
    return true;
  }

  static bool count(std::size_t& counter) {
    ++counter;
    return true;
  }

  bool vertex() {
    Vec3 p;
    if (!cursor_.point(p)) return false;
    if (cursor_.word_in_line('#')) ++report_.colors;
    mesh_.vertices.push_back(p);
    return mesh_.vertices.size() <= most_vertices || cursor_.fail("too many vertices");
  }

  bool face() {
    begin_face();
    while (cursor_.word_in_line('#')) {
      std::int64_t n = 0;
      if (!cursor_.integer(n, "a corner", '/')) return false;
      for (const char c : cursor_.word()) { // the numbers of texture coordinates and normals
        if (c != '/' && c != '-' && c != '+' && !(c >= '0' && c <= '9')) {
          return cursor_.fail("a corner is written as 1, 1/2, 1//3 or 1/2/3");
        }
      }
      if (!corner(n)) return false;
    }
    mesh_.face_begin.push_back(static_cast<std::uint32_t>(mesh_.corners.size()));
    return mesh_.corners.size() <= most_corners || cursor_.fail("too many corners of faces");
  }

  bool corner(std::int64_t n) {
    const auto so_far = static_cast<std::int64_t>(mesh_.vertices.size());
    if (n == 0) return cursor_.fail("vertex 0 does not exist: they are counted from 1");
    if (n < -so_far) {
      return cursor_.fail("vertex " + std::to_string(n) + " does not exist: there are " +
                          std::to_string(so_far) + " so far");
    }
    if (n > so_far) ahead_.push_back({cursor_.line(), static_cast<std::uint64_t>(n)});
    mesh_.corners.push_back(static_cast<std::uint32_t>(n > 0 ? n - 1 : so_far + n));
    return true;
  }

  /// The part and the material of the face to come.
  void begin_face() {
    if (has_materials_) mesh_.materials.push_back(material_);
    if (!part_begins_) return;
    part_begins_ = false;
    if (object_begins_) {
      report_.objects.push_back({object_, static_cast<std::uint32_t>(mesh_.face_count())});
      object_begins_ = false;
    }
    const bool both = !object_.empty() && !group_.empty();
    begin_part(mesh_, object_ + (both ? "/" : "") + group_);
  }

  bool object() {
    object_ = cursor_.rest_of_line();
    group_.clear();
    part_begins_ = object_begins_ = true;
    return true;
  }

  bool group() {
    group_ = cursor_.rest_of_line();
    part_begins_ = true;
    return true;
  }

  bool material() {
    if (!has_materials_ && mesh_.face_count() > 0) {
      material_number("");
      mesh_.materials.assign(mesh_.face_count(), 0);
    }
    has_materials_ = true;
    material_ = material_number(cursor_.rest_of_line());
    return true;
  }

  std::uint32_t material_number(std::string_view name) {
    if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    const auto number = static_cast<std::uint32_t>(mesh_.material_names.size());
    mesh_.material_names.emplace_back(name);
    numbers_.emplace(name, number);
    return number;
  }

  TextCursor cursor_;
  MeshFileReport& report_;
  PolygonMesh mesh_;
  std::size_t known_ = 0; ///< statements
  std::vector<Ahead> ahead_;
  std::string object_, group_;
  bool part_begins_ = false, object_begins_ = false, has_materials_ = false;
  std::uint32_t material_ = 0;
  std::map<std::string, std::uint32_t, std::less<>> numbers_; ///< of the materials, by name
};

void append_face(std::string& text, const PolygonMesh& mesh, std::size_t f) {
  if (!mesh.materials.empty() && (f == 0 || mesh.materials[f] != mesh.materials[f - 1])) {
    const std::uint32_t m = mesh.materials[f];
    const bool named = m < mesh.material_names.size();
    text += "usemtl " +
            (named ? written_name(mesh.material_names[m]) : "material" + std::to_string(m)) + '\n';
  }
  text += 'f';
  for (const std::uint32_t corner : mesh.face(f)) {
    text += ' ';
    text += std::to_string(std::uint64_t{corner} + 1);
  }
  text += '\n';
}

} // namespace

Result<PolygonMesh> read_obj(std::string_view bytes, MeshFileReport* report) {
  MeshFileReport counted{.format = MeshFormat::obj};
  if (bytes.empty()) return failure(ErrorCode::bad_file, "the file is empty");
  std::string with_line_ends, joined;
  const std::string_view text = joined_lines(plain_text(bytes, with_line_ends), joined);
  Result<PolygonMesh> mesh = ObjReader(text, counted).read();
  if (report) *report = counted;
  return mesh;
}

Result<std::string> write_obj(const PolygonMesh& mesh) {
  if (const std::optional<Error> wrong = unwritable(mesh)) return tl::unexpected<Error>(*wrong);
  std::string text = "# " + std::to_string(mesh.vertices.size()) + " vertices, " +
                     std::to_string(mesh.face_count()) + " faces\n";
  for (const Vec3& p : mesh.vertices) {
    text += 'v';
    append_point(text, p);
    text += '\n';
  }
  for_each_part(mesh, [&](std::string_view name, std::size_t begin, std::size_t end) {
    if (!mesh.parts.empty()) text += "o " + written_name(name) + '\n';
    for (std::size_t f = begin; f < end; ++f) append_face(text, mesh, f);
  });
  return text;
}

} // namespace carom
