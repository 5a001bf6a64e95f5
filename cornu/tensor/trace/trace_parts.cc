#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ops/all_gather/all_gather.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/dynamic_slice/dynamic_slice.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/replica_id/replica_id.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/transpose/transpose.h"
#include "cornu/tensor/trace/trace_state.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0 {

ir::Value detail::range_of(ir::Builder& builder, ir::Value x, std::int64_t axis, std::int64_t begin,
                           std::int64_t end) {
  const auto at = static_cast<std::size_t>(axis);
  if (begin == 0 && end == x.dims()[at]) return x;
  ir::Dims starts(x.dims().size(), 0), limits = x.dims(), strides(x.dims().size(), 1);
  starts[at] = begin;
  limits[at] = end;
  return ops::slice(builder, x, std::move(starts), std::move(limits), std::move(strides));
}

namespace {

using detail::range_of;
using detail::VariableParts;

/// The value with zeros after its end along an axis.
ir::Value padded_at_end(ir::Builder& builder, ir::Value x, std::int64_t axis, std::int64_t extent) {
  const auto at = static_cast<std::size_t>(axis);
  if (x.dims()[at] == extent) return x;
  const ir::Dims zeros(x.dims().size(), 0);
  ir::Dims high = zeros;
  high[at] = extent - x.dims()[at];
  return ops::pad(builder, x, ops::scalar(builder, x.dtype(), 0), zeros, std::move(high), zeros);
}

/// Joins the values of all replicas of the program along an axis. They are gathered along the first one, which
/// is the form in which processes exchange values.
ir::Value joined_of_replicas(ir::Builder& builder, ir::Value x, std::int64_t axis, std::int64_t count) {
  if (count == 1) return x;
  const ir::Value all = ops::all_gather(builder, x, 0, ops::all_replicas(count));
  if (axis == 0) return all;
  ir::Dims apart = x.dims(), joined = x.dims(), order;
  apart.insert(apart.begin(), count);
  joined[static_cast<std::size_t>(axis)] *= count;
  for (std::int64_t d = 1; d <= axis; ++d) order.push_back(d);
  order.push_back(0);
  for (std::int64_t d = axis + 1; d <= x.rank(); ++d) order.push_back(d);
  return ops::reshape(builder, ops::transpose(builder, ops::reshape(builder, all, apart), order), joined);
}

/// Changes the order of axis 0 from the indices of `from` parts after each other to all first ones of the
/// parts, then all second ones. With the number of indices of a part it does the reverse.
ir::Value dealt(ir::Builder& builder, ir::Value x, std::int64_t from) {
  ir::Dims apart = x.dims(), order = {1, 0};
  apart[0] /= from;
  apart.insert(apart.begin(), from);
  for (std::int64_t d = 2; d <= x.rank(); ++d) order.push_back(d);
  return ops::reshape(builder, ops::transpose(builder, ops::reshape(builder, x, apart), order), x.dims());
}

/// The part of this replica of the program, of `count` equal ones along an axis.
ir::Value part_of_own_replica(ir::Builder& builder, ir::Value x, std::int64_t axis, std::int64_t count) {
  if (count == 1) return x;
  const auto at = static_cast<std::size_t>(axis);
  ir::Dims sizes = x.dims();
  sizes[at] /= count;
  std::vector<ir::Value> starts(sizes.size(), ops::scalar(builder, ir::DType::kI64, 0));
  starts[at] = ops::multiply(builder, ops::convert(builder, ops::replica_id(builder), ir::DType::kI64),
                             ops::scalar(builder, ir::DType::kI64, static_cast<double>(sizes[at])));
  return ops::dynamic_slice(builder, x, starts, std::move(sizes));
}

[[noreturn]] void refuse_outside_of_scope(const Variable& variable, const VariableParts& parts) {
  fail(ErrorCode::kFailedPrecondition,
       "[variable] \"{}\" is in parts on {}, which other devices' programs cannot use: call the function in "
       "the scope of the strategy, or read the variable outside of it",
       variable.path(), parts.group->name());
}

/// The range of a variable's elements in its parts, one after the other.
std::pair<std::int64_t, std::int64_t> range_in_parts(const VariableParts& parts) {
  if (!parts.place.has_value()) return {0, parts.extent.num_rows};
  const std::int64_t begin = parts.place->part * parts.extent.part_size() + parts.place->begin;
  return {begin, begin + parts.place->num_rows};
}

/// A pool's parts of all replicas of the program, one after the other, with a table's new rows.
ir::Value pool_with_table(ir::Builder& builder, const VariableParts& parts, ir::Value rows,
                          std::span<const ir::Value> now) {
  const ir::Value all = joined_of_replicas(builder, ops::concatenate(builder, {now.begin(), now.end()}, 0), 0,
                                           parts.num_program_replicas());
  const auto [begin, end] = range_in_parts(parts);
  std::vector<ir::Value> pieces;
  if (begin > 0) pieces.push_back(range_of(builder, all, 0, 0, begin));
  pieces.push_back(rows);
  if (end < all.dims()[0]) pieces.push_back(range_of(builder, all, 0, end, all.dims()[0]));
  return ops::concatenate(builder, std::move(pieces), 0);
}

[[noreturn]] void refuse_both(const Variable& variable, const std::string& what) {
  fail(
      ErrorCode::kUnimplemented,
      "[{}] variable \"{}\" is sharded, and one loop or branch uses it both whole and in replicas: use it in "
      "one of these ways",
      what, variable.path());
}

}  // namespace

