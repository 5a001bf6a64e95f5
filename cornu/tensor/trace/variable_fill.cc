#include "cornu/tensor/trace/variable_fill.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "cornu/base/checked_size.h"
#include "cornu/runtime/device_group.h"
#include "cornu/runtime/process_memory.h"
#include "cornu/tensor/trace/table_pool.h"
#include "cornu/tensor/trace/variable_claim.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/trace/variable_storage.h"
#include "cornu/tensor/trace/variable_watcher.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::detail {

Variable zero_variable(const TensorType& type, VariableOptions options) {
  ir::check_type(type);
  check_memory(type.size_bytes(), [&] { return type.str(); });
  Variable variable(ir::Literal(TensorType{type.dtype, {0}}), std::move(options));
  Variable::State& state = variable.state();
  state.type = type;
  state.host_value.reset();
  return variable;
}

Variable stored_variable(std::shared_ptr<runtime::Client> client, std::unique_ptr<runtime::Buffer> buffer,
                         std::shared_ptr<const VariableStorage> storage, VariableOptions options) {
  Variable variable(ir::Literal(TensorType{buffer->type().dtype, {0}}), std::move(options));
  Variable::State& state = variable.state();
  state.type = buffer->type();
  state.host_value.reset();
  state.storage = std::move(storage);
  auto copy = std::make_unique<Variable::State::Copy>();
  copy->client = std::move(client);
  copy->buffer = std::move(buffer);
  state.copies.push_back(std::move(copy));
  state.authority.store(state.copies.back().get(), std::memory_order_release);
  return variable;
}

void VariableUpdate::stage(const Variable& variable, std::unique_ptr<Variable::State::Copy> copy,
                           std::shared_ptr<const ir::Literal> literal,
                           std::shared_ptr<const std::byte> stored) {
  copies_.push_back(std::move(copy));
  literals_.push_back(std::move(literal));
  stored_.push_back(std::move(stored));
  variables_.push_back(variable);
}

void VariableUpdate::set(const Variable& variable, const Tensor& value) {
  Variable::State& state = variable.state();
  const std::byte* const bytes = value.bytes();
  if (parts_of(variable) != nullptr) return set_whole(variable, bytes);
  if (state.storage != nullptr)
    return stage(variable, nullptr, nullptr, {std::make_shared<const Tensor>(value), bytes});
  auto copy = std::make_unique<Variable::State::Copy>();
  int device = 0;
  {
    const std::lock_guard lock(state.lock);
    if (state.is_in_host_buffer()) {
      const Variable::State::Copy& now = *state.authority.load(std::memory_order_acquire);
      copy->client = now.client;
      device = now.buffer->device();
    }
  }
  if (copy->client == nullptr)
    return stage(variable, nullptr, std::make_shared<const ir::Literal>(value.literal()), nullptr);
  const runtime::ProcessMemoryScope scope(state.is_read_by_processes());
  copy->buffer = copy->client->allocate(state.type, device);
  copy->buffer->copy_from_host(bytes);
  stage(variable, std::move(copy), nullptr, nullptr);
}

void VariableUpdate::set_whole(const Variable& variable, const std::byte* whole) {
  if (is_in_pool(variable)) {
    const std::size_t size_bytes = variable.type().size_bytes();
    std::vector<std::byte> kept(whole, whole + size_bytes);
    return set_rows(variable, [kept = std::move(kept)](std::span<std::byte> rows) {
      std::ranges::copy(kept, rows.begin());
    });
  }
  set_parts(variable, [&](std::size_t i) { return part_of_value(variable, whole, i); });
}

void VariableUpdate::set_parts(const Variable& variable,
                               const std::function<ir::Literal(std::size_t)>& value_of) {
  const VariableParts& parts = *parts_of(variable);
  if (parts.group != nullptr)
    stage_on_group(variable, value_of);
  else
    for (std::size_t i = 0; i < parts.here.size(); ++i) set(parts.here[i], Tensor(value_of(i)));
  wholes_.push_back(variable);
}

void VariableUpdate::set_rows(const Variable& table, FillBytes fill) {
  tables_.push_back(table);
  rows_.push_back(std::move(fill));
}

void VariableUpdate::stage_rows() {
  std::vector<bool> is_staged(tables_.size(), false);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    std::vector<std::size_t> of_pool;
    for (std::size_t k = i; k < tables_.size(); ++k)
      if (!is_staged[k] && parts_of(tables_[k])->here[0] == parts_of(tables_[i])->here[0])
        of_pool.push_back(k);
    for (const std::size_t k : of_pool) is_staged[k] = true;
    if (!of_pool.empty()) stage_rows(of_pool);
  }
}

/// Stages the parts of one pool in which `rows`, numbers of tables, lie.
void VariableUpdate::stage_rows(std::span<const std::size_t> rows) {
  const VariableParts& parts = *parts_of(tables_[rows[0]]);
  const auto index_of = [&](std::size_t k) { return parts_of(tables_[k])->place->part - parts.first; };
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < parts.num_here(); ++i)
    if (parts.group != nullptr ||
        std::ranges::any_of(rows, [&](std::size_t k) { return index_of(k) == static_cast<std::int64_t>(i); }))
      indices.push_back(i);
  if (indices.empty()) return;
  std::vector<ir::Literal> values = present_parts(tables_[rows[0]], indices);
  for (const std::size_t k : rows)
    for (std::size_t at = 0; at < indices.size(); ++at) {
      if (index_of(k) != static_cast<std::int64_t>(indices[at])) continue;
      const TensorType& type = tables_[k].type();
      const std::size_t row_bytes = static_cast<std::size_t>(type.dims[1]) * ir::size_bytes(type.dtype);
      rows_[k](values[at].mutable_bytes().subspan(
          static_cast<std::size_t>(parts_of(tables_[k])->place->begin) * row_bytes, type.size_bytes()));
    }
  if (parts.group != nullptr)
    return stage_on_group(tables_[rows[0]], [&](std::size_t i) { return std::move(values[i]); });
  for (std::size_t at = 0; at < indices.size(); ++at)
    set(parts.here[indices[at]], Tensor(std::move(values[at])));
}

