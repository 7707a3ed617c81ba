#include "framework/contract/case.hpp"

#include <stdexcept>

namespace warpcheck {
namespace {

template <class T>
std::shared_ptr<const InputArray> from_native(numeric::Format format, std::span<const T> values) {
  const std::span<const std::byte> bytes = std::as_bytes(values);
  return std::make_shared<const InputArray>(format, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace

InputArray::InputArray(numeric::Format format, std::vector<std::byte> bytes)
    : format_(format), bytes_(std::move(bytes)) {
  if (bytes_.size() % numeric::size_in_bytes(format_) != 0) {
    throw std::invalid_argument("an array of " + std::to_string(bytes_.size()) +
                                " bytes is no whole number of " + std::string(numeric::name(format_)) +
                                " elements of " + std::to_string(numeric::size_in_bytes(format_)) + " bytes");
  }
}

const numeric::SumReference& InputArray::reference() const {
  if (!reference_) {
    reference_ = std::make_unique<const numeric::SumReference>(numeric::reference_sum(format_, bytes_));
  }
  return *reference_;
}

std::shared_ptr<const InputArray> make_input(numeric::Format format, std::span<const numeric::Value> values) {
  return std::make_shared<const InputArray>(format, numeric::store_all(values));
}

std::shared_ptr<const InputArray> make_input(std::span<const float> values) {
  return from_native(numeric::Format::fp32, values);
}

std::shared_ptr<const InputArray> make_input(std::span<const double> values) {
  return from_native(numeric::Format::fp64, values);
}

}  // namespace warpcheck
