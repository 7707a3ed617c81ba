#pragma once

#include <exception>
#include <mutex>
#include <new>
#include <utility>

#include "framework/cudart/state.hpp"

/// How every function of the runtime is written: a body that returns an Outcome, run under the lock, refused
/// while a kernel's fault is pending, and recorded.
namespace warpcheck::cudart {

/// Runs `body(State&) -> Outcome`, whether or not a fault is pending. No exception leaves it: C code calls
/// us.
template <class Body>
int api_despite_fault(const char* function, Body&& body) noexcept {
  State& here = state();
  const std::lock_guard lock(here.mutex);
  Outcome outcome;
  try {
    here.need_device();
    outcome = std::forward<Body>(body)(here);
  } catch (const std::bad_alloc&) {
    outcome = Outcome(abi::Error::memory_allocation);
  } catch (const std::exception& error) {
    outcome = Outcome(abi::Error::unknown, error.what());
  }
  return here.finish(function, outcome);
}

/// The same for a call that a pending fault refuses: nearly all.
template <class Body>
int api(const char* function, Body&& body) noexcept {
  State& here = state();
  const std::lock_guard lock(here.mutex);
  if (here.sticky_error != abi::Error::success) return static_cast<int>(here.sticky_error);
  return api_despite_fault(function, std::forward<Body>(body));
}

}  // namespace warpcheck::cudart

/// Exports `function` a second time under the name that programs built with `--default-stream per-thread`
/// use. Streams are in order and immediate, so there is no difference.
#define WARPCHECK_PER_THREAD(function, suffix) \
  extern "C" __attribute__((alias(#function))) decltype(function) function##suffix
