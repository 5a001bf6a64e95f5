#include <pjrt_c_api.h>

// Libraries that are not what they should be, one a build of this file: see CMakeLists.txt.
#ifndef DECOY_NO_API
namespace {

void destroy_error(PJRT_Error_Destroy_Args*) {}
void error_message(PJRT_Error_Message_Args* args) {
  static constexpr char kText[] = "No visible GPU devices.";
  args->message = kText;
  args->message_size = sizeof kText - 1;
}
PJRT_Error* error_code(PJRT_Error_GetCode_Args* args) {
  args->code = PJRT_Error_Code_FAILED_PRECONDITION;
  return nullptr;
}
PJRT_Error* initialize(PJRT_Plugin_Initialize_Args*) { return nullptr; }
PJRT_Error* attributes(PJRT_Plugin_Attributes_Args* args) {
  args->num_attributes = 0;
  return nullptr;
}
/// There is no hardware.
PJRT_Error* create(PJRT_Client_Create_Args*) {
  static int error;
  return reinterpret_cast<PJRT_Error*>(&error);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): PJRT's name
extern "C" const PJRT_Api* GetPjrtApi() {
  static PJRT_Api api{};
  api.struct_size = DECOY_STRUCT_SIZE;
  api.pjrt_api_version.major_version = DECOY_MAJOR;
  api.pjrt_api_version.minor_version = 7;
  api.PJRT_Error_Destroy = destroy_error;
  api.PJRT_Error_Message = error_message;
  api.PJRT_Error_GetCode = error_code;
  api.PJRT_Plugin_Initialize = initialize;
  api.PJRT_Plugin_Attributes = attributes;
  api.PJRT_Client_Create = create;
  return &api;
}
#endif
