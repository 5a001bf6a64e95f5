#include "cornu/keras/trainer/batch_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::keras {
namespace {

/// The number of indices computed at once (32 KiB) when steps are requested one by one.
constexpr std::int64_t kWindowIndices = 4096;

}  // namespace

std::int64_t rows_of_steps(std::int64_t num_steps, std::int64_t batch_size) {
  const CheckedSize num_rows = CheckedSize(num_steps) * batch_size;
  if (num_rows.is_beyond())
    invalid_argument("[fit] {} steps of {} rows are more rows than can be counted", num_steps, batch_size);
  return num_rows.value("the number of rows");
}

void BatchOrder::set(Source source, std::int64_t pass_rows, std::int64_t num_rows) {
  source_ = source;
  pass_rows_ = pass_rows;
  num_rows_ = num_rows;
  num_steps_ = divide_up(num_rows, batch_size_);
  permuted_pass_ = -1;
  window_steps_ = 0;
}

void BatchOrder::set_sequential(std::int64_t num_rows) { set(Source::kSequential, num_rows, num_rows); }

void BatchOrder::set_shuffled(std::int64_t num_rows, std::uint64_t seed, std::uint64_t position) {
  set(Source::kShuffled, num_rows, num_rows);
  seed_ = seed;
  position_ = position;
}

void BatchOrder::set_rows(std::vector<std::int64_t> rows, std::int64_t num_rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < 0 || rows[i] >= num_rows)
      fail(ErrorCode::kOutOfRange, "[fit] row_order names row {} at position {}, but the data have {} rows",
           rows[i], i, num_rows);
  }
  given_ = std::move(rows);
  const auto count = static_cast<std::int64_t>(given_.size());
  set(Source::kGiven, count, count);
}

void BatchOrder::set_repeated(std::int64_t num_rows, std::int64_t num_steps, bool shuffle, std::uint64_t seed,
                              std::uint64_t position) {
  set(shuffle ? Source::kShuffled : Source::kSequential, num_rows, rows_of_steps(num_steps, batch_size_));
  seed_ = seed;
  position_ = position;
}

void BatchOrder::make_window(std::int64_t first, std::int64_t count) {
  window_steps_ = 0;  // invalid until the window is complete
  const std::int64_t steps = std::min(std::max(count, kWindowIndices / batch_size_), num_steps() - first);
  with_host_memory(
      CheckedSize(steps) * batch_size_ * sizeof(std::int64_t),
      [&] { return fmt::format("the order of {} steps of {} rows", steps, batch_size_); },
      [&] { window_.resize(static_cast<std::size_t>(steps * batch_size_)); });
  const std::int64_t place = first * batch_size_;
  const auto num_rows = static_cast<std::size_t>(std::min(steps * batch_size_, num_rows_ - place));
  const std::span<std::int64_t> window(window_);
  read(place, window.first(num_rows));
  if (num_rows < window.size()) {
    const auto last_step = window.size() - static_cast<std::size_t>(batch_size_);
    std::fill(window.begin() + static_cast<std::ptrdiff_t>(num_rows), window.end(), window[last_step]);
  }
  window_first_ = first;
  window_steps_ = steps;
}

void BatchOrder::read(std::int64_t place, std::span<std::int64_t> rows) {
  while (!rows.empty()) {
    const std::int64_t pass = place / pass_rows_, in_pass = place % pass_rows_;
    const auto count = std::min(rows.size(), static_cast<std::size_t>(pass_rows_ - in_pass));
    read_pass(pass, in_pass, rows.first(count));
    rows = rows.subspan(count);
    place += static_cast<std::int64_t>(count);
  }
}

void BatchOrder::read_pass(std::int64_t pass, std::int64_t place, std::span<std::int64_t> rows) {
  switch (source_) {
    case Source::kSequential: std::iota(rows.begin(), rows.end(), place); break;
    case Source::kGiven: std::copy_n(given_.begin() + place, rows.size(), rows.begin()); break;
    case Source::kShuffled:
      // The offset keeps a pass away from the positions of other epochs.
      if (permuted_pass_ != pass)
        permutation_.set(pass_rows_, seed_, position_ + (static_cast<std::uint64_t>(pass) << 40));
      permuted_pass_ = pass;
      permutation_.read(place, rows);
      break;
  }
}

}  // namespace cornu::inline v0::keras
