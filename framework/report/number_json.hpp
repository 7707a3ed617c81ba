#pragma once

#include <nlohmann/json.hpp>

#include "framework/numeric/decimal.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::report {

// How numbers stand in JSON, exactly: finite ones that are doubles as numbers (whole ones up to 2^53 without
// a point), NaN, infinities and wider numbers as text. Only for sources that write JSON.

nlohmann::ordered_json number_json(double x);
nlohmann::ordered_json number_json(numeric::Value value);
nlohmann::ordered_json number_json(const numeric::Decimal& number);

}  // namespace warpcheck::report
