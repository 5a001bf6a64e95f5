#include "cornu/distribute/strategy/process_values.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::distribute {
namespace {

/// A tensor's type as sent between processes.
struct SentType {
  static constexpr std::size_t kMostDims = 14;
  std::int64_t dtype = 0, rank = 0;
  std::int64_t dims[kMostDims] = {};

  TensorType type() const {
    return {static_cast<DType>(dtype), Dims(dims, dims + static_cast<std::size_t>(rank))};
  }
};

SentType sent(const char* caller, const TensorType& type) {
  if (type.dims.size() > SentType::kMostDims)
    invalid_argument({.argument = "value"}, "[{}] tensors of processes have at most {} dimensions; got {}",
                     caller, SentType::kMostDims, type_str(type));
  SentType made{.dtype = static_cast<std::int64_t>(type.dtype),
                .rank = static_cast<std::int64_t>(type.dims.size())};
  std::copy(type.dims.begin(), type.dims.end(), made.dims);
  return made;
}

/// One tensor of each process.
std::vector<Tensor> gathered(runtime::Collective& processes, const char* caller, const Tensor& own) {
  const auto count = static_cast<std::size_t>(processes.size());
  const SentType type = sent(caller, own.type());
  std::vector<SentType> types(count);
  processes.all_gather(std::as_bytes(std::span(&type, 1)), std::as_writable_bytes(std::span(types)));
  std::size_t most_bytes = 0;
  for (std::size_t rank = 0; rank < count; ++rank) {
    if (types[rank].dtype != types[0].dtype || types[rank].rank != types[0].rank)
      fail(ErrorCode::kFailedPrecondition, {.argument = "value"},
           "[{}] rank 0 has {}, rank {} has {}: dtypes and ranks must be the same", caller,
           type_str(types[0].type()), rank, type_str(types[rank].type()));
    most_bytes = std::max(most_bytes, types[rank].type().size_bytes());
  }
  std::vector<std::byte> mine(most_bytes), all(most_bytes * count);
  if (own.type().size_bytes() > 0) std::memcpy(mine.data(), own.bytes(), own.type().size_bytes());
  processes.all_gather(mine, all);
  std::vector<Tensor> tensors;
  for (std::size_t rank = 0; rank < count; ++rank) {
    ir::Literal literal(types[rank].type());
    if (!literal.bytes().empty())
      std::memcpy(literal.mutable_bytes().data(), all.data() + rank * most_bytes, literal.bytes().size());
    tensors.emplace_back(literal);
  }
  return tensors;
}

std::vector<Tensor> gathered_in_program(const ReplicaSet& replicas, const Tensor& own) {
  Dims dims = own.shape();
  dims.insert(dims.begin(), 1);
  // The replicas of a program are processes, or devices of them.
  const std::int64_t num_here = replicas.num_program_replicas() / replicas.num_processes;
  const Tensor all = cornu::detail::gather_from_same_places(
      ops::reshape(own, dims), {.num_here = num_here, .num_processes = replicas.num_processes});
  std::vector<Tensor> tensors;
  for (std::int64_t process = 0; process < replicas.num_processes; ++process) {
    Dims starts(dims.size(), 0);
    starts[0] = process;
    tensors.push_back(ops::reshape(ops::slice(all, starts, dims), own.shape()));
  }
  return tensors;
}

}  // namespace

std::vector<Tensor> of_all_processes(const ReplicaSet& replicas, const char* caller,
                                     std::span<const Tensor> own) {
  const auto count = static_cast<std::size_t>(replicas.num_processes);
  std::vector<Tensor> all(own.size() * count);
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::vector<Tensor> values = cornu::detail::is_tracing()
                                     ? gathered_in_program(replicas, own[i])
                                     : gathered(*runtime::joined_processes(), caller, own[i]);
    for (std::size_t process = 0; process < count; ++process)
      all[process * own.size() + i] = std::move(values[process]);
  }
  return all;
}

double sum_over_processes(const ReplicaSet& replicas, double own) {
  if (cornu::detail::is_tracing()) return own * static_cast<double>(replicas.num_processes);
  double sum = 0;
  for (const std::uint64_t value : runtime::joined_processes()->gather(std::bit_cast<std::uint64_t>(own)))
    sum += std::bit_cast<double>(value);
  return sum;
}

}  // namespace cornu::inline v0::distribute
