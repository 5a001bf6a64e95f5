#include "cornu/transform/padded_convolutions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "cornu/ops/convolution/convolution.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a convolution of a pad, and a cut of a convolution

using ir::Value;
using UseCounts = std::unordered_map<Value, int, ir::ValueHash>;

/// Padding of each spatial dimension, low and high.
struct Padding {
  ir::Dims low, high;
};

/// The pad's numbers for these spatial dimensions, if it pads no other dimension and nothing between elements.
std::optional<Padding> spatial_padding(const ir::Op& pad, const ir::Dims& spatial) {
  const auto& low = pad.attributes().get<ir::Dims>("edge_padding_low");
  const auto& high = pad.attributes().get<ir::Dims>("edge_padding_high");
  const auto& interior = pad.attributes().get<ir::Dims>("interior_padding");
  for (std::size_t d = 0; d < low.size(); ++d) {
    const bool is_spatial =
        std::find(spatial.begin(), spatial.end(), static_cast<std::int64_t>(d)) != spatial.end();
    if (interior[d] != 0 || (!is_spatial && (low[d] != 0 || high[d] != 0))) return std::nullopt;
  }
  Padding padding;
  for (const std::int64_t dimension : spatial) {
    padding.low.push_back(low[static_cast<std::size_t>(dimension)]);
    padding.high.push_back(high[static_cast<std::size_t>(dimension)]);
  }
  return padding;
}

bool all_fit(const ir::Dims& numbers, bool (*fits)(std::int64_t)) {
  return std::all_of(numbers.begin(), numbers.end(), fits);
}

bool is_positive_zero(Value value) {
  const std::optional<ir::Literal> splat = splat_value(value);
  return splat && ir::is_float(value.dtype()) && splat->at(0) == 0 && !std::signbit(splat->at(0));
}

/// convolution(pad(x, 0)) as convolution(x) with more padding.
std::optional<Value> convolution_of_pad(ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
  const ir::Op* const pad = made_by(operands[0], "pad");
  if (pad == nullptr || !is_positive_zero(pad->operand(1))) return std::nullopt;
  const ops::ConvolutionDimensions dimensions = ops::convolution_dimensions(op);
  const auto padding = spatial_padding(*pad, dimensions.input_spatial_dimensions);
  const auto is_padding = [](std::int64_t x) { return x >= 0; };
  if (!padding || !all_fit(padding->low, is_padding) || !all_fit(padding->high, is_padding))
    return std::nullopt;
  ops::ConvolutionOptions options = ops::convolution_options(op);
  for (std::size_t i = 0; i < padding->low.size(); ++i) {
    options.padding_low[i] += padding->low[i] * options.lhs_dilation[i];
    options.padding_high[i] += padding->high[i] * options.lhs_dilation[i];
  }
  return ops::convolution(b, pad->operand(0), operands[1], dimensions, options);
}

/// pad(convolution(x)) with negative padding as convolution(x) with less padding.
std::optional<Value> cut_of_convolution(ir::Builder& b, const ir::Op& op, std::span<const Value> operands,
                                        const UseCounts& uses) {
  const ir::Op* const convolution = made_by(operands[0], "convolution");
  if (convolution == nullptr || uses.at(op.operand(0)) > 1) return std::nullopt;
  const ops::ConvolutionDimensions dimensions = ops::convolution_dimensions(*convolution);
  ops::ConvolutionOptions options = ops::convolution_options(*convolution);
  const auto cut = spatial_padding(op, dimensions.output_spatial_dimensions);
  const auto is_one = [](std::int64_t x) { return x == 1; };
  const auto is_cut = [](std::int64_t x) { return x <= 0; };
  if (!cut || !all_fit(options.window_strides, is_one) || !all_fit(cut->low, is_cut) ||
      !all_fit(cut->high, is_cut))
    return std::nullopt;
  for (std::size_t i = 0; i < cut->low.size(); ++i) {
    options.padding_low[i] += cut->low[i];
    options.padding_high[i] += cut->high[i];
    // Kernels of libraries cut nothing.
    if (options.padding_low[i] < 0 || options.padding_high[i] < 0) return std::nullopt;
  }
  return ops::convolution(b, convolution->operand(0), convolution->operand(1), dimensions, options);
}

bool is_pad_beside_convolution(const ir::Op& op) {
  if (op.name() == "convolution") return made_by(op.operand(0), "pad") != nullptr;
  return op.name() == "pad" && made_by(op.operand(0), "convolution") != nullptr;
}

void count_uses(const ir::Block& block, UseCounts& uses) {
  for (const Value& result : block.results()) ++uses[result];
  for (const auto& op : block.ops()) {
    for (const Value& operand : op->operands()) ++uses[operand];
    for (const auto& region : op->regions()) count_uses(*region, uses);
  }
}

}  // namespace

std::unique_ptr<ir::Function> pad_in_convolutions(const ir::Function& function) {
  UseCounts uses;
  count_uses(function.body, uses);
  return replace_matching(
      function, &is_pad_beside_convolution,
      [&](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) -> Replacement {
        const std::optional<Value> result = op.name() == "pad" ? cut_of_convolution(b, op, operands, uses)
                                                               : convolution_of_pad(b, op, operands);
        if (!result || result->type() != op.result().type()) return std::nullopt;
        return std::vector{*result};
      });
}

}  // namespace cornu::inline v0::transform
