#include "cornu/backends/slabs/host_slabs.h"

#include <utility>

#include "cornu/backends/slabs/gather.h"

namespace cornu::inline v0::backends::slabs {

HostSlabs::HostSlabs(std::vector<std::size_t> row_bytes, std::int64_t batch)
    : row_bytes_(std::move(row_bytes)),
      batch_(batch),
      slabs_(row_bytes_.size()),
      addresses_(row_bytes_.size()) {}

void HostSlabs::gather(const RowSource& source, std::int64_t first, std::int64_t count,
                       std::int64_t max_steps) {
  constexpr const char* kWhat = "the rows of an execution";
  size_bytes_ = 0;
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    const CheckedSize size_bytes = CheckedSize(max_steps) * batch_ * row_bytes_[i];
    std::byte* const slab = slabs_[i].reserve(size_bytes, kWhat);
    const std::span<const std::int64_t> indices(source.indices + first * batch_,
                                                static_cast<std::size_t>(count * batch_));
    gather_rows(source.bases[i], row_bytes_[i], indices, slab);
    addresses_[i] = slab;
    size_bytes_ += static_cast<std::size_t>(size_bytes.value(kWhat));
  }
}

}  // namespace cornu::inline v0::backends::slabs
