#include <algorithm>
#include <array>
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

#include "cornu/backends/cpu/collectives/row_loops.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/base/elements_apart.h"
#include "cornu/ops/sharded_lookup/row_exchange_cpu.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/process_memory.h"

namespace cornu::inline v0::backends::cpu::sharded_lookup_folder {
namespace {

/// Adds gradients by id. Where ids outnumber gradients, as after a sum over many rows, processes exchange
/// gradients and first positions, and each adds all that concerns its part. Otherwise they exchange sums, also
/// where most ids are in the part of one, which would add most gradients: on one machine, in common memory.
template <typename Id, typename T>
class RowSumsKernel final : public Exchange<Id> {
 public:
  RowSumsKernel(const ir::Op& op, IsaLevel isa)
      : Exchange<Id>(op, isa, op.operand(2), op.attributes().get<std::int64_t>("part_rows"),
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
    row_.resize(this->row_bytes_ / sizeof(T));
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
    if (!exchanges_gradients_)
      exchange_sums(memory);
    else if (is_uneven(memory.operands[2]) && shares_sums())
      add_shared_sums(memory);
    else
      add_gradients_of_all(memory);
  }

 private:
  std::size_t gradient_bytes() const { return num_gradients_ * this->whole_row_bytes_; }

  LinkedGradients link(const KernelMemory& memory, const std::byte* rows, const Id* first) const {
    auto* const heads = reinterpret_cast<std::int32_t*>(memory.scratch + heads_offset_);
    auto* const next = reinterpret_cast<std::int32_t*>(memory.scratch + next_offset_);
    std::fill_n(heads, this->count_, -1);
    for (std::size_t i = this->count_; i-- > 0;) {
      if (first[i] < 0 || as_size(first[i]) >= this->count_) continue;
      next[i] = std::exchange(heads[first[i]], static_cast<std::int32_t>(i));
    }
    return {.rows = rows,
            .row_bytes = this->whole_row_bytes_,
            .heads = heads,
            .next = next,
            .row_factor = row_factor_,
            .row_shift = row_shift_};
  }

  /// Writes the sum of the gradients of the id that is named at a position, in their order. `column`: the
  /// first byte in their rows.
  void sum(const LinkedGradients& gradients, std::int32_t position, std::size_t column,
           std::span<T> to) const {
    constexpr std::int32_t kFirstRow = ~0;
    add_gradients<T>(this->isa_, gradients, column, {&position, 1}, &kFirstRow,
                     {.rows = to.data(), .count = to.size()});
  }

  /// The results. Each row of the part that is named has an element: its number, and the row of the results
  /// with its sum. Rows from `num_references` on are sums; those before are gradients, and one of zeros, which
  /// an element refers to if its sum is just that: most ids occur once, and their gradients are not copied.
  class Sums {
   public:
    Sums(const RowSumsKernel& kernel, const KernelMemory& memory, std::size_t num_references)
        : kernel_(kernel),
          named_(memory.operands[2]),
          rows_(memory.results[0]),
          ids_(reinterpret_cast<Id*>(memory.results[1])),
          sources_(reinterpret_cast<Id*>(memory.results[2])),
          hash_(reinterpret_cast<std::int32_t*>(memory.scratch + kernel.hash_offset_)),
          num_references_(static_cast<std::int32_t>(num_references)),
          num_rows_(num_references_) {
      std::size_t num_held = 0;
      for (const auto& positions : kernel.held_) num_held += positions.size();
      hash_size_ = hash_size(num_held);
      shift_ = 64 - std::countr_zero(hash_size_);
      // Few rows have an entry each instead: nothing collides then.
      const std::size_t part_rows = as_size(kernel.part_rows_);
      if (part_rows <= 2 * hash_size_ && part_rows <= hash_size(kernel.num_processes_ * kernel.count_)) {
        is_direct_ = true;
        hash_size_ = part_rows;
        factor_ = 1;
        shift_ = 0;
      }
      std::memset(hash_, 0xFF, hash_size_ * sizeof(std::int32_t));
      if (num_references > 0) std::memset(row(num_references_ - 1, 0), 0, kernel.row_bytes_);
    }

    T* row(std::int32_t number, std::size_t byte) const {
      return reinterpret_cast<T*>(rows_ + as_size(number) * kernel_.row_bytes_ + byte);
    }

    /// Finds the sum of the id that a process names at a position. Returns the number of its row, and true if
    /// nothing was added to it yet.
    std::pair<std::int32_t, bool> find(std::span<const Id> named, std::int32_t position) {
      const auto [element, is_new] = find_element(named, position);
      return {is_new ? new_row(element) : summed_row(element), is_new};
    }

