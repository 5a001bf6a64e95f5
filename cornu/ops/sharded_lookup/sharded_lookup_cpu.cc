#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/check.h"
#include "cornu/base/elements_apart.h"
#include "cornu/ops/sharded_lookup/sharded_lookup.h"
#include "cornu/runtime/collective.h"

// Exchanges of rows among processes. Each knows which rows all of them name, so it knows the sizes of all
// messages: a row travels once to each process that names it, and the sum of its gradients once back.
namespace cornu::inline v0::backends::cpu::sharded_lookup_folder {
namespace {

std::size_t as_size(std::int64_t number) { return static_cast<std::size_t>(number); }

ops::TableShards shards_of(const ir::Op& op) {
  return ops::sharded_lookup_folder::shards_of(op.attributes());
}

/// The rows of other processes that a loop over ids reads ahead of the present one.
constexpr std::size_t kRowsAhead = 8;

/// The memory of the rows that a process exchanges with each process. `Id`: the dtype of ids.
template <typename Id>
class Exchange : public GroupKernel {
 public:
  std::string_view name() const override { return "processes"; }

 protected:
  /// `part_rows`: rows of a process's part; `row_bytes`: bytes of a row of a part, `whole_row_bytes`: of a row
  /// of the table.
  Exchange(const ir::Op& op, std::int64_t part_rows, std::size_t row_bytes, std::size_t whole_row_bytes)
      : shards_(shards_of(op)),
        part_rows_(part_rows),
        count_(as_size(op.operand(1).type().num_elements() / shards_.num_shards)),
        row_bytes_(row_bytes),
        whole_row_bytes_(whole_row_bytes) {
    processes_ = runtime::joined_processes();
    const std::int64_t here = processes_ == nullptr ? 1 : processes_->size();
    if (here != shards_.num_shards)
      fail(ErrorCode::kUnimplemented, "[{}] the program is for {} processes together, and {} here", op.name(),
           shards_.num_shards, here == 1 ? std::string("one runs") : fmt::format("{} run", here));
    rank_ = as_size(processes_->rank());
    num_processes_ = as_size(here);
    of_part_offset_ = whole_lines(num_processes_ * count_ * row_bytes_);
    scratch_bytes_ = 2 * of_part_offset_;
  }

  bool is_by_rows() const { return shards_.axis == 0; }
  Id first_row(std::size_t process) const {
    return is_by_rows() ? static_cast<Id>(static_cast<std::int64_t>(process) * part_rows_) : 0;
  }
  /// The ids that a process names, at the positions where it does; -1 elsewhere.
  std::span<const Id> named_by(const std::byte* named, std::size_t process) const {
    return {reinterpret_cast<const Id*>(named) + process * count_, count_};
  }

  /// Finds what this process exchanges: the positions of its ids at each owner, and those of each process's ids
  /// in its part.
  void find_positions(const std::byte* named) const {
    own_.resize(num_processes_);
    held_.resize(num_processes_);
    for (std::size_t process = 0; process < num_processes_; ++process) {
      positions_in(named_by(named, rank_), first_row(process), own_[process]);
      if (process != rank_) positions_in(named_by(named, process), first_row(rank_), held_[process]);
    }
    held_[rank_] = own_[rank_];
  }

  /// The memory for the rows at `positions` of each process, one process after the other from `memory` on.
  void lay_out(std::byte* memory, const std::vector<std::vector<std::int32_t>>& positions,
               std::vector<std::span<std::byte>>& rows) const {
    rows.clear();
    for (std::size_t process = 0; process < num_processes_; ++process) {
      // The process's own rows need no message.
      rows.emplace_back(memory, process == rank_ ? 0 : positions[process].size() * row_bytes_);
      memory += rows.back().size();
    }
  }

  void exchange(const std::vector<std::span<std::byte>>& out,
                const std::vector<std::span<std::byte>>& in) const {
    sent_.assign(out.begin(), out.end());
    processes_->all_to_all(sent_, in);
  }

  std::shared_ptr<runtime::Collective> processes_;
  ops::TableShards shards_;
  std::int64_t part_rows_;
  std::size_t rank_ = 0, num_processes_ = 1, count_, row_bytes_, whole_row_bytes_, of_part_offset_ = 0;
  // Of one run: collectives run one after the other. Kept, so that a step allocates nothing.
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<std::int32_t>> own_, held_;
  mutable std::vector<std::span<std::byte>> of_own_, of_part_;

