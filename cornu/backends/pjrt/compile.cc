#include "cornu/backends/pjrt/compile.h"

#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cornu/backends/pjrt/nvidia_libraries.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/steady_clock.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

namespace fs = std::filesystem;

/// Everything that a compiled program depends on. It ends in a length, so that it is self-delimiting in a
/// cache entry.
std::string identity_of(const Connection& connection, const std::string& text, const std::string& options) {
  const Plugin& plugin = connection.plugin();
  std::error_code error;
  const auto size = fs::file_size(plugin.path(), error);
  const auto written = fs::last_write_time(plugin.path(), error).time_since_epoch().count();
  std::string kinds;
  for (const runtime::DeviceInfo& device : connection.devices()) kinds += device.kind + ";";
  std::string identity = fmt::format("pjrt 1\n{}\n{} {} {}\n{}\n{}\n{}\n{}\n", plugin.path(), size, written,
                                     plugin.versions(), connection.platform_version(), kinds, options, text);
  return identity + fmt::format("{}\n", identity.size());
}

OwnedExecutable compile_text(const Connection& connection, const std::string& name, const std::string& text,
                             const std::string& options) {
  CallArguments<PJRT_Program> program;
  describe_program(*program.get(), text);
  CallArguments<PJRT_Client_Compile_Args> arguments;
  arguments->client = connection.client();
  arguments->program = program.get();
  arguments->compile_options = options.data();
  arguments->compile_options_size = options.size();
  connection.plugin().call(&PJRT_Api::PJRT_Client_Compile, arguments, fmt::format("compile \"{}\"", name));
  return OwnedExecutable(connection.plugin(), arguments->executable);
}

OwnedProgram program_of(const Connection& connection, const OwnedExecutable& executable) {
  CallArguments<PJRT_LoadedExecutable_GetExecutable_Args> arguments;
  arguments->loaded_executable = executable.get();
  connection.plugin().call(&PJRT_Api::PJRT_LoadedExecutable_GetExecutable, arguments, "look at a program");
  return OwnedProgram(connection.plugin(), arguments->executable);
}

/// Empty if the plug-in cannot serialize.
std::string serialize(const Connection& connection, const OwnedExecutable& executable) {
  const OwnedProgram program = program_of(connection, executable);
  CallArguments<PJRT_Executable_Serialize_Args> arguments;
  arguments->executable = program.get();
  if (!connection.plugin().try_call(&PJRT_Api::PJRT_Executable_Serialize, arguments)) return "";
  std::string bytes(arguments->serialized_bytes, arguments->serialized_bytes_size);
  if (arguments->serialized_executable_deleter != nullptr)
    arguments->serialized_executable_deleter(arguments->serialized_executable);
  return bytes;
}

/// Empty if the plug-in rejects the bytes: the program is compiled again then.
OwnedExecutable deserialize(const Connection& connection, const std::string& bytes) {
  CallArguments<PJRT_Executable_DeserializeAndLoad_Args> arguments;
  arguments->client = connection.client();
  arguments->serialized_executable = bytes.data();
  arguments->serialized_executable_size = bytes.size();
  if (!connection.plugin().try_call(&PJRT_Api::PJRT_Executable_DeserializeAndLoad, arguments)) return {};
  return OwnedExecutable(connection.plugin(), arguments->loaded_executable);
}

double number(const PJRT_NamedValue& value) {
  return value.type == PJRT_NamedValue_kFloat   ? value.float_value
         : value.type == PJRT_NamedValue_kInt64 ? static_cast<double>(value.int64_value)
                                                : 0;
}

}  // namespace

void describe_program(PJRT_Program& program, const std::string& text) {
  static constexpr std::string_view kFormat = "mlir";
  program.struct_size = PJRT_Program_STRUCT_SIZE;
  program.code = const_cast<char*>(text.data());
  program.code_size = text.size();
  program.format = kFormat.data();
  program.format_size = kFormat.size();
}

