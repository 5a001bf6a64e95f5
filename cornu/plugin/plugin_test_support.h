#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pjrt_c_api.h>

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cornu::inline v0::plugin {

/// The plug-in's table of functions.
inline const PJRT_Api& api() {
  static const PJRT_Api& table = *[] {
    void* const library = dlopen(CORNU_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) ADD_FAILURE() << dlerror();
    const auto get = reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"));
    const PJRT_Api* const loaded = get();
    PJRT_Plugin_Initialize_Args args = {};
    args.struct_size = PJRT_Plugin_Initialize_Args_STRUCT_SIZE;
    EXPECT_EQ(loaded->PJRT_Plugin_Initialize(&args), nullptr);
    return loaded;
  }();
  return table;
}

/// An error's code and message; OK without an error. Destroys the error.
struct Outcome {
  PJRT_Error_Code code = PJRT_Error_Code_OK;
  std::string message;
};
inline Outcome outcome(PJRT_Error* error) {
  if (error == nullptr) return {};
  PJRT_Error_GetCode_Args code = {};
  code.struct_size = sizeof code;
  code.error = error;
  EXPECT_EQ(api().PJRT_Error_GetCode(&code), nullptr);
  PJRT_Error_Message_Args message = {};
  message.struct_size = sizeof message;
  message.error = error;
  api().PJRT_Error_Message(&message);
  Outcome result = {code.code, std::string(message.message, message.message_size)};
  PJRT_Error_Destroy_Args destroy = {};
  destroy.struct_size = sizeof destroy;
  destroy.error = error;
  api().PJRT_Error_Destroy(&destroy);
  return result;
}

/// Arguments of a call: the size is set, the rest is zero.
template <typename Args>
Args make_args() {
  Args args = {};
  args.struct_size = sizeof args;
  return args;
}

/// Calls a function that must succeed.
template <typename Args>
void call(PJRT_Error* (*PJRT_Api::*function)(Args*), Args& args) {
  const Outcome result = outcome((api().*function)(&args));
  ASSERT_EQ(result.code, PJRT_Error_Code_OK) << result.message;
}

/// Waits for an event and destroys it; returns its error.
inline Outcome finish(PJRT_Event* event) {
  auto await = make_args<PJRT_Event_Await_Args>();
  await.event = event;
  Outcome result = outcome(api().PJRT_Event_Await(&await));
  auto destroy = make_args<PJRT_Event_Destroy_Args>();
  destroy.event = event;
  call(&PJRT_Api::PJRT_Event_Destroy, destroy);
  return result;
}

inline PJRT_Client* make_client(std::span<const PJRT_NamedValue> options = {}) {
  auto args = make_args<PJRT_Client_Create_Args>();
  args.create_options = options.data();
  args.num_options = options.size();
  call(&PJRT_Api::PJRT_Client_Create, args);
  return args.client;
}
inline void destroy_client(PJRT_Client* client) {
  auto args = make_args<PJRT_Client_Destroy_Args>();
  args.client = client;
  call(&PJRT_Api::PJRT_Client_Destroy, args);
}

inline PJRT_NamedValue option(const char* name, std::int64_t value) {
  PJRT_NamedValue option = {};
  option.struct_size = PJRT_NamedValue_STRUCT_SIZE;
  option.name = name;
  option.name_size = std::strlen(name);
  option.type = PJRT_NamedValue_kInt64;
  option.int64_value = value;
  option.value_size = 1;
  return option;
}

/// CompileOptionsProto with numbers of replicas and partitions.
inline std::string compile_options(char num_replicas = 1, char num_partitions = 1) {
  return std::string("\x1a\x04\x20") + num_replicas + "\x28" + num_partitions;
}

inline Outcome try_compile(PJRT_Client* client, std::string text, PJRT_LoadedExecutable** executable,
                           std::string options = compile_options()) {
  PJRT_Program program = {};
  program.struct_size = PJRT_Program_STRUCT_SIZE;
  program.code = text.data();
  program.code_size = text.size();
  program.format = "mlir";
  program.format_size = 4;
  auto args = make_args<PJRT_Client_Compile_Args>();
  args.client = client;
  args.program = &program;
  args.compile_options = options.data();
  args.compile_options_size = options.size();
  Outcome result = outcome(api().PJRT_Client_Compile(&args));
  if (executable != nullptr) *executable = args.executable;
  return result;
}
inline PJRT_LoadedExecutable* compile(PJRT_Client* client, const std::string& text,
                                      const std::string& options = compile_options()) {
  PJRT_LoadedExecutable* executable = nullptr;
  const Outcome result = try_compile(client, text, &executable, options);
  EXPECT_EQ(result.code, PJRT_Error_Code_OK) << result.message;
  return executable;
}
inline void destroy(PJRT_LoadedExecutable* executable) {
  auto args = make_args<PJRT_LoadedExecutable_Destroy_Args>();
  args.executable = executable;
  call(&PJRT_Api::PJRT_LoadedExecutable_Destroy, args);
}

inline PJRT_Client_BufferFromHostBuffer_Args host_args(
    PJRT_Client* client, const void* data, std::span<const std::int64_t> dims,
    PJRT_HostBufferSemantics semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall) {
  auto args = make_args<PJRT_Client_BufferFromHostBuffer_Args>();
  args.client = client;
  args.data = data;
  args.type = PJRT_Buffer_Type_F32;
  args.dims = dims.data();
  args.num_dims = dims.size();
  args.host_buffer_semantics = semantics;
  return args;
}
/// A buffer with a copy of the numbers, on one of the client's devices.
inline PJRT_Buffer* upload(PJRT_Client* client, const std::vector<float>& values, int device = 0) {
  const std::vector<std::int64_t> dims = {static_cast<std::int64_t>(values.size())};
  auto lookup = make_args<PJRT_Client_LookupDevice_Args>();
  lookup.client = client;
  lookup.id = device;
  call(&PJRT_Api::PJRT_Client_LookupDevice, lookup);
  auto args = host_args(client, values.data(), dims);
  args.device = lookup.device;
  call(&PJRT_Api::PJRT_Client_BufferFromHostBuffer, args);
  EXPECT_EQ(finish(args.done_with_host_buffer).code, PJRT_Error_Code_OK);
  return args.buffer;
}
inline Outcome try_download(PJRT_Buffer* buffer, std::vector<float>& values) {
  auto args = make_args<PJRT_Buffer_ToHostBuffer_Args>();
  args.src = buffer;
  args.dst = values.data();
  args.dst_size = values.size() * sizeof(float);
  const Outcome result = outcome(api().PJRT_Buffer_ToHostBuffer(&args));
  return result.code != PJRT_Error_Code_OK ? result : finish(args.event);
}
inline std::vector<float> download(PJRT_Buffer* buffer, std::size_t size) {
  std::vector<float> values(size);
  const Outcome result = try_download(buffer, values);
  EXPECT_EQ(result.code, PJRT_Error_Code_OK) << result.message;
  return values;
}
inline void destroy(PJRT_Buffer* buffer) {
  auto args = make_args<PJRT_Buffer_Destroy_Args>();
  args.buffer = buffer;
  call(&PJRT_Api::PJRT_Buffer_Destroy, args);
}
inline bool is_deleted(PJRT_Buffer* buffer) {
  auto args = make_args<PJRT_Buffer_IsDeleted_Args>();
  args.buffer = buffer;
  call(&PJRT_Api::PJRT_Buffer_IsDeleted, args);
  return args.is_deleted;
}
inline std::uintptr_t address_of(PJRT_Buffer* buffer) {
  auto args = make_args<PJRT_Buffer_UnsafePointer_Args>();
  args.buffer = buffer;
  call(&PJRT_Api::PJRT_Buffer_UnsafePointer, args);
  return args.buffer_pointer;
}

/// Results of an execution on one device, or on several: those of device 0 first.
inline Outcome try_execute(PJRT_LoadedExecutable* executable,
                           const std::vector<std::vector<PJRT_Buffer*>>& arguments,
                           std::vector<PJRT_Buffer*>& results, std::vector<std::int64_t> kept = {}) {
  PJRT_ExecuteOptions options = {};
  options.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE;
  options.non_donatable_input_indices = kept.data();
  options.num_non_donatable_input_indices = kept.size();
  const std::size_t num_devices = arguments.size(), num_results = results.size() / num_devices;
  std::vector<PJRT_Buffer* const*> argument_lists;
  std::vector<PJRT_Buffer**> output_lists;
  for (std::size_t d = 0; d < num_devices; ++d) {
    argument_lists.push_back(arguments[d].data());
    output_lists.push_back(results.data() + d * num_results);
  }
  auto args = make_args<PJRT_LoadedExecutable_Execute_Args>();
  args.executable = executable;
  args.options = &options;
  args.argument_lists = argument_lists.data();
  args.num_devices = num_devices;
  args.num_args = arguments[0].size();
  args.output_lists = output_lists.data();
  return outcome(api().PJRT_LoadedExecutable_Execute(&args));
}
inline PJRT_Buffer* execute(PJRT_LoadedExecutable* executable, const std::vector<PJRT_Buffer*>& arguments) {
  std::vector<PJRT_Buffer*> results(1);
  const Outcome result = try_execute(executable, {arguments}, results);
  EXPECT_EQ(result.code, PJRT_Error_Code_OK) << result.message;
  return results[0];
}

/// Tests with a client of one device.
class PluginTest : public testing::Test {
 protected:
  void SetUp() override { client_ = make_client(); }
  void TearDown() override { destroy_client(client_); }
  PJRT_Client* client_ = nullptr;
};

}  // namespace cornu::inline v0::plugin
