#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/base/elements_apart.h"
#include "cornu/ops/sharded_lookup/row_exchange_cpu.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/process_memory.h"

namespace cornu::inline v0::backends::cpu::sharded_lookup_folder {
namespace {

/// The number of rows that a loop over ids reads ahead of the present one.
constexpr std::size_t kRowsAhead = 8;

void prefetch(const std::byte* row, std::size_t size_bytes) {
  for (std::size_t byte = 0; byte < size_bytes; byte += 64) __builtin_prefetch(row + byte);
}

/// Writes rows that are read only after all of them are written. Many rows are written past the caches, so
/// that their memory need not be read first.
class RowWriter {
 public:
  explicit RowWriter(std::size_t size_bytes) : is_past_caches_(size_bytes >= kManyBytes) {}
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;
#if defined(__SSE2__)
  ~RowWriter() { _mm_sfence(); }
#endif

  void write(std::byte* to, const std::byte* from, std::size_t size_bytes) const {
#if defined(__SSE2__)
    constexpr std::size_t kVector = sizeof(__m128i);
    if (is_past_caches_ && size_bytes % kVector == 0 && reinterpret_cast<std::uintptr_t>(to) % kVector == 0) {
      for (std::size_t at = 0; at < size_bytes; at += kVector)
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
      return;
    }
#endif
    std::memcpy(to, from, size_bytes);
  }

 private:
  static constexpr std::size_t kManyBytes = 6 << 20;
  bool is_past_caches_;
};

/// Rows that are copied into messages and out of them.
template <typename Id>
class CopiedRows : public Exchange<Id> {
 protected:
  CopiedRows(const ir::Op& op, IsaLevel isa, const ir::Value& named)
      : Exchange<Id>(op, isa, named, op.operand(0).dims()[0], bytes_of_row(op.operand(0)),
                     bytes_of_row(op.result(0))) {}

  /// The part, the ids that all processes name, and where the rows of this one go.
  struct Memory {
    const std::byte* part;
    const std::byte* named;
    std::byte* rows;
  };
  void exchange_rows(const Memory& memory) const {
    this->find_positions(memory.named);
    std::size_t num_rows = 0;
    for (const auto& positions : this->own_) num_rows += positions.size();
    const RowWriter writer(num_rows * this->row_bytes_);
    copy_own_rows(memory, writer);
    Messages messages(*this, memory, writer);
    this->processes_->exchange_pieces(messages);
  }

 private:
  /// Rows of the part to each process that names them, and rows of the other parts.
  class Messages final : public runtime::MessagePieces {
   public:
    Messages(const CopiedRows& kernel, const Memory& memory, const RowWriter& writer)
        : kernel_(kernel), memory_(memory), writer_(writer) {}

    std::size_t sent_bytes(int rank) const override {
      return kernel_.held_[as_size(rank)].size() * kernel_.row_bytes_;
    }
    std::size_t received_bytes(int rank) const override {
      return kernel_.own_[as_size(rank)].size() * kernel_.row_bytes_;
    }
    void write(int rank, std::size_t offset, std::span<std::byte> piece) override {
      const std::span<const Id> ids = kernel_.named_by(memory_.named, as_size(rank));
      const std::span<const std::int32_t> positions = kernel_.held_[as_size(rank)];
      kernel_.for_rows_of_piece(
          offset, piece.size(), [&](std::size_t k, std::size_t byte, std::size_t size, std::size_t at) {
            if (k + kRowsAhead < positions.size())
              prefetch(kernel_.row_of(memory_, ids, positions[k + kRowsAhead]), kernel_.row_bytes_);
            std::memcpy(piece.data() + at, kernel_.row_of(memory_, ids, positions[k]) + byte, size);
          });
    }
    void read(int rank, std::size_t offset, std::span<const std::byte> piece) override {
      const std::span<const std::int32_t> positions = kernel_.own_[as_size(rank)];
      std::byte* const results = memory_.rows + kernel_.column_of(as_size(rank));
      kernel_.for_rows_of_piece(
          offset, piece.size(), [&](std::size_t k, std::size_t byte, std::size_t size, std::size_t at) {
            writer_.write(results + as_size(positions[k]) * kernel_.whole_row_bytes_ + byte,
                          piece.data() + at, size);
          });
    }

