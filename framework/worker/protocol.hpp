#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

/// What the engine and a worker process share: the layout of the shared memory, and the messages on the
/// socket.
///
/// The engine writes run requests and their input arrays, the worker writes results. The worker maps the
/// requests and arrays without write access. A message is a 32-bit length and that many bytes of JSON; "run"
/// is answered after all requests of the batch have been carried out, in order. Everything that a run leaves
/// behind is in shared memory before the next one starts, so that nothing is lost with the process.
namespace warpcheck::worker {

inline constexpr std::uint32_t kProtocolVersion = 1;
inline constexpr std::size_t kMaxBatch = 4096;  ///< runs in one batch
inline constexpr std::size_t kInputBytes = std::size_t{1}
                                           << 30;  ///< input arrays of one batch; touched pages only
inline constexpr std::size_t kDetailsBytes = std::size_t{64}
                                             << 20;  ///< texts of one batch; touched pages only

/// What the process was doing when it died.
struct CrashRecord {
  std::int32_t signal;            ///< 0: none was caught
  std::uint32_t in_device_space;  ///< 1 if `address` is a device address
  std::uint64_t address;          ///< that could not be accessed
  char object[104];               ///< "x[3]": what a device address belongs to; empty if unknown
};

struct RunResult {
  std::uint8_t done;    ///< 1 once everything else here is final
  std::uint8_t status;  ///< warpcheck::RunStatus
  std::uint8_t output_written;
  std::uint8_t input_changed;
  std::uint32_t details_bytes;   ///< JSON with findings and a line of detail; 0 if there is nothing to say
  std::uint64_t details_offset;  ///< in WorkerPage::details
  std::uint64_t output_bits;
  std::uint64_t warp_instructions;
};

/// Written by the worker. Lives at offset 0 of the shared memory.
struct WorkerPage {
  std::uint32_t protocol_version;
  /// Index of the request being carried out: written before it starts, so that a crash is attributed.
  std::atomic<std::uint32_t> current;
  /// 1: the worker ends after request `current`, which is done; what follows is for another process.
  std::uint32_t retired;
  CrashRecord crash;
  RunResult results[kMaxBatch];
  char details[kDetailsBytes];  ///< texts of the results, one after another
};

/// One run. All fields are plain data; `input_offset` counts from the start of the arrays.
struct RunRequest {
  std::uint32_t plugin;  ///< in the order in which this worker loaded them
  std::uint32_t kernel;  ///< within the plug-in
  std::uint32_t grid, block;
  std::uint64_t n;
  std::uint64_t input_offset;
  std::uint32_t input_format;  ///< numeric::Format
  std::uint32_t output_format;
  std::uint32_t pointer_offset;  ///< elements
  std::uint32_t poison;
  std::uint32_t recycle;
  std::uint32_t schedule_order;
  std::uint32_t threads_may_exit_early;
  std::uint64_t schedule_seed;
  std::uint64_t step_budget;
};

/// Written by the engine. Follows the worker's page at the next multiple of 4,096 bytes.
struct RequestPage {
  std::uint32_t count;
  RunRequest requests[kMaxBatch];
};

constexpr std::size_t page_aligned(std::size_t bytes) {
  return (bytes + 4095) / 4096 * 4096;
}
inline constexpr std::size_t kRequestOffset = page_aligned(sizeof(WorkerPage));
inline constexpr std::size_t kInputOffset = kRequestOffset + page_aligned(sizeof(RequestPage));
inline constexpr std::size_t kSharedBytes = kInputOffset + kInputBytes;

}  // namespace warpcheck::worker
