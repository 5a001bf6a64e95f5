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

// Exchanges of rows among processes. Each knows the ids of all, so it knows the sizes of all messages: the
// row of an id travels once to each process that names it, and its gradient once back.
namespace cornu::inline v0::backends::cpu::sharded_lookup_folder {
namespace {

std::size_t as_size(std::int64_t number) { return static_cast<std::size_t>(number); }

ops::TableShards shards_of(const ir::Op& op) {
  return ops::sharded_lookup_folder::shards_of(op.attributes());
}

/// The ids of all processes, and the messages that follow from them. `Id`: the dtype in which ids travel.
template <typename Id>
class Exchange : public GroupKernel {
 public:
  std::string_view name() const override { return "processes"; }

 protected:
  /// `part_rows`: rows of a process's part; `row_bytes`: bytes of a row of a part.
  Exchange(const ir::Op& op, std::int64_t part_rows, std::size_t row_bytes, std::size_t whole_row_bytes)
      : shards_(shards_of(op)),
        part_rows_(part_rows),
        ids_dtype_(op.operand(1).dtype()),
        count_(as_size(op.operand(1).type().num_elements())),
        row_bytes_(row_bytes),
        whole_row_bytes_(whole_row_bytes) {
    processes_ = runtime::joined_processes();
    const std::int64_t here = processes_ == nullptr ? 1 : processes_->size();
    if (here != shards_.num_shards)
      fail(ErrorCode::kUnimplemented, "[{}] the program is for {} processes together, and {} here", op.name(),
           shards_.num_shards, here == 1 ? std::string("one runs") : fmt::format("{} run", here));
    rank_ = as_size(processes_->rank());
    num_processes_ = as_size(here);
    hash_size_ = std::bit_ceil(static_cast<std::uint64_t>(count_) * 2 + 1);
    for (const std::size_t bytes :
         {num_processes_ * count_ * sizeof(Id),
          as_size(static_cast<std::int64_t>(hash_size_)) * sizeof(std::int32_t),
          num_processes_ * count_ * sizeof(std::int32_t), count_ * sizeof(std::int32_t),
          num_processes_ * count_ * row_bytes_, count_ * whole_row_bytes_}) {
      offsets_.push_back(scratch_bytes_);
      scratch_bytes_ += whole_lines(bytes);
    }
  }

  /// Parts of the scratch memory.
  struct Scratch {
    Id* ids;                  // of all processes
    std::int32_t* hash;       // positions of ids
    std::int32_t* positions;  // of the distinct ids of each process that this one holds
    std::int32_t* slots;  // of the process's own ids: the number of the id among the owner's distinct ones
    std::byte* of_parts;  // rows of this process's part, for or from each process
    std::byte* of_ids;    // rows of this process's ids, from or for each process
  };
  Scratch scratch_of(std::byte* scratch) const {
    const auto at = [&](std::size_t i) { return scratch + offsets_[i]; };
    return {reinterpret_cast<Id*>(at(0)),
            reinterpret_cast<std::int32_t*>(at(1)),
            reinterpret_cast<std::int32_t*>(at(2)),
            reinterpret_cast<std::int32_t*>(at(3)),
            at(4),
            at(5)};
  }

  bool is_by_rows() const { return shards_.axis == 0; }
  std::size_t owner_of(Id id) const { return as_size(static_cast<std::int64_t>(id) / part_rows_); }
  Id first_row(std::size_t process) const {
    return is_by_rows() ? static_cast<Id>(static_cast<std::int64_t>(process) * part_rows_) : 0;
  }
  std::span<const Id> ids_of(const Scratch& scratch, std::size_t process) const {
    return {scratch.ids + process * count_, count_};
  }
  std::span<std::int32_t> positions_of(const Scratch& scratch, std::size_t process) const {
    return {scratch.positions + process * count_, num_held_[process]};
  }

  void gather_ids(const std::byte* ids, const Scratch& scratch) const {
    Id* const own = scratch.ids + rank_ * count_;
    const auto clamped = [&](auto id) {
      return static_cast<Id>(std::clamp<std::int64_t>(id, 0, shards_.num_rows - 1));
    };
    if (ids_dtype_ == ir::DType::kI32)
      std::transform(reinterpret_cast<const std::int32_t*>(ids),
                     reinterpret_cast<const std::int32_t*>(ids) + count_, own, clamped);
    else
      std::transform(reinterpret_cast<const std::int64_t*>(ids),
                     reinterpret_cast<const std::int64_t*>(ids) + count_, own, clamped);
    processes_->all_gather(std::as_bytes(std::span(own, count_)),
                           std::as_writable_bytes(std::span(scratch.ids, num_processes_ * count_)));
  }