    /// Adds the sums of a process's gradients to the rows that it names. `reference`: the row of its first
    /// gradient, if its gradients are among the results.
    void add(std::size_t process, const LinkedGradients& gradients,
             std::optional<std::size_t> reference = std::nullopt) {
      const std::size_t column = reference.has_value() ? 0 : kernel_.column_of(kernel_.rank_);
      const auto first = static_cast<Id>(reference.value_or(0));
      std::array<std::int32_t, kBlock> positions, places;
      std::size_t count = 0;
      const auto end_block = [&] {
        add_gradients(kernel_.isa_, gradients, column, std::span(positions).first(count), places.data(),
                      all_rows());
        count = 0;
      };
      const std::span<const Id> named = kernel_.named_by(named_, process);
      const std::span<const std::int32_t> held = kernel_.held_[process];
      for (std::size_t k = 0; k < held.size(); ++k) {
        look_ahead(named, held, k);
        const std::int32_t i = gradients.heads[held[k]], next = i < 0 ? -1 : gradients.next[i];
        const auto [element, is_new] = find_element(named, held[k]);
        if (is_new && next < 0 && reference.has_value()) {
          sources_[element] = i < 0 ? num_references_ - 1 : first + static_cast<Id>(gradients.row_number(i));
          continue;
        }
        if (next >= 0) prefetch_row(gradients.row(next, column));
        positions[count] = held[k];
        places[count] = is_new ? ~new_row(element) : summed_row(element);
        if (++count == kBlock) end_block();
      }
      end_block();
    }

    /// Adds another process's sums, which are one after the other.
    void add(std::size_t process, const T* from) {
      const std::span<const Id> named = kernel_.named_by(named_, process);
      std::span<const std::int32_t> held = kernel_.held_[process];
      std::array<std::int32_t, kBlock> places;
      while (!held.empty()) {
        const std::size_t count = std::min(kBlock, held.size());
        for (std::size_t k = 0; k < count; ++k) {
          look_ahead(named, held, k);
          const auto [row, is_new] = find(named, held[k]);
          places[k] = is_new ? ~row : row;
        }
        add_rows(kernel_.isa_, from, std::span<const std::int32_t>(places).first(count), all_rows());
        from += count * kernel_.row_.size();
        held = held.subspan(count);
      }
    }
    static void add_to(T* sum, std::span<const T> more) {
      const std::size_t count = more.size();
      const T* const from = more.data();
      CORNU_NO_ALIASING
      for (std::size_t c = 0; c < count; ++c) sum[c] += from[c];
    }

    /// Marks the other elements of the results as unused.
    void end() {
      const std::size_t count = kernel_.num_processes_ * kernel_.count_;
      std::fill(ids_ + num_elements_, ids_ + count, static_cast<Id>(kernel_.part_rows_));
      std::fill(sources_ + num_elements_, sources_ + count, Id{0});
    }

   private:
    static constexpr std::size_t kEntriesAhead = 24, kBlock = 64;

    RowSums<T> all_rows() const {
      return {.rows = row(0, 0), .count = kernel_.row_.size(), .spare = kernel_.row_.data()};
    }

    /// Inlined: GCC would leave out a function that only prefetches.
    [[gnu::always_inline]] void prefetch_row(const std::byte* row) const {
      for (std::size_t byte = 0; byte < kernel_.row_bytes_; byte += 64) __builtin_prefetch(row + byte);
    }
    /// Starts to load the entry of a later id, which other work has driven out of the second cache.
    [[gnu::always_inline]] void look_ahead(std::span<const Id> named, std::span<const std::int32_t> held,
                                           std::size_t k) const {
      if (k + kEntriesAhead < held.size())
        __builtin_prefetch(hash_ + entry_of(row_of(named, held[k + kEntriesAhead])));
    }

