#include "cornu/transform/window_sums.h"

#include <optional>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a reduce_window that adds

using ir::Value;

constexpr std::int64_t kFewestLanes = 8;
constexpr std::int64_t kMostTerms = 9;  // a kernel adds each element twice, however many windows it is in

/// True for windows of a few elements, some of which are in several windows.
bool has_small_overlapping_windows(const ops::WindowOptions& w, const ir::Dims& dims) {
  std::int64_t num_terms = 1;
  bool overlaps = false;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool grows = w.dimensions[d] > 1 && w.dimensions[d] >= dims[d];
    if (w.base_dilations[d] != 1 || w.dimensions[d] > kMostTerms || grows) return false;
    num_terms *= w.dimensions[d];
    overlaps = overlaps || w.dimensions[d] > w.strides[d];
  }
  // Vectors run along channels, or along all elements of a row.
  const bool has_lanes = (!dims.empty() && dims.back() >= kFewestLanes) || ops::all_equal(w.strides, 1);
  return overlaps && num_terms <= kMostTerms && has_lanes;
}

/// f16 and bf16 are summed in f32, which needs a kernel.
bool is_sum_of_windows(const ir::Op& op) {
  return op.name() == "reduce_window" && op.results().size() == 1 &&
         ops::simple_body_kind(op.region(0)) == "add" && ir::bit_width(op.result().dtype()) >= 32 &&
         op.result().type().num_elements() > 0 &&
         has_small_overlapping_windows(ops::window_options(op), op.operand(0).dims());
}

Value sum_of_slices(ir::Builder& b, const ir::Op& op, Value x, Value init) {
  const ops::WindowOptions w = ops::window_options(op);
  const ir::Dims& counts = op.result().dims();
  x = ops::pad(b, x, init, w.padding_low, w.padding_high, ir::Dims(counts.size(), 0));
  Value sum = ops::broadcast_scalar(b, init, counts);
  ir::Dims at(counts.size(), 0);  // an element of the window
  for (bool is_done = false; !is_done;) {
    ir::Dims starts, limits;
    for (std::size_t d = 0; d < at.size(); ++d) {
      starts.push_back(at[d] * w.window_dilations[d]);
      limits.push_back(starts[d] + (counts[d] - 1) * w.strides[d] + 1);
    }
    sum = ops::add(b, sum, ops::slice(b, x, std::move(starts), std::move(limits), w.strides));
    std::size_t d = at.size();
    for (; d > 0 && ++at[d - 1] == w.dimensions[d - 1]; --d) at[d - 1] = 0;
    is_done = d == 0;
  }
  return sum;
}

}  // namespace

std::unique_ptr<ir::Function> unroll_window_sums(const ir::Function& function) {
  return replace_matching(function, &is_sum_of_windows,
                          [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
                            return std::vector{sum_of_slices(b, op, operands[0], operands[1])};
                          });
}

}  // namespace cornu::inline v0::transform
