#include "cornu/backends/slabs/host_slabs.h"

#include <cstring>
#include <new>
#include <utility>

#include "cornu/backends/slabs/gather.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::backends::slabs {
namespace {

constexpr std::align_val_t kCacheLine{64};

}  // namespace

void HostSlabs::Free::operator()(std::byte* bytes) const { ::operator delete[](bytes, kCacheLine); }

HostSlabs::HostSlabs(std::vector<std::size_t> row_bytes, std::int64_t batch)
    : row_bytes_(std::move(row_bytes)), batch_(batch), slabs_(row_bytes_.size()), addresses_(row_bytes_.size()) {}

void HostSlabs::gather(const RowSource& source, std::int64_t first, std::int64_t count, std::int64_t max_steps) {
  size_bytes_ = 0;
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    const CheckedSize wanted = CheckedSize(max_steps) * batch_ * row_bytes_[i];
    Slab& slab = slabs_[i];
    if (slab.bytes == nullptr || wanted.exceeds(static_cast<std::int64_t>(slab.capacity))) {
      slab = {};
      slab.bytes.reset(with_host_memory(wanted, "the rows of an execution", [&] {
        const auto size = static_cast<std::size_t>(wanted.value("the rows of an execution"));
        slab.capacity = size;
        return static_cast<std::byte*>(std::memset(::operator new[](size, kCacheLine), 0, size));
      }));
    }
    size_bytes_ += static_cast<std::size_t>(wanted.value("the rows of an execution"));
    const std::span<const std::int64_t> indices(source.indices + first * batch_, static_cast<std::size_t>(count * batch_));
    gather_rows(source.bases[i], row_bytes_[i], indices, slab.bytes.get());
    addresses_[i] = slab.bytes.get();
  }
}

}  // namespace cornu::inline v0::backends::slabs
