#include <algorithm>
#include <numeric>

#include "cornu/backends/cpu/plan/passes.h"

namespace cornu::backends::cpu {
namespace {

/// Strides for dimensions listed from outermost to innermost.
ir::Dims strides_of(const ir::Dims& dims, const std::vector<std::size_t>& outer_to_inner) {
  ir::Dims strides(dims.size());
  std::int64_t stride = 1;
  for (std::size_t i = outer_to_inner.size(); i-- > 0;) {
    strides[outer_to_inner[i]] = stride;
    stride *= dims[outer_to_inner[i]];
  }
  return strides;
}

}  // namespace

/// Row-major, but [rows, few] with far more rows than columns (class scores) is stored column by column in the arena, so that loops run
/// full vectors of rows instead of a few lanes of columns.
void lay_out(Plan& plan, const PlanOptions& options) {
  for (PlanBuffer& buffer : plan.buffers) {
    const ir::Dims& dims = buffer.type.dims;
    std::vector<std::size_t> nesting(dims.size());
    std::iota(nesting.begin(), nesting.end(), 0);
    const bool free = buffer.place == Place::kArena && !buffer.row_major_only && dims.size() >= 2;
    if (free && dims.back() * 2 <= options.vector_lanes && dims[dims.size() - 2] > dims.back())
      std::swap(nesting[dims.size() - 1], nesting[dims.size() - 2]);
    buffer.strides = strides_of(dims, nesting);
  }
}

}  // namespace cornu::backends::cpu
