#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/check.h"
#include "cornu/base/elements_apart.h"
#include "cornu/ops/sharded_lookup/sharded_lookup.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/process_memory.h"

// Exchanges of rows among processes. Each knows which rows all of them name, so it knows the sizes of all
// messages: a row travels once to each process that names it, and the sum of its gradients once back.
namespace cornu::inline v0::backends::cpu::sharded_lookup_folder {
namespace {

std::size_t as_size(std::int64_t number) { return static_cast<std::size_t>(number); }

ops::TableShards shards_of(const ir::Op& op) {
  return ops::sharded_lookup_folder::shards_of(op.attributes());
}

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

/// Rows that a process exchanges with each process. `Id`: the dtype of ids.
template <typename Id>
class Exchange : public GroupKernel {
 public:
  std::string_view name() const override { return "processes"; }

 protected:
  /// `named`: the ids of all processes; `part_rows`: rows of a process's part; `row_bytes`: bytes of a row of
  /// a part, `whole_row_bytes`: of a row of the table.
  Exchange(const ir::Op& op, const ir::Value& named, std::int64_t part_rows, std::size_t row_bytes,
           std::size_t whole_row_bytes)
      : shards_(shards_of(op)),
        part_rows_(part_rows),
        count_(as_size(named.type().num_elements() / shards_.num_shards)),
        row_bytes_(row_bytes),
        whole_row_bytes_(whole_row_bytes) {
    processes_ = runtime::joined_processes();
    const std::int64_t here = processes_ == nullptr ? 1 : processes_->size();
    if (here != shards_.num_shards)
      fail(ErrorCode::kUnimplemented, "[{}] the program is for {} processes together, and {} here", op.name(),
           shards_.num_shards, here == 1 ? std::string("one runs") : fmt::format("{} run", here));
    rank_ = as_size(processes_->rank());
    num_processes_ = as_size(here);
  }

  bool is_by_rows() const { return shards_.axis == 0; }
  Id first_row(std::size_t process) const {
    return is_by_rows() ? static_cast<Id>(static_cast<std::int64_t>(process) * part_rows_) : 0;
  }
  /// The first byte of a process's columns in a row of the table.
  std::size_t column_of(std::size_t process) const { return is_by_rows() ? 0 : process * row_bytes_; }
  /// The ids that a process names, at the positions where it does; -1 elsewhere.
  std::span<const Id> named_by(const std::byte* named, std::size_t process) const {
    return {reinterpret_cast<const Id*>(named) + process * count_, count_};
  }

  /// Finds the rows that this process exchanges: the positions of its ids at each owner, and those of each
  /// process's ids in its part.
  void find_positions(const std::byte* named) const {
    own_.resize(num_processes_);
    held_.resize(num_processes_);
    for (std::size_t process = 0; process < num_processes_; ++process) {
      positions_in(named_by(named, rank_), first_row(process), own_[process]);
      if (process != rank_) positions_in(named_by(named, process), first_row(rank_), held_[process]);
    }
    held_[rank_] = own_[rank_];
  }

  /// Calls f(row, byte, size, at) for the rows of a message's piece: `size` bytes from `byte` on of the row
  /// are `at` bytes after the beginning of the piece.
  template <typename F>
  void for_rows_of_piece(std::size_t offset, std::size_t piece_bytes, const F& f) const {
    std::size_t row = offset / row_bytes_, byte = offset % row_bytes_;
    for (std::size_t at = 0, size = 0; at < piece_bytes; at += size, ++row, byte = 0) {
      size = std::min(row_bytes_ - byte, piece_bytes - at);
      f(row, byte, size, at);
    }
  }

