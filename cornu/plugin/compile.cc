#include <algorithm>
#include <cstring>
#include <functional>

#include "cornu/backends/pjrt/element_types.h"
#include "cornu/base/check.h"
#include "cornu/ops/custom_call/host_call.h"
#include "cornu/ops/parse.h"
#include "cornu/plugin/executable.h"
#include "cornu/transform/order_effects.h"
#include "cornu/transform/partition.h"
#include "cornu/transform/replicate.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/whole_windows.h"
#include "cornu/version.h"

namespace cornu::inline v0::plugin {
namespace {

// Limit of the literals of one repeated element. JAX writes arrays that a function captures as such literals,
// and its program comes from this process.
constexpr std::int64_t kMostSplatBytes = std::int64_t{1} << 34;
constexpr std::string_view kMagic = "Cornu PJRT program " CORNU_VERSION_STRING "\n";

TensorInfo info_of(const ir::TensorType& type) {
  return {
      .type = backends::pjrt::element_type(type.dtype), .dims = type.dims, .size_bytes = type.size_bytes()};
}

/// The name of the module, "jit_step", or of its entry.
std::string name_of(const ir::ParsedModule& parsed) {
  const ir::Attribute* const name = parsed.attributes.find("sym_name");
  const auto* const text = name == nullptr ? nullptr : std::get_if<std::string>(name);
  return text == nullptr ? parsed.entry().name : *text;
}

/// The kind of memory that a result is to be in.
std::size_t memory_kind_of(const ir::Attributes& attributes) {
  const ir::Attribute* const kind = attributes.find("mhlo.memory_kind");
  const auto* const name = kind == nullptr ? nullptr : std::get_if<std::string>(kind);
  if (name == nullptr) return 0;
  const auto found = std::find(kMemoryKinds.begin(), kMemoryKinds.end(), *name);
  if (found == kMemoryKinds.end())
    invalid_argument("[compile] there is no memory of kind \"{}\"; the kinds are {}", *name,
                     fmt::join(kMemoryKinds, ", "));
  return static_cast<std::size_t>(found - kMemoryKinds.begin());
}

void choose_devices(Program& program) {
  const CompileOptions& options = program.options;
  if (options.num_partitions != 1 && options.num_replicas != 1)
    fail(ErrorCode::kUnimplemented,
         "[compile] program \"{}\" is for {} replicas of {} partitions: Cornu runs replicas or partitions",
         program.name, options.num_replicas, options.num_partitions);
  for (std::int64_t i = 0; i < options.num_replicas * options.num_partitions; ++i) {
    const std::int64_t id = options.devices.empty() ? i : options.devices[static_cast<std::size_t>(i)];
    program.devices.push_back(program.client->find_device(static_cast<int>(id)));
  }
}

/// Ops of programs for several partitions.
const ir::OpDef* find_op_of_partitions(std::string_view full_name) {
  const ir::OpDef* const op = transform::find_sharding_op(full_name);
  return op != nullptr ? op : ops::find_full_name(full_name);
}

/// The engine's program for all devices; null if it is the program itself.
std::unique_ptr<ir::Function> fuse_devices(const ir::ParsedModule& parsed, Program& program) {
  const CompileOptions& options = program.options;
  if (options.num_replicas > 1) return transform::replicate(parsed.entry(), options.num_replicas);
  if (options.num_partitions == 1) return nullptr;
  transform::PartitionedProgram fused = transform::partition(parsed, options.num_partitions);
  program.parameter_shardings.assign(fused.arguments);
  program.result_shardings.assign(fused.results);
  return std::move(fused.function);
}

/// Donations to a result of other extents have no effect: an argument and a result may be cut differently.
void check_donations(Program& program) {
  for (std::size_t i = 0; i < program.donations.size(); ++i) {
    std::int64_t& donated = program.donations[i];
    if (donated == kNotDonated) continue;
    const TensorInfo &parameter = program.parameters[i],
                     &result = program.results[static_cast<std::size_t>(donated)];
    if (parameter.type != result.type || parameter.dims != result.dims) donated = kNotDonated;
  }
}

/// Adds the donations that the compiler may choose: arguments with jax.buffer_donor, for results of their type
/// that no other argument has.
void add_chosen_donations(const ir::ParsedModule& parsed, Program& program) {
  std::vector<bool> is_taken(program.results.size(), false);
  for (const std::int64_t result : program.donations)
    if (result != kNotDonated) is_taken[static_cast<std::size_t>(result)] = true;
  for (std::size_t i = 0; i < program.donations.size(); ++i) {
    const ir::Attribute* const donor = i < parsed.argument_attributes.size()
                                           ? parsed.argument_attributes[i].find("jax.buffer_donor")
                                           : nullptr;
    if (donor == nullptr || program.donations[i] != kNotDonated) continue;
    for (std::size_t r = 0; r < is_taken.size(); ++r) {
      const TensorInfo &parameter = program.parameters[i], &result = program.results[r];
      if (is_taken[r] || parameter.type != result.type || parameter.dims != result.dims) continue;
      program.donations[i] = static_cast<std::int64_t>(r);
      is_taken[r] = true;
      break;
    }
  }
}

/// Moves the results that are state to the front, in the order of their arguments, as the engine wants them, and
/// makes the frame of its operands. Returns the kinds of the arguments.
std::vector<runtime::ArgumentKind> arrange(Program& program, ir::Function& step) {
  const std::size_t num_parameters = program.parameters.size(), num_results = program.results.size();
  std::vector<runtime::ArgumentKind> kinds;
  std::vector<ir::Value> state, others;
  const auto results = step.body.results();
  program.outputs.assign(results.size(), 0);
  CallFrame& frame = program.frame;
  for (std::size_t i = 0; i < step.body.arguments().size(); ++i) {
    const std::int64_t donated = program.donations[i % num_parameters];
    const bool is_state = donated != kNotDonated;
    auto& views = is_state ? frame.state_views : frame.fixed_views;
    kinds.push_back(is_state ? runtime::ArgumentKind::kState : runtime::ArgumentKind::kFixed);
    program.positions.push_back(views.size());
    views.emplace_back(step.body.arguments()[i].type(), program.client->engine.get());
    if (!is_state) continue;
    const std::size_t result = i / num_parameters * num_results + static_cast<std::size_t>(donated);
    program.outputs[result] = kNotDonated;
    state.push_back(results[result]);
  }
  for (std::size_t r = 0; r < results.size(); ++r) {
    if (program.outputs[r] == kNotDonated) continue;
    program.outputs[r] = static_cast<std::int64_t>(others.size());
    others.push_back(results[r]);
  }
  for (runtime::HostView& view : frame.state_views) frame.state.push_back(&view);
  for (runtime::HostView& view : frame.fixed_views) frame.fixed.push_back(&view);
  frame.outputs.resize(others.size());
  state.insert(state.end(), others.begin(), others.end());
  step.body.set_results(std::move(state));
  return kinds;
}

PJRT_NamedValue cost(const char* name, double value) {
  PJRT_NamedValue named = {};
  named.struct_size = PJRT_NamedValue_STRUCT_SIZE;
  named.name = name;
  named.name_size = std::strlen(name);
  named.type = PJRT_NamedValue_kFloat;
  named.float_value = static_cast<float>(value);
  named.value_size = 1;
  return named;
}

void describe(Program& program) {
  for (const TensorInfo& result : program.results) program.new_bytes += result.size_bytes;
  for (std::size_t i = 0; i < program.donations.size(); ++i)
    if (program.donations[i] != kNotDonated) program.new_bytes -= program.parameters[i].size_bytes;
  double num_bytes = 0;
  for (const TensorInfo& parameter : program.parameters) {
    program.parameter_layouts.add(parameter.dims.size());
    num_bytes += static_cast<double>(parameter.size_bytes);
  }
  for (const TensorInfo& result : program.results) {
    program.output_layouts.add(result.dims.size());
    program.result_types.push_back(result.type);
    program.result_dims.insert(program.result_dims.end(), result.dims.begin(), result.dims.end());
    program.result_ranks.push_back(result.dims.size());
    program.memory_kinds.push_back(kMemoryKinds[result.memory_kind]);
    program.memory_kind_sizes.push_back(std::strlen(kMemoryKinds[result.memory_kind]));
    num_bytes += static_cast<double>(result.size_bytes);
  }
  program.costs = {cost("flops", program.engine->stats().flops), cost("bytes accessed", num_bytes)};
}

void append(std::string& bytes, std::string_view part) {
  const std::uint64_t size = part.size();
  bytes.append(reinterpret_cast<const char*>(&size), sizeof size).append(part);
}

std::string_view take(std::string_view& bytes) {
  std::uint64_t size = 0;
  if (bytes.size() >= sizeof size) std::memcpy(&size, bytes.data(), sizeof size);
  if (bytes.size() < sizeof size || size > bytes.size() - sizeof size)
    invalid_argument("[load] the serialized program is cut off: compile it again");
  const std::string_view part = bytes.substr(sizeof size, size);
  bytes.remove_prefix(sizeof size + size);
  return part;
}

}  // namespace

std::shared_ptr<Program> compile(PJRT_Client& client, std::string_view code, std::string_view options) {
  auto program = std::make_shared<Program>();
  program->options = parse_compile_options(options);
  const bool is_partitioned = program->options.num_partitions > 1;
  const ir::ParsedModule parsed =
      ops::parse_stablehlo(code, {.max_splat_bytes = kMostSplatBytes},
                           is_partitioned ? &find_op_of_partitions : &ops::find_full_name);
  program->name = name_of(parsed);
  program->client = &client;
  choose_devices(*program);
  program->source = kMagic;
  append(program->source, options);
  append(program->source, code);
  program->fingerprint = fmt::format("{:016x}", std::hash<std::string>()(program->source));
  const std::unique_ptr<ir::Function> fused = fuse_devices(parsed, *program);
  ir::Function* step = fused != nullptr ? fused.get() : &parsed.entry();
  const std::unique_ptr<ir::Function> whole_windows = transform::skip_partial_windows(*step);
  if (whole_windows != nullptr) step = whole_windows.get();
  const std::unique_ptr<ir::Function> ordered = transform::order_effects(*step);
  if (ordered != nullptr) step = ordered.get();
  const ir::Block& entry = parsed.entry().body;
  // The first device's are the first ones.
  for (const ir::Value& argument : step->body.arguments().first(entry.arguments().size()))
    program->parameters.push_back(info_of(argument.type()));
  for (const ir::Value& result : step->body.results().first(entry.results().size()))
    program->results.push_back(info_of(result.type()));
  for (std::size_t r = 0; r < std::min(program->results.size(), parsed.result_attributes.size()); ++r)
    program->results[r].memory_kind = memory_kind_of(parsed.result_attributes[r]);
  program->donations = parsed.donations();
  check_donations(*program);
  add_chosen_donations(parsed, *program);
  runtime::StepProgram whole;
  whole.step = step;
  whole.name = program->name;
  whole.precision = client.precision;
  whole.arguments = arrange(*program, *step);
  if (ordered != nullptr) program->frame.outputs.back() = &program->token;
  program->calls_host = transform::has_op(step->body, &ops::is_host_call);
  program->engine = client.engine->compile(whole);
  describe(*program);
  return program;
}

std::string_view code_of(const Program& program) {
  std::string_view source = program.source;
  source.remove_prefix(kMagic.size());
  take(source);  // options
  return take(source);
}

std::string serialize(const Program& program) {
  std::string bytes = program.source;
  const std::string key = program.engine->dump("cache_key");
  append(bytes, key);
  append(bytes, key.empty() ? "" : program.client->code_cache.get(key).value_or(""));
  return bytes;
}

std::shared_ptr<Program> load(PJRT_Client& client, std::string_view serialized) {
  if (!serialized.starts_with(kMagic))
    invalid_argument("[load] this is no program that Cornu {} has serialized: compile it again",
                     CORNU_VERSION_STRING);
  serialized.remove_prefix(kMagic.size());
  const std::string_view options = take(serialized), code = take(serialized);
  const std::string key(take(serialized));
  const std::string_view machine_code = take(serialized);
  if (!machine_code.empty() && !client.code_cache.get(key).has_value())
    client.code_cache.put(key, machine_code);
  return compile(client, code, options);
}

}  // namespace cornu::inline v0::plugin