std::string costs_text(const ProgramCosts& costs) {
  return fmt::format(
      "{:.0f} flops and {:.0f} bytes accessed (the body of a loop counts once)\n"
      "memory in bytes: arguments {}, outputs {} (of these {} in memory of donated arguments), temporary {}, "
      "code {}\n",
      costs.flops, costs.bytes_accessed, costs.argument_bytes, costs.output_bytes, costs.donated_bytes,
      costs.temporary_bytes, costs.code_bytes);
}

ProgramCosts costs_of(const Plugin& plugin, PJRT_Executable* program) {
  ProgramCosts costs;
  CallArguments<PJRT_Executable_GetCostAnalysis_Args> analysis;
  analysis->executable = program;
  if (plugin.try_call(&PJRT_Api::PJRT_Executable_GetCostAnalysis, analysis))
    for (std::size_t i = 0; i < analysis->num_properties; ++i) {
      const PJRT_NamedValue& value = analysis->properties[i];
      const std::string_view name(value.name, value.name_size);
      if (name == "flops") costs.flops = number(value);
      if (name == "bytes accessed") costs.bytes_accessed = number(value);
    }
  CallArguments<PJRT_Executable_GetCompiledMemoryStats_Args> memory;
  memory->executable = program;
  if (plugin.try_call(&PJRT_Api::PJRT_Executable_GetCompiledMemoryStats, memory)) {
    costs.code_bytes = memory->generated_code_size_in_bytes;
    costs.argument_bytes = memory->argument_size_in_bytes;
    costs.output_bytes = memory->output_size_in_bytes;
    costs.donated_bytes = memory->alias_size_in_bytes;
    costs.temporary_bytes = memory->temp_size_in_bytes;
  }
  return costs;
}

CompiledProgram compile(const Connection& connection, const std::string& name, const std::string& text,
                        const CompileOptions& options, const ExecutableCache& cache) {
  const auto start = std::chrono::steady_clock::now();
  CompileOptions all = options;
  if (connection.platform() == "cpu") {
    // Otherwise maximum and minimum lose a NaN in the second operand, which stop_on_nan must detect.
    all.xla_options.emplace_back("xla_cpu_enable_fast_min_max", "false");
    // Otherwise, on processors for which XLA prefers XNNPACK (Zen 4 is one), a dot keeps its second operand's
    // value from the first execution if that is a parameter: weights that are updated in place never seem to
    // change.
    all.xla_options.emplace_back("xla_cpu_use_xnnpack", "false");
  }
  for (auto& option : parse_xla_flags(Plugin::xla_flags())) all.xla_options.push_back(std::move(option));
  if (const std::string cuda = cuda_data_folder(connection.plugin().path()); !cuda.empty())
    all.xla_options.emplace_back("xla_gpu_cuda_data_dir", cuda);
  const std::string encoded = encode_compile_options(all);
  const std::string identity = cache.is_on() ? identity_of(connection, text, encoded) : "";
  CompiledProgram compiled;
  if (const std::optional<std::string> kept = cache.get(identity))
    compiled.executable = deserialize(connection, *kept);
  compiled.from_cache = static_cast<bool>(compiled.executable);
  if (!compiled.from_cache) {
    compiled.executable = compile_text(connection, name, text, encoded);
    if (cache.is_on())
      if (const std::string bytes = serialize(connection, compiled.executable); !bytes.empty())
        cache.put(identity, bytes);
  }
  compiled.costs = costs_of(connection.plugin(), program_of(connection, compiled.executable).get());
  if (connection.is_on_host())
    check_memory(CheckedSize(compiled.costs.temporary_bytes) + compiled.costs.output_bytes,
                 [&] { return fmt::format("[pjrt] what \"{}\" computes", name); });
  compiled.seconds = seconds_since(start);
  return compiled;
}

}  // namespace cornu::inline v0::backends::pjrt
