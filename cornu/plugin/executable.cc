#include "cornu/plugin/executable.h"

#include <algorithm>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/io/proto_writer.h"

struct PJRT_SerializedExecutable {
  std::string bytes;
};
struct PJRT_DeviceAssignmentSerialized {
  std::string bytes;
};

namespace cornu::inline v0::plugin {
namespace {

void set_string(const char*& text, std::size_t& size, std::string_view value) {
  text = value.data();
  size = value.size();
}

std::size_t count_of(std::int64_t number) { return static_cast<std::size_t>(number); }

/// DeviceAssignmentProto: a list of the replicas' devices for each partition.
std::string device_assignment(const Program& program) {
  const CompileOptions& options = program.options;
  std::string bytes;
  io::append_varint_field(bytes, 1, static_cast<std::uint64_t>(options.num_replicas));
  io::append_varint_field(bytes, 2, static_cast<std::uint64_t>(options.num_partitions));
  for (std::int64_t partition = 0; partition < options.num_partitions; ++partition) {
    std::string ids, of_partition;
    for (std::int64_t replica = 0; replica < options.num_replicas; ++replica) {
      const auto i = static_cast<std::size_t>(partition * options.num_replicas + replica);
      io::append_varint(ids, static_cast<std::uint64_t>(program.devices[i]->description->id));
    }
    io::append_bytes_field(of_partition, 1, ids);
    io::append_bytes_field(bytes, 3, of_partition);
  }
  return bytes;
}

PJRT_LoadedExecutable* loaded(std::shared_ptr<Program> program) {
  auto* const executable = new PJRT_LoadedExecutable;
  executable->program = std::move(program);
  return executable;
}

void memory_stats(PJRT_Executable_GetCompiledMemoryStats_Args& args) {
  const Program& program = *args.executable->program;
  // A caller of a later version has more fields, which stay 0.
  constexpr std::size_t kBegin =
      offsetof(PJRT_Executable_GetCompiledMemoryStats_Args, generated_code_size_in_bytes);
  std::memset(reinterpret_cast<char*>(&args) + kBegin, 0, args.struct_size - kBegin);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const auto size = static_cast<std::int64_t>(program.parameters[i].size_bytes);
    args.argument_size_in_bytes += size;
    if (program.donations[i] != kNotDonated) args.alias_size_in_bytes += size;
  }
  for (const TensorInfo& result : program.results)
    args.output_size_in_bytes += static_cast<std::int64_t>(result.size_bytes);
  args.temp_size_in_bytes = static_cast<std::int64_t>(program.engine->stats().arena_bytes);
  args.peak_memory_in_bytes = args.argument_size_in_bytes + args.output_size_in_bytes +
                              args.temp_size_in_bytes - args.alias_size_in_bytes;
}

/// True if a program, in text or bytecode, has an operation of Shardy in its body: MLIR's translation to XLA's text
/// refuses these.
bool has_op_of_shardy(std::string_view code) {
  for (const std::string_view name : {"manual_computation", "sharding_constraint"})
    // Names end with a zero in bytecode.
    if (code.find(fmt::format("sdy.{}", name)) != std::string_view::npos ||
        code.find(fmt::format("{}{}", name, '\0')) != std::string_view::npos)
      return true;
  return false;
}

/// The program as it was given: what the engine makes of it has no form in StableHLO. JAX's as_text() prints it, and
/// returns None where there is no text.
void write_program(const Program& program, PJRT_Program& to) {
  constexpr std::string_view kFormat = "mlir";
  const std::string_view code = code_of(program);
  if (has_op_of_shardy(code))
    fail(ErrorCode::kUnimplemented,
         "[optimized_program] program \"{}\" has operations of Shardy, which have no form in XLA's text",
         program.name);
  to.format = kFormat.data();
  to.format_size = kFormat.size();
  if (to.code == nullptr) {
    to.code_size = code.size();
    return;
  }
  if (to.code_size < code.size())
    invalid_argument("[optimized_program] the program has {} bytes; there is room for {}", code.size(),
                     to.code_size);
  std::copy(code.begin(), code.end(), to.code);
}

void add_descriptions(PJRT_Api& api) {
  set_release(api.PJRT_Executable_Destroy, [](auto& args) { delete args.executable; });
  set_entry(api.PJRT_Executable_Name, [](auto& args) {
    set_string(args.executable_name, args.executable_name_size, args.executable->program->name);
  });
  set_entry(api.PJRT_Executable_OptimizedProgram,
            [](auto& args) { write_program(*args.executable->program, *args.program); });
  set_entry(api.PJRT_Executable_NumReplicas,
            [](auto& args) { args.num_replicas = count_of(args.executable->program->options.num_replicas); });
  set_entry(api.PJRT_Executable_NumPartitions, [](auto& args) {
    args.num_partitions = count_of(args.executable->program->options.num_partitions);
  });
  set_entry(api.PJRT_Executable_NumOutputs,
            [](auto& args) { args.num_outputs = args.executable->program->results.size(); });
  set_entry(api.PJRT_Executable_SizeOfGeneratedCodeInBytes, [](auto& args) { args.size_in_bytes = 0; });
  set_entry(api.PJRT_Executable_Fingerprint, [](auto& args) {
    set_string(args.executable_fingerprint, args.executable_fingerprint_size,
               args.executable->program->fingerprint);
  });
  set_entry(api.PJRT_Executable_GetCostAnalysis, [](auto& args) {
    args.properties = args.executable->program->costs.data();
    args.num_properties = args.executable->program->costs.size();
  });
  set_entry(api.PJRT_Executable_GetCompiledMemoryStats, [](auto& args) { memory_stats(args); });
  set_entry(api.PJRT_Executable_OutputElementTypes, [](auto& args) {
    args.output_types = args.executable->program->result_types.data();
    args.num_output_types = args.executable->program->result_types.size();
  });
  set_entry(api.PJRT_Executable_OutputDimensions, [](auto& args) {
    const Program& program = *args.executable->program;
    args.num_outputs = program.results.size();
    args.dims = program.result_dims.data();
    args.dim_sizes = program.result_ranks.data();
  });
  set_entry(api.PJRT_Executable_OutputMemoryKinds, [](auto& args) {
    const Program& program = *args.executable->program;
    args.num_outputs = program.results.size();
    args.memory_kinds = program.memory_kinds.data();
    args.memory_kind_sizes = program.memory_kind_sizes.data();
  });
  set_entry(api.PJRT_Executable_Serialize, [](auto& args) {
    auto* const serialized = new PJRT_SerializedExecutable{serialize(*args.executable->program)};
    set_string(args.serialized_bytes, args.serialized_bytes_size, serialized->bytes);
    args.serialized_executable = serialized;
    args.serialized_executable_deleter = [](PJRT_SerializedExecutable* executable) { delete executable; };
  });
}

}  // namespace

