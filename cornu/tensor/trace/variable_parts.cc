#include "cornu/tensor/trace/variable_parts.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/device_group.h"
#include "cornu/tensor/trace/table_pool.h"
#include "cornu/tensor/trace/trace.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::detail {
namespace {

/// The number of indices that are dealt to the parts [begin, end).
std::int64_t num_dealt(const runtime::Partition& extent, std::int64_t begin, std::int64_t end) {
  return extent.num_rows / extent.num_parts * (end - begin) +
         std::clamp<std::int64_t>(extent.num_rows % extent.num_parts - begin, 0, end - begin);
}

/// Positions of a part's elements in the whole value: `count` runs of consecutive bytes.
struct PartLayout {
  std::size_t count, length, whole_stride, part_stride;
  std::size_t first;           // in the whole value
  std::size_t part_first = 0;  // in the part
  std::size_t part_bytes;

  /// `number`: among the parts of all processes.
  PartLayout(const Variable& variable, const VariableParts& parts, std::int64_t number) {
    const TensorType& type = variable.type();
    const auto axis = static_cast<std::size_t>(parts.axis);
    std::size_t inner = type.size_bytes() == 0 ? 0 : ir::size_bytes(type.dtype);
    for (std::size_t d = axis + 1; d < type.dims.size(); ++d) inner *= static_cast<std::size_t>(type.dims[d]);
    if (parts.is_dealt) {
      deal(parts, number, inner);
      return;
    }
    count = 1;
    for (std::size_t d = 0; d < axis; ++d) count *= static_cast<std::size_t>(type.dims[d]);
    part_stride = static_cast<std::size_t>(parts.extent.part_size()) * inner;
    part_bytes = count * part_stride;
    if (parts.place.has_value()) {
      first = 0;
      whole_stride = static_cast<std::size_t>(parts.place->num_rows) * inner;
      length = number == parts.place->part ? whole_stride : 0;
      part_first = static_cast<std::size_t>(parts.place->begin) * inner;
      return;
    }
    length = static_cast<std::size_t>(parts.extent.size(number)) * inner;
    first = static_cast<std::size_t>(parts.extent.begin(number)) * inner;
    whole_stride = static_cast<std::size_t>(parts.extent.num_rows) * inner;
  }

