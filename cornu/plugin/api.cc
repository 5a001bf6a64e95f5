#include "cornu/plugin/buffer.h"
#include "cornu/plugin/client.h"
#include "cornu/plugin/executable.h"
#include "cornu/plugin/layouts.h"
#include "cornu/plugin/signal.h"

struct PJRT_ExecuteContext {};

namespace cornu::inline v0::plugin {
namespace {

PJRT_Error* refusal() {
  return new PJRT_Error{PJRT_Error_Code_UNIMPLEMENTED,
                        "[pjrt_plugin] Cornu's plug-in does not have this function of PJRT"};
}

template <typename Args>
void refuse(PJRT_Error* (*&entry)(Args*)) {
  entry = [](Args*) -> PJRT_Error* { return refusal(); };
}

/// The functions that the plug-in does not have.
void refuse_others(PJRT_Api& api) {
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

/// The interface of version 0.91, in which callers ask for shardings. The functions after those of the header's
/// version 0.81 have arguments that this header does not declare.
struct LaterApi {
  using Function = PJRT_Error* (*)(void*);

  PJRT_Api api = {};
  Function client_create_error_buffer = refuse_later;
  Function transfer_manager_transfer_literal = refuse_later;
  Function buffer_copy_raw_to_host_future = refuse_later;
  Function device_poison_execution = refuse_later;
  Function device_create_async_tracking_event = succeed;  // leaves the event null: there is none
  Function async_tracking_event_destroy = succeed;
  Function executable_get_compile_options = refuse_later;
  Function buffer_donate_with_control_dependency = refuse_later;
  Function event_create = refuse_later;
  Function event_set = refuse_later;

  static PJRT_Error* refuse_later(void*) { return refusal(); }
  static PJRT_Error* succeed(void*) { return nullptr; }
};
constexpr int kMinorVersion = 91;

LaterApi make_api() {
  LaterApi later;
  PJRT_Api& api = later.api;
  api.struct_size = sizeof later;
  api.extension_start = extensions();
  api.pjrt_api_version = {.struct_size = PJRT_Api_Version_STRUCT_SIZE,
                          .extension_start = nullptr,
                          .major_version = PJRT_API_MAJOR,
                          .minor_version = kMinorVersion};
  refuse_others(api);
  add_event_functions(api);
  add_client_functions(api);
  add_buffer_functions(api);
  add_executable_functions(api);
  set_entry(api.PJRT_ExecuteContext_Create, [](auto& args) { args.context = new PJRT_ExecuteContext; });
  set_release(api.PJRT_ExecuteContext_Destroy, [](auto& args) { delete args.context; });
  return later;
}

}  // namespace
}  // namespace cornu::inline v0::plugin

/// The entry point of the plug-in.
extern "C" __attribute__((visibility("default"))) const PJRT_Api* GetPjrtApi() {
  static const auto& later = *new cornu::plugin::LaterApi(cornu::plugin::make_api());
  return &later.api;
}
