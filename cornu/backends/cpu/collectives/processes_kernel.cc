#include "cornu/backends/cpu/collectives/processes_kernel.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/check.h"
#include "cornu/ops/collectives.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// The processes that an op names.
std::shared_ptr<runtime::Collective> processes_of(const ir::Op& op) {
  const ops::ReplicaGroups groups = ops::replica_groups(op.attributes());
  const std::size_t wanted = groups.groups[0].size() * static_cast<std::size_t>(groups.num_partitions);
  const std::shared_ptr<runtime::Collective>& joined = runtime::joined_processes();
  const std::size_t count = joined == nullptr ? 1 : static_cast<std::size_t>(joined->size());
  if (count != wanted)
    fail(ErrorCode::kUnimplemented, "[{}] the program is for {} devices or processes together, and {} here",
         op.name(), wanted, count == 1 ? std::string("one runs") : fmt::format("{} run", count));
  return joined;
}

/// Sums over all processes: small tensors are combined in scratch memory, large ones are summed in place. One
/// kernel, or two for an asynchronous sum, of which the second waits.
class AllReduceKernel final : public GroupKernel {
 public:
  enum class Part { kWhole, kBegin, kEnd };

  AllReduceKernel(const ir::Op& op, Part part)
      : processes_(processes_of(op)), part_(part), dtype_(op.operand(0).dtype()) {
    for (const ir::Value& operand : op.operands()) {
      sizes_.push_back(operand.type().size_bytes());
      if (sizes_.back() < kLargeBytes) packed_bytes_ += sizes_.back();
    }
    scratch_bytes_ = kHeaderBytes + whole_lines(packed_bytes_);
  }

  void run(const KernelMemory& memory, ThreadPool&) const override {
    if (part_ != Part::kEnd) gather_operands(memory);
    switch (part_) {
      case Part::kWhole:
        for_each_tensor(memory, [&](std::span<std::byte> values) { processes_->all_reduce(dtype_, values); });
        break;
      case Part::kBegin: {
        std::int64_t begun = 0;
        std::memcpy(memory.scratch, &begun, sizeof(begun));  // a failure leaves nothing started
        for_each_tensor(memory, [&](std::span<std::byte> values) {
          begun = processes_->start_all_reduce(dtype_, values);
        });
        std::memcpy(memory.scratch, &begun, sizeof(begun));  // sums finish in order
        return;
      }
      case Part::kEnd: {
        std::int64_t begun = 0;
        std::memcpy(&begun, memory.scratch, sizeof(begun));
        processes_->finish_all_reduce(begun);
      }
    }
    scatter_results(memory);
  }

  std::string_view name() const override {
    constexpr std::string_view kNames[] = {"processes", "send", "await"};
    return kNames[static_cast<std::size_t>(part_)];
  }

 private:
  static constexpr std::size_t kLargeBytes = 256 << 10;
  static constexpr std::size_t kHeaderBytes = 64;  // of the scratch memory: the handles of start_all_reduce

  void gather_operands(const KernelMemory& memory) const {
    std::byte* next = memory.scratch + kHeaderBytes;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      std::byte* const to =
          sizes_[i] < kLargeBytes ? std::exchange(next, next + sizes_[i]) : memory.results[i];
      if (sizes_[i] > 0 && to != memory.operands[i]) std::memmove(to, memory.operands[i], sizes_[i]);
    }
  }
  template <typename F>
  void for_each_tensor(const KernelMemory& memory, const F& f) const {
    if (packed_bytes_ > 0) f(std::span(memory.scratch + kHeaderBytes, packed_bytes_));
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      if (sizes_[i] >= kLargeBytes) f(std::span(memory.results[i], sizes_[i]));
  }
  void scatter_results(const KernelMemory& memory) const {
    const std::byte* next = memory.scratch + kHeaderBytes;
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      if (sizes_[i] > 0 && sizes_[i] < kLargeBytes)
        std::memcpy(memory.results[i], std::exchange(next, next + sizes_[i]), sizes_[i]);
  }

  std::shared_ptr<runtime::Collective> processes_;
  Part part_;
  ir::DType dtype_;
  std::vector<std::size_t> sizes_;
  std::size_t packed_bytes_ = 0;
};