 private:
  /// A run for each index, of `inner` bytes.
  void deal(const VariableParts& parts, std::int64_t number, std::size_t inner) {
    count = static_cast<std::size_t>(num_dealt(parts.extent, number, number + 1));
    length = inner;
    first = static_cast<std::size_t>(number) * inner;
    whole_stride = static_cast<std::size_t>(parts.extent.num_parts) * inner;
    part_stride = inner;
    part_bytes = static_cast<std::size_t>(parts.extent.part_size()) * inner;
  }
};

void copy_runs(const PartLayout& layout, std::byte* to, std::size_t to_stride, const std::byte* from,
               std::size_t from_stride) {
  if (layout.length == 0) return;
  for (std::size_t i = 0; i < layout.count; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, layout.length);
}

/// Copies `piece`, the bytes of a part from `begin` on, to their positions in the whole value.
void copy_piece(const PartLayout& layout, std::size_t begin, std::span<const std::byte> piece,
                std::byte* whole) {
  const std::size_t end = begin + piece.size();
  if (layout.length == 0 || piece.empty()) return;
  for (std::size_t run = begin / layout.part_stride; run < layout.count && run * layout.part_stride < end;
       ++run) {
    const std::size_t start = run * layout.part_stride, from = std::max(begin, start),
                      to = std::min(end, start + layout.length);
    if (from < to)
      std::memcpy(whole + layout.first + run * layout.whole_stride + (from - start),
                  piece.data() + (from - begin), to - from);
  }
}

constexpr std::size_t kPieceBytes = 16 << 20;  // of a message

/// The processes that have parts of the variable, after they have agreed to read it.
std::shared_ptr<runtime::Collective> processes_that_read(const Variable& variable) {
  const VariableParts& parts = *parts_of(variable);
  const std::shared_ptr<runtime::Collective> processes = runtime::joined_processes();
  CORNU_CHECK(processes != nullptr && processes->size() == parts.num_processes(), "parts in {} processes",
              parts.num_processes());
  processes->require_same("the sharded variable that they read (all ranks must read it together)",
                          std::hash<std::string_view>()(variable.path()));
  return processes;
}

/// Sends this process's parts, `own`, one after the other, to the processes that need the whole value.
void join_of_processes(const Variable& variable, std::span<const std::byte> own, std::byte* to, WholeAt at) {
  const VariableParts& parts = *parts_of(variable);
  const std::shared_ptr<runtime::Collective> processes = processes_that_read(variable);
  const auto count = static_cast<std::size_t>(processes->size()), here = parts.here.size();
  const std::size_t part_bytes = own.size() / here, num_pieces = (part_bytes + kPieceBytes - 1) / kPieceBytes;
  std::vector<std::byte> staged(to == nullptr ? 0 : count * std::min(part_bytes, kPieceBytes));
  std::vector<std::span<const std::byte>> out(count);
  std::vector<std::span<std::byte>> in(count);
  for (std::size_t i = 0; i < here * num_pieces; ++i) {
    const std::size_t part = i / num_pieces, begin = i % num_pieces * kPieceBytes;
    const std::span<const std::byte> piece =
        own.subspan(part * part_bytes + begin, std::min(kPieceBytes, part_bytes - begin));
    for (std::size_t rank = 0; rank < count; ++rank) {
      if (rank == 0 || at == WholeAt::kAllProcesses) out[rank] = piece;
      if (to != nullptr) in[rank] = {staged.data() + rank * piece.size(), piece.size()};
    }
    processes->all_to_all(out, in);
    for (std::size_t rank = 0; rank < count && to != nullptr; ++rank)
      copy_piece(PartLayout(variable, parts, static_cast<std::int64_t>(rank * here + part)), begin, in[rank],
                 to);
  }
}

/// Sends a table of a pool from the process that has it, of which `part` is the part with the table, to the
/// processes that need it.
void join_table_of_processes(const Variable& variable, const std::byte* part, std::byte* to, WholeAt at) {
  const VariableParts& parts = *parts_of(variable);
  const std::shared_ptr<runtime::Collective> processes = processes_that_read(variable);
  const PartLayout layout(variable, parts, parts.place->part);
  const auto owner = static_cast<std::size_t>(parts.place->part) / parts.here.size();
  std::vector<std::span<const std::byte>> out(static_cast<std::size_t>(processes->size()));
  std::vector<std::span<std::byte>> in(out.size());
  for (std::size_t begin = 0; begin < layout.length; begin += kPieceBytes) {
    const std::size_t size = std::min(kPieceBytes, layout.length - begin);
    for (std::size_t rank = 0; part != nullptr && rank < out.size(); ++rank)
      if (rank == 0 || at == WholeAt::kAllProcesses) out[rank] = {part + layout.part_first + begin, size};
    if (to != nullptr) in[owner] = {to + begin, size};
    processes->all_to_all(out, in);
  }
}

/// The bytes of a value that the host can address.
const std::byte* host_bytes_of(const SeenValue& seen) {
  if (seen.literal != nullptr) return seen.literal->bytes().data();
  return seen.number.has_value() ? reinterpret_cast<const std::byte*>(&*seen.number) : seen.bytes.get();
}

/// Refuses strategies whose replicas neither share one program of one client nor are a group of this process's
/// devices.
void check_can_cut(const ReplicaSet& replicas, const Variable& variable, const std::string& what) {
  const DeviceScope scope(replicas.devices[0]);
  const bool can_cut = replicas.has_device_group
                           ? replicas.num_processes == 1
                           : current_placement().client() == placement_of(replicas.device).client();
  if (can_cut) return;
  fail(ErrorCode::kUnimplemented, {.argument = "sharding"},
       "[{}] {} of \"{}\" is not supported on {}: keep the variable whole (sharding = \"replicated\", or no "
       "layout for it)",
       replicas.strategy, what, printable(variable.path()),
       replicas.has_device_group ? "devices of a plug-in in several processes"
                                 : "cores that a worker simulates");
}

/// The device of a part of this process, as an index in the client's devices.
int core_of_part(const ReplicaSet& replicas, std::int64_t part, std::int64_t num_parts_here) {
  const auto replica = static_cast<std::size_t>(part * replicas.num_replicas_here() / num_parts_here);
  const DeviceScope scope(replicas.devices[replica]);
  return current_placement().device();
}

/// Makes the parts of a variable whose value is still in host memory. On a group of devices zeros are one
/// value for all, until a program or an assignment writes them; other values are sent to the devices now.
void make_parts(const Variable& variable, std::shared_ptr<VariableParts> parts, std::span<const int> cores) {
  Variable::State& state = variable.state();
  const VariableWatcherScope unwatched(nullptr);
  const TensorType type = parts->type_of(state.type, 1);
  const std::shared_ptr<const ir::Literal> value = std::exchange(state.host_value, nullptr);
  std::vector<Variable> made;
  state.parts = parts;  // part_of_value needs it
  for (std::size_t i = 0; i < cores.size(); ++i) {
    VariableOptions options{
        .name = state.name,
        .path = fmt::format("{} (part {})", state.path, parts->first + static_cast<std::int64_t>(i)),
        .trainable = false};
    made.push_back(value == nullptr || parts->group != nullptr
                       ? zero_variable(type, std::move(options))
                       : Variable(part_of_value(variable, value->bytes().data(), i), std::move(options)));
    Variable::State& part = made.back().state();
    part.core = cores[i];
    part.device = state.device;
    part.replicas = state.replicas;
    part.is_table = state.is_table;
  }
  parts->here = std::move(made);
  if (value != nullptr && parts->group != nullptr) write_parts(variable, value->bytes().data());
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
    for (const Variable& part : parts->here) count += part.state().num_claims;
  return count;
}

bool spans_processes(const Variable& variable) {
  const VariableParts* const parts = parts_of(variable);
  return parts != nullptr && parts->num_processes() > 1;
}

std::vector<Variable> stored_here(std::span<const Variable> variables) {
  std::vector<Variable> stored;
  for (const Variable& variable : variables)
    if (spans_processes(variable))
      stored.insert(stored.end(), parts_of(variable)->here.begin(), parts_of(variable)->here.end());
    else
      stored.push_back(variable);
  return stored;
}

void cut(const Variable& variable, std::int64_t axis, const std::string& what, ValueInReplica in_replica,
         PartIndices indices) {
  const std::shared_ptr<const ReplicaSet>& replicas = current_replica_set();
  if (replicas == nullptr || (replicas->num_parts() == 1 && !replicas->has_device_group)) return;
  check_can_cut(*replicas, variable, what);
  const std::int64_t num_parts = replicas->num_parts();
  auto parts = std::make_shared<VariableParts>();
  parts->axis = axis;
  parts->gathers = in_replica == ValueInReplica::kWhole;
  parts->is_dealt = indices == PartIndices::kDealt;
  CORNU_CHECK(!parts->is_dealt || (axis == 0 && !parts->gathers), "dealt parts along axis {}", axis);
  parts->extent = {.num_rows = variable.shape()[static_cast<std::size_t>(axis)], .num_parts = num_parts};
  std::vector<int> cores;
  if (replicas->has_device_group) {
    parts->group = placement_of(replicas->device).client();
    cores = {0};  // a group's only device
  } else {
    const std::int64_t num_here = num_parts / replicas->num_processes;
    parts->first = replicas->process * num_here;
    for (std::int64_t i = 0; i < num_here; ++i) cores.push_back(core_of_part(*replicas, i, num_here));
  }
  make_parts(variable, std::move(parts), cores);
}

namespace {
thread_local bool reads_own_parts = false;
}  // namespace

OwnPartsScope::OwnPartsScope() : before_(std::exchange(reads_own_parts, true)) {}
OwnPartsScope::~OwnPartsScope() { reads_own_parts = before_; }

Tensor value_in_replica(const Variable& variable, const Tensor& held) {
  const VariableParts* const parts = parts_of(variable);
  if (parts == nullptr || !parts->gathers || reads_own_parts || num_replicas_with_parts(variable) == 1)
    return held;
  const Tensor all = all_gather(held, parts->axis);
  Trace& trace = *Trace::current();
  return trace.tensor(range_of(trace.builder(), trace.value_of(all), parts->axis, 0, parts->extent.num_rows));
}

bool may_be_cut(const Variable& variable) {
  const Variable::State& state = variable.state();
  const std::lock_guard all(Variable::State::mutex());
  return state.parts == nullptr && state.storage == nullptr && state.copies.empty() &&
         state.versions.empty() && state.num_claims == 0;
}

void cut_like(const Variable& made, const Variable& like) {
  const VariableParts* const known = parts_of(like);
  if (known == nullptr) {
    if (like.is_table()) like.state().num_claims.fetch_add(1);  // the optimizer's: see may_be_cut
    return;
  }
  CORNU_CHECK(made.shape() == like.shape(), "\"{}\" cannot be cut like \"{}\"", made.path(), like.path());
  auto parts = std::make_shared<VariableParts>();
  parts->axis = known->axis;
  parts->extent = known->extent;
  parts->is_dealt = known->is_dealt;
  parts->first = known->first;
  parts->group = known->group;
  std::vector<int> cores;
  for (const Variable& part : known->here) cores.push_back(part.state().core);
  make_parts(made, std::move(parts), cores);
  if (is_pool(like)) make_tables_like(made, like);
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
  for (const Variable& part : parts.here) {
    const std::lock_guard one(part.state().lock);
    seen.push_back(part.state().seen());
  }
  return seen;
}

namespace {

/// The bytes of each part on a group of devices.
std::vector<const std::byte*> bytes_on_group(const VariableParts& parts, const SeenValue& seen,
                                             std::vector<std::vector<std::byte>>& staged) {
  if (seen.buffer == nullptr)  // one value for all: zeros that no program has written yet
    return std::vector<const std::byte*>(parts.num_here(), host_bytes_of(seen));
  std::vector<const std::byte*> bytes;
  std::vector<runtime::MemberRead> reads;
  staged.resize(parts.num_here());
  for (std::vector<std::byte>& one : staged) {
    one.resize(seen.buffer->type().size_bytes());
    reads.push_back({seen.buffer.get(), static_cast<std::int64_t>(reads.size()), one.data()});
    bytes.push_back(one.data());
  }
  const double start = parts.group->now();
  runtime::device_group(parts.group.get())->read_members(reads);
  const auto count = static_cast<std::int64_t>(reads.size());
  parts.group->note(&runtime::TransferStatistics::reads,
                    {.calls = 1,
                     .items = count,
                     .bytes = count * static_cast<std::int64_t>(seen.buffer->type().size_bytes()),
                     .seconds = parts.group->now() - start});
  return bytes;
}

/// The bytes of each variable of `here`: in the host's memory, or in `staged` after they were read.
std::vector<const std::byte*> bytes_of_variables(std::span<const SeenValue> seen,
                                                 std::vector<std::vector<std::byte>>& staged) {
  std::vector<const std::byte*> bytes;
  std::map<runtime::Client*, std::vector<runtime::Read>> reads;
  staged.resize(seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i].buffer != nullptr) {
      staged[i].resize(seen[i].buffer->type().size_bytes());
      reads[seen[i].client.get()].push_back({seen[i].buffer.get(), staged[i].data()});
    }
    bytes.push_back(seen[i].buffer != nullptr ? staged[i].data() : host_bytes_of(seen[i]));
  }
  for (const auto& [client, of_client] : reads) client->read(of_client);
  return bytes;
}

