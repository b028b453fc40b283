#include "carom/mesh/byte_order.h"
#include "carom/mesh/mesh_text.h"
#include "carom/mesh/ply_file.h"

#include <algorithm>

namespace carom {
namespace {

/// The numbers of a file to be written, as text or bytes.
class Output {
public:
  Output(std::string& out, MeshEncoding encoding)
      : out_(out), text_(encoding == MeshEncoding::text),
        order_(encoding == MeshEncoding::big_endian ? ByteOrder::big : ByteOrder::little) {}

  void point(const Vec3& p) {
    for (int axis = 0; axis < 3; ++axis) {
      if (text_) {
        out_ += format_double(p[axis]).view();
        out_ += ' ';
      } else {
        append_bytes(out_, p[axis], order_);
      }
    }
    end_line();
  }
  /// Counts and indices: T is how many bytes they have.
  template<class T>
  void integer(std::size_t n) {
    if (text_) {
      out_ += std::to_string(n);
      out_ += ' ';
    } else {
      append_bytes(out_, static_cast<T>(n), order_);
    }
  }
  void end_line() {
    if (text_) out_.back() = '\n'; // instead of the last space
  }

private:
  std::string& out_;
  bool text_;
  ByteOrder order_;
};

std::string head(const PolygonMesh& mesh, MeshEncoding encoding, bool long_faces) {
  const std::string format = encoding == MeshEncoding::text            ? "ascii"
                             : encoding == MeshEncoding::little_endian ? "binary_little_endian"
                                                                       : "binary_big_endian";
  std::string text = "ply\nformat " + format + " 1.0\nelement vertex " +
                     std::to_string(mesh.vertices.size()) +
                     "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
                     std::to_string(mesh.face_count()) + "\nproperty list " +
                     (long_faces ? "uint" : "uchar") + " uint vertex_indices\n";
  if (!mesh.materials.empty()) text += "property uint material_index\n";
  return text + "end_header\n";
}

} // namespace

Result<std::string> write_ply(const PolygonMesh& mesh, MeshEncoding encoding) {
  if (const std::optional<Error> wrong = unwritable(mesh)) return tl::unexpected<Error>(*wrong);
  std::size_t longest = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    longest = std::max(longest, mesh.face(f).size());
  }
  const bool long_faces = longest > 255;
  std::string text = head(mesh, encoding, long_faces);
  Output out(text, encoding);
  for (const Vec3& p : mesh.vertices) out.point(p);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    if (long_faces) {
      out.integer<std::uint32_t>(mesh.face(f).size());
    } else {
      out.integer<std::uint8_t>(mesh.face(f).size());
    }
    for (const std::uint32_t corner : mesh.face(f)) out.integer<std::uint32_t>(corner);
    if (!mesh.materials.empty()) out.integer<std::uint32_t>(mesh.materials[f]);
    out.end_line();
  }
  return text;
}

} // namespace carom