   private:
    const CopiedRows& kernel_;
    const Memory& memory_;
    const RowWriter& writer_;
  };

  /// The row of the part that the id at a position names.
  const std::byte* row_of(const Memory& memory, std::span<const Id> ids, std::int32_t position) const {
    return memory.part + as_size(ids[as_size(position)] - this->first_row(this->rank_)) * this->row_bytes_;
  }

  void copy_own_rows(const Memory& memory, const RowWriter& writer) const {
    const std::span<const Id> ids = this->named_by(memory.named, this->rank_);
    const std::span<const std::int32_t> positions = this->own_[this->rank_];
    std::byte* const results = memory.rows + this->column_of(this->rank_);
    for (std::size_t k = 0; k < positions.size(); ++k) {
      if (k + kRowsAhead < positions.size())
        prefetch(row_of(memory, ids, positions[k + kRowsAhead]), this->row_bytes_);
      writer.write(results + as_size(positions[k]) * this->whole_row_bytes_,
                   row_of(memory, ids, positions[k]), this->row_bytes_);
    }
  }
};

template <typename Id>
class RowsKernel final : public CopiedRows<Id> {
 public:
  RowsKernel(const ir::Op& op, IsaLevel isa) : CopiedRows<Id>(op, isa, op.operand(1)) {}

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const std::lock_guard lock(this->mutex_);
    this->exchange_rows({memory.operands[0], memory.operands[1], memory.results[0]});
  }
};

/// Written by the kernel of a view to its scratch memory, for the kernel of its end.
struct ViewState {
  bool is_of_others = false;  // true if other processes read this one's part in place
};

/// Gives the address of all parts, if each process can map those of the others; else that of copied rows.
template <typename Id>
class ViewKernel final : public CopiedRows<Id> {
 public:
  ViewKernel(const ir::Op& op, IsaLevel isa)
      : CopiedRows<Id>(op, isa, op.operand(3)),
        part_bytes_(op.operand(0).type().size_bytes()),
        distance_(as_size(ops::rows_between_parts(op.operand(0).type()))) {
    this->scratch_bytes_ = sizeof(ViewState);
  }

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const std::lock_guard lock(this->mutex_);
    const ViewState state{.is_of_others = sees_all_parts(memory.operands[0])};
    std::memcpy(memory.scratch, &state, sizeof(state));
    auto* const numbers = reinterpret_cast<Id*>(memory.results[1]);
    if (state.is_of_others) {
      *memory.view = view_->address();
      number_rows(reinterpret_cast<const Id*>(memory.operands[1]), numbers);
      return;
    }
    rows_.resize(this->count_ * this->row_bytes_);
    this->exchange_rows({memory.operands[0], memory.operands[3], rows_.data()});
    *memory.view = rows_.data();
    std::memcpy(numbers, memory.operands[2], this->count_ * sizeof(Id));
  }

 private:
  /// Finds the parts of all processes, which are replaced now and then. All processes return the same. As
  /// each has sent its handle, its changes of its part are complete.
  bool sees_all_parts(const std::byte* part) const {
    std::vector<runtime::ProcessMemoryHandle> handles(this->num_processes_);
    const runtime::ProcessMemoryHandle own = runtime::process_memory_handle(part);
    this->processes_->all_gather(std::as_bytes(std::span(&own, 1)),
                                 std::as_writable_bytes(std::span(handles)));
    if (handles == handles_) return view_ != nullptr;
    view_.reset();
    const bool can_be_here =
        std::ranges::all_of(handles, [](const runtime::ProcessMemoryHandle& each) { return each.file >= 0; });
    if (can_be_here) {
      view_ = runtime::ProcessMemoryView::open(handles, part_bytes_, distance_ * this->row_bytes_);
      const std::vector<std::uint64_t> opened = this->processes_->gather(view_ != nullptr);
      if (std::ranges::find(opened, 0U) != opened.end()) view_.reset();
    }
    handles_ = std::move(handles);
    return view_ != nullptr;
  }