    /// Finds the element of the id that a process names at a position. Returns true if it is new.
    std::pair<std::int32_t, bool> find_element(std::span<const Id> named, std::int32_t position) {
      const Id id = row_of(named, position);
      std::size_t at = entry_of(id);
      if (!is_direct_)
        while (hash_[at] >= 0 && ids_[hash_[at]] != id) at = (at + 1) & (hash_size_ - 1);
      if (hash_[at] >= 0) return {hash_[at], false};
      hash_[at] = num_elements_;
      ids_[num_elements_] = id;
      return {num_elements_++, true};
    }
    /// The row of a new element's sum.
    std::int32_t new_row(std::int32_t element) {
      sources_[element] = static_cast<Id>(num_rows_);
      return num_rows_++;
    }
    /// The row of an element's sum, to which more is added.
    std::int32_t summed_row(std::int32_t element) {
      const auto source = static_cast<std::int32_t>(sources_[element]);
      if (source < num_references_) {
        const std::int32_t made = new_row(element);
        std::memcpy(row(made, 0), row(source, 0), kernel_.row_bytes_);
        return made;
      }
      prefetch_row(rows_ + as_size(source) * kernel_.row_bytes_);
      return source;
    }

    /// The number in the part of the row that a process names at a position.
    Id row_of(std::span<const Id> named, std::int32_t position) const {
      return static_cast<Id>(named[as_size(position)] - kernel_.first_row(kernel_.rank_));
    }
    std::size_t entry_of(Id row) const { return static_cast<std::uint64_t>(row) * factor_ >> shift_; }

    const RowSumsKernel& kernel_;
    const std::byte* named_;
    std::byte* rows_;
    Id *ids_, *sources_;
    std::int32_t* hash_;
    std::size_t hash_size_ = 0;  // entries
    bool is_direct_ = false;     // each row has an entry
    std::uint64_t factor_ = 0x9E3779B97F4A7C15U;
    int shift_ = 0;
    std::int32_t num_references_, num_rows_, num_elements_ = 0;
  };

  static std::size_t hash_size(std::size_t num_ids) {
    return std::bit_ceil(static_cast<std::uint64_t>(num_ids) * 2 + 1);
  }

  /// Copies gradients to the first rows of the results, as sums from zero on: -0 becomes 0.
  void refer_to(const KernelMemory& memory, const std::byte* gradients, std::size_t count) const {
    const std::size_t column = this->column_of(this->rank_), columns = this->row_bytes_ / sizeof(T);
    auto* to = reinterpret_cast<T*>(memory.results[0]);
    for (std::size_t row = 0; row < count; ++row, to += columns) {
      const auto* const from = reinterpret_cast<const T*>(gradients + row * this->whole_row_bytes_ + column);
      CORNU_NO_ALIASING
      for (std::size_t c = 0; c < columns; ++c) to[c] = from[c] + T{0};
    }
  }

  // The results have room for all processes' gradients, a row of zeros, and sums: these are of several
  // positions each, or of one in another process, and there are at most half as many gradients as positions
  // of one process.
  void add_gradients_of_all(const KernelMemory& memory) const {
    const std::size_t num_processes = this->num_processes_;
    auto* const firsts = reinterpret_cast<Id*>(memory.scratch + firsts_offset_);
    std::byte* const gradients = memory.scratch + gradients_offset_;
    this->processes_->all_gather(
        {memory.operands[1], this->count_ * sizeof(Id)},
        {memory.scratch + firsts_offset_, num_processes * this->count_ * sizeof(Id)});
    this->processes_->all_gather({memory.operands[0], gradient_bytes()},
                                 {gradients, num_processes * gradient_bytes()});
    const std::size_t num_gradients = num_processes * num_gradients_;
    refer_to(memory, gradients, num_gradients);
    Sums sums(*this, memory, num_gradients + 1);
    for (std::size_t process = 0; process < num_processes; ++process) {
      if (this->held_[process].empty()) continue;
      const std::size_t reference = process * num_gradients_;
      LinkedGradients linked =
          link(memory, memory.results[0] + reference * this->row_bytes_, firsts + process * this->count_);
      linked.row_bytes = this->row_bytes_;
      sums.add(process, linked, reference);
    }
    sums.end();
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
        const std::size_t count =
            process == this->rank_ ? this->own_[part].size()
            : part == this->rank_
                ? this->held_[process].size()
                : count_ids(this->isa_, this->named_by(named, process), this->rows_of(part));
        counts_[process * n + part] = count;
        of_part[part] += count;
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
    constexpr std::size_t kPage = runtime::ProcessMemoryView::kLargePage;
    sums_distance_ = (bytes + kPage - 1) / kPage * kPage;
    sums_ = runtime::ProcessMemoryView::open(all, bytes, sums_distance_);
    const std::vector<std::uint64_t> opened = this->processes_->gather(sums_ != nullptr);
    shares_sums_ = std::ranges::find(opened, 0U) == opened.end();
    return *shares_sums_;
  }

