#include "cornu/backends/pjrt/portable_ops.h"

#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/clone.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convolution/convolution.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reverse/reverse.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

bool has_padding(const ops::PoolWindow& window) {
  for (const ir::Dims* padding : {&window.padding_low, &window.padding_high})
    for (const std::int64_t extent : *padding)
      if (extent != 0) return true;
  return false;
}

/// The value that `kept >= next`, or `kept <= next`, never selects; empty for other selections.
std::optional<ir::Literal> value_never_selected(const ir::Op& op) {
  // pattern: one comparison of the two arguments, in their order
  const ir::Block& select = op.region(0);
  if (select.ops().size() != 1 || select.ops()[0]->name() != "compare" ||
      select.ops()[0]->operand(0) != select.arguments()[0] ||
      select.ops()[0]->operand(1) != select.arguments()[1] ||
      select.results()[0] != select.ops()[0]->result() || ops::compares_total_order(*select.ops()[0]))
    return std::nullopt;
  switch (ops::comparison_direction_from_name(
      select.ops()[0]->attributes().get<std::string>("comparison_direction"))) {
    case ops::ComparisonDirection::kGe:
    case ops::ComparisonDirection::kGt: return ops::least_value(op.operand(0).dtype());
    case ops::ComparisonDirection::kLe:
    case ops::ComparisonDirection::kLt: return ops::greatest_value(op.operand(0).dtype());
    default: return std::nullopt;
  }
}

/// Appends the op on a padded operand; false if padding is not needed or not possible.
bool append_unpadded(ir::Builder& builder, const ir::Op& op, ir::ValueMap& map) {
  // pattern: the one op that needs it
  if (op.name() != "select_and_scatter") return false;
  const ops::PoolWindow window = ops::select_window(op);
  const std::optional<ir::Literal> value = has_padding(window) ? value_never_selected(op) : std::nullopt;
  if (!value) return false;
  const ir::LocationScope location(builder, op.location());
  const ir::Value operand = ir::mapped(map, op.operand(0));
  const ir::Dims zeros(operand.dims().size(), 0);
  const ir::Value padded = ops::pad(builder, operand, ops::constant(builder, *value), window.padding_low,
                                    window.padding_high, zeros);
  const auto copy_of = [&](std::size_t region, ir::Builder& b, ir::Value x, ir::Value y) {
    const ir::Block& body = op.region(region);
    ir::ValueMap inner = map;
    inner[body.arguments()[0]] = x;
    inner[body.arguments()[1]] = y;
    return ir::clone_ops(b, body, inner)[0];
  };
  const ir::Value selected = ops::select_and_scatter(
      builder, padded, ir::mapped(map, op.operand(1)), ir::mapped(map, op.operand(2)),
      {.dimensions = window.dimensions, .strides = window.strides},
      [&](ir::Builder& b, ir::Value x, ir::Value y) { return copy_of(0, b, x, y); },
      [&](ir::Builder& b, ir::Value x, ir::Value y) { return copy_of(1, b, x, y); });
  const auto negated = [](ir::Dims dims) {
    for (std::int64_t& extent : dims) extent = -extent;
    return dims;
  };
  // Padding may be negative: then what it cut off comes back as what nothing was added to.
  map[op.result()] = ops::pad(builder, selected, ir::mapped(map, op.operand(2)), negated(window.padding_low),
                              negated(window.padding_high), zeros);
  return true;
}

/// Appends a convolution by a reversed kernel; false where none runs backwards.
bool append_forward(ir::Builder& builder, const ir::Op& op, ir::ValueMap& map) {
  // pattern: the one op that has windows of a direction
  if (op.name() != "convolution") return false;
  const ops::ConvolutionDimensions dimensions = ops::convolution_dimensions(op);
  ops::ConvolutionOptions options = ops::convolution_options(op);
  ir::Dims reversed;
  for (std::size_t i = 0; i < options.window_reversal.size(); ++i)
    if (std::exchange(options.window_reversal[i], 0) != 0)
      reversed.push_back(dimensions.kernel_spatial_dimensions[i]);
  if (reversed.empty()) return false;
  const ir::LocationScope location(builder, op.location());
  const ir::Value kernel = ops::reverse(builder, ir::mapped(map, op.operand(1)), std::move(reversed));
  map[op.result()] = ops::convolution(builder, ir::mapped(map, op.operand(0)), kernel, dimensions, options);
  return true;
}

std::vector<ir::Value> copy_ops(ir::Builder& builder, const ir::Block& block, ir::ValueMap& map);

std::unique_ptr<ir::Block> copy_region(const ir::Block& region, const ir::ValueMap& outer) {
  auto copy = std::make_unique<ir::Block>();
  ir::ValueMap map = outer;
  for (const ir::Value& argument : region.arguments()) map[argument] = copy->add_argument(argument.type());
  ir::Builder builder(*copy);
  copy->set_results(copy_ops(builder, region, map));
  return copy;
}

std::vector<ir::Value> copy_ops(ir::Builder& builder, const ir::Block& block, ir::ValueMap& map) {
  for (const auto& op : block.ops()) {
    if (append_unpadded(builder, *op, map) || append_forward(builder, *op, map)) continue;
    const ir::LocationScope location(builder, op->location());
    std::vector<std::unique_ptr<ir::Block>> regions;
    for (const auto& region : op->regions()) regions.push_back(copy_region(*region, map));
    const ir::Op& copy =
        builder.create(op->def(), ir::mapped(map, op->operands()), op->attributes(), std::move(regions));
    for (std::size_t i = 0; i < op->results().size(); ++i) map[op->result(i)] = copy.result(i);
  }
  return ir::mapped(map, block.results());
}

}  // namespace

std::unique_ptr<ir::Function> with_portable_ops(const ir::Function& function) {
  auto copy = std::make_unique<ir::Function>();
  copy->name = function.name;
  ir::ValueMap map;
  for (const ir::Value& argument : function.body.arguments())
    map[argument] = copy->body.add_argument(argument.type());
  ir::Builder builder(copy->body);
  copy->body.set_results(copy_ops(builder, function.body, map));
  return copy;
}

void refuse_integer_convolutions(const ir::Block& block) {
  for (const auto& op : block.ops()) {
    // pattern: the one op that is refused
    if (op->name() == "convolution" && ir::is_integer(op->result().dtype()))
      fail(ErrorCode::kUnimplemented, {.layer = std::string(op->location())},
           "[pjrt] GPUs' plug-ins compute no convolutions of integers, such as {}: convert the operands to "
           "float32",
           op->result().type().str());
    for (const auto& region : op->regions()) refuse_integer_convolutions(*region);
  }
}

}  // namespace cornu::inline v0::backends::pjrt
