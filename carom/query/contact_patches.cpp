#include "carom/query/contact_patches.h"

#include "carom/query/composite_queries.h"
#include "carom/query/contact_clusters.h"
#include "carom/query/rounded.h"

namespace carom {

Status contact_patches(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       std::vector<ContactPatch>& patches, const ContactOptions& options,
                       std::vector<Contact>* storage) {
  patches.clear();
  if (options.all) options.all->clear();
  if (!in_range(pose_a) || !in_range(pose_b)) return Status::bad_input;
  if (a.convex() && b.convex()) {
    ContactPatch patch;
    patch.manifold = contacts(a, pose_a, b, pose_b, options);
    if (options.all) patch.count_of_all = options.all->size();
    if (patch.manifold.count > 0) patches.push_back(patch);
    return patch.manifold.status == Status::bad_input ? Status::bad_input : Status::ok;
  }
  std::vector<Contact> own;
  PartContacts parts(a, pose_a, b, pose_b, options.margin, storage ? *storage : own);
  cluster_contacts(parts, patches, options.all);
  return Status::ok;
}

ContactManifold composite_contacts(const Shape& a, const Pose& pose_a, const Shape& b,
                                   const Pose& pose_b, const ContactOptions& options) {
  std::vector<ContactPatch> patches;
  ContactManifold m;
  m.status = contact_patches(a, pose_a, b, pose_b, patches, options);
  if (m.status == Status::bad_input) return m;
  if (patches.empty()) {
    m.status = Status::stopped;
    m.value = m.lower_bound = options.margin;
    m.upper_bound = INFINITY;
    return m;
  }
  m = patches.front().manifold;
  if (options.all) {
    const auto first = options.all->begin();
    const auto begin = first + static_cast<std::ptrdiff_t>(patches.front().first_of_all);
    const auto end = begin + static_cast<std::ptrdiff_t>(patches.front().count_of_all);
    options.all->erase(end, options.all->end());
    options.all->erase(options.all->begin(), begin);
  }
  return m;
}

} // namespace carom
