#include "cornu/tensor/trace/replicas.h"

#include <map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ops/all_gather/all_gather.h"
#include "cornu/ops/all_reduce/all_reduce.h"
#include "cornu/ops/collective_broadcast/collective_broadcast.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/replica_id/replica_id.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::detail {
namespace {

std::shared_ptr<const ReplicaSet>& set_slot() {
  thread_local std::shared_ptr<const ReplicaSet> current;
  return current;
}
thread_local const ReplicaTrace* replica_trace = nullptr;
thread_local bool is_alone = false;

ops::ReplicaGroups all_of(const ReplicaTrace& replica) { return ops::all_replicas(replica.num_replicas); }

ir::Value combine(ir::Builder& b, ReplicaReduction reduction, ir::Value x, ir::Value y) {
  switch (reduction) {
    case ReplicaReduction::kMin: return ops::minimum(b, x, y);
    case ReplicaReduction::kMax: return ops::maximum(b, x, y);
    default: return ops::add(b, x, y);
  }
}

}  // namespace

const std::shared_ptr<const ReplicaSet>& current_replica_set() { return set_slot(); }
ReplicaSetScope::ReplicaSetScope(std::shared_ptr<const ReplicaSet> replicas)
    : before_(std::exchange(set_slot(), std::move(replicas))) {}
ReplicaSetScope::~ReplicaSetScope() { set_slot() = std::move(before_); }

const ReplicaTrace* current_replica_trace() {
  return replica_trace != nullptr && Trace::current() != nullptr ? replica_trace : nullptr;
}
ReplicaTraceScope::ReplicaTraceScope(const ReplicaTrace* replica)
    : before_(
          std::exchange(replica_trace, replica != nullptr && replica->num_replicas > 1 ? replica : nullptr)) {
  if (replica_trace != nullptr && Trace::current() != nullptr)
    Trace::current()->begin_replica(replica_trace->num_replicas);
}
ReplicaTraceScope::~ReplicaTraceScope() { replica_trace = before_; }

std::int64_t num_replicas_in_sync() {
  if (const ReplicaTrace* const replica = current_replica_trace()) return replica->num_replicas;
  return is_alone || set_slot() == nullptr ? 1 : set_slot()->num_replicas;
}
OneReplicaScope::OneReplicaScope() : before_(std::exchange(is_alone, true)) {}
OneReplicaScope::~OneReplicaScope() { is_alone = before_; }

std::vector<Tensor> all_reduce(std::span<const Tensor> tensors, ReplicaReduction reduction) {
  std::vector<Tensor> results(tensors.begin(), tensors.end());
  const ReplicaTrace* const replica = current_replica_trace();
  if (replica == nullptr) return results;
  Trace& trace = *Trace::current();
  std::map<DType, std::vector<std::size_t>> by_dtype;
  for (std::size_t i = 0; i < tensors.size(); ++i) by_dtype[tensors[i].dtype()].push_back(i);
  for (const auto& [dtype, places] : by_dtype) {
    std::vector<ir::Value> operands;
    for (const std::size_t i : places) operands.push_back(trace.value_of(tensors[i]));
    ir::Builder& builder = trace.builder();
    const std::vector<ir::Value> sums = ops::all_reduce(
        builder, std::move(operands), all_of(*replica), [&](ir::Builder& b, std::span<const ir::Value> v) {
          return std::vector<ir::Value>{combine(b, reduction, v[0], v[1])};
        });
    for (std::size_t k = 0; k < places.size(); ++k) results[places[k]] = trace.tensor(sums[k]);
    if (reduction != ReplicaReduction::kMean) continue;
    for (const std::size_t i : places) results[i] = results[i] / static_cast<double>(replica->num_replicas);
  }
  return results;
}

Tensor all_reduce(const Tensor& tensor, ReplicaReduction reduction) {
  return current_replica_trace() == nullptr ? tensor : all_reduce({&tensor, 1}, reduction)[0];
}