/// The bytes of each part of this process, of which `seen` are the variables' values.
std::vector<const std::byte*> bytes_of_parts(const Variable& variable, std::span<const SeenValue> seen,
                                             std::vector<std::vector<std::byte>>& staged) {
  const VariableParts& parts = *parts_of(variable);
  try {
    return parts.group == nullptr ? bytes_of_variables(seen, staged) : bytes_on_group(parts, seen[0], staged);
  } catch (const Error& error) {
    throw error.with(
        {.op = "variable", .notes = fmt::format("variable \"{}\" cannot be read", variable.path())});
  }
}

std::vector<SeenValue> seen_now(const Variable& variable) {
  std::unique_lock all(Variable::State::mutex());
  wait_for_claims(all, {&variable, 1}, Access::kRead);
  return seen_parts(*parts_of(variable));
}

}  // namespace

void join_parts(const Variable& variable, std::span<const SeenValue> seen, std::byte* to, WholeAt at) {
  const VariableParts& parts = *parts_of(variable);
  std::vector<std::vector<std::byte>> staged;
  const std::vector<const std::byte*> bytes = bytes_of_parts(variable, seen, staged);
  if (parts.num_processes() == 1) {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const PartLayout layout(variable, parts, static_cast<std::int64_t>(i));
      copy_runs(layout, to + layout.first, layout.whole_stride, bytes[i] + layout.part_first,
                layout.part_stride);
    }
    return;
  }
  if (parts.place.has_value()) {
    const std::int64_t index = parts.place->part - parts.first;
    const bool is_here = index >= 0 && index < static_cast<std::int64_t>(bytes.size());
    return join_table_of_processes(variable, is_here ? bytes[static_cast<std::size_t>(index)] : nullptr, to,
                                   at);
  }
  const std::size_t part_bytes = PartLayout(variable, parts, 0).part_bytes;
  if (bytes.size() == 1) return join_of_processes(variable, {bytes[0], part_bytes}, to, at);
  std::vector<std::byte> own(bytes.size() * part_bytes);
  for (std::size_t i = 0; i < bytes.size() && part_bytes > 0; ++i)
    std::memcpy(own.data() + i * part_bytes, bytes[i], part_bytes);
  join_of_processes(variable, own, to, at);
}

