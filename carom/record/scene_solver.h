// Which solver a scene asks for, and the words for it: those of its field world.solver.kind and of `carom sim --solver`.
#pragma once

#include "carom/dynamics/classic/classic_world.h"

#include <array>
#include <optional>
#include <utility>

namespace [[gnu::visibility("default")]] carom {

/// One of those of the textbooks (docs/solvers.md); none: that of World.
using SceneSolver = std::optional<ClassicSolver>;

inline constexpr std::array<std::pair<const char*, SceneSolver>, 4> scene_solvers{
    {{"default", {}},
     {"events", ClassicSolver::events},
     {"resting", ClassicSolver::resting},
     {"penalty", ClassicSolver::penalty}}};

[[nodiscard]] constexpr const char* solver_word(const SceneSolver& solver) {
  for (const auto& [word, known] : scene_solvers)
    if (known == solver) return word;
  return "";
}

} // namespace carom