/// Writes each part to its device, in a new buffer: one part at a time is in host memory.
void VariableUpdate::stage_on_group(const Variable& variable,
                                    const std::function<ir::Literal(std::size_t)>& value_of) {
  const VariableParts& parts = *parts_of(variable);
  auto copy = std::make_unique<Variable::State::Copy>();
  copy->client = parts.group;
  copy->buffer = parts.group->allocate(parts.here[0].type());
  const double start = parts.group->now();
  for (std::size_t i = 0; i < parts.num_here(); ++i) {
    const ir::Literal value = value_of(i);
    const runtime::MemberWrite write{copy->buffer.get(), static_cast<std::int64_t>(i), value.bytes().data()};
    runtime::device_group(parts.group.get())->write_members({&write, 1});
  }
  const auto count = static_cast<std::int64_t>(parts.num_here());
  parts.group->note(&runtime::TransferStatistics::writes,
                    {.calls = count,
                     .items = count,
                     .bytes = count * static_cast<std::int64_t>(copy->buffer->type().size_bytes()),
                     .seconds = parts.group->now() - start});
  stage(parts.here[0], std::move(copy), nullptr, nullptr);
}

void VariableUpdate::fill(const Variable& variable, const FillBytes& fill) {
  if (parts_of(variable) != nullptr) {
    ir::Literal value(variable.type());
    fill(value.mutable_bytes());
    return set_whole(variable, value.bytes().data());
  }
  const std::size_t size_bytes = variable.type().size_bytes();
  if (const VariableStorage* const storage = storage_of(variable)) {
    const std::shared_ptr<std::byte> value = storage->memory(variable.path());
    fill({value.get(), size_bytes});
    return stage(variable, nullptr, nullptr, value);
  }
  const Placement here = current_placement();
  if (!here.client()->is_addressable()) {
    ir::Literal value(variable.type());
    fill(value.mutable_bytes());
    return stage(variable, nullptr, std::make_shared<const ir::Literal>(std::move(value)), nullptr);
  }
  auto copy = std::make_unique<Variable::State::Copy>();
  copy->client = here.client();
  copy->buffer = copy->client->allocate(variable.type(), here.device());
  fill({copy->buffer->writable_host_data(), size_bytes});
  stage(variable, std::move(copy), nullptr, nullptr);
}

// Allocates the memory for commit(), so that an allocation fails before the first variable has changed.
void VariableUpdate::reserve(Variable::State::Copies& over) const {
  std::size_t num_over = 0;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (copies_[i] == nullptr) continue;
    Variable::State& state = variables_[i].state();
    const std::lock_guard one(state.lock);
    state.copies.reserve(state.copies.size() + 2);  // one more, also where a variable comes twice
    num_over += state.copies.size() + 1;
  }
  over.reserve(num_over);
}

void VariableUpdate::commit() {
  if (tables_.empty()) return apply();
  // Rows of other tables are read and written back, so nothing may change them meanwhile.
  const std::vector<Variable> tables = tables_;
  const VariableClaim claim({.written = tables}, OtherThreads::kWait);
  stage_rows();
  wholes_.insert(wholes_.end(), tables.begin(), tables.end());
  apply();
}

void VariableUpdate::apply() {
  Variable::State::Copies over;  // freed without the lock
  {
    std::unique_lock lock(Variable::State::mutex());
    wait_for_claims(lock, variables_, Access::kWrite);
    reserve(over);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      Variable::State& state = variables_[i].state();
      const std::lock_guard one(state.lock);
      if (copies_[i] != nullptr)
        state.set_copy(std::move(copies_[i]), over);
      else if (stored_[i] != nullptr)
        state.write_stored(stored_[i].get());
      else
        state.set_host_value(literals_[i]);
    }
  }
  for (const Variable& variable : variables_) ValuesScope::forget(variable);
  const auto is_new = [](const Variable& variable) {
    ++variable.state().num_writes;
    ValuesScope::forget(variable);
  };
  for (const Variable& variable : wholes_) {
    is_new(variable);
    std::ranges::for_each(parts_of(variable)->tables, is_new);
  }
  variables_.clear();
  wholes_.clear();
  tables_.clear();
  rows_.clear();
  copies_.clear();
  literals_.clear();
  stored_.clear();
}

void fill_variable(const Variable& variable, const FillBytes& fill) {
  VariableUpdate update;
  update.fill(variable, fill);
  update.commit();
}

void load_value(const Variable& variable, const Tensor& value) {
  if (storage_of(variable) == nullptr || value.type() != variable.type())
    return variable.load(value.literal());
  VariableUpdate update;
  update.set(variable, value);
  update.commit();
}

const VariableStorage* storage_of(const Variable& variable) { return variable.state().storage.get(); }

Tensor host_value(const Variable& variable) {
  if (Tensor known = ValuesScope::known(variable); known.defined()) return known;
  if (parts_of(variable) != nullptr) return Tensor(variable.read()).on_device(current_device_index());
  const SeenValue seen = seen_value(variable);
  if (seen.buffer != nullptr) return Tensor(variable.read());
  return tensor_of(variable.state(), seen).on_device(current_device_index());
}

}  // namespace cornu::inline v0::detail