 private:
  /// Positions of the ids in the part that begins with a row. Without a branch for each, which could not be
  /// predicted.
  void positions_in(std::span<const Id> ids, Id first, std::vector<std::int32_t>& positions) const {
    positions.resize(count_);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      positions[found] = static_cast<std::int32_t>(i);
      const bool is_inside = (ids[i] >= first) & (static_cast<std::int64_t>(ids[i] - first) < part_rows_);
      found += is_inside ? 1 : 0;
    }
    positions.resize(found);
  }

  mutable std::vector<std::span<const std::byte>> sent_;
};

std::size_t bytes_of_row(const ir::Value& rows) {
  return as_size(rows.dims().back()) * ir::size_bytes(rows.dtype());
}

template <typename Id>
class RowsKernel final : public Exchange<Id> {
 public:
  explicit RowsKernel(const ir::Op& op)
      : Exchange<Id>(op, op.operand(0).dims()[0], bytes_of_row(op.operand(0)), bytes_of_row(op.result())) {}

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const std::lock_guard lock(this->mutex_);
    const std::byte *const part = memory.operands[0], *const named = memory.operands[1];
    this->find_positions(named);
    this->lay_out(memory.scratch, this->held_, this->of_part_);
    this->lay_out(memory.scratch + this->of_part_offset_, this->own_, this->of_own_);
    for (std::size_t process = 0; process < this->num_processes_; ++process)
      if (process != this->rank_)
        copy_from_part(part, this->named_by(named, process), this->held_[process],
                       [to = this->of_part_[process].data(), bytes = this->row_bytes_](
                           std::size_t k, std::size_t) { return to + k * bytes; });
    this->exchange(this->of_part_, this->of_own_);
    for (std::size_t owner = 0; owner < this->num_processes_; ++owner) {
      const std::size_t column = this->is_by_rows() ? 0 : owner * this->row_bytes_;
      const auto place = [&](std::size_t, std::size_t i) {
        return memory.results[0] + i * this->whole_row_bytes_ + column;
      };
      const std::vector<std::int32_t>& positions = this->own_[owner];
      if (owner == this->rank_) {
        copy_from_part(part, this->named_by(named, owner), positions, place);
        continue;
      }
      for (std::size_t k = 0; k < positions.size(); ++k)
        std::memcpy(place(k, as_size(positions[k])), this->of_own_[owner].data() + k * this->row_bytes_,
                    this->row_bytes_);
    }
  }

 private:
  /// Copies the rows of the ids at `positions` to `place(k, positions[k])`.
  template <typename Place>
  void copy_from_part(const std::byte* part, std::span<const Id> ids,
                      const std::vector<std::int32_t>& positions, Place place) const {
    const auto row = [&](std::size_t k) {
      return part + as_size(ids[as_size(positions[k])] - this->first_row(this->rank_)) * this->row_bytes_;
    };
    for (std::size_t k = 0; k < positions.size(); ++k) {
      if (k + kRowsAhead < positions.size())
        for (std::size_t byte = 0; byte < this->row_bytes_; byte += 64)
          __builtin_prefetch(row(k + kRowsAhead) + byte);
      std::memcpy(place(k, as_size(positions[k])), row(k), this->row_bytes_);
    }
  }
};

