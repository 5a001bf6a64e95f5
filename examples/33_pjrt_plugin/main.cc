// The program of docs/guide/python.md: runs a training step that JAX exported, by PJRT's C interface alone.
// It takes any plug-in: example_33_pjrt_plugin [PLUGIN.so]

#include <dlfcn.h>
#include <pjrt_c_api.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

const PJRT_Api* api = nullptr;

/// Calls a function of the plug-in, and ends the program on an error.
template <typename Args>
Args call(PJRT_Error* (*PJRT_Api::*function)(Args*), Args args) {
  args.struct_size = sizeof args;
  PJRT_Error* const error = (api->*function)(&args);
  if (error == nullptr) return args;
  PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = error};
  api->PJRT_Error_Message(&message);
  std::fprintf(stderr, "%.*s\n", static_cast<int>(message.message_size), message.message);
  std::exit(1);
}

PJRT_Buffer* upload(PJRT_Client* client, const std::vector<float>& values,
                    const std::vector<std::int64_t>& dims) {
  const auto made = call(
      &PJRT_Api::PJRT_Client_BufferFromHostBuffer,
      {.client = client,
       .data = values.data(),
       .type = PJRT_Buffer_Type_F32,
       .dims = dims.data(),
       .num_dims = dims.size(),
       .host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
       .device = call(&PJRT_Api::PJRT_Client_AddressableDevices, {.client = client}).addressable_devices[0]});
  call(&PJRT_Api::PJRT_Event_Destroy, {.event = made.done_with_host_buffer});
  return made.buffer;
}

std::vector<float> download(PJRT_Buffer* buffer, std::size_t size) {
  std::vector<float> values(size);
  const auto copy = call(&PJRT_Api::PJRT_Buffer_ToHostBuffer,
                         {.src = buffer, .dst = values.data(), .dst_size = size * sizeof(float)});
  call(&PJRT_Api::PJRT_Event_Await, {.event = copy.event});
  call(&PJRT_Api::PJRT_Event_Destroy, {.event = copy.event});
  return values;
}

}  // namespace

int main(int argc, char** argv) {
  void* const library = dlopen(argc > 1 ? argv[1] : CORNU_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  api = reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"))();
  call(&PJRT_Api::PJRT_Plugin_Initialize, {});
  PJRT_Client* const client = call(&PJRT_Api::PJRT_Client_Create, {}).client;

  std::ifstream file(CORNU_EXAMPLE_FOLDER "/step.mlirbc", std::ios::binary);
  std::string code((std::istreambuf_iterator<char>(file)), {});
  const PJRT_Program program = {.struct_size = sizeof program,
                                .code = code.data(),
                                .code_size = code.size(),
                                .format = "mlir",
                                .format_size = 4};
  const std::string options = "\x1a\x04\x20\x01\x28\x01";  // CompileOptionsProto: one replica, one partition
  PJRT_LoadedExecutable* const step =
      call(&PJRT_Api::PJRT_Client_Compile, {.client = client,
                                            .program = &program,
                                            .compile_options = options.data(),
                                            .compile_options_size = options.size()})
          .executable;

  std::vector<float> rows, targets;  // y = x0 - 2 x1 + 3 x2 - 4 x3
  for (int i = 0; i < 32; ++i) {
    float target = 0;
    for (int j = 0; j < 4; ++j) {
      rows.push_back(static_cast<float>((i * 7 + j * j * 5 + i * j * 3) % 11) / 5 - 1);
      target += rows.back() * static_cast<float>((j % 2 == 0 ? 1 : -1) * (j + 1));
    }
    targets.push_back(target);
  }
  PJRT_Buffer* state = upload(client, {0, 0, 0, 0}, {4});
  PJRT_Buffer* const x = upload(client, rows, {32, 4});
  PJRT_Buffer* const y = upload(client, targets, {32});
  float loss = 0;
  for (int i = 0; i < 500; ++i) {
    PJRT_Buffer* const arguments[] = {state, x, y};
    PJRT_Buffer* results[2];
    PJRT_Buffer* const* const argument_list = arguments;
    PJRT_Buffer** const result_list = results;
    PJRT_ExecuteOptions execute_options = {.struct_size = sizeof execute_options};
    call(&PJRT_Api::PJRT_LoadedExecutable_Execute, {.executable = step,
                                                    .options = &execute_options,
                                                    .argument_lists = &argument_list,
                                                    .num_devices = 1,
                                                    .num_args = 3,
                                                    .output_lists = &result_list});
    call(&PJRT_Api::PJRT_Buffer_Destroy, {.buffer = state});
    state = results[0];
    if (i % 100 == 99) std::printf("step %d: loss %g\n", i + 1, loss = download(results[1], 1)[0]);
    call(&PJRT_Api::PJRT_Buffer_Destroy, {.buffer = results[1]});
  }
  const std::vector<float> weights = download(state, 4);
  std::printf("weights: %.2f %.2f %.2f %.2f\n", weights[0], weights[1], weights[2], weights[3]);
  for (PJRT_Buffer* const buffer : {state, x, y}) call(&PJRT_Api::PJRT_Buffer_Destroy, {.buffer = buffer});
  call(&PJRT_Api::PJRT_LoadedExecutable_Destroy, {.executable = step});
  call(&PJRT_Api::PJRT_Client_Destroy, {.client = client});
  return loss < 1e-3 ? 0 : 1;
}