  std::shared_ptr<runtime::Collective> processes_;
  ops::TableShards shards_;
  std::int64_t part_rows_;
  std::size_t rank_ = 0, num_processes_ = 1, count_, row_bytes_, whole_row_bytes_;
  // Of one run: collectives run one after the other. Kept, so that a step allocates nothing.
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<std::int32_t>> own_, held_;

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
};

std::size_t bytes_of_row(const ir::Value& rows) {
  return as_size(rows.dims().back()) * ir::size_bytes(rows.dtype());
}

/// Rows that are copied into messages and out of them.
template <typename Id>
class CopiedRows : public Exchange<Id> {
 protected:
  CopiedRows(const ir::Op& op, const ir::Value& named)
      : Exchange<Id>(op, named, op.operand(0).dims()[0], bytes_of_row(op.operand(0)),
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
      const std::vector<std::int32_t>& positions = kernel_.held_[as_size(rank)];
      kernel_.for_rows_of_piece(
          offset, piece.size(), [&](std::size_t k, std::size_t byte, std::size_t size, std::size_t at) {
            if (k + kRowsAhead < positions.size())
              prefetch(kernel_.row_of(memory_, ids, positions[k + kRowsAhead]), kernel_.row_bytes_);
            std::memcpy(piece.data() + at, kernel_.row_of(memory_, ids, positions[k]) + byte, size);
          });
    }
    void read(int rank, std::size_t offset, std::span<const std::byte> piece) override {
      const std::vector<std::int32_t>& positions = kernel_.own_[as_size(rank)];
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
    const std::vector<std::int32_t>& positions = this->own_[this->rank_];
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
  explicit RowsKernel(const ir::Op& op) : CopiedRows<Id>(op, op.operand(1)) {}

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
  explicit ViewKernel(const ir::Op& op)
      : CopiedRows<Id>(op, op.operand(3)),
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

/// Adds gradients by id. Where ids outnumber gradients, as after a sum over many rows, processes exchange
/// gradients and first positions, and each adds all that concerns its part. Otherwise they exchange sums, also
/// where most ids are in the part of one, which would add most gradients: on one machine, in common memory.
template <typename Id, typename T>
class RowSumsKernel final : public Exchange<Id> {
 public:
  explicit RowSumsKernel(const ir::Op& op)
      : Exchange<Id>(op, op.operand(2), op.attributes().get<std::int64_t>("part_rows"),
                     bytes_of_row(op.result(0)), bytes_of_row(op.operand(0))),
        num_gradients_(as_size(op.operand(0).dims()[0])),
        exchanges_gradients_(2 * num_gradients_ * this->num_processes_ <= this->count_) {
    // With a shift of that many bits the quotients are exact for all ids.
    const std::size_t ids_per_gradient = this->count_ / std::max<std::size_t>(1, num_gradients_);
    row_shift_ = std::bit_width(this->count_ * ids_per_gradient);
    row_factor_ =
        ((std::size_t{1} << row_shift_) + ids_per_gradient - 1) / std::max<std::size_t>(1, ids_per_gradient);
    const auto reserve = [this](std::size_t bytes) {
      const std::size_t offset = this->scratch_bytes_;
      this->scratch_bytes_ += whole_lines(bytes);
      return offset;
    };
    heads_offset_ = reserve(this->count_ * sizeof(std::int32_t));
    next_offset_ = reserve(this->count_ * sizeof(std::int32_t));
    hash_offset_ = reserve(hash_size(this->num_processes_ * this->count_) * sizeof(std::int32_t));
    if (!exchanges_gradients_) return;
    firsts_offset_ = reserve(this->num_processes_ * this->count_ * sizeof(Id));
    gradients_offset_ = reserve(this->num_processes_ * gradient_bytes());
  }

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const std::lock_guard lock(this->mutex_);
    this->find_positions(memory.operands[2]);
    Sums sums(*this, memory);
    if (!exchanges_gradients_)
      exchange_sums(memory, sums);
    else if (is_uneven(memory.operands[2]) && shares_sums())
      add_shared_sums(memory, sums);
    else
      add_gradients_of_all(memory, sums);
    sums.end();
  }

 private:
  std::size_t gradient_bytes() const { return num_gradients_ * this->whole_row_bytes_; }

  /// The gradients of a process, with the positions of each id as a linked list: its first element by the
  /// first position of the id, then the next one for each; -1 at the end.
  struct Gradients {
    const std::byte* rows;
    const std::int32_t* heads;
    const std::int32_t* next;
  };

  Gradients link(const KernelMemory& memory, const std::byte* rows, const Id* first) const {
    auto* const heads = reinterpret_cast<std::int32_t*>(memory.scratch + heads_offset_);
    auto* const next = reinterpret_cast<std::int32_t*>(memory.scratch + next_offset_);
    std::fill_n(heads, this->count_, -1);
    for (std::size_t i = this->count_; i-- > 0;) {
      if (first[i] < 0 || as_size(first[i]) >= this->count_) continue;
      next[i] = std::exchange(heads[first[i]], static_cast<std::int32_t>(i));
    }
    return {.rows = rows, .heads = heads, .next = next};
  }

  /// Writes the sum of the gradients of the id that is named at a position, in their order. `column`: the
  /// first byte in their rows.
  void sum(const Gradients& gradients, std::int32_t position, std::size_t column, std::span<T> to) const {
    T* const sum = to.data();
    const std::size_t count = to.size();
    std::int32_t i = gradients.heads[position];
    if (i < 0) {
      std::fill_n(sum, count, T{0});
      return;
    }
    const T* from = row_at(gradients, i, column);
    CORNU_NO_ALIASING
    for (std::size_t c = 0; c < count; ++c) sum[c] = from[c] + T{0};  // as a sum from zero on: -0 becomes 0
    while ((i = gradients.next[i]) >= 0) {
      from = row_at(gradients, i, column);
      CORNU_NO_ALIASING
      for (std::size_t c = 0; c < count; ++c) sum[c] += from[c];
    }
  }
  const T* row_at(const Gradients& gradients, std::int32_t i, std::size_t column) const {
    const std::size_t row = as_size(i) * row_factor_ >> row_shift_;  // i / ids_per_gradient
    return reinterpret_cast<const T*>(gradients.rows + row * this->whole_row_bytes_ + column);
  }

  /// The results, one after the other: a row's number in the part, and its sum.
  class Sums {
   public:
    Sums(const RowSumsKernel& kernel, const KernelMemory& memory)
        : kernel_(kernel),
          ids_(reinterpret_cast<Id*>(memory.results[1])),
          rows_(memory.results[0]),
          hash_(reinterpret_cast<std::int32_t*>(memory.scratch + kernel.hash_offset_)) {
      std::size_t num_held = 0;
      for (const auto& positions : kernel.held_) num_held += positions.size();
      hash_size_ = hash_size(num_held);
      shift_ = 64 - std::countr_zero(hash_size_);
      // Few rows have an entry each instead: nothing collides then.
      const std::size_t part_rows = as_size(kernel.part_rows_);
      if (part_rows <= 2 * hash_size_ && part_rows <= hash_size(kernel.num_processes_ * kernel.count_)) {
        hash_size_ = part_rows;
        factor_ = 1;
        shift_ = 0;
      }
      std::memset(hash_, 0xFF, hash_size_ * sizeof(std::int32_t));
      kernel.row_.resize(kernel.row_bytes_ / sizeof(T));
    }

    /// Finds the row of the id that a process names at a position. Returns its place, and true if it is new.
    std::pair<std::int32_t, bool> find(std::span<const Id> named, std::int32_t position) {
      const Id id = row_of(named, position);
      std::size_t at = entry_of(id);
      while (hash_[at] >= 0 && ids_[hash_[at]] != id) at = (at + 1) & (hash_size_ - 1);
      if (hash_[at] >= 0) return {hash_[at], false};
      hash_[at] = num_sums_;
      ids_[num_sums_] = id;
      return {num_sums_++, true};
    }

    /// Adds the sums of a process's gradients to the rows that it names.
    void add(const KernelMemory& memory, std::size_t process, const Gradients& gradients) {
      const std::span<const Id> named = kernel_.named_by(memory.operands[2], process);
      const std::size_t column = kernel_.column_of(kernel_.rank_), count = kernel_.row_.size();
      const std::vector<std::int32_t>& positions = kernel_.held_[process];
      const bool has_others = num_sums_ > 0;
      for (std::size_t k = 0; k < positions.size(); ++k) {
        look_ahead(named, positions, k, has_others);
        const std::int32_t position = positions[k];
        const auto [place, is_new] = find(named, position);
        if (is_new) {
          kernel_.sum(gradients, position, column, {row(place, 0), count});
        } else {
          kernel_.sum(gradients, position, column, kernel_.row_);
          add_to(row(place, 0), kernel_.row_);
        }
      }
    }

    T* row(std::int32_t place, std::size_t byte) const {
      return reinterpret_cast<T*>(rows_ + as_size(place) * kernel_.row_bytes_ + byte);
    }
    static void add_to(T* sum, std::span<const T> more) {
      const std::size_t count = more.size();
      const T* const from = more.data();
      CORNU_NO_ALIASING
      for (std::size_t c = 0; c < count; ++c) sum[c] += from[c];
    }

    /// Adds another process's sums, which are one after the other.
    void add(const KernelMemory& memory, std::size_t process, const T* from) {
      const std::span<const Id> named = kernel_.named_by(memory.operands[2], process);
      const std::vector<std::int32_t>& positions = kernel_.held_[process];
      const std::size_t count = kernel_.row_.size();
      const bool has_others = num_sums_ > 0;
      for (std::size_t k = 0; k < positions.size(); ++k, from += count) {
        look_ahead(named, positions, k, has_others);
        const auto [place, is_new] = find(named, positions[k]);
        if (is_new)
          std::copy_n(from, count, row(place, 0));
        else
          add_to(row(place, 0), {from, count});
      }
    }

    /// Marks the other elements of the results as unused.
    void end() {
      std::fill(ids_ + num_sums_, ids_ + kernel_.num_processes_ * kernel_.count_,
                static_cast<Id>(kernel_.part_rows_));
    }

   private:
    static constexpr std::size_t kEntriesAhead = 24, kSumsAhead = 8;

    /// Starts to load the entry of a later id, which sums have driven out of the second cache, and the sum of
    /// the id at one of these entries, if others have added to it. Inlined: GCC would leave out a function that
    /// only prefetches.
    [[gnu::always_inline]] void look_ahead(std::span<const Id> named,
                                           const std::vector<std::int32_t>& positions, std::size_t k,
                                           bool has_others) const {
      if (k + kEntriesAhead < positions.size())
        __builtin_prefetch(hash_ + entry_of(row_of(named, positions[k + kEntriesAhead])));
      if (!has_others || k + kSumsAhead >= positions.size()) return;
      const std::int32_t place = hash_[entry_of(row_of(named, positions[k + kSumsAhead]))];
      if (place < 0) return;
      for (std::size_t byte = 0; byte < kernel_.row_bytes_; byte += 64) __builtin_prefetch(row(place, byte));
    }

    /// The number in the part of the row that a process names at a position.
    Id row_of(std::span<const Id> named, std::int32_t position) const {
      return static_cast<Id>(named[as_size(position)] - kernel_.first_row(kernel_.rank_));
    }
    std::size_t entry_of(Id row) const { return static_cast<std::uint64_t>(row) * factor_ >> shift_; }

    const RowSumsKernel& kernel_;
    Id* ids_;
    std::byte* rows_;
    std::int32_t* hash_;
    std::size_t hash_size_ = 0;  // entries
    std::uint64_t factor_ = 0x9E3779B97F4A7C15U;
    int shift_ = 0;
    std::int32_t num_sums_ = 0;
  };

  static std::size_t hash_size(std::size_t num_ids) {
    return std::bit_ceil(static_cast<std::uint64_t>(num_ids) * 2 + 1);
  }

  void add_gradients_of_all(const KernelMemory& memory, Sums& sums) const {
    const std::size_t num_processes = this->num_processes_;
    auto* const firsts = reinterpret_cast<Id*>(memory.scratch + firsts_offset_);
    std::byte* const gradients = memory.scratch + gradients_offset_;
    this->processes_->all_gather(
        {memory.operands[1], this->count_ * sizeof(Id)},
        {memory.scratch + firsts_offset_, num_processes * this->count_ * sizeof(Id)});
    this->processes_->all_gather({memory.operands[0], gradient_bytes()},
                                 {gradients, num_processes * gradient_bytes()});
    for (std::size_t process = 0; process < num_processes; ++process)
      if (!this->held_[process].empty())
        sums.add(memory, process,
                 link(memory, gradients + process * gradient_bytes(), firsts + process * this->count_));
  }

  /// Counts the ids that each process names in each part. Returns true if one part has far more than others.
  bool is_uneven(const std::byte* named) const {
    constexpr std::size_t kMostProcesses = 8;  // else counting takes long
    const std::size_t n = this->num_processes_;
    if (!this->is_by_rows() || n > kMostProcesses) return false;
    counts_.assign(n * n, 0);
    std::vector<std::size_t> of_part(n);
    for (std::size_t process = 0; process < n; ++process)
      for (std::size_t part = 0; part < n; ++part) {
        const Id first = this->first_row(part), end = this->first_row(part + 1);
        std::int32_t count = 0;
        for (const Id id : this->named_by(named, process)) count += (id >= first) & (id < end);
        counts_[process * n + part] = static_cast<std::size_t>(count);
        of_part[part] += static_cast<std::size_t>(count);
      }
    const std::size_t all = std::accumulate(of_part.begin(), of_part.end(), std::size_t{0});
    return 2 * n * std::ranges::max(of_part) > 3 * all;
  }

  /// True if all processes can read each other's sums. All return the same.
  bool shares_sums() const {
    if (shares_sums_.has_value()) return *shares_sums_;
    const std::size_t bytes = this->count_ * this->row_bytes_;
    own_sums_ = runtime::allocate_process_memory(bytes);
    const runtime::ProcessMemoryHandle own = runtime::process_memory_handle(own_sums_.get());
    std::vector<runtime::ProcessMemoryHandle> all(this->num_processes_);
    this->processes_->all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
    constexpr std::size_t kPage = runtime::ProcessMemoryView::kPage;
    sums_distance_ = (bytes + kPage - 1) / kPage * kPage;
    sums_ = runtime::ProcessMemoryView::open(all, bytes, sums_distance_);
    const std::vector<std::uint64_t> opened = this->processes_->gather(sums_ != nullptr);
    shares_sums_ = std::ranges::find(opened, 0U) == opened.end();
    return *shares_sums_;
  }

  /// Each process adds its own gradients, and then the sums of others. Before a later run writes sums again,
  /// the processes exchange ids, so that all have read these.
  void add_shared_sums(const KernelMemory& memory, Sums& sums) const {
    const std::size_t n = this->num_processes_, count = row_.size();
    const Gradients own = link(memory, memory.operands[0], reinterpret_cast<const Id*>(memory.operands[1]));
    T* to = reinterpret_cast<T*>(own_sums_.get());
    for (std::size_t part = 0; part < n; ++part)
      if (part != this->rank_)
        for (const std::int32_t position : this->own_[part])
          sum(own, position, 0, {std::exchange(to, to + count), count});
    const bool is_first = this->rank_ < 2;  // a sum of two does not depend on their order
    if (is_first) sums.add(memory, this->rank_, own);
    this->processes_->gather(0);
    for (std::size_t process = 0; process < n; ++process) {
      if (process == this->rank_) {
        if (!is_first) sums.add(memory, process, own);
        continue;
      }
      std::size_t before = 0;  // sums for parts before this one
      for (std::size_t part = 0; part < this->rank_; ++part)
        if (part != process) before += counts_[process * n + part];
      sums.add(memory, process,
               reinterpret_cast<const T*>(sums_->address() + process * sums_distance_) + before * count);
    }
  }

  void exchange_sums(const KernelMemory& memory, Sums& sums) const {
    const Gradients own = link(memory, memory.operands[0], reinterpret_cast<const Id*>(memory.operands[1]));
    Messages messages(*this, memory, own, sums);
    // A sum of two does not depend on their order, so the first two processes need not wait for each other.
    if (this->rank_ < 2) messages.add_own_rows();
    this->processes_->exchange_pieces(messages);
    messages.add_own_rows();
  }

  /// Sums of this process's gradients to the owners of their rows, and sums of other processes.
  class Messages final : public runtime::MessagePieces {
   public:
    Messages(const RowSumsKernel& kernel, const KernelMemory& memory, const Gradients& own, Sums& sums)
        : kernel_(kernel), memory_(memory), gradients_(own), sums_(sums) {}

    std::size_t sent_bytes(int rank) const override {
      return kernel_.own_[as_size(rank)].size() * kernel_.row_bytes_;
    }
    std::size_t received_bytes(int rank) const override {
      return kernel_.held_[as_size(rank)].size() * kernel_.row_bytes_;
    }
    void write(int rank, std::size_t offset, std::span<std::byte> piece) override {
      const std::vector<std::int32_t>& positions = kernel_.own_[as_size(rank)];
      const std::size_t column = kernel_.column_of(as_size(rank));
      kernel_.for_rows_of_piece(offset, piece.size(),
                                [&](std::size_t k, std::size_t byte, std::size_t size, std::size_t at) {
                                  kernel_.sum(gradients_, positions[k], column + byte,
                                              {reinterpret_cast<T*>(piece.data() + at), size / sizeof(T)});
                                });
    }
    void read(int rank, std::size_t offset, std::span<const std::byte> piece) override {
      if (as_size(rank) > kernel_.rank_) add_own_rows();
      const std::span<const Id> named = kernel_.named_by(memory_.operands[2], as_size(rank));
      const std::vector<std::int32_t>& positions = kernel_.held_[as_size(rank)];
      kernel_.for_rows_of_piece(offset, piece.size(),
                                [&](std::size_t k, std::size_t byte, std::size_t size, std::size_t at) {
                                  if (byte == 0) place_ = sums_.find(named, positions[k]);
                                  T* const sum = sums_.row(place_.first, byte);
                                  const auto* const from = reinterpret_cast<const T*>(piece.data() + at);
                                  if (place_.second)
                                    std::memcpy(sum, from, size);
                                  else
                                    Sums::add_to(sum, {from, size / sizeof(T)});
                                });
    }

    /// Adds the sums of this process's gradients to its part, once.
    void add_own_rows() {
      if (!std::exchange(has_own_rows_, true)) sums_.add(memory_, kernel_.rank_, gradients_);
    }

   private:
    const RowSumsKernel& kernel_;
    const KernelMemory& memory_;
    const Gradients& gradients_;
    Sums& sums_;
    std::pair<std::int32_t, bool> place_;  // of the row whose bytes arrive
    bool has_own_rows_ = false;
  };

  std::size_t num_gradients_;
  int row_shift_ = 0;
  std::size_t row_factor_ = 0;
  bool exchanges_gradients_;
  std::size_t heads_offset_ = 0, next_offset_ = 0, hash_offset_ = 0, firsts_offset_ = 0,
              gradients_offset_ = 0;
  mutable std::vector<T> row_;
  mutable std::vector<std::size_t> counts_;  // ids by process and part
  // Sums of this process's gradients for other parts, part after part, and those of all processes.
  mutable std::optional<bool> shares_sums_;  // nothing: not known yet
  mutable std::shared_ptr<std::byte> own_sums_;
  mutable std::unique_ptr<runtime::ProcessMemoryView> sums_;
  mutable std::size_t sums_distance_ = 0;  // bytes
};

bool is_among_processes(const ir::Op& op) {
  return shards_of(op).num_shards > 1 && op.operands().back().type().num_elements() < std::int64_t{1} << 30;
}
bool sums_among_processes(const ir::Op& op) {
  const ir::DType rows = op.operand(0).dtype();
  return is_among_processes(op) && (rows == ir::DType::kF32 || rows == ir::DType::kF64);
}

bool has_small_ids(const ir::Op& op) { return op.operands().back().dtype() == ir::DType::kI32; }

std::unique_ptr<GroupKernel> make_rows(const ir::Op& op, const Target&, int) {
  if (has_small_ids(op)) return std::make_unique<RowsKernel<std::int32_t>>(op);
  return std::make_unique<RowsKernel<std::int64_t>>(op);
}

std::unique_ptr<GroupKernel> make_view(const ir::Op& op, const Target&, int) {
  if (has_small_ids(op)) return std::make_unique<ViewKernel<std::int32_t>>(op);
  return std::make_unique<ViewKernel<std::int64_t>>(op);
}
std::unique_ptr<GroupKernel> make_view_end(const ir::Op&) { return std::make_unique<ViewEndKernel>(); }

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