  /// The numbers of rows in the view: between two parts there are more than in the table.
  void number_rows(const Id* ids, Id* numbers) const {
    const std::size_t count = this->count_;
    const auto more = static_cast<Id>(static_cast<std::int64_t>(distance_) - this->part_rows_);
    std::memcpy(numbers, ids, count * sizeof(Id));
    if (more == 0) return;
    for (std::size_t process = 1; process < this->num_processes_; ++process) {
      const Id first = this->first_row(process);
      CORNU_NO_ALIASING
      for (std::size_t i = 0; i < count; ++i) numbers[i] += ids[i] >= first ? more : Id{0};
    }
  }

  std::size_t part_bytes_, distance_;                          // in rows, between the beginnings of two parts
  mutable std::vector<runtime::ProcessMemoryHandle> handles_;  // of the last run
  mutable std::unique_ptr<runtime::ProcessMemoryView> view_;
  mutable std::vector<std::byte> rows_;  // that were copied
};

/// Waits until all processes have read what they need of this one's part.
class ViewEndKernel final : public GroupKernel {
 public:
  ViewEndKernel() : processes_(runtime::joined_processes()) {}

  std::string_view name() const override { return "processes"; }
  void run(const KernelMemory& memory, ThreadPool&) const override {
    ViewState state;
    std::memcpy(&state, memory.scratch, sizeof(state));
    if (state.is_of_others) processes_->gather(0);
  }

 private:
  std::shared_ptr<runtime::Collective> processes_;
};

bool is_among_processes(const ir::Op& op) {
  return shards_of(op).num_shards > 1 && op.operands().back().type().num_elements() < std::int64_t{1} << 30;
}
bool sums_among_processes(const ir::Op& op) {
  const ir::DType rows = op.operand(0).dtype();
  return is_among_processes(op) && (rows == ir::DType::kF32 || rows == ir::DType::kF64);
}

bool has_small_ids(const ir::Op& op) { return op.operands().back().dtype() == ir::DType::kI32; }

std::unique_ptr<GroupKernel> make_rows(const ir::Op& op, const Target& target, int) {
  if (has_small_ids(op)) return std::make_unique<RowsKernel<std::int32_t>>(op, target.isa);
  return std::make_unique<RowsKernel<std::int64_t>>(op, target.isa);
}

std::unique_ptr<GroupKernel> make_view(const ir::Op& op, const Target& target, int) {
  if (has_small_ids(op)) return std::make_unique<ViewKernel<std::int32_t>>(op, target.isa);
  return std::make_unique<ViewKernel<std::int64_t>>(op, target.isa);
}
std::unique_ptr<GroupKernel> make_view_end(const ir::Op&) { return std::make_unique<ViewEndKernel>(); }

/// The rows of all ids but those that stay: without repeated ids.
double most_bytes(const ir::Op& op, const ir::Value& rows) {
  const auto others = static_cast<double>(shards_of(op).num_shards - 1);
  return static_cast<double>(rows.type().size_bytes()) * others / (others + 1);
}
double bytes_of_rows(const ir::Op& op) { return most_bytes(op, op.result()); }
double bytes_of_view(const ir::Op& op) {  // numbers: nothing else is sent if the parts are seen
  return most_bytes(op, op.operand(3));
}
double bytes_of_row_sums(const ir::Op& op) { return most_bytes(op, op.result(0)); }

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.sharded_rows",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_rows, .serves = is_among_processes, .sent_bytes = bytes_of_rows}},
      {.name = "cornu.sharded_view",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_view,
                  .serves = is_among_processes,
                  .make_view_end = make_view_end,
                  .sent_bytes = bytes_of_view}},
      {.name = "cornu.sharded_row_sums",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = make_row_sums, .serves = sums_among_processes, .sent_bytes = bytes_of_row_sums}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::sharded_lookup_folder
