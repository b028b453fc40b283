#include "carom/dynamics/shape_table.h"

#include "carom/math/random.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

class Print {
public:
  void add(std::uint64_t bits) { value_ = mix_bits(value_, bits); }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
  void add(const Vec3& v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0;
};

} // namespace

std::uint64_t fingerprint(const Shape& shape) {
  Print print;
  print.add(static_cast<std::uint64_t>(shape.kind()));
  print.add(shape.rounding());
  print.add(shape.size());
  print.add(shape.inner_ball().center);
  print.add(shape.inner_ball().radius);
  if (shape.bounded()) {
    const Aabb box = bounds(shape);
    print.add(box.min);
    print.add(box.max);
  }
  if (shape.convex()) {
    for (int i = 0; i < 8; ++i)
      print.add(support_point(shape, {i & 1 ? 1.0 : -1.0, i & 2 ? 2.0 : -2.0, i & 4 ? 3.0 : -3.0}));
  } else if (const auto* mesh = body_of<TriangleMesh>(shape)) {
    for (const Vec3& v : mesh->vertices()) print.add(v);
  } else if (const auto* compound = body_of<Compound>(shape)) {
    for (const CompoundPart& p : compound->parts()) {
      print.add(fingerprint(p.shape));
      print.add(p.pose.position);
      print.add(Vec3{p.pose.rotation.x, p.pose.rotation.y, p.pose.rotation.z});
    }
  } else if (const auto* cloud = body_of<PointCloud>(shape)) {
    for (const Vec3& v : cloud->points()) print.add(v);
  } else if (const auto* field = body_of<HeightField>(shape)) {
    for (std::uint32_t row = 0; row < field->rows(); ++row)
      for (std::uint32_t column = 0; column < field->columns(); ++column)
        print.add(field->sample(column, row));
  }
  return print.value();
}

std::uint32_t ShapeTable::number_of(const Shape& shape) {
  const std::pair<std::uint64_t, std::uint32_t> key{shape.id(), 0};
  const auto at = std::lower_bound(by_id_.begin(), by_id_.end(), key);
  if (at != by_id_.end() && at->first == key.first) return at->second;
  const auto number = static_cast<std::uint32_t>(entries_.size());
  entries_.push_back({shape, carom::fingerprint(shape)});
  by_id_.insert(at, {shape.id(), number});
  return number;
}

const Shape* ShapeTable::find(std::uint32_t number) const {
  return number < entries_.size() && entries_[number].shape ? &*entries_[number].shape : nullptr;
}

void ShapeTable::forget(std::uint32_t number) {
  if (find(number) == nullptr) return;
  const std::uint64_t id = entries_[number].shape->id();
  std::erase_if(by_id_, [&](const auto& e) { return e.first == id; });
  entries_[number].shape.reset();
}

} // namespace carom