  /// The position of an id's first occurrence among `ids`, of which position i is the present one.
  std::int32_t first_of(std::span<const Id> ids, std::size_t i, std::int32_t* hash) const {
    const int shift = 64 - std::countr_zero(hash_size_);
    std::uint64_t at = static_cast<std::uint64_t>(ids[i]) * 0x9E3779B97F4A7C15U >> shift;
    while (hash[at] >= 0 && ids[as_size(hash[at])] != ids[i]) at = (at + 1) & (hash_size_ - 1);
    if (hash[at] < 0) hash[at] = static_cast<std::int32_t>(i);
    return hash[at];
  }
  void clear_hash(const Scratch& scratch) const {
    std::memset(scratch.hash, 0xFF, static_cast<std::size_t>(hash_size_) * sizeof(std::int32_t));
  }

  /// Finds the first occurrences of each process's ids that this process holds.
  void find_held(const Scratch& scratch) const {
    num_held_.assign(num_processes_, 0);
    for (std::size_t process = 0; process < num_processes_; ++process) {
      const std::span<const Id> ids = ids_of(scratch, process);
      std::int32_t* const positions = scratch.positions + process * count_;
      clear_hash(scratch);
      for (std::size_t i = 0; i < count_; ++i)
        if ((!is_by_rows() || owner_of(ids[i]) == rank_) &&
            first_of(ids, i, scratch.hash) == static_cast<std::int32_t>(i))
          positions[num_held_[process]++] = static_cast<std::int32_t>(i);
    }
  }

  /// Numbers the distinct ids of this process for each owner. For columns each process is an owner of all.
  void number_own(const Scratch& scratch) const {
    const std::span<const Id> ids = ids_of(scratch, rank_);
    num_named_.assign(num_processes_, 0);
    clear_hash(scratch);
    for (std::size_t i = 0; i < count_; ++i) {
      const auto first = as_size(first_of(ids, i, scratch.hash));
      scratch.slots[i] = first < i
                             ? scratch.slots[first]
                             : static_cast<std::int32_t>(num_named_[is_by_rows() ? owner_of(ids[i]) : 0]++);
    }
    if (!is_by_rows()) num_named_.assign(num_processes_, num_named_[0]);
  }

  /// The address of the rows that this process's ids have at each owner, one owner after the other.
  std::vector<std::span<std::byte>>& rows_of_ids(const Scratch& scratch) const {
    of_ids_.clear();
    std::byte* next = scratch.of_ids;
    for (std::size_t owner = 0; owner < num_processes_; ++owner) {
      of_ids_.emplace_back(next, num_named_[owner] * row_bytes_);
      next += of_ids_.back().size();
    }
    return of_ids_;
  }
  /// The same of the rows that each process names in this process's part.
  std::vector<std::span<std::byte>>& rows_of_parts(const Scratch& scratch) const {
    of_parts_.clear();
    for (std::size_t process = 0; process < num_processes_; ++process)
      of_parts_.emplace_back(scratch.of_parts + process * count_ * row_bytes_,
                             num_held_[process] * row_bytes_);
    return of_parts_;
  }
  /// Exchanges with the other processes; the process's own rows need no message.
  void exchange(std::span<const std::span<std::byte>> out, std::span<const std::span<std::byte>> in) const {
    out_.assign(out.begin(), out.end());
    in_.assign(in.begin(), in.end());
    out_[rank_] = {};
    in_[rank_] = {};
    processes_->all_to_all(out_, in_);
  }

