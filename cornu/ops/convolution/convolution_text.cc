#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/convolution/convolution_rules.h"
#include "cornu/ops/op_texts.h"

namespace cornu::inline v0::ops::convolution_folder {
namespace {

/// The position of each name of "[b, 0, 1, f]": the two letters, then the spatial dimensions in order.
struct DimensionOrder {
  std::int64_t first = -1, second = -1;
  ir::Dims spatial;
};

DimensionOrder read_order(const ir::OpAttributes& text, const ir::text::Syntax& list, std::string_view first,
                          std::string_view second) {
  using Kind = ir::text::SyntaxKind;
  DimensionOrder order;
  // A list of numbers only has neither letter.
  const std::size_t rank = list.items.size();
  if (rank < 2) text.fail(list.begin, "dimensions are given as [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
  order.spatial.assign(rank - 2, -1);
  for (std::size_t at = 0; at < rank; ++at) {
    const ir::text::Syntax& name = list.items[at];
    std::int64_t* slot = nullptr;
    if (name.is(Kind::kWord) && name.text == first)
      slot = &order.first;
    else if (name.is(Kind::kWord) && name.text == second)
      slot = &order.second;
    else if (name.is(Kind::kInteger) && std::cmp_less(name.integer, rank - 2) && name.integer >= 0)
      slot = &order.spatial[static_cast<std::size_t>(name.integer)];
    if (slot == nullptr || *slot != -1)
      text.fail(list.begin,
                fmt::format("dimensions are {}, {} and 0 to {}, each once", first, second, rank - 2));
    *slot = static_cast<std::int64_t>(at);
  }
  return order;
}

ConvolutionDimensions read_dimensions(ir::OpAttributes& text) {
  const ir::text::Syntax& numbers = text.get({"dimension_numbers", "dim_numbers"});
  if (!numbers.is(ir::text::SyntaxKind::kProduct) || numbers.items.size() != 3)
    text.fail(numbers.begin, "dimensions are given as [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
  const DimensionOrder input = read_order(text, numbers.items[0], "b", "f"),
                       kernel = read_order(text, numbers.items[1], "i", "o"),
                       output = read_order(text, numbers.items[2], "b", "f");
  return {.input_batch_dimension = input.first,
          .input_feature_dimension = input.second,
          .input_spatial_dimensions = input.spatial,
          .kernel_input_feature_dimension = kernel.first,
          .kernel_output_feature_dimension = kernel.second,
          .kernel_spatial_dimensions = kernel.spatial,
          .output_batch_dimension = output.first,
          .output_feature_dimension = output.second,
          .output_spatial_dimensions = output.spatial};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  text.ignore({"precision_config"});  // every product is exact in its dtype
  const ConvolutionDimensions d = read_dimensions(text);
  // The short form has the window's attributes in window = {stride = .., pad = ..}.
  ir::OpAttributes window = text.inside({"window"});
  const std::size_t spatial = d.input_spatial_dimensions.size();
  const auto list = [&](std::string_view name, std::string_view in_window, std::int64_t otherwise) {
    return text.integers({name}, window.integers({in_window}, ir::Dims(spatial, otherwise)));
  };
  const ir::OpAttributes::Pairs padding =
      text.find({"padding"}) != nullptr ? text.pairs({"padding"}, spatial) : window.pairs({"pad"}, spatial);
  const ConvolutionOptions options = {.window_strides = list("window_strides", "stride", 1),
                                      .padding_low = padding.first,
                                      .padding_high = padding.second,
                                      .lhs_dilation = list("lhs_dilation", "lhs_dilate", 1),
                                      .rhs_dilation = list("rhs_dilation", "rhs_dilate", 1),
                                      .window_reversal = list("window_reversal", "reverse", 0),
                                      .feature_group_count = text.integer({"feature_group_count"}, 1),
                                      .batch_group_count = text.integer({"batch_group_count"}, 1)};
  return convolution_attributes(d, options);
}

}  // namespace

std::span<const ir::OpText> op_texts() {
  static constexpr ir::OpText rows[] = {{.name = "convolution", .read_attributes = &read_attributes}};
  return rows;
}

}  // namespace cornu::inline v0::ops::convolution_folder
