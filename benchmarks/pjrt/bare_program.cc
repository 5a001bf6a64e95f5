#include "benchmarks/pjrt/bare_program.h"

#include <dlfcn.h>

#include <cstring>
#include <regex>
#include <stdexcept>
#include <utility>

namespace cornu::benchmarks {
namespace {

template <typename Args>
Args zeroed() {
  Args args{};
  args.struct_size = sizeof(Args);
  return args;
}

struct Element {
  const char* name;
  PJRT_Buffer_Type type;
  std::size_t size_bytes;
};
constexpr Element kElements[] = {
    {"i1", PJRT_Buffer_Type_PRED, 1},  {"i8", PJRT_Buffer_Type_S8, 1},     {"i16", PJRT_Buffer_Type_S16, 2},
    {"i32", PJRT_Buffer_Type_S32, 4},  {"i64", PJRT_Buffer_Type_S64, 8},   {"ui8", PJRT_Buffer_Type_U8, 1},
    {"ui16", PJRT_Buffer_Type_U16, 2}, {"ui32", PJRT_Buffer_Type_U32, 4},  {"ui64", PJRT_Buffer_Type_U64, 8},
    {"f16", PJRT_Buffer_Type_F16, 2},  {"bf16", PJRT_Buffer_Type_BF16, 2}, {"f32", PJRT_Buffer_Type_F32, 4},
    {"f64", PJRT_Buffer_Type_F64, 8}};

}  // namespace

BareProgram::BareProgram(const std::string& library, const std::string& text, int num_steps, int num_rows) {
  load(library);
  compile(text);
  parse_arguments(text);
  std::memcpy(arguments_[arguments_.size() - 2].host.data(), &num_steps, sizeof num_steps);
  std::memcpy(arguments_.back().host.data(), &num_rows, sizeof num_rows);
  for (const Argument& argument : arguments_) values_.push_back(send(argument));
}

BareProgram::~BareProgram() {
  for (PJRT_Buffer* value : values_) destroy(value);
  auto executable = zeroed<PJRT_LoadedExecutable_Destroy_Args>();
  executable.executable = executable_;
  check(api_->PJRT_LoadedExecutable_Destroy(&executable));
  auto client = zeroed<PJRT_Client_Destroy_Args>();
  client.client = client_;
  check(api_->PJRT_Client_Destroy(&client));
}

void BareProgram::run() {
  for (std::size_t i = 0; i + 2 < arguments_.size(); ++i) {
    if (arguments_[i].donated_to >= 0) continue;
    destroy(values_[i]);
    values_[i] = send(arguments_[i]);
  }
  auto options = zeroed<PJRT_ExecuteOptions>();
  auto args = zeroed<PJRT_LoadedExecutable_Execute_Args>();
  PJRT_Buffer* const* const argument_list = values_.data();
  PJRT_Buffer** const result_list = results_.data();
  PJRT_Event* complete = nullptr;
  args.executable = executable_;
  args.options = &options;
  args.argument_lists = &argument_list;
  args.num_devices = 1;
  args.num_args = values_.size();
  args.output_lists = &result_list;
  args.device_complete_events = &complete;
  check(api_->PJRT_LoadedExecutable_Execute(&args));
  wait(complete);
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (arguments_[i].donated_to < 0) continue;
    destroy(values_[i]);
    values_[i] = std::exchange(results_[static_cast<std::size_t>(arguments_[i].donated_to)], nullptr);
  }
  for (PJRT_Buffer*& result : results_)
    if (result != nullptr) destroy(std::exchange(result, nullptr));
}

void BareProgram::check(PJRT_Error* error) const {
  if (error == nullptr) return;
  auto message = zeroed<PJRT_Error_Message_Args>();
  message.error = error;
  api_->PJRT_Error_Message(&message);
  throw std::runtime_error(std::string(message.message, message.message_size));
}

