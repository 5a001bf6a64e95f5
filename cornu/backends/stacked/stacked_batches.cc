#include "cornu/backends/stacked/stacked_batches.h"

#include <utility>

#include "cornu/backends/stacked/gather.h"

namespace cornu::inline v0::backends::stacked {

StackedBatches::StackedBatches(std::vector<std::size_t> row_bytes, std::int64_t batch)
    : row_bytes_(std::move(row_bytes)),
      batch_(batch),
      stacks_(row_bytes_.size()),
      addresses_(row_bytes_.size()) {}

void StackedBatches::gather(const RowSource& source, std::int64_t first, std::int64_t count,
                            std::int64_t max_steps) {
  constexpr const char* kWhat = "the rows of an execution";
  size_bytes_ = 0;
  for (std::size_t i = 0; i < stacks_.size(); ++i) {
    const CheckedSize size_bytes = CheckedSize(max_steps) * batch_ * row_bytes_[i];
    std::byte* const stack = stacks_[i].reserve(size_bytes, kWhat);
    const std::span<const std::int64_t> indices(source.indices + first * batch_,
                                                static_cast<std::size_t>(count * batch_));
    gather_rows(source.bases[i], row_bytes_[i], indices, stack);
    addresses_[i] = stack;
    size_bytes_ += static_cast<std::size_t>(size_bytes.value(kWhat));
  }
}

}  // namespace cornu::inline v0::backends::stacked