std::int64_t Trace::State::num_replicas_at(std::size_t level) const {
  for (std::size_t i = 0; i <= level; ++i)
    if (frames[i]->num_replicas > 1) return frames[i]->num_replicas;
  return 1;
}

void Trace::State::touch_outside(const Variable& variable, std::size_t level) {
  const VariableParts& parts = *detail::parts_of(variable);
  const detail::TraceFrame &frame = *frames[level], &outer = *frames[level - 1];
  if (frame.num_replicas == 1) {
    if (num_replicas_at(level) == 1 && frame.find(parts.here[0]) != nullptr)
      refuse_both(variable, frame.what);
    touch(variable, level - 1);
    return;
  }
  if (parts.extent.num_parts % frame.num_replicas != 0)
    invalid_argument("[{}] variable \"{}\" has {} parts, which {} replicas cannot share", frame.what,
                     variable.path(), parts.extent.num_parts, frame.num_replicas);
  if (level > 1 && outer.find(variable) != nullptr) refuse_both(variable, outer.what);
  for (const Variable& part : parts.here) touch(part, level - 1);
}

// A program that uses parts on a group of devices runs on the group.
void Trace::State::require_group(const Variable& variable) {
  const VariableParts& parts = *detail::parts_of(variable);
  if (parts.group == nullptr) return;
  if (!detail::has_device_group()) refuse_outside_of_scope(variable, parts);
  set_device(detail::current_replica_set()->device);
}

detail::TracedVariable& Trace::State::join(const Variable& variable) {
  const VariableParts& parts = *detail::parts_of(variable);
  require_group(variable);
  detail::JoinedVariable& joined = root.joined[variable.id()];
  std::vector<ir::Value> now;
  for (const Variable& part : parts.here) now.push_back(touch(part, 0).now);
  if (now == joined.parts) return joined.whole;
  ir::Value all = joined_of_replicas(root.builder, ops::concatenate(root.builder, now, parts.axis),
                                     parts.axis, parts.num_program_replicas());
  if (parts.is_dealt) all = dealt(root.builder, all, parts.extent.num_parts);
  const auto [begin, end] = range_in_parts(parts);
  const ir::Value value = range_of(root.builder, all, parts.axis, begin, end);
  joined.parts = std::move(now);
  if (!joined.whole.variable.defined()) {
    joined.whole = {variable, value, value};
  } else {
    joined.whole.now = value;
    joined.whole.is_as_assigned = true;
  }
  return joined.whole;
}

void Trace::State::cut(const Variable& variable, ir::Value whole) {
  const VariableParts& parts = *detail::parts_of(variable);
  const std::int64_t size = parts.extent.part_size();
  ir::Value padded = parts.place.has_value()
                         ? pool_with_table(root.builder, parts, whole, root.joined.at(variable.id()).parts)
                         : padded_at_end(root.builder, whole, parts.axis, size * parts.extent.num_parts);
  if (parts.is_dealt) padded = dealt(root.builder, padded, size);
  const ir::Value all = part_of_own_replica(root.builder, padded, parts.axis, parts.num_program_replicas());
  std::vector<ir::Value>& now = root.joined.at(variable.id()).parts;
  for (std::size_t i = 0; i < parts.here.size(); ++i) {
    const auto begin = static_cast<std::int64_t>(i) * size;
    now[i] = range_of(root.builder, all, parts.axis, begin, begin + size);
    set(parts.here[i], now[i]);
  }
}

ir::Value Trace::State::part_of_replica(const Variable& variable, std::size_t replica,
                                        std::size_t num_replicas) {
  const VariableParts& parts = *detail::parts_of(variable);
  const std::size_t count = parts.here.size() / num_replicas;
  std::vector<ir::Value> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(touch(parts.here[replica * count + i]).now);
  if (count == 1) return values[0];
  return ops::concatenate(top().builder, std::move(values), parts.axis);
}

void Trace::State::assign_parts(const detail::TracedVariable& traced, std::span<const ir::ValueMap> maps) {
  const VariableParts& parts = *detail::parts_of(traced.variable);
  const std::size_t count = parts.here.size() / maps.size();
  const std::int64_t size = parts.extent.part_size();
  for (std::size_t replica = 0; replica < maps.size(); ++replica) {
    const ir::Value value = ir::mapped(maps[replica], traced.now);
    for (std::size_t i = 0; i < count; ++i) {
      const auto begin = static_cast<std::int64_t>(i) * size;
      set(parts.here[replica * count + i], range_of(top().builder, value, parts.axis, begin, begin + size));
    }
  }
}

}  // namespace cornu::inline v0
