#include "cornu/ops/select_and_scatter/select_and_scatter.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reduce_window/window_rules.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace select_and_scatter_folder {
namespace {

bool maps_two_scalars(const ir::Block& body, ir::DType dtype, ir::DType result) {
  const ir::TensorType scalar{dtype, {}};
  return body.arguments().size() == 2 && body.arguments()[0].type() == scalar &&
         body.arguments()[1].type() == scalar && body.results().size() == 1 &&
         body.results()[0].type() == ir::TensorType{result, {}};
}

void check_window(const PoolWindow& window, std::size_t rank) {
  if (window.dimensions.size() != rank)
    invalid_argument("(C4) window_dimensions {} must have {} entries", window.dimensions, rank);
  if (std::any_of(window.dimensions.begin(), window.dimensions.end(), [](std::int64_t v) { return v < 1; }))
    invalid_argument("(C5) window_dimensions must be positive; got {}", window.dimensions);
  if (window.strides.size() != rank)
    invalid_argument("(C6) window_strides {} must have {} entries", window.strides, rank);
  if (std::any_of(window.strides.begin(), window.strides.end(), [](std::int64_t v) { return v < 1; }))
    invalid_argument("(C7) window_strides must be positive; got {}", window.strides);
  if (window.padding_low.size() != rank || window.padding_high.size() != rank)
    invalid_argument("(C8) padding {} and {} must have {} entries", window.padding_low, window.padding_high,
                     rank);
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3);
  const ir::TensorType &operand = context.type(0), &source = context.type(1), &init = context.type(2);
  if (source.dtype != operand.dtype)
    invalid_argument("(C1) operand and source must share a dtype; got {} and {}", operand.str(),
                     source.str());
  if (init != ir::TensorType{operand.dtype, {}})
    invalid_argument("(C3) init_value must be a scalar of the operand's dtype; got {} for {}", init.str(),
                     operand.str());
  const PoolWindow window = read_pool_window(context.attributes);
  check_window(window, operand.dims.size());
  const ir::Dims padded =
      padded_extents(operand.dims, ir::Dims(operand.dims.size(), 1), window.padding_low, window.padding_high);
  ir::Dims windows;
  for (std::size_t d = 0; d < padded.size(); ++d)
    windows.push_back(count_windows(padded[d], window.dimensions[d], window.strides[d]));
  if (source.dims != windows)
    invalid_argument("(C2) source must have one element a window, {}; got {}", ir::shape_str(windows),
                     source.str());
  if (context.regions.size() != 2 || !maps_two_scalars(*context.regions[0], operand.dtype, ir::DType::kI1))
    invalid_argument("(C9) select must map two scalars of the operand's dtype to an i1");
  if (!maps_two_scalars(*context.regions[1], operand.dtype, operand.dtype))
    invalid_argument("(C10) scatter must map two scalars of the operand's dtype to one");
  return {operand};
}

ir::Literal element_of(const ir::Literal& literal, std::int64_t at) {
  ir::Literal element(ir::TensorType{literal.type().dtype, {}});
  copy_element(element.mutable_bytes(), 0, literal.bytes(), at, ir::size_bytes(literal.type().dtype));
  return element;
}

/// The position of the element that the window at `index` selects; -1 when it holds padding only.
std::int64_t selected_position(const ir::ReferenceContext& context, const PoolWindow& window,
                               const ir::Dims& index) {
  const ir::Literal& operand = context.operands[0];
  const ir::Dims& dims = operand.type().dims;
  const ir::Dims strides = ir::row_major_strides(dims);
  std::int64_t kept = -1;
  ir::Dims first(dims.size()), counts(dims.size());  // of the window, cut to the operand
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t begin = index[d] * window.strides[d] - window.padding_low[d];
    first[d] = std::max<std::int64_t>(begin, 0);
    counts[d] = std::max<std::int64_t>(std::min(dims[d], begin + window.dimensions[d]) - first[d], 0);
  }
  for_each_index(counts, [&](const ir::Dims& offset, std::int64_t) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) at += (first[d] + offset[d]) * strides[d];
    if (kept >= 0) {
      const ir::Literal pair[] = {element_of(operand, kept), element_of(operand, at)};
      if (context.evaluate(context.op.region(0), pair)[0].data<bool>()[0]) return;
    }
    kept = at;
  });
  return kept;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  std::vector<ir::Literal> results = {ir::Literal(context.op.result().type())};
  const std::size_t size = ir::size_bytes(context.op.result().dtype());
  for (std::int64_t i = 0; i < results[0].type().num_elements(); ++i)
    copy_element(results[0].mutable_bytes(), i, context.operands[2].bytes(), 0, size);
  const PoolWindow window = select_window(context.op);
  for_each_index(context.operands[1].type().dims, [&](const ir::Dims& index, std::int64_t at) {
    const std::int64_t to = selected_position(context, window, index);
    if (to >= 0)
      combine_elements(context, context.op.region(1), results, to, context.operands.subspan(1, 1), at);
  });
  return results;
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Op& op = context.op;
  const bool greatest = selects_by(op.region(0), "GE");
  if ((!greatest && !selects_by(op.region(0), "LE")) || simple_body_kind(op.region(1)) != "add" ||
      !is_constant(op.operand(2)))
    fail(ErrorCode::kUnimplemented,
         "only a select by >= or <= and a scatter by addition from a constant has a gradient");
  const ir::Value operand = op.operand(0), source = op.operand(1);
  const PoolWindow given = select_window(op);
  const ir::Dims ones(operand.dims().size(), 1);
  const WindowOptions window = {.dimensions = given.dimensions,
                                .strides = given.strides,
                                .base_dilations = ones,
                                .window_dilations = ones,
                                .padding_low = given.padding_low,
                                .padding_high = given.padding_high};
  const ir::Value extremum =
      greatest ? reduce_window_max(builder, operand, window) : reduce_window_min(builder, operand, window);
  const ir::Value fill =
      constant(builder, greatest ? least_value(operand.dtype()) : greatest_value(operand.dtype()));
  const ir::Value padded = padded_operand(builder, operand, fill, window);
  const ir::Value flows =
      padded_operand(builder, context.result_gradients[0], scalar(builder, operand.dtype(), 0), window);
  // One strided slice an offset within the window; the first that has the extremum is what was selected.
  ir::Value sum = full(builder, source.type(), 0), open;
  for_each_index(window.dimensions, [&](const ir::Dims& offset, std::int64_t) {
    const ir::Value x = at_window_offset(builder, padded, offset, window, source.dims());
    const ir::Value equal = compare(builder, x, extremum, ComparisonDirection::kEq);
    const ir::Value chosen = open ? and_(builder, equal, open) : equal;
    const ir::Value flow = at_window_offset(builder, flows, offset, window, source.dims());
    sum = add(builder, sum, cornu::ops::select(builder, chosen, flow, full(builder, source.type(), 0)));
    open = open ? and_(builder, open, not_(builder, equal)) : not_(builder, equal);
  });
  return {ir::Value(), sum, ir::Value()};
}