void add_executable_functions(PJRT_Api& api) {
  add_descriptions(api);
  set_work(api.PJRT_Client_Compile, [](PJRT_Client_Compile_Args& args) {
    const std::string_view format(args.program->format, args.program->format_size);
    if (format != "mlir")
      invalid_argument(
          "[compile] programs must have the format \"mlir\" (StableHLO); got \"{}\". PyTorch/XLA writes "
          "StableHLO with XLA_STABLEHLO_COMPILE=1",
          format);
    args.executable = loaded(compile(*args.client, {args.program->code, args.program->code_size},
                                     {args.compile_options, args.compile_options_size}));
  });
  set_work(api.PJRT_Executable_DeserializeAndLoad, [](auto& args) {
    args.loaded_executable =
        loaded(load(*args.client, {args.serialized_executable, args.serialized_executable_size}));
  });
  set_release(api.PJRT_LoadedExecutable_Destroy, [](auto& args) { delete args.executable; });
  set_entry(api.PJRT_LoadedExecutable_GetExecutable,
            [](auto& args) { args.executable = new PJRT_Executable{args.loaded_executable->program}; });
  set_entry(api.PJRT_LoadedExecutable_AddressableDevices, [](auto& args) {
    args.addressable_devices = args.executable->program->devices.data();
    args.num_addressable_devices = args.executable->program->devices.size();
  });
  set_entry(api.PJRT_LoadedExecutable_GetDeviceAssignment, [](auto& args) {
    auto* const serialized =
        new PJRT_DeviceAssignmentSerialized{device_assignment(*args.executable->program)};
    set_string(args.serialized_bytes, args.serialized_bytes_size, serialized->bytes);
    args.serialized_device_assignment = serialized;
    args.serialized_device_assignment_deleter = [](PJRT_DeviceAssignmentSerialized* assignment) {
      delete assignment;
    };
  });
  set_entry(api.PJRT_LoadedExecutable_Delete, [](auto& args) { args.executable->is_deleted = true; });
  set_entry(api.PJRT_LoadedExecutable_IsDeleted,
            [](auto& args) { args.is_deleted = args.executable->is_deleted; });
  set_entry(api.PJRT_LoadedExecutable_Fingerprint, [](auto& args) {
    set_string(args.executable_fingerprint, args.executable_fingerprint_size,
               args.executable->program->fingerprint);
  });
  set_work(api.PJRT_LoadedExecutable_Execute, [](auto& args) {
    if (args.executable->is_deleted)
      invalid_argument("[execute] program \"{}\" was deleted", args.executable->program->name);
    execute(args.executable->program, args);
  });
}

}  // namespace cornu::inline v0::plugin
