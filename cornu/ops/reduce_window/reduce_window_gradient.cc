#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reduce_window/window_rules.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace reduce_window_folder {
namespace {

/// Each element gets the gradients of the windows that hold it: a sum over windows of the gradient, spread
/// out by the strides.
ir::Value sum_gradient(ir::Builder& builder, const ir::Dims& dims, const WindowOptions& window,
                       ir::Value dy) {
  WindowOptions transposed = {.dimensions = window.dimensions,
                              .strides = window.base_dilations,
                              .base_dilations = window.strides,
                              .window_dilations = window.window_dilations};
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t reach = dilated_extent(window.dimensions[d], window.window_dilations[d]) - 1;
    const TransposedPadding padding =
        transposed_padding(dilated_extent(dims[d], window.base_dilations[d]), reach, window.padding_low[d],
                           dilated_extent(dy.dims()[d], window.strides[d]));
    transposed.padding_low.push_back(padding.low);
    transposed.padding_high.push_back(padding.high);
  }
  return reduce_window_sum(builder, dy, transposed);
}

/// The gradient goes to the first element of each window that is the extremum; one strided slice an offset
/// within the window.
ir::Value extremum_gradient(ir::Builder& builder, const ir::Op& op, const WindowOptions& window,
                            ir::Value dy) {
  const ir::Value padded = padded_operand(builder, op.operand(0), op.operand(1), window);
  const ir::Value zero = full(builder, dy.type(), 0);
  ir::Value dx, taken;
  for_each_index(window.dimensions, [&](const ir::Dims& offset, std::int64_t) {
    const ir::Value x = at_window_offset(builder, padded, offset, window, dy.dims());
    ir::Value chosen = compare(builder, x, op.result(), ComparisonDirection::kEq);
    if (taken) {
      const ir::Value first = and_(builder, chosen, not_(builder, taken));
      taken = or_(builder, taken, chosen);
      chosen = first;
    } else {
      taken = chosen;
    }
    const ir::Value part =
        from_window_offset(builder, select(builder, chosen, dy, zero), offset, window, op.operand(0).dims());
    dx = dx ? add(builder, dx, part) : part;
  });
  return dx;
}

/// dy of the windows in which an element is the extremum, not only the init value.
ir::Value won_by_elements(ir::Builder& builder, const ir::Op& op, const WindowOptions& window, bool least,
                          ir::Value dy) {
  const ir::Value x = op.operand(0);
  const ir::Literal neutral = least ? greatest_value(x.dtype()) : least_value(x.dtype());
  if (op.operand(1).op()->attributes().get<ir::Literal>("value") == neutral) return dy;
  const ir::Value best =
      least ? reduce_window_min(builder, x, window) : reduce_window_max(builder, x, window);
  return select(builder, compare(builder, best, op.result(), ComparisonDirection::kEq), dy,
                full(builder, dy.type(), 0));
}

/// Each element's share is the product of the init value and what stands before and after it in the window.
ir::Value product_gradient(ir::Builder& builder, const ir::Op& op, const WindowOptions& window,
                           ir::Value dy) {
  const ir::Value padded = padded_operand(builder, op.operand(0), op.operand(1), window);
  std::vector<ir::Value> parts;
  std::vector<ir::Dims> offsets;
  for_each_index(window.dimensions, [&](const ir::Dims& offset, std::int64_t) {
    parts.push_back(at_window_offset(builder, padded, offset, window, dy.dims()));
    offsets.push_back(offset);
  });
  // after[i]: dy times the init value and the parts behind i.
  std::vector<ir::Value> after(parts.size(),
                               multiply(builder, dy, broadcast_scalar(builder, op.operand(1), dy.dims())));
  for (std::size_t i = parts.size() - 1; i-- > 0;) after[i] = multiply(builder, after[i + 1], parts[i + 1]);
  ir::Value before, dx;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ir::Value share = before ? multiply(builder, before, after[i]) : after[i];
    const ir::Value part = from_window_offset(builder, share, offsets[i], window, op.operand(0).dims());
    dx = dx ? add(builder, dx, part) : part;
    before = before ? multiply(builder, before, parts[i]) : parts[i];
  }
  return dx;
}

}  // namespace
}  // namespace reduce_window_folder

ir::Value padded_operand(ir::Builder& builder, ir::Value x, ir::Value fill, const WindowOptions& window) {
  ir::Dims interior = window.base_dilations;
  for (std::int64_t& gap : interior) gap -= 1;
  return pad(builder, x, fill, window.padding_low, window.padding_high, interior);
}

ir::Value at_window_offset(ir::Builder& builder, ir::Value padded, const ir::Dims& offset,
                           const WindowOptions& window, const ir::Dims& windows) {
  ir::Dims start, limit;
  for (std::size_t d = 0; d < windows.size(); ++d) {
    start.push_back(offset[d] * window.window_dilations[d]);
    limit.push_back(start[d] + dilated_extent(windows[d], window.strides[d]));
  }
  return slice(builder, padded, start, limit, window.strides);
}

ir::Value from_window_offset(ir::Builder& builder, ir::Value values, const ir::Dims& offset,
                             const WindowOptions& window, const ir::Dims& operand) {
  ir::Dims low, high, interior, keep = window.base_dilations;
  ir::Dims dilated;
  for (std::size_t d = 0; d < operand.size(); ++d) {
    dilated.push_back(dilated_extent(operand[d], window.base_dilations[d]));
    const CheckedSize first = CheckedSize(offset[d]) * window.window_dilations[d] - window.padding_low[d];
    low.push_back(first.value("a window's place"));
    high.push_back((CheckedSize(dilated[d]) - first - dilated_extent(values.dims()[d], window.strides[d]))
                       .value("a window's place"));
    interior.push_back(window.strides[d] - 1);
  }
  const ir::Value placed = pad(builder, values, scalar(builder, values.dtype(), 0), low, high, interior);
  return all_equal(keep, 1) ? placed : slice(builder, placed, ir::Dims(operand.size(), 0), dilated, keep);
}

std::vector<ir::Value> reduce_window_gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Op& op = context.op;
  const std::string_view kind = simple_body_kind(op.region(0));
  const bool least = kind == "minimum", extremum = least || kind == "maximum";
  if (kind != "add" && kind != "multiply" && !extremum)
    fail(ErrorCode::kUnimplemented,
         "only windows reduced by one add, multiply, maximum or minimum have a gradient");
  if (!is_constant(op.operand(1)))
    fail(ErrorCode::kUnimplemented, "the gradient of a window's reduction needs a constant init_value");
  const WindowOptions window = window_options(op);
  const ir::Value x = op.operand(0), dy = context.result_gradients[0];
  if (x.type().num_elements() == 0 || dy.type().num_elements() == 0) return {ir::Value(), ir::Value()};
  if (kind == "add") return {reduce_window_folder::sum_gradient(builder, x.dims(), window, dy), ir::Value()};
  if (kind == "multiply")
    return {reduce_window_folder::product_gradient(builder, op, window, dy), ir::Value()};
  if (!all_equal(window.base_dilations, 1) || !all_equal(window.window_dilations, 1))
    return {reduce_window_folder::extremum_gradient(builder, op, window, dy), ir::Value()};
  return {select_and_scatter_add(builder, x,
                                 reduce_window_folder::won_by_elements(builder, op, window, least, dy),
                                 {window.dimensions, window.strides, window.padding_low, window.padding_high},
                                 least ? ComparisonDirection::kLe : ComparisonDirection::kGe),
          ir::Value()};
}

}  // namespace cornu::inline v0::ops
