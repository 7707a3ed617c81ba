// What the machine cannot do: CUDA graphs and captures, peers, arrays, textures, libraries, memory of other
// processes and of graphics interfaces. Every such function of CUDA 12 and 13 is here, so that a plug-in that
// names one loads, and returns cudaErrorNotSupported without looking at its arguments.

#include "framework/cudart/api_call.hpp"

// clang-format off
#define WARPCHECK_REFUSED_CALLS(REFUSE) \
  REFUSE(cudaArrayGetInfo) REFUSE(cudaArrayGetMemoryRequirements) REFUSE(cudaArrayGetPlane) \
  REFUSE(cudaArrayGetSparseProperties) REFUSE(cudaCreateSurfaceObject) REFUSE(cudaCreateTextureObject) \
  REFUSE(cudaDestroyExternalMemory) REFUSE(cudaDestroyExternalSemaphore) REFUSE(cudaDestroySurfaceObject) \
  REFUSE(cudaDestroyTextureObject) REFUSE(cudaDeviceDisablePeerAccess) REFUSE(cudaDeviceEnablePeerAccess) \
  REFUSE(cudaDeviceFlushGPUDirectRDMAWrites) REFUSE(cudaDeviceGetGraphMemAttribute) \
  REFUSE(cudaDeviceGetHostAtomicCapabilities) REFUSE(cudaDeviceGetNvSciSyncAttributes) \
  REFUSE(cudaDeviceGetP2PAtomicCapabilities) REFUSE(cudaDeviceGetP2PAttribute) \
  REFUSE(cudaDeviceGetTexture1DLinearMaxWidth) REFUSE(cudaDeviceGraphMemTrim) \
  REFUSE(cudaDeviceRegisterAsyncNotification) REFUSE(cudaDeviceSetGraphMemAttribute) \
  REFUSE(cudaDeviceUnregisterAsyncNotification) REFUSE(cudaEGLStreamConsumerAcquireFrame) \
  REFUSE(cudaEGLStreamConsumerConnect) REFUSE(cudaEGLStreamConsumerConnectWithFlags) \
  REFUSE(cudaEGLStreamConsumerDisconnect) REFUSE(cudaEGLStreamConsumerReleaseFrame) \
  REFUSE(cudaEGLStreamProducerConnect) REFUSE(cudaEGLStreamProducerDisconnect) \
  REFUSE(cudaEGLStreamProducerPresentFrame) REFUSE(cudaEGLStreamProducerReturnFrame) \
  REFUSE(cudaEventCreateFromEGLSync) REFUSE(cudaExternalMemoryGetMappedBuffer) \
  REFUSE(cudaExternalMemoryGetMappedMipmappedArray) REFUSE(cudaFreeArray) REFUSE(cudaFreeMipmappedArray) \
  REFUSE(cudaGLGetDevices) REFUSE(cudaGLMapBufferObject) REFUSE(cudaGLMapBufferObjectAsync) \
  REFUSE(cudaGLRegisterBufferObject) REFUSE(cudaGLSetBufferObjectMapFlags) REFUSE(cudaGLSetGLDevice) \
  REFUSE(cudaGLUnmapBufferObject) REFUSE(cudaGLUnmapBufferObjectAsync) \
  REFUSE(cudaGLUnregisterBufferObject) REFUSE(cudaGetChannelDesc) REFUSE(cudaGetExportTable) \
  REFUSE(cudaGetMipmappedArrayLevel) REFUSE(cudaGetSurfaceObjectResourceDesc) \
  REFUSE(cudaGetTextureObjectResourceDesc) REFUSE(cudaGetTextureObjectResourceViewDesc) \
  REFUSE(cudaGetTextureObjectTextureDesc) REFUSE(cudaGraphAddChildGraphNode) \
  REFUSE(cudaGraphAddDependencies) REFUSE(cudaGraphAddDependencies_v2) REFUSE(cudaGraphAddEmptyNode) \
  REFUSE(cudaGraphAddEventRecordNode) REFUSE(cudaGraphAddEventWaitNode) \
  REFUSE(cudaGraphAddExternalSemaphoresSignalNode) REFUSE(cudaGraphAddExternalSemaphoresWaitNode) \
  REFUSE(cudaGraphAddHostNode) REFUSE(cudaGraphAddKernelNode) REFUSE(cudaGraphAddMemAllocNode) \
  REFUSE(cudaGraphAddMemFreeNode) REFUSE(cudaGraphAddMemcpyNode) REFUSE(cudaGraphAddMemcpyNode1D) \
  REFUSE(cudaGraphAddMemcpyNodeFromSymbol) REFUSE(cudaGraphAddMemcpyNodeToSymbol) \
  REFUSE(cudaGraphAddMemsetNode) REFUSE(cudaGraphAddNode) REFUSE(cudaGraphAddNode_v2) \
  REFUSE(cudaGraphChildGraphNodeGetGraph) REFUSE(cudaGraphClone) REFUSE(cudaGraphConditionalHandleCreate) \
  REFUSE(cudaGraphCreate) REFUSE(cudaGraphDebugDotPrint) REFUSE(cudaGraphDestroy) \
  REFUSE(cudaGraphDestroyNode) REFUSE(cudaGraphEventRecordNodeGetEvent) \
  REFUSE(cudaGraphEventRecordNodeSetEvent) REFUSE(cudaGraphEventWaitNodeGetEvent) \
  REFUSE(cudaGraphEventWaitNodeSetEvent) REFUSE(cudaGraphExecChildGraphNodeSetParams) \
  REFUSE(cudaGraphExecDestroy) REFUSE(cudaGraphExecEventRecordNodeSetEvent) \
  REFUSE(cudaGraphExecEventWaitNodeSetEvent) REFUSE(cudaGraphExecExternalSemaphoresSignalNodeSetParams) \
  REFUSE(cudaGraphExecExternalSemaphoresWaitNodeSetParams) REFUSE(cudaGraphExecGetFlags) \
  REFUSE(cudaGraphExecHostNodeSetParams) REFUSE(cudaGraphExecKernelNodeSetParams) \
  REFUSE(cudaGraphExecMemcpyNodeSetParams) REFUSE(cudaGraphExecMemcpyNodeSetParams1D) \
  REFUSE(cudaGraphExecMemcpyNodeSetParamsFromSymbol) REFUSE(cudaGraphExecMemcpyNodeSetParamsToSymbol) \
  REFUSE(cudaGraphExecMemsetNodeSetParams) REFUSE(cudaGraphExecNodeSetParams) REFUSE(cudaGraphExecUpdate) \
  REFUSE(cudaGraphExternalSemaphoresSignalNodeGetParams) \
  REFUSE(cudaGraphExternalSemaphoresSignalNodeSetParams) \
  REFUSE(cudaGraphExternalSemaphoresWaitNodeGetParams) \
  REFUSE(cudaGraphExternalSemaphoresWaitNodeSetParams) REFUSE(cudaGraphGetEdges) \
  REFUSE(cudaGraphGetEdges_v2) REFUSE(cudaGraphGetNodes) REFUSE(cudaGraphGetRootNodes) \
  REFUSE(cudaGraphHostNodeGetParams) REFUSE(cudaGraphHostNodeSetParams) REFUSE(cudaGraphInstantiate) \
  REFUSE(cudaGraphInstantiateWithFlags) REFUSE(cudaGraphInstantiateWithParams) \
  REFUSE(cudaGraphInstantiateWithParams_ptsz) REFUSE(cudaGraphKernelNodeCopyAttributes) \
  REFUSE(cudaGraphKernelNodeGetAttribute) REFUSE(cudaGraphKernelNodeGetParams) \
  REFUSE(cudaGraphKernelNodeSetAttribute) REFUSE(cudaGraphKernelNodeSetParams) REFUSE(cudaGraphLaunch) \
  REFUSE(cudaGraphLaunch_ptsz) REFUSE(cudaGraphMemAllocNodeGetParams) \
  REFUSE(cudaGraphMemFreeNodeGetParams) REFUSE(cudaGraphMemcpyNodeGetParams) \
  REFUSE(cudaGraphMemcpyNodeSetParams) REFUSE(cudaGraphMemcpyNodeSetParams1D) \
  REFUSE(cudaGraphMemcpyNodeSetParamsFromSymbol) REFUSE(cudaGraphMemcpyNodeSetParamsToSymbol) \
  REFUSE(cudaGraphMemsetNodeGetParams) REFUSE(cudaGraphMemsetNodeSetParams) \
  REFUSE(cudaGraphNodeFindInClone) REFUSE(cudaGraphNodeGetDependencies) \
  REFUSE(cudaGraphNodeGetDependencies_v2) REFUSE(cudaGraphNodeGetDependentNodes) \
  REFUSE(cudaGraphNodeGetDependentNodes_v2) REFUSE(cudaGraphNodeGetEnabled) REFUSE(cudaGraphNodeGetType) \
  REFUSE(cudaGraphNodeSetEnabled) REFUSE(cudaGraphNodeSetParams) REFUSE(cudaGraphReleaseUserObject) \
  REFUSE(cudaGraphRemoveDependencies) REFUSE(cudaGraphRemoveDependencies_v2) \
  REFUSE(cudaGraphRetainUserObject) REFUSE(cudaGraphUpload) REFUSE(cudaGraphUpload_ptsz) \
  REFUSE(cudaGraphicsEGLRegisterImage) REFUSE(cudaGraphicsGLRegisterBuffer) \
  REFUSE(cudaGraphicsGLRegisterImage) REFUSE(cudaGraphicsMapResources) \
  REFUSE(cudaGraphicsResourceGetMappedEglFrame) REFUSE(cudaGraphicsResourceGetMappedMipmappedArray) \
  REFUSE(cudaGraphicsResourceGetMappedPointer) REFUSE(cudaGraphicsResourceSetMapFlags) \
  REFUSE(cudaGraphicsSubResourceGetMappedArray) REFUSE(cudaGraphicsUnmapResources) \
  REFUSE(cudaGraphicsUnregisterResource) REFUSE(cudaGraphicsVDPAURegisterOutputSurface) \
  REFUSE(cudaGraphicsVDPAURegisterVideoSurface) REFUSE(cudaHostRegister) REFUSE(cudaHostUnregister) \
  REFUSE(cudaImportExternalMemory) REFUSE(cudaImportExternalSemaphore) REFUSE(cudaIpcCloseMemHandle) \
  REFUSE(cudaIpcGetEventHandle) REFUSE(cudaIpcGetMemHandle) REFUSE(cudaIpcOpenEventHandle) \
  REFUSE(cudaIpcOpenMemHandle) REFUSE(cudaLaunchCooperativeKernelMultiDevice) \
  REFUSE(cudaLibraryEnumerateKernels) REFUSE(cudaLibraryGetGlobal) REFUSE(cudaLibraryGetKernel) \
  REFUSE(cudaLibraryGetKernelCount) REFUSE(cudaLibraryGetManaged) REFUSE(cudaLibraryGetUnifiedFunction) \
  REFUSE(cudaLibraryLoadData) REFUSE(cudaLibraryLoadFromFile) REFUSE(cudaLibraryUnload) \
  REFUSE(cudaLogsCurrent) REFUSE(cudaLogsDumpToFile) REFUSE(cudaLogsDumpToMemory) \
  REFUSE(cudaLogsRegisterCallback) REFUSE(cudaLogsUnregisterCallback) REFUSE(cudaMalloc3DArray) \
  REFUSE(cudaMallocArray) REFUSE(cudaMallocMipmappedArray) REFUSE(cudaMemDiscardAndPrefetchBatchAsync) \
  REFUSE(cudaMemDiscardAndPrefetchBatchAsync_ptsz) REFUSE(cudaMemDiscardBatchAsync) \
  REFUSE(cudaMemDiscardBatchAsync_ptsz) REFUSE(cudaMemGetDefaultMemPool) REFUSE(cudaMemGetMemPool) \
  REFUSE(cudaMemPoolCreate) REFUSE(cudaMemPoolDestroy) REFUSE(cudaMemPoolExportPointer) \
  REFUSE(cudaMemPoolExportToShareableHandle) REFUSE(cudaMemPoolGetAccess) \
  REFUSE(cudaMemPoolImportFromShareableHandle) REFUSE(cudaMemPoolImportPointer) \
  REFUSE(cudaMemPoolSetAccess) REFUSE(cudaMemPrefetchBatchAsync) REFUSE(cudaMemPrefetchBatchAsync_ptsz) \
  REFUSE(cudaMemRangeGetAttribute) REFUSE(cudaMemRangeGetAttributes) REFUSE(cudaMemSetMemPool) \
  REFUSE(cudaMemcpy2DArrayToArray) REFUSE(cudaMemcpy2DArrayToArray_ptds) REFUSE(cudaMemcpy2DFromArray) \
  REFUSE(cudaMemcpy2DFromArrayAsync) REFUSE(cudaMemcpy2DFromArrayAsync_ptsz) \
  REFUSE(cudaMemcpy2DFromArray_ptds) REFUSE(cudaMemcpy2DToArray) REFUSE(cudaMemcpy2DToArrayAsync) \
  REFUSE(cudaMemcpy2DToArrayAsync_ptsz) REFUSE(cudaMemcpy2DToArray_ptds) REFUSE(cudaMemcpy3DBatchAsync) \
  REFUSE(cudaMemcpy3DBatchAsync_ptsz) REFUSE(cudaMemcpy3DPeer) REFUSE(cudaMemcpy3DPeerAsync) \
  REFUSE(cudaMemcpy3DPeerAsync_ptsz) REFUSE(cudaMemcpy3DPeer_ptds) REFUSE(cudaMemcpyArrayToArray) \
  REFUSE(cudaMemcpyArrayToArray_ptds) REFUSE(cudaMemcpyBatchAsync) REFUSE(cudaMemcpyBatchAsync_ptsz) \
  REFUSE(cudaMemcpyFromArray) REFUSE(cudaMemcpyFromArrayAsync) REFUSE(cudaMemcpyFromArrayAsync_ptsz) \
  REFUSE(cudaMemcpyFromArray_ptds) REFUSE(cudaMemcpyPeer) REFUSE(cudaMemcpyPeerAsync) \
  REFUSE(cudaMemcpyToArray) REFUSE(cudaMemcpyToArrayAsync) REFUSE(cudaMemcpyToArrayAsync_ptsz) \
  REFUSE(cudaMemcpyToArray_ptds) REFUSE(cudaMipmappedArrayGetMemoryRequirements) \
  REFUSE(cudaMipmappedArrayGetSparseProperties) REFUSE(cudaOccupancyMaxActiveClusters) \
  REFUSE(cudaOccupancyMaxPotentialClusterSize) REFUSE(cudaSetDoubleForDevice) REFUSE(cudaSetDoubleForHost) \
  REFUSE(cudaSignalExternalSemaphoresAsync) REFUSE(cudaSignalExternalSemaphoresAsync_ptsz) \
  REFUSE(cudaSignalExternalSemaphoresAsync_v2) REFUSE(cudaSignalExternalSemaphoresAsync_v2_ptsz) \
  REFUSE(cudaStreamBeginCapture) REFUSE(cudaStreamBeginCaptureToGraph) \
  REFUSE(cudaStreamBeginCaptureToGraph_ptsz) REFUSE(cudaStreamBeginCapture_ptsz) \
  REFUSE(cudaStreamCopyAttributes) REFUSE(cudaStreamCopyAttributes_ptsz) REFUSE(cudaStreamEndCapture) \
  REFUSE(cudaStreamEndCapture_ptsz) REFUSE(cudaStreamGetAttribute) REFUSE(cudaStreamGetAttribute_ptsz) \
  REFUSE(cudaStreamSetAttribute) REFUSE(cudaStreamSetAttribute_ptsz) \
  REFUSE(cudaStreamUpdateCaptureDependencies) REFUSE(cudaStreamUpdateCaptureDependencies_ptsz) \
  REFUSE(cudaStreamUpdateCaptureDependencies_v2) REFUSE(cudaStreamUpdateCaptureDependencies_v2_ptsz) \
  REFUSE(cudaThreadGetCacheConfig) REFUSE(cudaThreadGetLimit) REFUSE(cudaThreadSetCacheConfig) \
  REFUSE(cudaThreadSetLimit) REFUSE(cudaUserObjectCreate) REFUSE(cudaUserObjectRelease) \
  REFUSE(cudaUserObjectRetain) REFUSE(cudaVDPAUGetDevice) REFUSE(cudaVDPAUSetVDPAUDevice) \
  REFUSE(cudaWaitExternalSemaphoresAsync) REFUSE(cudaWaitExternalSemaphoresAsync_ptsz) \
  REFUSE(cudaWaitExternalSemaphoresAsync_v2) REFUSE(cudaWaitExternalSemaphoresAsync_v2_ptsz)
// clang-format on

namespace warpcheck::cudart {
namespace {

int refuse(const char* function) {
  return api(function, [&](State&) -> Outcome {
    return {abi::Error::not_supported, std::string(function) + " is not implemented on this executor"};
  });
}

}  // namespace
}  // namespace warpcheck::cudart

extern "C" {

#define WARPCHECK_REFUSE(function)               \
  int function() {                               \
    return warpcheck::cudart::refuse(#function); \
  }
WARPCHECK_REFUSED_CALLS(WARPCHECK_REFUSE)
#undef WARPCHECK_REFUSE

}  // extern "C"
