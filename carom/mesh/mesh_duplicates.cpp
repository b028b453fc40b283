// Faces are compared by a spelling that does not depend on where they begin: of all rotations of the corners the least in dictionary order. Of that
// and the least rotation of the corners backwards, the lesser is the face's key. Equal faces have equal keys, and stand together once
// sorted.
#include "carom/mesh/mesh_duplicates.h"

#include "carom/mesh/mesh_check.h"

#include <algorithm>
#include <numeric>

namespace carom {
namespace {

/// Where the least rotation of a cyclic word begins. Two candidates i < j are compared letter by letter; where one loses at
/// distance k, so do all rotations that begin within the k letters compared, and it moves past them. O(n).
std::size_t least_rotation(std::span<const std::uint32_t> word) {
  const std::size_t n = word.size();
  std::size_t i = 0;
  std::size_t j = 1;
  std::size_t k = 0;
  while (i < n && j < n && k < n) {
    const std::uint32_t a = word[(i + k) % n];
    const std::uint32_t b = word[(j + k) % n];
    if (a == b) {
      ++k;
      continue;
    }
    (a > b ? i : j) += k + 1;
    if (i == j) ++j;
    k = 0;
  }
  return std::min(i, j);
}

void append_least_rotation(std::span<const std::uint32_t> word, std::vector<std::uint32_t>& out) {
  const auto at = static_cast<std::ptrdiff_t>(least_rotation(word));
  if (word.empty()) return;
  out.insert(out.end(), word.begin() + at, word.end());
  out.insert(out.end(), word.begin(), word.begin() + at);
}

struct Keys {
  std::vector<std::uint32_t> words;
  std::vector<bool> backwards; ///< per face: the key is that of the corners backwards
};

Keys keys_of(const PolygonSurface& surface) {
  Keys keys;
  keys.words.reserve(surface.corners.size());
  std::vector<std::uint32_t> reversed;
  std::vector<std::uint32_t> other;
  for (std::size_t f = 0; f < face_count(surface); ++f) {
    const auto corners = corners_of(surface, f);
    const auto begin = static_cast<std::ptrdiff_t>(keys.words.size());
    append_least_rotation(corners, keys.words);
    reversed.assign(corners.rbegin(), corners.rend());
    other.clear();
    append_least_rotation(reversed, other);
    const bool backwards = std::lexicographical_compare(
        other.begin(), other.end(), keys.words.begin() + begin, keys.words.end());
    keys.backwards.push_back(backwards);
    if (backwards) std::copy(other.begin(), other.end(), keys.words.begin() + begin);
  }
  return keys;
}

} // namespace

std::vector<std::uint32_t> first_equal_vertices(std::span<const Vec3> vertices) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    if (is_finite(vertices[v])) order.push_back(v);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Vec3& a = vertices[i];
    const Vec3& b = vertices[j];
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    if (a.z != b.z) return a.z < b.z;
    return i < j;
  });
  std::vector<std::uint32_t> first(vertices.size());
  std::iota(first.begin(), first.end(), std::uint32_t{0});
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (vertices[order[i]] == vertices[order[i - 1]]) first[order[i]] = first[order[i - 1]];
  }
  return first;
}

std::vector<EqualFace> first_equal_faces(const PolygonSurface& surface) {
  const Keys keys = keys_of(surface);
  // The keys stand where the corners did.
  const PolygonSurface spelled{surface.vertices, surface.face_begin, keys.words};
  std::vector<std::uint32_t> order(face_count(surface));
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t f, std::uint32_t g) {
    const auto a = corners_of(spelled, f);
    const auto b = corners_of(spelled, g);
    if (a.size() != b.size()) return a.size() < b.size();
    const auto differ = std::mismatch(a.begin(), a.end(), b.begin());
    return differ.first != a.end() ? *differ.first < *differ.second : f < g;
  });
  std::vector<EqualFace> equal(order.size());
  bool opposite_seen = false;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t f = order[i];
    equal[f].first = f;
    if (i == 0) continue;
    const std::uint32_t before = order[i - 1];
    const auto corners = corners_of(spelled, f);
    const auto corners_before = corners_of(spelled, before);
    if (!std::equal(corners.begin(), corners.end(), corners_before.begin(), corners_before.end()))
      continue;
    const std::uint32_t first = equal[before].first;
    const bool opposite = keys.backwards[f] != keys.backwards[first];
    // Of equal faces, sorted by number, the first that is wound against the lowest repeats none.
    if (before == first) opposite_seen = false;
    equal[f] = {first, opposite, !opposite || opposite_seen};
    opposite_seen = opposite_seen || opposite;
  }
  return equal;
}

} // namespace carom