void BareProgram::load(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  api_ = reinterpret_cast<const PJRT_Api* (*)()>(dlsym(handle, "GetPjrtApi"))();
  auto initialize = zeroed<PJRT_Plugin_Initialize_Args>();
  check(api_->PJRT_Plugin_Initialize(&initialize));
  auto create = zeroed<PJRT_Client_Create_Args>();
  check(api_->PJRT_Client_Create(&create));
  client_ = create.client;
  auto devices = zeroed<PJRT_Client_AddressableDevices_Args>();
  devices.client = client_;
  check(api_->PJRT_Client_AddressableDevices(&devices));
  device_ = devices.addressable_devices[0];
}

void BareProgram::compile(const std::string& text) {
  auto program = zeroed<PJRT_Program>();
  program.code = const_cast<char*>(text.data());
  program.code_size = text.size();
  program.format = "mlir";
  program.format_size = 4;
  const std::string options("\x1a\x04\x20\x01\x28\x01", 6);  // one replica, one partition
  auto args = zeroed<PJRT_Client_Compile_Args>();
  args.client = client_;
  args.program = &program;
  args.compile_options = options.data();
  args.compile_options_size = options.size();
  check(api_->PJRT_Client_Compile(&args));
  executable_ = args.executable;
  auto executable = zeroed<PJRT_LoadedExecutable_GetExecutable_Args>();
  executable.loaded_executable = executable_;
  check(api_->PJRT_LoadedExecutable_GetExecutable(&executable));
  auto outputs = zeroed<PJRT_Executable_NumOutputs_Args>();
  outputs.executable = executable.executable;
  check(api_->PJRT_Executable_NumOutputs(&outputs));
  results_.resize(outputs.num_outputs);
}

/// From the line "func.func @main(%arg0: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}, ...) -> ...".
void BareProgram::parse_arguments(const std::string& text) {
  const std::size_t begin = text.find("@main("), end = text.find(") -> ", begin);
  const std::string list = text.substr(begin, end - begin);
  const std::regex pattern(R"(%arg\d+: tensor<((?:\d+x)*)(\w+)>(?: \{tf\.aliasing_output = (\d+) : i32\})?)");
  for (std::sregex_iterator it(list.begin(), list.end(), pattern), last; it != last; ++it) {
    Argument argument{};
    for (const Element& element : kElements)
      if ((*it)[2] == element.name) {
        argument.type = element.type;
        argument.size_bytes = element.size_bytes;
      }
    const std::string dims = (*it)[1];
    for (std::size_t at = 0; at < dims.size(); at = dims.find('x', at) + 1) {
      argument.dims.push_back(std::stoll(dims.substr(at)));
      argument.size_bytes *= static_cast<std::size_t>(argument.dims.back());
    }
    if ((*it)[3].matched) argument.donated_to = std::stoi((*it)[3]);
    argument.host.assign(argument.size_bytes, 0);
    arguments_.push_back(std::move(argument));
  }
}

PJRT_Buffer* BareProgram::send(const Argument& argument) const {
  auto args = zeroed<PJRT_Client_BufferFromHostBuffer_Args>();
  args.client = client_;
  args.data = argument.host.data();
  args.type = argument.type;
  args.dims = argument.dims.data();
  args.num_dims = argument.dims.size();
  args.host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
  args.device = device_;
  check(api_->PJRT_Client_BufferFromHostBuffer(&args));
  wait(args.done_with_host_buffer);
  return args.buffer;
}

void BareProgram::destroy(PJRT_Buffer* buffer) const {
  auto args = zeroed<PJRT_Buffer_Destroy_Args>();
  args.buffer = buffer;
  check(api_->PJRT_Buffer_Destroy(&args));
}

void BareProgram::wait(PJRT_Event* event) const {
  auto args = zeroed<PJRT_Event_Await_Args>();
  args.event = event;
  check(api_->PJRT_Event_Await(&args));
  auto destroy = zeroed<PJRT_Event_Destroy_Args>();
  destroy.event = event;
  check(api_->PJRT_Event_Destroy(&destroy));
}

}  // namespace cornu::benchmarks
