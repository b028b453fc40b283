#include "carom/mesh/off_file.h"

#include "carom/mesh/mesh_text.h"
#include "carom/mesh/text_cursor.h"

namespace carom {
namespace {

/// The first word of the file: what vertices have besides coordinates.
struct OffKind {
  std::size_t length = 0; ///< of the word; 0: there is none
  bool texture = false, colors = false, normals = false;
  bool other_dimension = false; ///< 4 or n
};

OffKind kind_of(std::string_view word) {
  OffKind kind;
  std::size_t at = 0;
  const auto take = [&](std::string_view prefix) {
    const bool here = word.substr(at, prefix.size()) == prefix;
    if (here) at += prefix.size();
    return here;
  };
  kind.texture = take("ST");
  kind.colors = take("C");
  kind.normals = take("N");
  const bool four = take("4");
  const bool any = take("n");
  kind.other_dimension = four || any;
  if (!take("OFF")) return {};
  // Counts may follow at once; other letters may not.
  if (at < word.size() && !(word[at] >= '0' && word[at] <= '9')) return {};
  kind.length = at;
  return kind;
}

class OffReader {
public:
  OffReader(std::string_view text, MeshFileReport& report) : cursor_(text), report_(report) {}

  Result<PolygonMesh> read() {
    if (!header() || !vertices() || !faces()) return cursor_.error();
    for (; cursor_.word_ahead(); cursor_.next_line()) {
      if (report_.unknown_lines++ == 0) report_.first_unknown_line = cursor_.line();
    }
    return std::move(mesh_);
  }

private:
  bool header() {
    if (!cursor_.word_ahead()) return cursor_.fail("the file has no data");
    TextCursor ahead = cursor_;
    kind_ = kind_of(ahead.word());
    cursor_.step(kind_.length);
    if (kind_.other_dimension) return cursor_.fail("OFF of other than 3 dimensions is not read");
    if (!cursor_.word_ahead()) return cursor_.fail("the file ends where the counts should be");
    if (kind_.length > 0 && cursor_.rest_of_line().substr(0, 6) == "BINARY") {
      return cursor_.fail("binary OFF is not read");
    }
    if (!count(vertex_count_, "the number of vertices") ||
        !count(face_count_, "the number of faces")) {
      return false;
    }
    // At the least, a line end and "0 0 0"; a line end and "0".
    const std::size_t room = cursor_.remaining();
    if (vertex_count_ > room / 6 || face_count_ > room / 2) {
      return cursor_.fail(std::to_string(vertex_count_) + " vertices and " +
                          std::to_string(face_count_) + " faces do not fit in the file's " +
                          std::to_string(room) + " bytes: it is cut off, or the counts are wrong");
    }
    cursor_.next_line();
    return true;
  }

  bool count(std::size_t& value, const char* what) {
    std::int64_t n = 0;
    if (!cursor_.integer(n, what)) return false;
    if (n < 0) return cursor_.fail(std::string(what) + " is negative");
    value = static_cast<std::size_t>(n);
    return true;
  }

  /// A line with data ahead, for item i of n.
  bool item(const char* what, std::size_t i, std::size_t n) {
    return cursor_.word_ahead() || cursor_.fail("the file ends after " + std::to_string(i) +
                                                " of " + std::to_string(n) + what);
  }

  bool vertices() {
    mesh_.vertices.reserve(vertex_count_);
    for (std::size_t i = 0; i < vertex_count_; ++i) {
      Vec3 p;
      if (!item(" vertices", i, vertex_count_) || !cursor_.point(p)) return false;
      mesh_.vertices.push_back(p);
      if (cursor_.word_in_line('#') && !kind_.normals && !kind_.texture) ++report_.colors;
      cursor_.next_line();
    }
    if (kind_.colors && report_.colors == 0) report_.colors = vertex_count_;
    if (kind_.normals) report_.normals = vertex_count_;
    if (kind_.texture) report_.texture_coordinates = vertex_count_;
    return true;
  }

  bool faces() {
    mesh_.face_begin.reserve(face_count_ + 1);
    for (std::size_t i = 0; i < face_count_; ++i) {
      std::size_t corners = 0;
      if (!item(" faces", i, face_count_) || !count(corners, "the number of corners")) return false;
      for (std::size_t k = 0; k < corners; ++k) {
        if (!corner()) return false;
      }
      mesh_.face_begin.push_back(static_cast<std::uint32_t>(mesh_.corners.size()));
      if (cursor_.word_in_line('#')) ++report_.colors;
      cursor_.next_line();
    }
    return mesh_.corners.size() <= most_corners || cursor_.fail("too many corners of faces");
  }

  bool corner() {
    std::int64_t n = 0;
    if (!cursor_.integer(n, "a corner")) return false;
    if (n < 0 || static_cast<std::size_t>(n) >= vertex_count_) {
      return cursor_.fail("vertex " + std::to_string(n) + " does not exist: there are " +
                          std::to_string(vertex_count_) + ", counted from 0");
    }
    mesh_.corners.push_back(static_cast<std::uint32_t>(n));
    return true;
  }

  TextCursor cursor_;
  MeshFileReport& report_;
  PolygonMesh mesh_;
  OffKind kind_;
  std::size_t vertex_count_ = 0, face_count_ = 0;
};

} // namespace

bool is_off(std::string_view bytes) {
  TextCursor cursor(bytes.substr(bytes.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0));
  return cursor.word_ahead() && kind_of(cursor.word()).length > 0;
}

Result<PolygonMesh> read_off(std::string_view bytes, MeshFileReport* report) {
  MeshFileReport counted{.format = MeshFormat::off};
  if (bytes.empty()) return failure(ErrorCode::bad_file, "the file is empty");
  std::string with_line_ends;
  Result<PolygonMesh> mesh = OffReader(plain_text(bytes, with_line_ends), counted).read();
  if (report) *report = counted;
  return mesh;
}

Result<std::string> write_off(const PolygonMesh& mesh) {
  if (const std::optional<Error> wrong = unwritable(mesh)) return tl::unexpected<Error>(*wrong);
  std::string text = "OFF\n" + std::to_string(mesh.vertices.size()) + ' ' +
                     std::to_string(mesh.face_count()) + " 0\n";
  for (const Vec3& p : mesh.vertices) {
    const std::size_t begin = text.size();
    append_point(text, p);
    text[begin] = '\n'; // instead of the space before x
  }
  text += '\n';
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    text += std::to_string(mesh.face(f).size());
    for (const std::uint32_t corner : mesh.face(f)) {
      text += ' ';
      text += std::to_string(corner);
    }
    text += '\n';
  }
  return text;
}

} // namespace carom
