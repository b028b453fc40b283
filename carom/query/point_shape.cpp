#include "carom/query/point_shape.h"

namespace carom {

const Shape& point_shape() {
  static const Shape point = Shape::point({}).value();
  return point;
}

} // namespace carom
