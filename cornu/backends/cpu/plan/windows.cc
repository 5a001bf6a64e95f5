#include "cornu/backends/cpu/plan/windows.h"

#include "cornu/base/check.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kMostTaps = 16;     // each is code of its own
constexpr std::int64_t kFewestLanes = 16;  // of the last dimension; vectors run along it

/// True for a body of one op that an elementwise op can replace: its operands are the arguments in order.
bool is_one_op(const ir::Block& body) {
  const std::string_view kind = ops::simple_body_kind(body);
  return !kind.empty() && can_emit_elementwise(*body.ops()[0]) &&
         body.ops()[0]->operand(0) == body.arguments()[0];
}

bool are_side_by_side(const ir::Dims& extents, const ir::Dims& counts, const ir::Dims& sizes,
                      const ir::Dims& strides) {
  if (sizes.empty() || sizes.back() != 1 || strides.back() != 1 || extents.back() < kFewestLanes)
    return false;
  std::int64_t num_taps = 1;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] != strides[d] || counts[d] == 0 || sizes[d] > kMostTaps) return false;
    num_taps *= sizes[d];
    if (num_taps > kMostTaps) return false;
  }
  return num_taps > 1;
}

}  // namespace

bool has_plain_windows(const ir::Op& op) {
  if (op.results().size() != 1) return false;
  const ir::Dims& extents = op.operand(0).dims();
  if (window_use(op) == WindowUse::kReduces) {
    const ops::WindowOptions w = ops::window_options(op);
    const Combiner combiner = combiner_of_body(op.region(0));
    const ir::DType dtype = op.result().dtype();
    // f16 and bf16 are summed in f32, as in a reduction's loops.
    const bool rounds = (dtype == ir::DType::kF16 || dtype == ir::DType::kBF16) &&
                        combiner != Combiner::kMaximum && combiner != Combiner::kMinimum;
    return is_one_op(op.region(0)) && !rounds && ops::all_equal(w.padding_low, 0) &&
           ops::all_equal(w.padding_high, 0) && ops::all_equal(w.base_dilations, 1) &&
           ops::all_equal(w.window_dilations, 1) &&
           are_side_by_side(extents, op.result().dims(), w.dimensions, w.strides);
  }
  if (window_use(op) != WindowUse::kScatters) return false;
  const ops::PoolWindow w = ops::select_window(op);
  // pattern: a choice by one comparison
  return ops::simple_body_kind(op.region(0)) == "compare" && is_one_op(op.region(0)) &&
         is_one_op(op.region(1)) && ops::all_equal(w.padding_low, 0) && ops::all_equal(w.padding_high, 0) &&
         are_side_by_side(extents, op.operand(1).dims(), w.dimensions, w.strides);
}

bool has_kernel_windows(const ir::Op& reduce_window) {
  // An emitted loop over as many taps takes longer than the kernel's two additions an axis; and so does one
  // over a few, of windows along one axis that overlap, where the kernel combines whole rows of elements.
  constexpr double kManyTaps = 64, kSomeTaps = 13;
  constexpr std::int64_t kFewestInRow = 16;
  const ops::WindowOptions w = ops::window_options(reduce_window);
  double num_taps = 1;
  std::int64_t num_axes = 0, inner = 1;
  bool overlaps = true;
  for (std::size_t d = 0; d < w.dimensions.size(); ++d) {
    num_taps *= static_cast<double>(w.dimensions[d]);
    inner *= reduce_window.operand(0).dims()[d];
    if (w.dimensions[d] == 1) continue;
    ++num_axes;
    inner = 1;
    overlaps = w.strides[d] == 1;
  }
  const bool has_rows = num_axes == 1 && overlaps && inner >= kFewestInRow && num_taps >= kSomeTaps;
  return (num_taps > kManyTaps || has_rows) && has_group_kernel(reduce_window);
}

ir::Dims window_sizes(const ir::Op& op) {
  return window_use(op) == WindowUse::kReduces ? ops::window_options(op).dimensions
                                               : ops::select_window(op).dimensions;
}

IndexMap tap_map(const IndexMap& window, const ir::Dims& sizes, const ir::Dims& tap) {
  IndexMap out = window;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    CORNU_CHECK(window[d].dynamic.empty(), "windows behind a dynamic slice");
    for (std::int64_t& c : out[d].coefficients) c *= sizes[d];
    out[d].constant = out[d].constant * sizes[d] + tap[d];
  }
  return out;
}

std::optional<WindowPlace> window_place(const ir::Op& op, const IndexMap& map) {
  const ir::Dims sizes = window_sizes(op);
  const ir::Dims& counts = op.operand(1).dims();
  WindowPlace place{map, ir::Dims(sizes.size(), 0)};
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (map[d].constant >= counts[d] * sizes[d]) return std::nullopt;  // coefficients are not negative there
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 1) continue;
    Index& window = place.window[d];
    CORNU_CHECK(window.dynamic.empty() && window.constant >= 0,
                "a window's element is read at a fixed place");
    for (std::int64_t& c : window.coefficients) {
      CORNU_CHECK(c % sizes[d] == 0, "a window's elements are read window by window");
      c /= sizes[d];
    }
    place.tap[d] = window.constant % sizes[d];
    window.constant /= sizes[d];
  }
  return place;
}

}  // namespace cornu::inline v0::backends::cpu
