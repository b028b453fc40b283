// Proofs that are made of many claims, as JSON: all that somebody else needs to confirm them. docs/command.md says how they are read.
#pragma once

#include "tools/carom/answer.h"

#include "carom/motion/proof.h"
#include "carom/query/depth_proof.h"
#include "carom/query/proof.h"

namespace carom::tool {

[[nodiscard]] Json to_json(const Proof& proof);
[[nodiscard]] Json to_json(const DepthProof& proof);
[[nodiscard]] Json to_json(const MotionProof& proof);

/// In words, the first few claims: "triangles 0 to 11 of A are behind B along 1, 0, 0".
void tell_claims(const Proof& proof, Answer& answer);

} // namespace carom::tool