std::vector<ir::Literal> present_parts(const Variable& variable, std::span<const std::size_t> indices) {
  std::vector<std::vector<std::byte>> staged;
  const std::vector<SeenValue> seen = seen_now(variable);
  const std::vector<const std::byte*> bytes = bytes_of_parts(variable, seen, staged);
  std::vector<ir::Literal> values;
  for (const std::size_t index : indices) {
    ir::Literal& value = values.emplace_back(parts_of(variable)->type_of(variable.type(), 1));
    if (value.type().size_bytes() > 0)
      std::memcpy(value.mutable_bytes().data(), bytes[index], value.type().size_bytes());
  }
  return values;
}

void read_parts(const Variable& variable, std::byte* to) { join_parts(variable, seen_now(variable), to); }

ir::Literal part_of_value(const Variable& variable, const std::byte* whole, std::size_t index) {
  const VariableParts& parts = *parts_of(variable);
  CORNU_CHECK(!parts.place.has_value(), "\"{}\" has rows of a part only", variable.path());
  ir::Literal part(parts.type_of(variable.type(), 1));
  const PartLayout layout(variable, parts, parts.first + static_cast<std::int64_t>(index));
  copy_runs(layout, part.mutable_bytes().data(), layout.part_stride, whole + layout.first,
            layout.whole_stride);
  return part;
}

