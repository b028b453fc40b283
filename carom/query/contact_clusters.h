// Contacts of parts, gathered into patches. Internal to the contacts.
#pragma once

#include "carom/query/contact_patches.h"
#include "carom/query/part_contacts.h"

namespace [[gnu::visibility("default")]] carom {

/// The patches, the deepest first; `all` as in ContactOptions, not cleared.
void cluster_contacts(PartContacts& parts, std::vector<ContactPatch>& patches,
                      std::vector<Contact>* all);

} // namespace carom
