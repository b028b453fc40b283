// Marks that drawings of worlds and of answers share. Internal.
#pragma once

#include "carom/record/draw.h"

namespace [[gnu::visibility("default")]] carom {

constexpr std::uint32_t contact_colour = 0xc02020, normal_colour = 0x2060c0;

inline void cross_at(DebugDraw& out, const Vec3& p, double size, std::uint32_t colour) {
  for (int i = 0; i < 3; ++i)
    out.line(p - unit_axis(i) * (size / 2), p + unit_axis(i) * (size / 2), colour);
}

} // namespace carom
