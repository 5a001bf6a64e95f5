#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cornu/base/row_permutation.h"

namespace cornu::inline v0::keras {

/// The number of rows of `num_steps` full batches. Errors: InvalidArgument, naming both arguments, if the
/// number overflows.
std::int64_t rows_of_steps(std::int64_t num_steps, std::int64_t batch_size);

/// The row indices of each step, by which a compiled program gathers rows. They are computed for a few steps
/// at a time.
///
/// Semantics: step s takes the rows at positions [s * batch, s * batch + num_rows_of(s)). Only the last step
///            may have fewer rows than `batch`; its remaining positions are padding and repeat its first row,
///            so that masked rows bring no value that the step does not already hold. The rows of a step do
///            not depend on the number of steps requested together.
/// Errors:    ResourceExhausted, naming the bytes, if there is no memory for the indices of the requested
///            steps.
/// Threads:   one thread.
class BatchOrder {
 public:
  explicit BatchOrder(std::int64_t batch_size) : batch_size_(batch_size) {}

  /// Takes rows 0 .. num_rows - 1 in order.
  void set_sequential(std::int64_t num_rows);

  /// Takes rows 0 .. num_rows - 1 in a permutation determined by (seed, position) alone.
  void set_shuffled(std::int64_t num_rows, std::uint64_t seed, std::uint64_t position);

  /// Takes the caller's rows; rows may be repeated or left out. Errors: OutOfRange if a row is not in [0,
  /// num_rows).
  void set_rows(std::vector<std::int64_t> rows, std::int64_t num_rows);

  /// Takes `num_steps` full batches of an endless stream of passes over the rows: permutations determined by
  /// (seed, position) with `shuffle`, else in order.
  void set_repeated(std::int64_t num_rows, std::int64_t num_steps, bool shuffle, std::uint64_t seed,
                    std::uint64_t position);

  std::int64_t batch_size() const { return batch_size_; }
  std::int64_t num_rows() const { return num_rows_; }  // without padding
  std::int64_t num_steps() const { return num_steps_; }
  /// The number of rows of one step, without padding.
  std::int64_t num_rows_of(std::int64_t step) const {
    return std::min(batch_size_, num_rows_ - step * batch_size_);
  }

  /// The indices of steps [first, first + count), with padding. Lifetime: until the next call of steps() or
  /// rows_of().
  const std::int64_t* steps(std::int64_t first, std::int64_t count) {
    if (first < window_first_ || first + count > window_first_ + window_steps_) make_window(first, count);
    return window_.data() + (first - window_first_) * batch_size_;
  }
  /// The rows of one step, without padding. Lifetime: like that of steps().
  std::span<const std::int64_t> rows_of(std::int64_t step) {
    return {steps(step, 1), static_cast<std::size_t>(num_rows_of(step))};
  }

 private:
  enum class Source { kSequential, kShuffled, kGiven };

  void set(Source source, std::int64_t pass_rows, std::int64_t num_rows);
  void make_window(std::int64_t first, std::int64_t count);
  void read(std::int64_t place, std::span<std::int64_t> rows);
  void read_pass(std::int64_t pass, std::int64_t place, std::span<std::int64_t> rows);

  std::int64_t batch_size_;
  std::int64_t num_rows_ = 0;
  std::int64_t num_steps_ = 0;
  Source source_ = Source::kSequential;
  std::int64_t pass_rows_ = 0;  // the rows after which a new pass begins
  std::vector<std::int64_t> given_;
  std::uint64_t seed_ = 0, position_ = 0;
  std::int64_t permuted_pass_ = -1;  // the pass of `permutation_`
  RowPermutation permutation_;
  std::vector<std::int64_t> window_;
  std::int64_t window_first_ = 0, window_steps_ = 0;
};

}  // namespace cornu::inline v0::keras