std::string print_attributes(const ir::Op& op) {
  const PoolWindow window = select_window(op);
  const auto list = [](const ir::Dims& values) {
    return fmt::format("array<i64{}{}>", values.empty() ? "" : ": ", fmt::join(values, ", "));
  };
  return fmt::format("padding = {}, window_dimensions = {}, window_strides = {}",
                     print_padding(window.padding_low, window.padding_high), list(window.dimensions),
                     list(window.strides));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  const std::size_t rank = text.operand_type(0).dims.size();
  const ir::OpAttributes::Pairs padding = text.pairs({"padding"}, rank);
  return {{"window_dimensions", text.integers({"window_dimensions"}, ir::Dims(rank, 1))},
          {"window_strides", text.integers({"window_strides"}, ir::Dims(rank, 1))},
          {"padding_low", padding.first},
          {"padding_high", padding.second}};
}

const ir::OpDef kSelectAndScatter = {.name = "select_and_scatter",
                                     .infer = infer,
                                     .gradient = gradient,
                                     .reference = reference,
                                     .print_attributes = print_attributes,
                                     .has_regions = true,
                                     .read_attributes = read_attributes};

std::unique_ptr<ir::Block> make_pair_body(const ir::Builder& builder, ir::DType dtype,
                                          const ScalarBody& body) {
  auto block = std::make_unique<ir::Block>();
  const ir::Value first = block->add_argument({dtype, {}}), second = block->add_argument({dtype, {}});
  ir::Builder inner(*block);
  inner.set_location(builder.location());
  block->set_results({body(inner, first, second)});
  return block;
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSelectAndScatter>(); }

}  // namespace select_and_scatter_folder

ir::Value select_and_scatter(ir::Builder& builder, ir::Value operand, ir::Value source, ir::Value init_value,
                             const PoolWindow& window, const ScalarBody& select, const ScalarBody& scatter) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(select_and_scatter_folder::make_pair_body(builder, operand.dtype(), select));
  regions.push_back(select_and_scatter_folder::make_pair_body(builder, operand.dtype(), scatter));
  return builder
      .create(select_and_scatter_folder::kSelectAndScatter, {operand, source, init_value},
              pool_window_attributes(window, operand.dims().size()), std::move(regions))
      .result();
}

ir::Value select_and_scatter_add(ir::Builder& builder, ir::Value operand, ir::Value source,
                                 const PoolWindow& window, ComparisonDirection select) {
  return select_and_scatter(
      builder, operand, source, scalar(builder, operand.dtype(), 0), window,
      [select](ir::Builder& b, ir::Value kept, ir::Value next) { return compare(b, kept, next, select); },
      [](ir::Builder& b, ir::Value sum, ir::Value value) { return add(b, sum, value); });
}

PoolWindow select_window(const ir::Op& select_and_scatter) {
  return read_pool_window(select_and_scatter.attributes());
}

bool selects_by(const ir::Block& select, std::string_view direction) {
  return simple_body_kind(select) == "compare" && select.ops()[0]->operand(0) == select.arguments()[0] &&
         select.ops()[0]->attributes().get<std::string>("comparison_direction") == direction;
}

ir::Attributes pool_window_attributes(const PoolWindow& window, std::size_t rank) {
  const auto filled = [rank](const ir::Dims& values, std::int64_t value) {
    return values.empty() ? ir::Dims(rank, value) : values;
  };
  return {{"window_dimensions", window.dimensions},
          {"window_strides", filled(window.strides, 1)},
          {"padding_low", filled(window.padding_low, 0)},
          {"padding_high", filled(window.padding_high, 0)}};
}

PoolWindow read_pool_window(const ir::Attributes& attributes) {
  return {.dimensions = attributes.get<ir::Dims>("window_dimensions"),
          .strides = attributes.get<ir::Dims>("window_strides"),
          .padding_low = attributes.get<ir::Dims>("padding_low"),
          .padding_high = attributes.get<ir::Dims>("padding_high")};
}

}  // namespace cornu::inline v0::ops
