#include "tools/carom/certificate.h"

#include "carom/shape/shape.h"
#include "tools/carom/text.h"

#include <array>

namespace carom::tool {
namespace {

/// Numbers of triangles; null for what is convex as a whole.
Json parts_json(const std::vector<PartId>& parts) {
  Json list = Json::array();
  for (const PartId& part : parts) {
    list.push_back(part.element == PartId::none ? Json(nullptr) : Json(part.element));
  }
  return list;
}

/// Which parts a claim is about, as places in the lists of parts: from the first up to, and without, the second.
template<class Claim>
Json claim_json(const Claim& claim) {
  return {{"a", {claim.first_a, claim.end_a}}, {"b", {claim.first_b, claim.end_b}}};
}

Json piece_json(const PlacedPiece& piece) {
  Json json{{"kind", name_of(piece.shape.kind())}, {"pose", to_json(piece.pose)}};
  if (const auto* polytope = std::get_if<Polytope>(&piece.shape.core())) {
    json["rounding"] = piece.shape.rounding();
    for (const Vec3& v : polytope->hull().vertices) json["vertices"].push_back(to_json(v));
  }
  return json;
}

/// "triangle 4 of A", "12 triangles of A" or "A".
std::string range_text(const std::vector<PartId>& parts, std::uint32_t first, std::uint32_t end,
                       const std::string& of) {
  if (parts[first].element == PartId::none) return of;
  const bool one = end - first == 1;
  return (one ? "triangle " + std::to_string(parts[first].element)
              : counted(end - first, "triangle")) +
         " of " + of;
}

} // namespace

Json to_json(const Proof& proof) {
  Json json{{"bound", proof.bound},
            {"parts_a", parts_json(proof.parts_a)},
            {"parts_b", parts_json(proof.parts_b)},
            {"claims", Json::array()}};
  for (const Proof::Claim& claim : proof.claims) {
    Json one = claim_json(claim);
    one["direction"] = to_json(claim.direction);
    json["claims"].push_back(one);
  }
  return json;
}

Json to_json(const DepthProof& proof) {
  Json json{{"bound", proof.bound},
            {"pieces_a", Json::array()},
            {"pieces_b", Json::array()},
            {"claims", Json::array()}};
  for (const PlacedPiece& piece : proof.pieces_a) json["pieces_a"].push_back(piece_json(piece));
  for (const PlacedPiece& piece : proof.pieces_b) json["pieces_b"].push_back(piece_json(piece));
  for (const DepthProof::Claim& claim : proof.claims) {
    json["claims"].push_back(
        {{"a", claim.a}, {"b", claim.b}, {"at", to_json(claim.at)}, {"radius", claim.radius}});
  }
  return json;
}

Json to_json(const MotionProof& proof) {
  static constexpr std::array<const char*, 3> carriers = {"world", "a", "b"};
  Json json{{"until", proof.until},
            {"bound", proof.bound},
            {"parts_a", parts_json(proof.parts_a)},
            {"parts_b", parts_json(proof.parts_b)},
            {"claims", Json::array()}};
  for (const MotionProof::Claim& claim : proof.claims) {
    Json one = claim_json(claim);
    for (std::uint32_t i = claim.first_step; i < claim.end_step; ++i) {
      const MotionProof::Step& step = proof.steps[i];
      one["steps"].push_back({{"until", step.until},
                              {"direction", to_json(step.direction)},
                              {"turns_with", carriers[static_cast<std::size_t>(step.carrier)]}});
    }
    json["claims"].push_back(one);
  }
  return json;
}

void tell_claims(const Proof& proof, Answer& answer) {
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < proof.claims.size() && i < most; ++i) {
    const Proof::Claim& claim = proof.claims[i];
    answer.line("claim", range_text(proof.parts_a, claim.first_a, claim.end_a, "A") + " behind " +
                             range_text(proof.parts_b, claim.first_b, claim.end_b, "B") +
                             ", along " + show(claim.direction));
  }
  if (proof.claims.size() > most) {
    answer.line("", "... and " + counted(proof.claims.size() - most, "claim") + " more (--json)");
  }
}

} // namespace carom::tool
