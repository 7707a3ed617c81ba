// Streams and events:
//   cudaStreamCreate  cudaStreamCreateWithFlags  cudaStreamCreateWithPriority  cudaStreamDestroy
//   cudaStreamSynchronize  cudaStreamQuery  cudaStreamWaitEvent  cudaStreamGetFlags  cudaStreamGetPriority
//   cudaStreamGetId  cudaStreamGetDevice  cudaStreamIsCapturing  cudaStreamGetCaptureInfo (and _v2, _v3)
//   cudaThreadExchangeStreamCaptureMode  cudaStreamAddCallback  cudaLaunchHostFunc  cudaStreamAttachMemAsync
//   cudaDeviceGetStreamPriorityRange cudaEventCreate  cudaEventCreateWithFlags  cudaEventDestroy
//   cudaEventRecord  cudaEventRecordWithFlags cudaEventQuery  cudaEventSynchronize  cudaEventElapsedTime (and
//   _v2)
// Work is done in the order in which it is given, at once, in whatever stream. Streams and events are
// therefore only checked handles. There is no device time, so elapsed time is "not supported" rather than
// invented.

#include <fmt/format.h>

#include <limits>

#include "framework/cudart/api_call.hpp"

namespace warpcheck::cudart {
namespace {

constexpr unsigned kNonBlocking = 1;
constexpr int kCaptureNone = 0;

Outcome create_stream(State& here, void** handle, unsigned flags, int priority) {
  if (handle == nullptr) return {abi::Error::invalid_value, "nowhere to write the stream"};
  if (flags > kNonBlocking)
    return {abi::Error::invalid_value, fmt::format("stream flags {}; use 0 or 1", flags)};
  auto stream = std::make_unique<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  stream->id = here.next_stream_id++;
  *handle = stream.get();
  here.streams[stream.get()] = std::move(stream);
  return {};
}

Outcome create_event(State& here, void** handle) {
  if (handle == nullptr) return {abi::Error::invalid_value, "nowhere to write the event"};
  auto event = std::make_unique<Event>();
  *handle = event.get();
  here.events[event.get()] = std::move(event);
  return {};
}

Outcome no_stream(const void* stream) {
  return {abi::Error::invalid_resource_handle, fmt::format("{} is no stream", fmt::ptr(stream))};
}

Outcome no_event(const void* event) {
  return {abi::Error::invalid_resource_handle, fmt::format("{} is no event", fmt::ptr(event))};
}

/// Runs `body(State&, const Stream&)` if the handle is a stream's; the default streams count.
template <class Body>
int with_stream(const char* function, const void* handle, Body body) {
  return api(function, [&](State& here) -> Outcome {
    if (!here.is_stream(handle)) return no_stream(handle);
    const auto known = here.streams.find(handle);
    static const Stream kDefault{0, 0, 1};
    return body(here, known != here.streams.end() ? *known->second : kDefault);
  });
}

template <class Body>
int with_event(const char* function, const void* handle, Body body) {
  return api(function, [&](State& here) -> Outcome {
    const auto known = here.events.find(handle);
    if (known == here.events.end()) return no_event(handle);
    return body(here, *known->second);
  });
}

template <class Value, class Read>
int query_stream(const char* function, const void* handle, Value* value, Read read) {
  return with_stream(function, handle, [&](State&, const Stream& stream) -> Outcome {
    if (value == nullptr) return {abi::Error::invalid_value, "nowhere to write the answer"};
    *value = read(stream);
    return {};
  });
}

int elapsed_time(const char* function, float* milliseconds, void* first, void* second) {
  return api(function, [&](State& here) -> Outcome {
    for (const void* const handle : {first, second}) {
      const auto known = here.events.find(handle);
      if (known == here.events.end()) return no_event(handle);
      if (!known->second->recorded)
        return {abi::Error::invalid_resource_handle, "the event was not recorded"};
    }
    if (milliseconds == nullptr) return {abi::Error::invalid_value, "nowhere to write the time"};
    *milliseconds = std::numeric_limits<float>::quiet_NaN();
    return {abi::Error::not_supported, "there is no device time on this executor"};
  });
}

}  // namespace

bool State::is_stream(const void* stream) const {
  // 0: the default stream; 1 and 2: its legacy and its per-thread form.
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 || streams.count(stream) != 0;
}

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;

extern "C" {

int cudaStreamCreate(void** stream) {
  return api("cudaStreamCreate", [&](State& here) { return create_stream(here, stream, 0, 0); });
}

int cudaStreamCreateWithFlags(void** stream, unsigned flags) {
  return api("cudaStreamCreateWithFlags", [&](State& here) { return create_stream(here, stream, flags, 0); });
}

int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return api("cudaStreamCreateWithPriority",
             [&](State& here) { return create_stream(here, stream, flags, priority); });
}

int cudaStreamDestroy(void* stream) {
  return api("cudaStreamDestroy", [&](State& here) -> Outcome {
    return here.streams.erase(stream) != 0 ? Outcome() : no_stream(stream);
  });
}

int cudaStreamSynchronize(void* stream) {
  return with_stream("cudaStreamSynchronize", stream, [](State&, const Stream&) { return Outcome(); });
}

int cudaStreamQuery(void* stream) {
  return with_stream("cudaStreamQuery", stream, [](State&, const Stream&) { return Outcome(); });
}

int cudaStreamWaitEvent(void* stream, void* event, unsigned) {
  return with_stream("cudaStreamWaitEvent", stream, [&](State& here, const Stream&) {
    return here.events.count(event) != 0 ? Outcome() : no_event(event);
  });
}

int cudaStreamGetFlags(void* stream, unsigned* flags) {
  return query_stream("cudaStreamGetFlags", stream, flags, [](const Stream& s) { return s.flags; });
}

int cudaStreamGetPriority(void* stream, int* priority) {
  return query_stream("cudaStreamGetPriority", stream, priority, [](const Stream& s) { return s.priority; });
}

int cudaStreamGetId(void* stream, unsigned long long* id) {
  return query_stream("cudaStreamGetId", stream, id, [](const Stream& s) { return s.id; });
}

int cudaStreamGetDevice(void* stream, int* device) {
  return query_stream("cudaStreamGetDevice", stream, device, [](const Stream&) { return 0; });
}

int cudaStreamIsCapturing(void* stream, int* status) {
  return query_stream("cudaStreamIsCapturing", stream, status, [](const Stream&) { return kCaptureNone; });
}

// The further results are only written while a stream is captured, which never happens.
int cudaStreamGetCaptureInfo(void* stream, int* status) {
  return query_stream("cudaStreamGetCaptureInfo", stream, status, [](const Stream&) { return kCaptureNone; });
}

// Captures have no modes where there are none.
int cudaThreadExchangeStreamCaptureMode(int* mode) {
  return api("cudaThreadExchangeStreamCaptureMode", [&](State&) -> Outcome {
    if (mode == nullptr) return {abi::Error::invalid_value, "the mode is a null pointer"};
    return {};
  });
}

int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned) {
  const int code = with_stream("cudaStreamAddCallback", stream, [&](State&, const Stream&) -> Outcome {
    if (callback == nullptr) return {abi::Error::invalid_value, "the callback is a null pointer"};
    return {};
  });
  if (code == 0) callback(stream, 0, data);
  return code;
}