std::vector<Tensor> sum_of_gradients(std::span<const Tensor> gradients) {
  if (current_replica_trace() == nullptr || set_slot() == nullptr || !set_slot()->compresses_gradients)
    return all_reduce(gradients, ReplicaReduction::kSum);
  Trace& trace = *Trace::current();
  const auto converted = [&](const Tensor& tensor, DType dtype) {
    return trace.tensor(ops::convert(trace.builder(), trace.value_of(tensor), dtype));
  };
  std::vector<Tensor> halves;
  for (const Tensor& gradient : gradients)
    halves.push_back(gradient.dtype() == DType::kF32 ? converted(gradient, DType::kBF16) : gradient);
  std::vector<Tensor> sums = all_reduce(halves, ReplicaReduction::kSum);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i].dtype() != gradients[i].dtype()) sums[i] = converted(sums[i], gradients[i].dtype());
  return sums;
}

Tensor all_gather(const Tensor& tensor, std::int64_t axis) {
  const std::int64_t rank = tensor.rank(), wanted = axis < 0 ? axis + rank : axis;
  if (rank == 0)
    invalid_argument({.argument = "axis"},
                     "[all_gather] a scalar has no axis to gather along; give it one with expand_dims");
  if (wanted < 0 || wanted >= rank)
    invalid_argument({.argument = "axis"}, "[all_gather] axis must be in [{}, {}); got axis = {}", -rank,
                     rank, axis);
  const ReplicaTrace* const replica = current_replica_trace();
  if (replica == nullptr) return tensor;
  Trace& trace = *Trace::current();
  const ir::Value value = trace.value_of(tensor);
  return trace.tensor(ops::all_gather(trace.builder(), value, wanted, all_of(*replica)));
}

Tensor of_first_replica(const Tensor& tensor) {
  const ReplicaTrace* const replica = current_replica_trace();
  if (replica == nullptr) return tensor;
  Trace& trace = *Trace::current();
  const ir::Value value = trace.value_of(tensor);
  return trace.tensor(ops::collective_broadcast(trace.builder(), value, all_of(*replica)));
}

Tensor replica_id() {
  if (current_replica_trace() == nullptr) return Tensor(ir::Literal::scalar(DType::kU32, 0));
  Trace& trace = *Trace::current();
  return trace.tensor(ops::replica_id(trace.builder()));
}

std::int64_t num_processes() { return set_slot() == nullptr ? 1 : set_slot()->num_processes; }

std::int64_t num_program_replicas() { return set_slot() == nullptr ? 1 : set_slot()->num_program_replicas(); }
bool has_device_group() { return set_slot() != nullptr && set_slot()->has_device_group; }

Tensor process_id() {
  Trace& trace = *Trace::current();
  return trace.tensor(ops::convert(trace.builder(), ops::replica_id(trace.builder()), DType::kI32));
}

Tensor gather_from_processes(const Tensor& tensor, std::int64_t count) {
  Trace& trace = *Trace::current();
  const ir::Value value = trace.value_of(tensor);
  return trace.tensor(ops::all_gather(trace.builder(), value, 0, ops::all_replicas(count)));
}

namespace {

/// The extent of a dimension of the replicas' grid, and the distance of neighbours in the replicas' numbers.
struct GridAxis {
  std::int64_t extent, stride;
};

/// Gathers along an axis of the grid, for each index of the other.
Tensor gather_along(const GridAxis& axis, const GridAxis& other, const Tensor& tensor) {
  ops::ReplicaGroups groups;
  for (std::int64_t i = 0; i < other.extent; ++i) {
    ir::Dims& group = groups.groups.emplace_back();
    for (std::int64_t k = 0; k < axis.extent; ++k) group.push_back(i * other.stride + k * axis.stride);
  }
  Trace& trace = *Trace::current();
  const ir::Value value = trace.value_of(tensor);
  return trace.tensor(ops::all_gather(trace.builder(), value, 0, groups));
}

}  // namespace

Tensor gather_from_same_places(const Tensor& tensor, const ProgramLayout& layout) {
  return gather_along({layout.num_processes, layout.num_here}, {layout.num_here, 1}, tensor);
}

Tensor gather_from_this_process(const Tensor& tensor, const ProgramLayout& layout) {
  return gather_along({layout.num_here, 1}, {layout.num_processes, layout.num_here}, tensor);
}

Tensor sum_over_processes(const Tensor& tensor, std::int64_t count) {
  Trace& trace = *Trace::current();
  const ir::Value value = trace.value_of(tensor);
  return trace.tensor(ops::all_reduce_sum(trace.builder(), value, ops::all_replicas(count)));
}

}  // namespace cornu::inline v0::detail
