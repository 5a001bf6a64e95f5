#include "cornu/tensor/trace/variable_parts.h"

#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::detail {
namespace {

/// Positions of a part's elements in the whole value: `count` runs of consecutive bytes.
struct PartLayout {
  std::size_t count, length, whole_stride, part_stride, first;

  PartLayout(const Variable& variable, const VariableParts& parts, std::size_t index) {
    const TensorType& type = variable.type();
    const auto axis = static_cast<std::size_t>(parts.axis);
    std::size_t inner = type.size_bytes() == 0 ? 0 : ir::size_bytes(type.dtype);
    for (std::size_t d = axis + 1; d < type.dims.size(); ++d) inner *= static_cast<std::size_t>(type.dims[d]);
    count = 1;
    for (std::size_t d = 0; d < axis; ++d) count *= static_cast<std::size_t>(type.dims[d]);
    const auto number = static_cast<std::int64_t>(index);
    length = static_cast<std::size_t>(parts.extent.size(number)) * inner;
    first = static_cast<std::size_t>(parts.extent.begin(number)) * inner;
    whole_stride = static_cast<std::size_t>(parts.extent.num_rows) * inner;
    part_stride = static_cast<std::size_t>(parts.extent.part_size()) * inner;
  }
};

void copy_runs(const PartLayout& layout, std::byte* to, std::size_t to_stride, const std::byte* from,
               std::size_t from_stride) {
  if (layout.length == 0) return;
  for (std::size_t i = 0; i < layout.count; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, layout.length);
}

/// The bytes of a value that the host can address.
const std::byte* host_bytes_of(const SeenValue& seen) {
  if (seen.literal != nullptr) return seen.literal->bytes().data();
  return seen.number.has_value() ? reinterpret_cast<const std::byte*>(&*seen.number) : seen.bytes.get();
}

/// Refuses strategies whose replicas do not share one program of one client.
void check_can_cut(const ReplicaSet& replicas, const Variable& variable, const std::string& what) {
  const bool is_fused = replicas.num_program_replicas() == 1;
  const DeviceScope scope(replicas.devices[0]);
  const bool is_one_client =
      is_fused && current_placement().client() == placement_of(replicas.device).client();
  if (is_one_client) return;
  fail(ErrorCode::kUnimplemented, {.argument = "sharding"},
       "[{}] {} of \"{}\" needs replicas on virtual CPUs or on the cores of a simulated device, of one "
       "process; in several processes, on workers and on devices of a plug-in use sharding = \"replicated\"",
       replicas.strategy, what, printable(variable.path()));
}

/// The device of a part, as an index in the client's devices.
int core_of_part(const ReplicaSet& replicas, std::int64_t part, std::int64_t num_parts) {
  const auto replica = static_cast<std::size_t>(part * replicas.num_replicas / num_parts);
  const DeviceScope scope(replicas.devices[replica]);
  return current_placement().device();
}

/// Makes the parts of a variable whose value is still in host memory.
void make_parts(const Variable& variable, std::shared_ptr<VariableParts> parts, std::span<const int> cores) {
  Variable::State& state = variable.state();
  const VariableWatcherScope unwatched(nullptr);
  const TensorType type = parts->type_of(state.type, 1);
  std::vector<Variable> made;
  state.parts = parts;  // part_of_value needs it
  for (std::size_t i = 0; i < cores.size(); ++i) {
    VariableOptions options{
        .name = state.name, .path = fmt::format("{} (part {})", state.path, i), .trainable = false};
    made.push_back(
        state.host_value == nullptr
            ? zero_variable(type, std::move(options))
            : Variable(part_of_value(variable, state.host_value->bytes().data(), i), std::move(options)));
    Variable::State& part = made.back().state();
    part.core = cores[i];
    part.device = state.device;
    part.replicas = state.replicas;
  }
  parts->all = std::move(made);
  state.host_value.reset();
}

}  // namespace

TensorType VariableParts::type_of(const TensorType& whole, std::int64_t num_parts) const {
  TensorType type = whole;
  type.dims[static_cast<std::size_t>(axis)] = extent.part_size() * num_parts;
  return type;
}

