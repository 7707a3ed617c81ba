#pragma once

#include <string>

#include "framework/report/look.hpp"
#include "framework/report/orders.hpp"

namespace warpcheck::report {

/// The study for people: what the exact sum is, a table with a row for each order (inputs, serial, pairwise,
/// each kernel, reference, absolute errors, sum of magnitudes; below each other where the look is too
/// narrow), and the sets of outcomes. Long exact numbers are given in full once and shortened in the table.
std::string orders_text(const OrderStudy& study, const Look& look);

/// The study as JSON:
///
///     {"version": 1, "format", "orders", "sampled", "reference", "sum_abs", "condition",
///      "rows": [{"inputs": […], "serial", "pairwise", "reference", "serial_abs_error", "pairwise_abs_error",
///      "sum_abs",
///                "kernels": {NAME: …}, "kernel_abs_errors": {NAME: …}}],
///      "serial_results": […], "pairwise_results": […], "kernel_results": {NAME: […]}}
///
/// Numbers as number_json.hpp says; "orders" is text beyond 2^53. A run that did not complete is its fault as
/// text.
std::string orders_json(const OrderStudy& study);

}  // namespace warpcheck::report