void write_parts(const Variable& variable, const std::byte* whole) {
  VariableUpdate update;
  update.set_whole(variable, whole);
  update.commit();
}

OwnRange own_range(const Variable& variable) {
  const VariableParts& parts = *parts_of(variable);
  if (parts.place.has_value()) {
    const std::int64_t index = parts.place->part - parts.first;
    const bool is_here = index >= 0 && index < static_cast<std::int64_t>(parts.num_here());
    const std::int64_t count = is_here ? parts.place->num_rows : 0;
    return {.end = count, .count = count};
  }
  const std::int64_t first = parts.first, end = first + static_cast<std::int64_t>(parts.here.size());
  if (parts.is_dealt)
    return {.begin = first,
            .end = end,
            .modulo = parts.extent.num_parts,
            .count = num_dealt(parts.extent, first, end)};
  OwnRange range{.begin = parts.extent.begin(first), .end = parts.extent.end(end - 1)};
  range.count = range.end - range.begin;
  return range;
}

namespace {

/// Calls copy(layout of a part, the part's index, the address of its first element in a value of own_range(),
/// the distance of its runs there).
template <typename F>
void for_each_own_part(const Variable& variable, F&& copy) {
  const VariableParts& parts = *parts_of(variable);
  const PartLayout origin(variable, parts, parts.first);
  const std::size_t unit = parts.extent.part_size() == 0
                               ? 0
                               : origin.part_stride / static_cast<std::size_t>(parts.extent.part_size());
  const OwnRange range = own_range(variable);
  const std::size_t stride =
      parts.is_dealt ? origin.length * parts.here.size() : static_cast<std::size_t>(range.count) * unit;
  for (std::size_t i = 0; i < parts.here.size(); ++i) {
    const PartLayout layout(variable, parts, parts.first + static_cast<std::int64_t>(i));
    if (layout.length > 0) copy(layout, i, layout.first - origin.first, stride);
  }
}

TensorType own_type(const Variable& variable) {
  TensorType type = variable.type();
  type.dims[static_cast<std::size_t>(parts_of(variable)->axis)] = own_range(variable).count;
  return type;
}

}  // namespace