  /// Each process adds its own gradients, and then the sums of others. Before a later run writes sums again,
  /// the processes exchange ids, so that all have read these.
  void add_shared_sums(const KernelMemory& memory) const {
    const std::size_t n = this->num_processes_, count = row_.size();
    refer_to(memory, memory.operands[0], num_gradients_);
    const LinkedGradients own =
        link(memory, memory.results[0], reinterpret_cast<const Id*>(memory.operands[1]));
    write_own_sums(own);
    Sums sums(*this, memory, num_gradients_ + 1);
    const bool is_first = this->rank_ < 2;  // a sum of two does not depend on their order
    if (is_first) sums.add(this->rank_, own, 0);
    this->processes_->gather(0);
    for (std::size_t process = 0; process < n; ++process) {
      if (process == this->rank_) {
        if (!is_first) sums.add(process, own, 0);
        continue;
      }
      std::size_t before = 0;  // sums for parts before this one
      for (std::size_t part = 0; part < this->rank_; ++part)
        if (part != process) before += counts_[process * n + part];
      sums.add(process,
               reinterpret_cast<const T*>(sums_->address() + process * sums_distance_) + before * count);
    }
    sums.end();
  }

  /// Writes the sums of this process's gradients for the parts of others, one after the other.
  void write_own_sums(const LinkedGradients& own) const {
    constexpr std::size_t kBlock = 64;
    std::array<std::int32_t, kBlock> places;
    for (std::size_t k = 0; k < kBlock; ++k) places[k] = ~static_cast<std::int32_t>(k);
    T* to = reinterpret_cast<T*>(own_sums_.get());
    for (std::size_t part = 0; part < this->num_processes_; ++part) {
      if (part == this->rank_) continue;
      std::span<const std::int32_t> rest = this->own_[part];
      while (!rest.empty()) {
        const std::span<const std::int32_t> block = rest.first(std::min(kBlock, rest.size()));
        add_gradients<T>(this->isa_, own, 0, block, places.data(), {.rows = to, .count = row_.size()});
        to += block.size() * row_.size();
        rest = rest.subspan(block.size());
      }
    }
  }

  void exchange_sums(const KernelMemory& memory) const {
    const LinkedGradients own =
        link(memory, memory.operands[0], reinterpret_cast<const Id*>(memory.operands[1]));
    Sums sums(*this, memory, 0);
    Messages messages(*this, memory, own, sums);
    // A sum of two does not depend on their order, so the first two processes need not wait for each other.
    if (this->rank_ < 2) messages.add_own_rows();
    this->processes_->exchange_pieces(messages);
    messages.add_own_rows();
    sums.end();
  }

  /// Sums of this process's gradients to the owners of their rows, and sums of other processes.
  class Messages final : public runtime::MessagePieces {
   public:
    Messages(const RowSumsKernel& kernel, const KernelMemory& memory, const LinkedGradients& own, Sums& sums)
        : kernel_(kernel), memory_(memory), gradients_(own), sums_(sums) {}

    std::size_t sent_bytes(int rank) const override {
      return kernel_.own_[as_size(rank)].size() * kernel_.row_bytes_;
    }
    std::size_t received_bytes(int rank) const override {
      return kernel_.held_[as_size(rank)].size() * kernel_.row_bytes_;
    }
    void write(int rank, std::size_t offset, std::span<std::byte> piece) override {
      const std::span<const std::int32_t> positions = kernel_.own_[as_size(rank)];
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
      const std::span<const std::int32_t> positions = kernel_.held_[as_size(rank)];
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
      if (!std::exchange(has_own_rows_, true)) sums_.add(kernel_.rank_, gradients_);
    }

   private:
    const RowSumsKernel& kernel_;
    const KernelMemory& memory_;
    const LinkedGradients& gradients_;
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

template <typename Id>
std::unique_ptr<GroupKernel> make_row_sums_of(const ir::Op& op, IsaLevel isa) {
  if (op.operand(0).dtype() == ir::DType::kF32) return std::make_unique<RowSumsKernel<Id, float>>(op, isa);
  return std::make_unique<RowSumsKernel<Id, double>>(op, isa);
}

}  // namespace

std::unique_ptr<GroupKernel> make_row_sums(const ir::Op& op, const Target& target, int) {
  return op.operands().back().dtype() == ir::DType::kI32 ? make_row_sums_of<std::int32_t>(op, target.isa)
                                                         : make_row_sums_of<std::int64_t>(op, target.isa);
}

}  // namespace cornu::inline v0::backends::cpu::sharded_lookup_folder
