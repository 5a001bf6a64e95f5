#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/backends/cpu/collectives/row_loops.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/base/check.h"
#include "cornu/ops/sharded_lookup/sharded_lookup.h"
#include "cornu/runtime/collective.h"

// Exchanges of rows among processes. Each knows which rows all of them name, so it knows the sizes of all
// messages: a row travels once to each process that names it, and the sum of its gradients once back.
namespace cornu::inline v0::backends::cpu::sharded_lookup_folder {

inline std::size_t as_size(std::int64_t number) { return static_cast<std::size_t>(number); }

inline ops::TableShards shards_of(const ir::Op& op) {
  return ops::sharded_lookup_folder::shards_of(op.attributes());
}

/// Rows that a process exchanges with each process. `Id`: the dtype of ids.
template <typename Id>
class Exchange : public GroupKernel {
 public:
  std::string_view name() const override { return "processes"; }

 protected:
  /// `named`: the ids of all processes; `part_rows`: rows of a process's part; `row_bytes`: bytes of a row of
  /// a part, `whole_row_bytes`: of a row of the table.
  Exchange(const ir::Op& op, IsaLevel isa, const ir::Value& named, std::int64_t part_rows,
           std::size_t row_bytes, std::size_t whole_row_bytes)
      : isa_(isa),
        shards_(shards_of(op)),
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

  /// The rows of a process's part, as ids.
  RowRange rows_of(std::size_t process) const {
    return {.first = static_cast<std::int64_t>(first_row(process)), .count = part_rows_};
  }

  /// Finds the rows that this process exchanges: the positions of its ids at each owner, and those of each
  /// process's ids in its part.
  void find_positions(const std::byte* named) const {
    const std::size_t room = count_ + kPositionsBeyond;
    positions_.resize(2 * num_processes_ * room);
    own_.resize(num_processes_);
    held_.resize(num_processes_);
    const auto find = [&](std::size_t process, std::size_t part, std::size_t list) {
      std::int32_t* const to = positions_.data() + list * room;
      return Positions(to, list_positions(isa_, named_by(named, process), rows_of(part), to));
    };
    for (std::size_t process = 0; process < num_processes_; ++process) {
      own_[process] = find(rank_, process, 2 * process);
      held_[process] = process == rank_ ? own_[rank_] : find(process, rank_, 2 * process + 1);
    }
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

  using Positions = std::span<const std::int32_t>;

  IsaLevel isa_;
  std::shared_ptr<runtime::Collective> processes_;
  ops::TableShards shards_;
  std::int64_t part_rows_;
  std::size_t rank_ = 0, num_processes_ = 1, count_, row_bytes_, whole_row_bytes_;
  // Memory of one run at a time, since collectives run one after the other. It is kept, so that a step
  // allocates nothing.
  mutable std::mutex mutex_;
  mutable std::vector<Positions> own_, held_;

 private:
  mutable std::vector<std::int32_t> positions_;
};

inline std::size_t bytes_of_row(const ir::Value& rows) {
  return as_size(rows.dims().back()) * ir::size_bytes(rows.dtype());
}

/// Makes the kernel of cornu.sharded_row_sums (row_sums_cpu.cc).
std::unique_ptr<GroupKernel> make_row_sums(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu::sharded_lookup_folder