template <typename Id, typename T>
class RowSumsKernel final : public Exchange<Id> {
 public:
  explicit RowSumsKernel(const ir::Op& op)
      : Exchange<Id>(op, op.attributes().get<std::int64_t>("part_rows"), bytes_of_row(op.result(0)),
                     bytes_of_row(op.operand(0))) {
    hash_offset_ = this->scratch_bytes_;
    this->scratch_bytes_ +=
        whole_lines(hash_size(this->num_processes_ * this->count_) * sizeof(std::int32_t));
  }

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const std::lock_guard lock(this->mutex_);
    const std::byte *const gradients = memory.operands[0], *const named = memory.operands[1];
    this->find_positions(named);
    this->lay_out(memory.scratch, this->own_, this->of_own_);
    this->lay_out(memory.scratch + this->of_part_offset_, this->held_, this->of_part_);
    for (std::size_t owner = 0; owner < this->num_processes_; ++owner) {
      if (owner == this->rank_) continue;
      const std::size_t column = this->is_by_rows() ? 0 : owner * this->row_bytes_;
      std::byte* to = this->of_own_[owner].data();
      for (const std::int32_t i : this->own_[owner]) {
        std::memcpy(to, gradients + as_size(i) * this->whole_row_bytes_ + column, this->row_bytes_);
        to += this->row_bytes_;
      }
    }
    this->exchange(this->of_own_, this->of_part_);
    add_up(memory);
  }

 private:
  static std::size_t hash_size(std::size_t num_ids) {
    return std::bit_ceil(static_cast<std::uint64_t>(num_ids) * 2 + 1);
  }

  /// Sums the rows of each process at the first position of their ids, and lists the ids there.
  void add_up(const KernelMemory& memory) const {
    auto* const ids = reinterpret_cast<Id*>(memory.results[1]);
    std::fill_n(ids, this->num_processes_ * this->count_, static_cast<Id>(this->part_rows_));
    std::size_t num_held = 0;
    for (const auto& positions : this->held_) num_held += positions.size();
    const std::size_t size = hash_size(num_held);
    auto* const hash = reinterpret_cast<std::int32_t*>(memory.scratch + hash_offset_);
    std::memset(hash, 0xFF, size * sizeof(std::int32_t));
    const std::size_t column = this->is_by_rows() ? 0 : this->rank_ * this->row_bytes_;
    for (std::size_t process = 0; process < this->num_processes_; ++process) {
      const std::span<const Id> named = this->named_by(memory.operands[1], process);
      for (std::size_t k = 0; k < this->held_[process].size(); ++k) {
        const auto i = as_size(this->held_[process][k]);
        const std::byte* const from = process == this->rank_
                                          ? memory.operands[0] + i * this->whole_row_bytes_ + column
                                          : this->of_part_[process].data() + k * this->row_bytes_;
        const auto position = static_cast<std::int32_t>(process * this->count_ + i);
        const Id id = static_cast<Id>(named[i] - this->first_row(this->rank_));
        const std::int32_t first = first_of(id, position, ids, {hash, size});
        std::byte* const sum = memory.results[0] + as_size(first) * this->row_bytes_;
        if (first == position)
          std::memcpy(sum, from, this->row_bytes_);
        else
          add(reinterpret_cast<T*>(sum), reinterpret_cast<const T*>(from), this->row_bytes_ / sizeof(T));
      }
    }
  }

  /// The first position of an id, which is listed there: `position` if it was not seen before.
  static std::int32_t first_of(Id id, std::int32_t position, Id* ids, std::span<std::int32_t> hash) {
    const int shift = 64 - std::countr_zero(hash.size());
    std::uint64_t at = static_cast<std::uint64_t>(id) * 0x9E3779B97F4A7C15U >> shift;
    while (hash[at] >= 0 && ids[hash[at]] != id) at = (at + 1) & (hash.size() - 1);
    if (hash[at] < 0) {
      hash[at] = position;
      ids[position] = id;
    }
    return hash[at];
  }

  static void add(T* sum, const T* more, std::size_t count) {
    CORNU_NO_ALIASING
    for (std::size_t i = 0; i < count; ++i) sum[i] += more[i];
  }

  std::size_t hash_offset_ = 0;
};

bool is_among_processes(const ir::Op& op) {
  return shards_of(op).num_shards > 1 && op.operand(1).type().num_elements() < std::int64_t{1} << 30;
}
bool sums_among_processes(const ir::Op& op) {
  const ir::DType rows = op.operand(0).dtype();
  return is_among_processes(op) && (rows == ir::DType::kF32 || rows == ir::DType::kF64);
}

bool has_small_ids(const ir::Op& op) { return op.operand(1).dtype() == ir::DType::kI32; }

std::unique_ptr<GroupKernel> make_rows(const ir::Op& op, const Target&, int) {
  if (has_small_ids(op)) return std::make_unique<RowsKernel<std::int32_t>>(op);
  return std::make_unique<RowsKernel<std::int64_t>>(op);
}

template <typename Id>
std::unique_ptr<GroupKernel> make_row_sums_of(const ir::Op& op) {
  if (op.operand(0).dtype() == ir::DType::kF32) return std::make_unique<RowSumsKernel<Id, float>>(op);
  return std::make_unique<RowSumsKernel<Id, double>>(op);
}
std::unique_ptr<GroupKernel> make_row_sums(const ir::Op& op, const Target&, int) {
  return has_small_ids(op) ? make_row_sums_of<std::int32_t>(op) : make_row_sums_of<std::int64_t>(op);
}

/// The rows of all ids but those that stay: without repeated ids.
double most_bytes(const ir::Op& op, const ir::Value& rows) {
  const auto others = static_cast<double>(shards_of(op).num_shards - 1);
  return static_cast<double>(rows.type().size_bytes()) * others / (others + 1);
}
double bytes_of_rows(const ir::Op& op) { return most_bytes(op, op.result()); }
double bytes_of_row_sums(const ir::Op& op) { return most_bytes(op, op.operand(0)); }

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.sharded_rows",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_rows, .serves = is_among_processes, .sent_bytes = bytes_of_rows}},
      {.name = "cornu.sharded_row_sums",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_row_sums, .serves = sums_among_processes, .sent_bytes = bytes_of_row_sums}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::sharded_lookup_folder
