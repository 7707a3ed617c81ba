#pragma once

#include <string>

#include "framework/contract/case.hpp"
#include "framework/contract/executor.hpp"
#include "framework/numeric/bound.hpp"
#include "framework/numeric/exact_sum.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::properties {

// The one place that words what properties say. Every result is one line without a full stop.

/// An exact number: all its digits where they are at most 40, else 17 of them and "...".
std::string number_text(const numeric::Decimal& number);

/// The exact sum, and beside it its rounding to `output` where that is another number; NaN or an infinity
/// where elements that are not finite force it.
std::string exact_sum_text(const numeric::SumReference& reference, numeric::Format output);

/// The result, and its distance in ulp from the exact sum rounded once, where there is one.
std::string result_text(numeric::Value result, const numeric::SumReference& reference);

/// The result, and its distance in ulp from the value that was demanded, where there is one.
std::string result_text(numeric::Value result, numeric::Value demanded);

/// The tolerance, its formula with the numbers filled in, A, and the source.
std::string bound_text(const numeric::Tolerance& tolerance, const numeric::SumReference& reference);

/// "3 blocks of 64 threads".
std::string geometry_text(const Geometry& geometry);

/// "schedule highest first", "schedule random 7".
std::string schedule_text(const Schedule& schedule);

/// "memory filled with 0x42f642f6".
std::string poison_text(std::uint32_t poison);

/// The elements, at most twelve: "[1e+08, 1, -1e+08, 1]".
std::string elements_text(const InputArray& input);

}  // namespace warpcheck::properties
