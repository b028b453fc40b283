// Closing a mesh of triangles for the purpose of an inside. A piece of convex_decomposition.h.
#pragma once

#include "carom/mesh/mesh_edges.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Corners at vertices in exactly the same place become corners at the first of them: triangles that share a place share a vertex. The vertices stay.
void join_vertices(PolygonMesh& mesh);

/// Triangles that close the holes of a mesh, three vertices each: a fan from the first corner of each border. None where the mesh is not closed with them. `edges` are its
/// mesh_edges.
[[nodiscard]] std::vector<std::uint32_t> hole_patches(const PolygonMesh& triangles,
                                                      const MeshEdges& edges);

} // namespace carom