int cudaLaunchHostFunc(void* stream, void (*function)(void*), void* data) {
  const int code = with_stream("cudaLaunchHostFunc", stream, [&](State&, const Stream&) -> Outcome {
    if (function == nullptr) return {abi::Error::invalid_value, "the function is a null pointer"};
    return {};
  });
  if (code == 0) function(data);
  return code;
}

int cudaStreamAttachMemAsync(void* stream, void*, std::size_t, unsigned) {
  return with_stream("cudaStreamAttachMemAsync", stream, [](State&, const Stream&) { return Outcome(); });
}

int cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api("cudaDeviceGetStreamPriorityRange", [&](State&) -> Outcome {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = 0;
    return {};
  });
}

int cudaEventCreate(void** event) {
  return api("cudaEventCreate", [&](State& here) { return create_event(here, event); });
}

int cudaEventCreateWithFlags(void** event, unsigned) {
  return api("cudaEventCreateWithFlags", [&](State& here) { return create_event(here, event); });
}

int cudaEventDestroy(void* event) {
  return api("cudaEventDestroy", [&](State& here) -> Outcome {
    return here.events.erase(event) != 0 ? Outcome() : no_event(event);
  });
}

int cudaEventRecord(void* event, void* stream) {
  return with_event("cudaEventRecord", event, [&](State& here, Event& known) -> Outcome {
    if (!here.is_stream(stream)) return no_stream(stream);
    known.recorded = true;
    return {};
  });
}

int cudaEventRecordWithFlags(void* event, void* stream, unsigned) {
  return cudaEventRecord(event, stream);
}

int cudaEventQuery(void* event) {
  return with_event("cudaEventQuery", event, [](State&, Event&) { return Outcome(); });
}

int cudaEventSynchronize(void* event) {
  return with_event("cudaEventSynchronize", event, [](State&, Event&) { return Outcome(); });
}

int cudaEventElapsedTime(float* milliseconds, void* first, void* second) {
  return elapsed_time("cudaEventElapsedTime", milliseconds, first, second);
}

int cudaEventElapsedTime_v2(float* milliseconds, void* first, void* second) {
  return elapsed_time("cudaEventElapsedTime", milliseconds, first, second);
}

}  // extern "C"

extern "C" __attribute__((
    alias("cudaStreamGetCaptureInfo"))) decltype(cudaStreamGetCaptureInfo) cudaStreamGetCaptureInfo_v2;
extern "C" __attribute__((
    alias("cudaStreamGetCaptureInfo"))) decltype(cudaStreamGetCaptureInfo) cudaStreamGetCaptureInfo_v3;
WARPCHECK_PER_THREAD(cudaStreamGetCaptureInfo_v2, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamGetCaptureInfo_v3, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamSynchronize, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamQuery, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamWaitEvent, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamGetFlags, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamGetPriority, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamGetId, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamGetDevice, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamIsCapturing, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamGetCaptureInfo, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamAddCallback, _ptsz);
WARPCHECK_PER_THREAD(cudaLaunchHostFunc, _ptsz);
WARPCHECK_PER_THREAD(cudaStreamAttachMemAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaEventRecord, _ptsz);
WARPCHECK_PER_THREAD(cudaEventRecordWithFlags, _ptsz);
