// Errors:
//   cudaGetLastError  cudaPeekAtLastError  cudaGetErrorName  cudaGetErrorString

#include <algorithm>
#include <iterator>

#include "framework/cudart/api_call.hpp"

namespace warpcheck::cudart {
namespace {

struct Code {
  int number;
  const char* name;
  const char* text;
};

// By number. The names are CUDA's identifiers.
constexpr Code kCodes[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "an argument has a value that the call does not take"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "the runtime could not start"},
    {4, "cudaErrorCudartUnloading", "the runtime is shutting down"},
    {5, "cudaErrorProfilerDisabled", "the profiler is disabled"},
    {6, "cudaErrorProfilerNotInitialized", "the profiler was not started"},
    {7, "cudaErrorProfilerAlreadyStarted", "the profiler already runs"},
    {8, "cudaErrorProfilerAlreadyStopped", "the profiler is already stopped"},
    {9, "cudaErrorInvalidConfiguration", "a launch configuration that the device cannot take"},
    {12, "cudaErrorInvalidPitchValue", "a pitch that does not fit the width"},
    {13, "cudaErrorInvalidSymbol", "not a device variable"},
    {16, "cudaErrorInvalidHostPointer", "not a host pointer"},
    {17, "cudaErrorInvalidDevicePointer", "not a device pointer"},
    {18, "cudaErrorInvalidTexture", "not a texture"},
    {19, "cudaErrorInvalidTextureBinding", "a texture that is not bound"},
    {20, "cudaErrorInvalidChannelDescriptor", "a channel descriptor that is not valid"},
    {21, "cudaErrorInvalidMemcpyDirection", "a copy direction that does not exist"},
    {22, "cudaErrorAddressOfConstant", "the address of a constant"},
    {23, "cudaErrorTextureFetchFailed", "a texture fetch failed"},
    {24, "cudaErrorTextureNotBound", "a texture is not bound"},
    {25, "cudaErrorSynchronizationError", "a synchronisation failed"},
    {26, "cudaErrorInvalidFilterSetting", "a texture filter that is not valid"},
    {27, "cudaErrorInvalidNormSetting", "a texture normalisation that is not valid"},
    {28, "cudaErrorMixedDeviceExecution", "device and emulated code were mixed"},
    {31, "cudaErrorNotYetImplemented", "not yet implemented"},
    {32, "cudaErrorMemoryValueTooLarge", "a memory value that is too large"},
    {34, "cudaErrorStubLibrary", "a stub of the driver was loaded"},
    {35, "cudaErrorInsufficientDriver", "the driver is older than the runtime"},
    {36, "cudaErrorCallRequiresNewerDriver", "the call needs a later driver"},
    {37, "cudaErrorInvalidSurface", "not a surface"},
    {43, "cudaErrorDuplicateVariableName", "two variables of one name"},
    {44, "cudaErrorDuplicateTextureName", "two textures of one name"},
    {45, "cudaErrorDuplicateSurfaceName", "two surfaces of one name"},
    {46, "cudaErrorDevicesUnavailable", "all devices are busy or unavailable"},
    {49, "cudaErrorIncompatibleDriverContext", "the current context does not belong to this runtime"},
    {52, "cudaErrorMissingConfiguration", "a launch without a configuration"},
    {53, "cudaErrorPriorLaunchFailure", "an earlier launch failed"},
    {65, "cudaErrorLaunchMaxDepthExceeded", "device launches nested too deeply"},
    {66, "cudaErrorLaunchFileScopedTex", "a file-scope texture in a device launch"},
    {67, "cudaErrorLaunchFileScopedSurf", "a file-scope surface in a device launch"},
    {68, "cudaErrorSyncDepthExceeded", "device synchronisation nested too deeply"},
    {69, "cudaErrorLaunchPendingCountExceeded", "too many pending device launches"},
    {98, "cudaErrorInvalidDeviceFunction", "not a kernel of this device"},
    {100, "cudaErrorNoDevice", "there is no CUDA device"},
    {101, "cudaErrorInvalidDevice", "there is no device of that number"},
    {102, "cudaErrorDeviceNotLicensed", "the device has no licence"},
    {103, "cudaErrorSoftwareValidityNotEstablished", "the software's validity is not established"},
    {127, "cudaErrorStartupFailure", "the runtime failed to start"},
    {200, "cudaErrorInvalidKernelImage", "a device image that is not valid"},
    {201, "cudaErrorDeviceUninitialized", "no context on this device"},
    {205, "cudaErrorMapBufferObjectFailed", "a buffer could not be mapped"},
    {206, "cudaErrorUnmapBufferObjectFailed", "a buffer could not be unmapped"},
    {207, "cudaErrorArrayIsMapped", "the array is mapped"},
    {208, "cudaErrorAlreadyMapped", "already mapped"},
    {209, "cudaErrorNoKernelImageForDevice", "no code in the binary for this device"},
    {210, "cudaErrorAlreadyAcquired", "already acquired"},
    {211, "cudaErrorNotMapped", "not mapped"},
    {212, "cudaErrorNotMappedAsArray", "not mapped as an array"},
    {213, "cudaErrorNotMappedAsPointer", "not mapped as a pointer"},
    {214, "cudaErrorECCUncorrectable", "a memory error that could not be corrected"},
    {215, "cudaErrorUnsupportedLimit", "a limit that the device does not have"},
    {216, "cudaErrorDeviceAlreadyInUse", "the device is in use by another thread"},
    {217, "cudaErrorPeerAccessUnsupported", "no peer access between these devices"},
    {218, "cudaErrorInvalidPtx", "PTX that could not be compiled"},
    {219, "cudaErrorInvalidGraphicsContext", "a graphics context that is not valid"},
    {220, "cudaErrorNvlinkUncorrectable", "a link error that could not be corrected"},
    {221, "cudaErrorJitCompilerNotFound", "the PTX compiler was not found"},
    {222, "cudaErrorUnsupportedPtxVersion", "PTX of a version that is too recent"},
    {223, "cudaErrorJitCompilationDisabled", "compilation of PTX is disabled"},
    {224, "cudaErrorUnsupportedExecAffinity", "an execution affinity that the device does not have"},
    {225, "cudaErrorUnsupportedDevSideSync", "device-side synchronisation is not supported"},
    {226, "cudaErrorContained", "an error that the device contained"},
    {300, "cudaErrorInvalidSource", "a kernel source that is not valid"},
    {301, "cudaErrorFileNotFound", "a file was not found"},
    {302, "cudaErrorSharedObjectSymbolNotFound", "a symbol of a shared object was not found"},
    {303, "cudaErrorSharedObjectInitFailed", "a shared object could not be initialised"},
    {304, "cudaErrorOperatingSystem", "a call of the operating system failed"},
    {400, "cudaErrorInvalidResourceHandle", "a handle that is not valid"},
    {401, "cudaErrorIllegalState", "a resource in the wrong state"},
    {402, "cudaErrorLossyQuery", "a query whose answer would lose information"},
    {500, "cudaErrorSymbolNotFound", "a name was not found"},
    {600, "cudaErrorNotReady", "not finished yet"},
    {700, "cudaErrorIllegalAddress", "a kernel accessed an illegal address"},
    {701, "cudaErrorLaunchOutOfResources", "a launch that needs more resources than there are"},
    {702, "cudaErrorLaunchTimeout", "a kernel ran too long and was stopped"},
    {703, "cudaErrorLaunchIncompatibleTexturing", "a launch with an incompatible texturing mode"},
    {704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {705, "cudaErrorPeerAccessNotEnabled", "peer access is not enabled"},
    {708, "cudaErrorSetOnActiveProcess", "too late to set this: the device is active"},
    {709, "cudaErrorContextIsDestroyed", "the context is destroyed"},
    {710, "cudaErrorAssert", "a device-side assert failed"},
    {711, "cudaErrorTooManyPeers", "too many peers"},
    {712, "cudaErrorHostMemoryAlreadyRegistered", "the host memory is already registered"},
    {713, "cudaErrorHostMemoryNotRegistered", "the host memory is not registered"},
    {714, "cudaErrorHardwareStackError", "the device's stack is corrupt"},
    {715, "cudaErrorIllegalInstruction", "a kernel executed an illegal instruction"},
    {716, "cudaErrorMisalignedAddress", "a kernel accessed a misaligned address"},
    {717, "cudaErrorInvalidAddressSpace", "an instruction used an address of another space"},
    {718, "cudaErrorInvalidPc", "the program counter left the kernel"},
    {719, "cudaErrorLaunchFailure", "a kernel failed"},
    {720, "cudaErrorCooperativeLaunchTooLarge", "a cooperative launch that does not fit the device at once"},
    {721, "cudaErrorTensorMemoryLeak", "a kernel left tensor memory allocated"},
    {800, "cudaErrorNotPermitted", "not permitted"},
    {801, "cudaErrorNotSupported", "not supported"},
    {802, "cudaErrorSystemNotReady", "the system is not ready"},
    {803, "cudaErrorSystemDriverMismatch", "the driver's parts do not match"},
    {804, "cudaErrorCompatNotSupportedOnDevice", "the device does not support forward compatibility"},
    {805, "cudaErrorMpsConnectionFailed", "no connection to the multi-process service"},
    {806, "cudaErrorMpsRpcFailure", "a call of the multi-process service failed"},
    {807, "cudaErrorMpsServerNotReady", "the multi-process service is not ready"},
    {808, "cudaErrorMpsMaxClientsReached", "the multi-process service has too many clients"},
    {809, "cudaErrorMpsMaxConnectionsReached", "the multi-process service has too many connections"},
    {810, "cudaErrorMpsClientTerminated", "the multi-process service ended this client"},
    {811, "cudaErrorCdpNotSupported", "launches from kernels are not supported"},
    {812, "cudaErrorCdpVersionMismatch", "launches from kernels use different versions"},
    {900, "cudaErrorStreamCaptureUnsupported", "not possible while a stream is captured"},
    {901, "cudaErrorStreamCaptureInvalidated", "the capture is invalid after an error"},
    {902, "cudaErrorStreamCaptureMerge", "two captures would be merged"},
    {903, "cudaErrorStreamCaptureUnmatched", "the capture was not begun in this stream"},
    {904, "cudaErrorStreamCaptureUnjoined", "the capture has work that was not joined"},
    {905, "cudaErrorStreamCaptureIsolation", "a dependency would leave the capture"},
    {906, "cudaErrorStreamCaptureImplicit", "an implicit dependency on a captured stream"},
    {907, "cudaErrorCapturedEvent", "the event was recorded in a capture"},
    {908, "cudaErrorStreamCaptureWrongThread", "the capture belongs to another thread"},
    {909, "cudaErrorTimeout", "the wait took too long"},
    {910, "cudaErrorGraphExecUpdateFailure", "the graph cannot be updated that way"},
    {911, "cudaErrorExternalDevice", "a device outside this process failed"},
    {912, "cudaErrorInvalidClusterSize", "a cluster size that does not fit"},
    {913, "cudaErrorFunctionNotLoaded", "the function is not loaded"},
    {914, "cudaErrorInvalidResourceType", "a resource of the wrong type"},
    {915, "cudaErrorInvalidResourceConfiguration", "a resource configuration that does not fit"},
    {999, "cudaErrorUnknown", "unknown error"},
};

const Code* find_code(int number) {
  const auto* const place =
      std::lower_bound(std::begin(kCodes), std::end(kCodes), number,
                       [](const Code& code, int wanted) { return code.number < wanted; });
  return place != std::end(kCodes) && place->number == number ? place : nullptr;
}

}  // namespace

const char* error_name(int code) {
  const Code* const found = find_code(code);
  return found != nullptr ? found->name : nullptr;
}

const char* error_text(int code) {
  const Code* const found = find_code(code);
  return found != nullptr ? found->text : nullptr;
}

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;

extern "C" {

int cudaPeekAtLastError() {
  State& here = state();
  const std::lock_guard lock(here.mutex);
  return static_cast<int>(here.sticky_error != abi::Error::success ? here.sticky_error : here.last_error);
}

int cudaGetLastError() {
  State& here = state();
  const std::lock_guard lock(here.mutex);
  const int code = cudaPeekAtLastError();
  here.last_error = abi::Error::success;
  return code;
}

const char* cudaGetErrorName(int code) {
  const char* const name = error_name(code);
  return name != nullptr ? name : "unrecognized error code";
}

const char* cudaGetErrorString(int code) {
  const char* const text = error_text(code);
  return text != nullptr ? text : "unrecognized error code";
}

}  // extern "C"
