// Qhull's answer for a set of points. It is the reference for generic input; it works with tolerances, so not for degenerate input.
#pragma once

#include "carom/math/vec3.h"

extern "C" {
#include <libqhull_r/libqhull_r.h>
#include <libqhull_r/qhull_ra.h>
}

#include <cstdint>
#include <cstdio>
#include <set>
#include <span>
#include <vector>

namespace carom::test {

struct QhullAnswer {
  bool ok = false;
  std::set<std::uint32_t> vertices; ///< by their numbers in the input
  double volume = 0;
};

inline QhullAnswer ask_qhull(std::span<const Vec3> points) {
  std::vector<double> coordinates;
  for (const Vec3& p : points) coordinates.insert(coordinates.end(), {p.x, p.y, p.z});
  QhullAnswer answer;
  std::FILE* nowhere = std::fopen("/dev/null", "w");
  qhT state;
  qhT* qh = &state;
  qh_zero(qh, nowhere);
  char command[] = "qhull";
  answer.ok = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), 0, command,
                           nullptr, nowhere) == 0;
  if (answer.ok) {
    for (vertexT* v = qh->vertex_list; v && v->next; v = v->next) {
      answer.vertices.insert(static_cast<std::uint32_t>(qh_pointid(qh, v->point)));
    }
    qh_getarea(qh, qh->facet_list);
    answer.volume = qh->totvol;
  }
  qh_freeqhull(qh, !qh_ALL);
  int long_blocks = 0;
  int long_bytes = 0;
  qh_memfreeshort(qh, &long_blocks, &long_bytes);
  std::fclose(nowhere);
  return answer;
}

} // namespace carom::test