class AllGatherKernel final : public GroupKernel {
 public:
  explicit AllGatherKernel(const ir::Op& op) : processes_(processes_of(op)) {
    for (const ir::Value& operand : op.operands()) sizes_.push_back(operand.type().size_bytes());
  }

  void run(const KernelMemory& memory, ThreadPool&) const override {
    for (std::size_t i = 0; i < sizes_.size(); ++i)
      processes_->all_gather({memory.operands[i], sizes_[i]},
                             {memory.results[i], sizes_[i] * static_cast<std::size_t>(processes_->size())});
  }

  std::string_view name() const override { return "processes"; }

 private:
  std::shared_ptr<runtime::Collective> processes_;
  std::vector<std::size_t> sizes_;
};

class ReplicaIdKernel final : public GroupKernel {
 public:
  ReplicaIdKernel() {
    const std::shared_ptr<runtime::Collective>& joined = runtime::joined_processes();
    if (joined != nullptr) rank_ = static_cast<std::uint32_t>(joined->rank());
  }

  void run(const KernelMemory& memory, ThreadPool&) const override {
    std::memcpy(memory.results[0], &rank_, sizeof(rank_));
  }

 private:
  std::uint32_t rank_ = 0;
};

/// True if the op is over one group of several processes, all of them in order.
bool is_over_all_processes(const ir::Op& op) {
  const std::vector<ir::Dims> groups = ops::replica_groups(op.attributes()).groups;
  const auto count = static_cast<std::int64_t>(groups[0].size());
  return count > 1 && groups == ops::all_replicas(count).groups;
}

double operand_bytes(const ir::Op& op) {
  double bytes = 0;
  for (const ir::Value& operand : op.operands()) bytes += static_cast<double>(operand.type().size_bytes());
  return bytes;
}

/// The number of processes of the op.
double num_processes(const ir::Op& op) {
  return static_cast<double>(ops::replica_groups(op.attributes()).groups[0].size());
}

}  // namespace

bool is_sum_over_processes(const ir::Op& op) {
  constexpr ir::DType kSummed[] = {ir::DType::kF32, ir::DType::kF64, ir::DType::kBF16, ir::DType::kI32,
                                   ir::DType::kI64};
  const ir::DType dtype = op.operand(0).dtype();
  return is_over_all_processes(op) && combiner_of_body(op.region(0)) == Combiner::kSum &&
         std::find(std::begin(kSummed), std::end(kSummed), dtype) != std::end(kSummed) &&
         std::all_of(op.operands().begin(), op.operands().end(),
                     [&](const ir::Value& v) { return v.dtype() == dtype; });
}

bool is_gather_over_processes(const ir::Op& op) {
  return is_over_all_processes(op) && op.attributes().get<std::int64_t>("all_gather_dim") == 0;
}

/// Parts are sent and sums received.
double bytes_sent_for_sum(const ir::Op& all_reduce) {
  const double count = num_processes(all_reduce);
  return 2 * operand_bytes(all_reduce) * (count - 1) / count;
}

/// The whole operand is sent to all.
double bytes_sent_for_gather(const ir::Op& all_gather) {
  return operand_bytes(all_gather) * (num_processes(all_gather) - 1);
}

std::unique_ptr<GroupKernel> make_sum_kernel(const ir::Op& op, const Target&, int) {
  return std::make_unique<AllReduceKernel>(op, AllReduceKernel::Part::kWhole);
}

std::unique_ptr<GroupKernel> make_gather_kernel(const ir::Op& op, const Target&, int) {
  return std::make_unique<AllGatherKernel>(op);
}

bool pays_beside_others(const ir::Op& op) {
  constexpr double kLeastBytes = 512 << 10;  // less costs no more than passing it to another thread
  return operand_bytes(op) >= kLeastBytes;
}

std::unique_ptr<GroupKernel> make_begin_of_sum(const ir::Op& op) {
  return std::make_unique<AllReduceKernel>(op, AllReduceKernel::Part::kBegin);
}

std::unique_ptr<GroupKernel> make_end_of_sum(const ir::Op& op) {
  return std::make_unique<AllReduceKernel>(op, AllReduceKernel::Part::kEnd);
}

std::unique_ptr<GroupKernel> make_replica_id_kernel(const ir::Op&, const Target&, int) {
  return std::make_unique<ReplicaIdKernel>();
}

}  // namespace cornu::inline v0::backends::cpu