std::uint64_t num_claims_of(const Variable& variable) {
  std::uint64_t count = variable.state().num_claims;
  if (const VariableParts* const parts = parts_of(variable))
    for (const Variable& part : parts->all) count += part.state().num_claims;
  return count;
}

void cut(const Variable& variable, std::int64_t axis, const std::string& what) {
  const std::shared_ptr<const ReplicaSet>& replicas = current_replica_set();
  if (replicas == nullptr || (replicas->num_parts() == 1 && !replicas->has_device_group)) return;
  check_can_cut(*replicas, variable, what);
  const std::int64_t num_parts = replicas->num_parts();
  auto parts = std::make_shared<VariableParts>();
  parts->axis = axis;
  parts->extent = {.num_rows = variable.shape()[static_cast<std::size_t>(axis)], .num_parts = num_parts};
  std::vector<int> cores;
  for (std::int64_t i = 0; i < num_parts; ++i) cores.push_back(core_of_part(*replicas, i, num_parts));
  make_parts(variable, std::move(parts), cores);
}

void cut_like(const Variable& made, const Variable& like) {
  const VariableParts* const known = parts_of(like);
  if (known == nullptr) return;
  CORNU_CHECK(made.shape() == like.shape(), "\"{}\" cannot be cut like \"{}\"", made.path(), like.path());
  auto parts = std::make_shared<VariableParts>();
  parts->axis = known->axis;
  parts->extent = known->extent;
  std::vector<int> cores;
  for (const Variable& part : known->all) cores.push_back(part.state().core);
  make_parts(made, std::move(parts), cores);
}

std::int64_t num_replicas_with_parts(const Variable& variable) {
  const Trace* const trace = Trace::current();
  return trace == nullptr || parts_of(variable) == nullptr ? 1 : trace->num_replicas_with_parts();
}

TensorType type_here(const Variable& variable) {
  const std::int64_t num_replicas = num_replicas_with_parts(variable);
  if (num_replicas == 1) return variable.type();
  const VariableParts& parts = *parts_of(variable);
  return parts.type_of(variable.type(), parts.extent.num_parts / num_replicas);
}

std::vector<SeenValue> seen_parts(const VariableParts& parts) {
  std::vector<SeenValue> seen;
  for (const Variable& part : parts.all) {
    const std::lock_guard one(part.state().lock);
    seen.push_back(part.state().seen());
  }
  return seen;
}

void join_parts(const Variable& variable, std::span<const SeenValue> seen, std::byte* to) {
  const VariableParts& parts = *parts_of(variable);
  std::map<runtime::Client*, std::vector<runtime::Read>> reads;
  std::vector<std::vector<std::byte>> staged(seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].buffer == nullptr) continue;
    staged[i].resize(seen[i].buffer->type().size_bytes());
    reads[seen[i].client.get()].push_back({seen[i].buffer.get(), staged[i].data()});
  }
  try {
    for (const auto& [client, of_client] : reads) client->read(of_client);
  } catch (const Error& error) {
    throw error.with(
        {.op = "variable", .notes = fmt::format("variable \"{}\" cannot be read", variable.path())});
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const PartLayout layout(variable, parts, i);
    const std::byte* const from = seen[i].buffer != nullptr ? staged[i].data() : host_bytes_of(seen[i]);
    copy_runs(layout, to + layout.first, layout.whole_stride, from, layout.part_stride);
  }
}

void read_parts(const Variable& variable, std::byte* to) {
  std::vector<SeenValue> seen;
  {
    std::unique_lock all(Variable::State::mutex());
    wait_for_claims(all, {&variable, 1}, Access::kRead);
    seen = seen_parts(*parts_of(variable));
  }
  join_parts(variable, seen, to);
}

ir::Literal part_of_value(const Variable& variable, const std::byte* whole, std::size_t index) {
  const VariableParts& parts = *parts_of(variable);
  ir::Literal part(parts.type_of(variable.type(), 1));
  const PartLayout layout(variable, parts, index);
  copy_runs(layout, part.mutable_bytes().data(), layout.part_stride, whole + layout.first,
            layout.whole_stride);
  return part;
}

void write_parts(const Variable& variable, const std::byte* whole) {
  VariableUpdate update;
  update.set_whole(variable, whole);
  update.commit();
}

}  // namespace cornu::inline v0::detail