Tensor own_value(const Variable& variable) {
  const VariableParts& parts = *parts_of(variable);
  const TensorType type = own_type(variable);
  const bool is_whole_part = !parts.place.has_value() && parts.here.size() == 1;
  if (is_whole_part && type == parts.type_of(variable.type(), 1)) return host_value(parts.here[0]);  // shared
  std::vector<std::vector<std::byte>> staged;
  const std::vector<SeenValue> seen = seen_now(variable);
  const std::vector<const std::byte*> bytes = bytes_of_parts(variable, seen, staged);
  ir::Literal value(type);
  for_each_own_part(variable,
                    [&](const PartLayout& layout, std::size_t i, std::size_t at, std::size_t stride) {
                      copy_runs(layout, value.mutable_bytes().data() + at, stride,
                                bytes[i] + layout.part_first, layout.part_stride);
                    });
  return Tensor(std::move(value));
}

void load_own_value(const Variable& variable, const Tensor& value) {
  const VariableParts& parts = *parts_of(variable);
  CORNU_CHECK(value.type() == own_type(variable), "a part of \"{}\"", variable.path());
  if (parts.place.has_value()) {
    if (value.type() == variable.type()) write_parts(variable, value.bytes());
    return;
  }
  std::vector<ir::Literal> values(parts.here.size(), ir::Literal(parts.type_of(variable.type(), 1)));
  for_each_own_part(
      variable, [&](const PartLayout& layout, std::size_t i, std::size_t at, std::size_t stride) {
        copy_runs(layout, values[i].mutable_bytes().data(), layout.part_stride, value.bytes() + at, stride);
      });
  VariableUpdate update;
  update.set_parts(variable, [&](std::size_t i) { return std::move(values[i]); });
  update.commit();
}

}  // namespace cornu::inline v0::detail
