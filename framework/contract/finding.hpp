#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck {

/// What kind of rule a kernel broke while it ran.
enum class FindingKind : std::uint8_t {
  out_of_bounds,             ///< outside every live allocation, or outside the object the address came from
  misaligned,                ///< an address that is no multiple of the access size
  use_after_free,            ///< inside an allocation that has been freed
  host_pointer,              ///< a kernel was handed an address that is not the device's
  null_pointer,              ///< an access at or near address 0
  write_to_const,            ///< a write to memory that the contract or the module calls constant
  mask_without_caller,       ///< a collective whose caller is not in its own mask
  collective_participation,  ///< a lane named in the mask never executes the same operation with the same
                             ///< mask
  barrier_divergence,        ///< threads of one block wait at different aligned barriers
  exited_before_barrier,     ///< a thread exited while others of its block wait at a barrier
  deadlock,                  ///< threads wait for ever
  time_out,                  ///< the step budget ran out
  trap,                      ///< the kernel executed `trap`
  assertion_failed,          ///< a device-side `assert` failed
  shuffle_delta,             ///< a shuffle distance of 32 or more (a warning)
  unsupported,               ///< an instruction or feature that the machine does not implement
  invalid_program,           ///< PTX that is not valid, or a launch that does not fit its kernel
};

/// The name used in reports and files: the enumerator with spaces ("out of bounds").
std::string_view name_of(FindingKind kind);

/// The kind with that name; throws std::invalid_argument naming the text when there is none.
FindingKind finding_kind_from_name(std::string_view name);

/// A warning is reported but does not falsify a kernel.
bool is_warning(FindingKind kind);

struct SourceLine {
  std::string file;      ///< as nvcc was given it; empty if the code carries no line information
  std::uint32_t line{};  ///< 1-based; 0 if unknown
  std::string function;  ///< demangled; empty if unknown

  bool operator==(const SourceLine&) const = default;
};

/// One thread that takes part in a finding, and where it was.
struct Party {
  std::uint32_t block[3]{};
  std::uint32_t thread[3]{};
  std::uint32_t lane{};
  std::vector<SourceLine> stack;  ///< innermost first; callers and inlining functions after it

  bool operator==(const Party&) const = default;
};

/// A rule that a kernel broke while it ran: who, where, on what, and what to do about it.
///
/// One finding stands for every occurrence with the same kind and source lines; `count` says how many there
/// were.
struct Finding {
  FindingKind kind{};
  std::string message;         ///< one line, complete in itself: the values involved and the rule
  std::string kernel;          ///< demangled name of the __global__ function
  std::string object;          ///< "partials[8]" where the object is known, else empty
  std::string advice;          ///< what to do, one line; may be empty
  std::vector<Party> parties;  ///< the first occurrence's threads, at most a few
  std::uint64_t count{1};

  bool operator==(const Finding&) const = default;
};

}  // namespace warpcheck
