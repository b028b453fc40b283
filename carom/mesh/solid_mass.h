// Volume, centre of mass and inertia of a mesh, where it bounds a solid.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/mass_properties.h"
#include "carom/mesh/polygon_mesh.h"

namespace [[gnu::visibility("default")]] carom {

/// mass_properties of the mesh, after checks that they mean something. The sign of the volume is judged exactly.
/// Errors: those of check_usable; degenerate where the surface is not closed (is_closed), encloses no volume, or a negative one (it is inside out, orient()
/// turns it), or one so small against its faces that it cannot be told from rounding.
[[nodiscard]] Result<MassProperties> solid_mass(const PolygonMesh& mesh);

} // namespace carom
