// What the site has, and in which order. A page is docs/NAME.md; a query is made from its headers, which are its documentation.

/** @typedef {{name: string, header: string, answers: string[], see: string[], picture?: [string, string]}} Query `answers`: structs of the answer; `picture`: file and what it shows */

/** @type {Query[]} */
export const queries = [
  { name: 'overlap', header: 'carom/query/overlap.h', answers: ['ShapeOverlap'], see: ['queries', 'composites', 'convex-methods'] },
  { name: 'distance', header: 'carom/query/distance.h', answers: ['Distance'], see: ['queries', 'composites', 'feature-tracking', 'accuracy'], picture: ['shape_queries.svg', 'Signed distances of six pairs, with nearest points or the least translation that separates'] },
  { name: 'signed_distance', header: 'carom/query/signed_distance.h', answers: ['SignedDistance'], see: ['queries', 'accuracy'], picture: ['shape_queries.svg', 'Signed distances of six pairs, with nearest points or the least translation that separates'] },
  { name: 'penetration', header: 'carom/query/penetration.h', answers: ['Penetration'], see: ['queries', 'penetration'] },
  { name: 'contacts', header: 'carom/query/contacts.h', answers: ['ContactManifold', 'Contact'], see: ['queries', 'contacts'] },
  { name: 'closest_point', header: 'carom/query/closest_point.h', answers: ['SurfacePoint'], see: ['queries', 'primitives'], picture: ['closest_points.svg', 'Nearest points of primitives'] },
  { name: 'ray_cast', header: 'carom/query/ray_cast.h', answers: ['RayHit'], see: ['queries', 'wide-tree'] },
  { name: 'ray_cast_all', header: 'carom/query/ray_cast_all.h', answers: [], see: ['queries', 'wide-tree'] },
  { name: 'shape_cast', header: 'carom/query/shape_cast.h', answers: ['ShapeCast'], see: ['queries', 'time-of-impact'] },
  { name: 'growth_distance', header: 'carom/query/growth_distance.h', answers: ['GrowthDistance'], see: ['queries'] },
  { name: 'span', header: 'carom/query/span.h', answers: ['Span'], see: ['queries'] },
  { name: 'hausdorff', header: 'carom/query/hausdorff.h', answers: ['Hausdorff', 'OneSidedHausdorff'], see: ['hausdorff'] },
  { name: 'intersection', header: 'carom/query/intersection.h', answers: [], see: ['intersection'], picture: ['intersection.svg', 'Curves in which two meshes cut'] },
  { name: 'time_of_impact', header: 'carom/motion/time_of_impact.h', answers: ['TimeOfImpact', 'TimeOfSeparation'], see: ['time-of-impact', 'polyhedral-motion', 'deforming'], picture: ['time_of_impact.svg', 'A bar that turns as it flies, and where it touches'] },
];

/** Groups of pages, by their names. `queries/` stands for all of the above. @type {[string, string[]][]} */
export const groups = [
  ['Start', ['guide', 'command', 'scenes', 'web', 'recording']],
  ['Queries', ['queries', 'queries/', 'composites', 'penetration', 'contacts', 'hausdorff', 'intersection']],
  ['Shapes', ['shapes', 'primitives', 'height-field', 'mesh-files', 'mesh-preparation', 'triangulation', 'convex-decomposition']],
  ['In time', ['time-of-impact', 'polyhedral-motion', 'deforming']],
  ['Many things', ['space', 'dynamic-tree', 'wide-tree']],
  ['The world', ['world', 'joints', 'world-continuous', 'solvers', 'mover', 'snapshots']],
  ['Inside', ['architecture', 'numbers']],
  ['Figures and comparisons', ['performance', 'accuracy', 'convex-methods', 'feature-tracking', 'tree-volumes', 'bounding-volumes']],
];
