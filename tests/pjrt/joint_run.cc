#include <algorithm>
#include <cstring>
#include <memory>

#include "tests/pjrt/several_nodes_plugin.h"

namespace cornu::inline v0::pjrt_tests {
namespace {

/// A tensor as it is packed, before its extents and its bytes.
struct PackedTensor {
  std::int32_t type = 0;
  std::int32_t rank = 0;
  std::uint64_t num_bytes = 0;
};

template <typename Args>
Args sized(std::size_t size) {
  Args args{};
  args.struct_size = size;
  return args;
}

}  // namespace

JointRun::~JointRun() {
  for (PJRT_Buffer* const buffer : foreign_) destroy(buffer);
}

void JointRun::destroy(PJRT_Buffer* buffer) {
  auto args = sized<PJRT_Buffer_Destroy_Args>(PJRT_Buffer_Destroy_Args_STRUCT_SIZE);
  args.buffer = buffer;
  api_.PJRT_Buffer_Destroy(&args);
}

PJRT_Error* JointRun::wait_and_destroy(PJRT_Event* event) {
  auto wait = sized<PJRT_Event_Await_Args>(PJRT_Event_Await_Args_STRUCT_SIZE);
  wait.event = event;
  PJRT_Error* const error = api_.PJRT_Event_Await(&wait);
  auto end = sized<PJRT_Event_Destroy_Args>(PJRT_Event_Destroy_Args_STRUCT_SIZE);
  end.event = event;
  api_.PJRT_Event_Destroy(&end);
  return error;
}

PJRT_Error* JointRun::pack_buffer(PJRT_Buffer* buffer, std::string& bytes) {
  auto type = sized<PJRT_Buffer_ElementType_Args>(PJRT_Buffer_ElementType_Args_STRUCT_SIZE);
  type.buffer = buffer;
  if (PJRT_Error* const error = api_.PJRT_Buffer_ElementType(&type)) return error;
  auto dims = sized<PJRT_Buffer_Dimensions_Args>(PJRT_Buffer_Dimensions_Args_STRUCT_SIZE);
  dims.buffer = buffer;
  if (PJRT_Error* const error = api_.PJRT_Buffer_Dimensions(&dims)) return error;
  auto size = sized<PJRT_Buffer_ToHostBuffer_Args>(PJRT_Buffer_ToHostBuffer_Args_STRUCT_SIZE);
  size.src = buffer;
  if (PJRT_Error* const error = api_.PJRT_Buffer_ToHostBuffer(&size)) return error;
  std::string shape;
  for (std::size_t i = 0; i < dims.num_dims; ++i) shape += (i == 0 ? "" : "x") + std::to_string(dims.dims[i]);
  shapes_.push_back(shape + ":" + std::to_string(static_cast<int>(type.type)));
  const PackedTensor packed{.type = static_cast<std::int32_t>(type.type),
                            .rank = static_cast<std::int32_t>(dims.num_dims),
                            .num_bytes = size.dst_size};
  bytes.append(reinterpret_cast<const char*>(&packed), sizeof(packed));
  bytes.append(reinterpret_cast<const char*>(dims.dims), dims.num_dims * sizeof(std::int64_t));
  if (packed.num_bytes == 0) return nullptr;
  std::string value(packed.num_bytes, '\0');
  auto copy = sized<PJRT_Buffer_ToHostBuffer_Args>(PJRT_Buffer_ToHostBuffer_Args_STRUCT_SIZE);
  copy.src = buffer;
  copy.dst = value.data();
  copy.dst_size = value.size();
  if (PJRT_Error* const error = api_.PJRT_Buffer_ToHostBuffer(&copy)) return error;
  if (PJRT_Error* const error = wait_and_destroy(copy.event)) return error;
  bytes += value;
  return nullptr;
}

PJRT_Error* JointRun::pack(std::string& bytes) {
  for (std::size_t device = 0; device < args_.num_devices; ++device)
    for (std::size_t i = 0; i < args_.num_args; ++i)
      if (PJRT_Error* const error = pack_buffer(args_.argument_lists[device][i], bytes)) return error;
  return nullptr;
}

void JointRun::add_own() {
  for (std::size_t device = 0; device < args_.num_devices; ++device)
    arguments_.emplace_back(args_.argument_lists[device], args_.argument_lists[device] + args_.num_args);
}

PJRT_Error* JointRun::unpack_buffer(const std::string& packed, std::size_t& at, PJRT_Buffer** buffer) {
  PackedTensor tensor;
  std::memcpy(&tensor, packed.data() + at, sizeof(tensor));
  at += sizeof(tensor);
  std::vector<std::int64_t> dims(static_cast<std::size_t>(tensor.rank));
  std::memcpy(dims.data(), packed.data() + at, dims.size() * sizeof(std::int64_t));
  at += dims.size() * sizeof(std::int64_t);
  auto send = sized<PJRT_Client_BufferFromHostBuffer_Args>(PJRT_Client_BufferFromHostBuffer_Args_STRUCT_SIZE);
  send.client = client_;
  send.data = packed.data() + at;
  send.type = static_cast<PJRT_Buffer_Type>(tensor.type);
  send.dims = dims.data();
  send.num_dims = dims.size();
  send.host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
  send.device = devices_[arguments_.size()];
  at += tensor.num_bytes;
  if (PJRT_Error* const error = api_.PJRT_Client_BufferFromHostBuffer(&send)) return error;
  *buffer = send.buffer;
  foreign_.push_back(send.buffer);
  return wait_and_destroy(send.done_with_host_buffer);
}

PJRT_Error* JointRun::add(const std::string& packed) {
  std::size_t at = 0;
  for (std::size_t device = 0; device < args_.num_devices; ++device) {
    std::vector<PJRT_Buffer*> arguments(args_.num_args);
    for (PJRT_Buffer*& argument : arguments)
      if (PJRT_Error* const error = unpack_buffer(packed, at, &argument)) return error;
    arguments_.push_back(std::move(arguments));
  }
  return nullptr;
}

PJRT_Error* JointRun::num_outputs(std::size_t& count) {
  auto program =
      sized<PJRT_LoadedExecutable_GetExecutable_Args>(PJRT_LoadedExecutable_GetExecutable_Args_STRUCT_SIZE);
  program.loaded_executable = args_.executable;
  if (PJRT_Error* const error = api_.PJRT_LoadedExecutable_GetExecutable(&program)) return error;
  auto outputs = sized<PJRT_Executable_NumOutputs_Args>(PJRT_Executable_NumOutputs_Args_STRUCT_SIZE);
  outputs.executable = program.executable;
  PJRT_Error* const error = api_.PJRT_Executable_NumOutputs(&outputs);
  auto end = sized<PJRT_Executable_Destroy_Args>(PJRT_Executable_Destroy_Args_STRUCT_SIZE);
  end.executable = program.executable;
  api_.PJRT_Executable_Destroy(&end);
  count = outputs.num_outputs;
  return error;
}

PJRT_Error* JointRun::run(std::size_t first) {
  std::size_t num_results = 0;
  if (PJRT_Error* const error = num_outputs(num_results)) return error;
  const std::size_t num_devices = devices_.size();
  std::vector<std::vector<PJRT_Buffer*>> results(num_devices, std::vector<PJRT_Buffer*>(num_results));
  std::vector<PJRT_Buffer* const*> argument_lists;
  std::vector<PJRT_Buffer**> result_lists;
  for (std::size_t i = 0; i < num_devices; ++i) {
    argument_lists.push_back(arguments_[i].data());
    result_lists.push_back(results[i].data());
  }
  std::vector<PJRT_Event*> events(num_devices);
  PJRT_LoadedExecutable_Execute_Args all = args_;
  all.num_devices = num_devices;
  all.argument_lists = argument_lists.data();
  all.output_lists = result_lists.data();
  all.device_complete_events = events.data();
  if (PJRT_Error* const error = api_.PJRT_LoadedExecutable_Execute(&all)) return error;
  PJRT_Error* failure = nullptr;
  for (std::size_t i = 0; i < num_devices; ++i) {
    const bool is_own = i >= first && i < first + args_.num_devices;
    if (is_own && args_.device_complete_events != nullptr) {
      args_.device_complete_events[i - first] = events[i];
    } else if (PJRT_Error* const error = wait_and_destroy(events[i])) {
      failure = error;
    }
    if (is_own)
      std::copy_n(results[i].data(), num_results, args_.output_lists[i - first]);
    else
      for (PJRT_Buffer* const result : results[i]) destroy(result);
  }
  return failure;
}

}  // namespace cornu::inline v0::pjrt_tests