  std::shared_ptr<runtime::Collective> processes_;
  ops::TableShards shards_;
  std::int64_t part_rows_;
  ir::DType ids_dtype_;
  std::size_t rank_ = 0, num_processes_ = 1, count_, row_bytes_, whole_row_bytes_;
  std::uint64_t hash_size_ = 0;
  std::vector<std::size_t> offsets_;
  // Of one run: collectives run one after the other. Kept, so that a step allocates nothing.
  mutable std::mutex mutex_;
  mutable std::vector<std::size_t> num_held_, num_named_;
  mutable std::vector<std::span<std::byte>> of_ids_, of_parts_, in_;
  mutable std::vector<std::span<const std::byte>> out_;
};

std::size_t bytes_of_row(const ir::Value& rows) {
  return as_size(rows.dims().back()) * ir::size_bytes(rows.dtype());
}

template <typename Id>
class LookupKernel final : public Exchange<Id> {
 public:
  explicit LookupKernel(const ir::Op& op)
      : Exchange<Id>(op, op.operand(0).dims()[0], bytes_of_row(op.operand(0)), bytes_of_row(op.result())) {}

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const std::lock_guard lock(this->mutex_);
    const auto scratch = this->scratch_of(memory.scratch);
    this->gather_ids(memory.operands[1], scratch);
    this->find_held(scratch);
    this->number_own(scratch);
    auto& held = this->rows_of_parts(scratch);
    auto& named = this->rows_of_ids(scratch);
    const std::size_t row_bytes = this->row_bytes_;
    for (std::size_t process = 0; process < this->num_processes_; ++process) {
      if (process == this->rank_) continue;
      const std::span<const Id> ids = this->ids_of(scratch, process);
      std::byte* to = held[process].data();
      for (const std::int32_t i : this->positions_of(scratch, process)) {
        const Id row = ids[as_size(i)] - this->first_row(this->rank_);
        std::memcpy(to, memory.operands[0] + as_size(row) * row_bytes, row_bytes);
        to += row_bytes;
      }
    }
    this->exchange(held, named);
    copy_rows(scratch, named, memory.operands[0], memory.results[0]);
  }

 private:
  using Scratch = typename Exchange<Id>::Scratch;

  /// Writes the row of each id: received from its owner, or of this process's `part`.
  void copy_rows(const Scratch& scratch, std::span<const std::span<std::byte>> named, const std::byte* part,
                 std::byte* to) const {
    const std::span<const Id> ids = this->ids_of(scratch, this->rank_);
    const std::size_t row_bytes = this->row_bytes_;
    const Id first_row = this->first_row(this->rank_);
    for (std::size_t i = 0; i < this->count_; ++i, to += this->whole_row_bytes_) {
      const std::size_t first = this->is_by_rows() ? this->owner_of(ids[i]) : 0,
                        end = this->is_by_rows() ? first + 1 : this->num_processes_;
      for (std::size_t owner = first; owner < end; ++owner) {
        const std::byte* const from = owner == this->rank_
                                          ? part + as_size(ids[i] - first_row) * row_bytes
                                          : named[owner].data() + as_size(scratch.slots[i]) * row_bytes;
        std::memcpy(to + (owner - first) * row_bytes, from, row_bytes);
      }
    }
  }
};

template <typename Id, typename T>
class GradientRowsKernel final : public Exchange<Id> {
 public:
  explicit GradientRowsKernel(const ir::Op& op)
      : Exchange<Id>(op, op.attributes().get<std::int64_t>("part_rows"), bytes_of_row(op.result()),
                     bytes_of_row(op.operand(0))) {}

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const std::lock_guard lock(this->mutex_);
    const auto scratch = this->scratch_of(memory.scratch);
    this->gather_ids(memory.operands[1], scratch);
    this->find_held(scratch);
    this->number_own(scratch);
    auto& held = this->rows_of_parts(scratch);
    auto& named = this->rows_of_ids(scratch);
    add_up(scratch, named, memory.operands[0]);
    this->exchange(named, held);
    held[this->rank_] = named[this->rank_];
    place(scratch, held, memory);
  }

 private:
  using Scratch = typename Exchange<Id>::Scratch;

  /// Sums the gradients of each distinct id in order, in the rows for its owners.
  void add_up(const Scratch& scratch, std::span<const std::span<std::byte>> named,
              const std::byte* gradients) const {
    const std::span<const Id> ids = this->ids_of(scratch, this->rank_);
    const std::size_t row_bytes = this->row_bytes_;
    this->num_named_.assign(this->num_processes_, 0);  // counts the rows begun
    for (std::size_t i = 0; i < this->count_; ++i, gradients += this->whole_row_bytes_) {
      const auto slot = as_size(scratch.slots[i]);
      const std::size_t first = this->is_by_rows() ? this->owner_of(ids[i]) : 0,
                        end = this->is_by_rows() ? first + 1 : this->num_processes_;
      const bool is_new = slot == this->num_named_[first];
      if (is_new) ++this->num_named_[first];
      for (std::size_t owner = first; owner < end; ++owner) {
        std::byte* const sum = named[owner].data() + slot * row_bytes;
        const std::byte* const from = gradients + (owner - first) * row_bytes;
        if (is_new)
          std::memcpy(sum, from, row_bytes);
        else
          add(reinterpret_cast<T*>(sum), reinterpret_cast<const T*>(from), row_bytes / sizeof(T));
      }
    }
  }

