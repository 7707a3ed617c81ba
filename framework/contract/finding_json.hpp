#pragma once

#include <nlohmann/json_fwd.hpp>

#include "framework/contract/finding.hpp"

namespace warpcheck {

/// A finding as a JSON object, every field by its own name, parties with their stacks.
nlohmann::json to_json(const Finding& finding);

/// Throws std::invalid_argument with one line when a field is missing or has another type.
Finding finding_from_json(const nlohmann::json& object);

}  // namespace warpcheck
