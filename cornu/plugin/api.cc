#include "cornu/plugin/buffer.h"
#include "cornu/plugin/client.h"
#include "cornu/plugin/executable.h"
#include "cornu/plugin/layouts.h"
#include "cornu/plugin/signal.h"

struct PJRT_ExecuteContext {};

namespace cornu::inline v0::plugin {
namespace {

template <typename Args>
void refuse(PJRT_Error* (*&entry)(Args*)) {
  entry = [](Args*) -> PJRT_Error* {
    return new PJRT_Error{PJRT_Error_Code_UNIMPLEMENTED,
                          "[pjrt_plugin] Cornu's plug-in does not have this function of PJRT"};
  };
}

/// The functions that the plug-in does not have.
void refuse_others(PJRT_Api& api) {
  refuse(api.PJRT_Executable_OptimizedProgram);
  refuse(api.PJRT_Buffer_GetMemoryLayout);
  refuse(api.PJRT_CopyToDeviceStream_Destroy);
  refuse(api.PJRT_CopyToDeviceStream_AddChunk);
  refuse(api.PJRT_CopyToDeviceStream_TotalBytes);
  refuse(api.PJRT_CopyToDeviceStream_GranuleSize);
  refuse(api.PJRT_CopyToDeviceStream_CurrentBytes);
  refuse(api.PJRT_TopologyDescription_Create);
  refuse(api.PJRT_TopologyDescription_Serialize);
  refuse(api.PJRT_TopologyDescription_Deserialize);
  refuse(api.PJRT_Compile);
  refuse(api.PJRT_AsyncHostToDeviceTransferManager_Destroy);
  refuse(api.PJRT_AsyncHostToDeviceTransferManager_TransferData);
  refuse(api.PJRT_Client_CreateBuffersForAsyncHostToDevice);
  refuse(api.PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer);
  refuse(api.PJRT_AsyncHostToDeviceTransferManager_Device);
  refuse(api.PJRT_AsyncHostToDeviceTransferManager_BufferCount);
  refuse(api.PJRT_AsyncHostToDeviceTransferManager_BufferSize);
  refuse(api.PJRT_AsyncHostToDeviceTransferManager_SetBufferError);
  refuse(api.PJRT_AsyncHostToDeviceTransferManager_AddMetadata);
  refuse(api.PJRT_Client_DmaMap);
  refuse(api.PJRT_Client_DmaUnmap);
  refuse(api.PJRT_Client_CreateAliasBuffer);
  refuse(api.PJRT_Client_FulfillAliasBuffer);
}

PJRT_Api make_api() {
  PJRT_Api api = {};
  api.struct_size = PJRT_Api_STRUCT_SIZE;
  api.extension_start = extensions();
  api.pjrt_api_version = {.struct_size = PJRT_Api_Version_STRUCT_SIZE,
                          .extension_start = nullptr,
                          .major_version = PJRT_API_MAJOR,
                          .minor_version = PJRT_API_MINOR};
  refuse_others(api);
  add_event_functions(api);
  add_client_functions(api);
  add_buffer_functions(api);
  add_executable_functions(api);
  set_entry(api.PJRT_ExecuteContext_Create, [](auto& args) { args.context = new PJRT_ExecuteContext; });
  set_release(api.PJRT_ExecuteContext_Destroy, [](auto& args) { delete args.context; });
  return api;
}

}  // namespace
}  // namespace cornu::inline v0::plugin

/// The entry point of the plug-in.
extern "C" __attribute__((visibility("default"))) const PJRT_Api* GetPjrtApi() {
  static const auto& api = *new PJRT_Api(cornu::plugin::make_api());
  return &api;
}