  static void add(T* sum, const T* more, std::size_t count) {
    CORNU_NO_ALIASING
    for (std::size_t i = 0; i < count; ++i) sum[i] += more[i];
  }

  /// Writes the received rows to the positions of their ids, zeros elsewhere, and the relative ids.
  void place(const Scratch& scratch, std::span<const std::span<std::byte>> held,
             const KernelMemory& memory) const {
    const std::size_t row_bytes = this->row_bytes_, count = this->count_;
    auto* const relative = reinterpret_cast<Id*>(memory.results[1]);
    const Id first = this->first_row(this->rank_);
    for (std::size_t process = 0; process < this->num_processes_; ++process) {
      std::byte* const rows = memory.results[0] + process * count * row_bytes;
      const std::byte* from = held[process].data();
      std::size_t next = 0;  // the position after the last written row
      for (const std::int32_t i : this->positions_of(scratch, process)) {
        std::memset(rows + next * row_bytes, 0, (as_size(i) - next) * row_bytes);
        std::memcpy(rows + as_size(i) * row_bytes, from, row_bytes);
        from += row_bytes;
        next = as_size(i) + 1;
      }
      std::memset(rows + next * row_bytes, 0, (count - next) * row_bytes);
      const std::span<const Id> ids = this->ids_of(scratch, process);
      for (std::size_t i = 0; i < count; ++i) relative[process * count + i] = ids[i] - first;
    }
  }
};

bool is_among_processes(const ir::Op& op) {
  const ir::DType ids = op.operand(1).dtype();
  return shards_of(op).num_shards > 1 && (ids == ir::DType::kI32 || ids == ir::DType::kI64) &&
         op.operand(1).type().num_elements() < std::int64_t{1} << 30;
}
bool sums_among_processes(const ir::Op& op) {
  const ir::DType rows = op.operand(0).dtype();
  return is_among_processes(op) && (rows == ir::DType::kF32 || rows == ir::DType::kF64);
}

bool has_small_numbers(const ir::Op& op) { return shards_of(op).num_rows * 2 <= INT32_MAX; }

std::unique_ptr<GroupKernel> make_lookup(const ir::Op& op, const Target&, int) {
  if (has_small_numbers(op)) return std::make_unique<LookupKernel<std::int32_t>>(op);
  return std::make_unique<LookupKernel<std::int64_t>>(op);
}

template <typename Id>
std::unique_ptr<GroupKernel> make_gradient_rows_of(const ir::Op& op) {
  if (op.operand(0).dtype() == ir::DType::kF32) return std::make_unique<GradientRowsKernel<Id, float>>(op);
  return std::make_unique<GradientRowsKernel<Id, double>>(op);
}
std::unique_ptr<GroupKernel> make_gradient_rows(const ir::Op& op, const Target&, int) {
  return has_small_numbers(op) ? make_gradient_rows_of<std::int32_t>(op)
                               : make_gradient_rows_of<std::int64_t>(op);
}

/// The ids, and the rows of all ids but those that stay: without repeated ids.
double most_bytes(const ir::Op& op, const ir::Value& rows) {
  const auto others = static_cast<double>(shards_of(op).num_shards - 1);
  const double id_bytes =
      static_cast<double>(op.operand(1).type().num_elements()) * (has_small_numbers(op) ? 4 : 8);
  return others * id_bytes + static_cast<double>(rows.type().size_bytes()) * others / (others + 1);
}
double bytes_of_lookup(const ir::Op& op) { return most_bytes(op, op.result()); }
double bytes_of_gradient_rows(const ir::Op& op) { return most_bytes(op, op.operand(0)); }

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.sharded_lookup",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_lookup, .serves = is_among_processes, .sent_bytes = bytes_of_lookup}},
      {.name = "cornu.sharded_gradient_rows",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_gradient_rows,
                  .serves = sums_among_processes,
                  .sent_bytes = bytes_of_gradient_rows}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::sharded_lookup_folder
