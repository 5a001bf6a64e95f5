#include "cornu/ops/reduce_window/reduce_window.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reduce_window/window_rules.h"

namespace cornu::inline v0::ops {
namespace reduce_window_folder {
namespace {

WindowOptions read_window(const ir::Attributes& attributes) {
  return {.dimensions = attributes.get<ir::Dims>("window_dimensions"),
          .strides = attributes.get<ir::Dims>("window_strides"),
          .base_dilations = attributes.get<ir::Dims>("base_dilations"),
          .window_dilations = attributes.get<ir::Dims>("window_dilations"),
          .padding_low = attributes.get<ir::Dims>("padding_low"),
          .padding_high = attributes.get<ir::Dims>("padding_high")};
}

void check_sizes(const ir::Dims& values, std::size_t rank, std::string_view name, std::string_view label) {
  if (values.size() != rank)
    invalid_argument("({}) {} {} must have one entry a dimension, {}", label, name, values, rank);
}

void check_positive(const ir::Dims& values, std::string_view name, std::string_view label) {
  for (std::int64_t value : values)
    if (value < 1) invalid_argument("({}) {} must be positive; got {}", label, name, values);
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.empty() || context.operands.size() % 2 != 0)
    invalid_argument("(C1) there must be one init_value an input and at least one input; got {} operands",
                     context.operands.size());
  const std::size_t count = context.operands.size() / 2;
  const ir::Dims& dims = context.type(0).dims;
  std::vector<ir::TensorType> scalars;
  for (std::size_t i = 0; i < count; ++i) {
    if (context.type(i).dims != dims)
      invalid_argument("(C2) inputs must have one shape; got {} and {}", context.type(0).str(),
                       context.type(i).str());
    if (context.type(count + i) != ir::TensorType{context.type(i).dtype, {}})
      invalid_argument("(C3) init_values[{}] must be a scalar of its input's dtype; got {} for {}", i,
                       context.type(count + i).str(), context.type(i).str());
    scalars.push_back(context.type(count + i));
  }
  const WindowOptions window = read_window(context.attributes);
  check_sizes(window.dimensions, dims.size(), "window_dimensions", "C4");
  check_positive(window.dimensions, "window_dimensions", "C5");
  check_sizes(window.strides, dims.size(), "window_strides", "C6");
  check_positive(window.strides, "window_strides", "C7");
  check_sizes(window.base_dilations, dims.size(), "base_dilations", "C8");
  check_positive(window.base_dilations, "base_dilations", "C9");
  check_sizes(window.window_dilations, dims.size(), "window_dilations", "C10");
  check_positive(window.window_dilations, "window_dilations", "C11");
  check_sizes(window.padding_low, dims.size(), "padding_low", "C12");
  check_sizes(window.padding_high, dims.size(), "padding_high", "C12");
  if (context.regions.size() != 1)
    invalid_argument("(C13) there must be one body; got {}", context.regions.size());
  check_scalar_body(*context.regions[0], scalars, "(C13) body");
  const ir::Dims padded =
      padded_extents(dims, window.base_dilations, window.padding_low, window.padding_high);
  ir::Dims windows;
  for (std::size_t d = 0; d < dims.size(); ++d)
    windows.push_back(count_windows(
        padded[d], dilated_extent(window.dimensions[d], window.window_dilations[d]), window.strides[d]));
  std::vector<ir::TensorType> results;
  results.reserve(scalars.size());
  for (const ir::TensorType& scalar : scalars) results.push_back({scalar.dtype, windows});
  return results;
}

/// The offsets [first, first + count) within a window that are between an input's first and last element,
/// along one axis; `begin` is the position of the window.
struct Offsets {
  Offsets(std::int64_t begin, std::int64_t size, std::int64_t window_dilation, std::int64_t reach) {
    first = begin >= 0 ? 0 : (-begin + window_dilation - 1) / window_dilation;
    count = reach < begin
                ? 0
                : std::max<std::int64_t>(0, std::min(size, (reach - begin) / window_dilation + 1) - first);
  }
  std::int64_t first = 0, count = 0;
};

/// True if the init values in padding and gaps change nothing: a window begins with one anyway.
bool has_neutral_padding(const ir::ReferenceContext& context) {
  const std::string_view kind = simple_body_kind(context.op.region(0));
  if (kind == "maximum" || kind == "minimum" || kind == "and" || kind == "or") return true;
  const auto init_is = [&](double neutral) { return context.operands[1].at(0) == neutral; };
  return (kind == "add" && init_is(0)) || (kind == "multiply" && init_is(1));
}

/// Windows are cut to the input where padding is neutral, or a large one would never end.
std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const std::size_t count = context.op.results().size();
  const WindowOptions window = window_options(context.op);
  const bool is_cut = has_neutral_padding(context);
  const ir::Dims& dims = context.operands[0].type().dims;
  const ir::Dims strides = ir::row_major_strides(dims);
  const auto inputs = context.operands.first(count), inits = context.operands.subspan(count);
  std::vector<ir::Literal> results;
  for (std::size_t k = 0; k < count; ++k) {
    results.emplace_back(context.op.result(k).type());
    for (std::int64_t at = 0; at < results[k].type().num_elements(); ++at)
      copy_element(results[k].mutable_bytes(), at, inits[k].bytes(), 0,
                   ir::size_bytes(results[k].type().dtype));
  }
  ir::Dims first(dims.size()), counts(dims.size());
  for_each_index(context.op.result().dims(), [&](const ir::Dims& index, std::int64_t at) {
    for (std::size_t d = 0; d < dims.size(); ++d) {
      first[d] = index[d] * window.strides[d] - window.padding_low[d];
      counts[d] = window.dimensions[d];
      if (!is_cut) continue;
      const Offsets offsets(first[d], window.dimensions[d], window.window_dilations[d],
                            dilated_extent(dims[d], window.base_dilations[d]) - 1);
      first[d] += offsets.first * window.window_dilations[d];
      counts[d] = offsets.count;
    }
    for_each_index(counts, [&](const ir::Dims& offset, std::int64_t) {
      std::int64_t from = 0;
      bool is_padding = false;
      for (std::size_t d = 0; d < dims.size() && !is_padding; ++d) {
        const std::int64_t place = first[d] + offset[d] * window.window_dilations[d],
                           element = place / window.base_dilations[d];
        is_padding = place < 0 || place % window.base_dilations[d] != 0 || element >= dims[d];
        if (!is_padding) from += element * strides[d];
      }
      if (!is_padding)
        combine_elements(context, context.op.region(0), results, at, inputs, from);
      else if (!is_cut)
        combine_elements(context, context.op.region(0), results, at, inits, 0);
    });
  });
  return results;
}

std::string print_attributes(const ir::Op& op) {
  const WindowOptions window = window_options(op);
  const auto list = [](const ir::Dims& values) {
    return fmt::format("array<i64{}{}>", values.empty() ? "" : ": ", fmt::join(values, ", "));
  };
  return fmt::format(
      "base_dilations = {}, padding = {}, window_dilations = {}, window_dimensions = {}, window_strides = {}",
      list(window.base_dilations), print_padding(window.padding_low, window.padding_high),
      list(window.window_dilations), list(window.dimensions), list(window.strides));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  const std::size_t rank = text.operand_type(0).dims.size();
  const ir::OpAttributes::Pairs padding = text.pairs({"padding"}, rank);
  return {{"window_dimensions", text.integers({"window_dimensions"})},
          {"window_strides", text.integers({"window_strides"}, ir::Dims(rank, 1))},
          {"base_dilations", text.integers({"base_dilations"}, ir::Dims(rank, 1))},
          {"window_dilations", text.integers({"window_dilations"}, ir::Dims(rank, 1))},
          {"padding_low", padding.first},
          {"padding_high", padding.second}};
}

const ir::OpDef kReduceWindow = {.name = "reduce_window",
                                 .infer = infer,
                                 .gradient = reduce_window_gradient,
                                 .reference = reference,
                                 .print_attributes = print_attributes,
                                 .has_regions = true,
                                 .read_attributes = read_attributes};

using Combine = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);

ir::Value reduce_window_by(ir::Builder& builder, ir::Value x, const WindowOptions& window, ir::Value init,
                           Combine combine) {
  return reduce_window(builder, {x}, {init}, window,
                       [combine](ir::Builder& body, std::span<const ir::Value> v) {
                         return std::vector<ir::Value>{combine(body, v[0], v[1])};
                       })[0];
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kReduceWindow>(); }

}  // namespace reduce_window_folder

std::vector<ir::Value> reduce_window(ir::Builder& builder, std::vector<ir::Value> inputs,
                                     std::vector<ir::Value> init_values, const WindowOptions& window,
                                     const ReduceBody& body) {
  const std::size_t rank = inputs.empty() ? 0 : inputs[0].dims().size();
  const auto filled = [rank](const ir::Dims& values, std::int64_t value) {
    return values.empty() ? ir::Dims(rank, value) : values;
  };
  ir::Attributes attributes = {{"window_dimensions", window.dimensions},
                               {"window_strides", filled(window.strides, 1)},
                               {"base_dilations", filled(window.base_dilations, 1)},
                               {"window_dilations", filled(window.window_dilations, 1)},
                               {"padding_low", filled(window.padding_low, 0)},
                               {"padding_high", filled(window.padding_high, 0)}};
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(make_scalar_body(builder, inputs, body));
  inputs.insert(inputs.end(), init_values.begin(), init_values.end());
  const ir::Op& op = builder.create(reduce_window_folder::kReduceWindow, std::move(inputs),
                                    std::move(attributes), std::move(regions));
  return {op.results().begin(), op.results().end()};
}

ir::Value reduce_window_sum(ir::Builder& builder, ir::Value x, const WindowOptions& window) {
  return reduce_window_folder::reduce_window_by(builder, x, window, scalar(builder, x.dtype(), 0), add);
}
ir::Value reduce_window_max(ir::Builder& builder, ir::Value x, const WindowOptions& window) {
  return reduce_window_folder::reduce_window_by(builder, x, window, constant(builder, least_value(x.dtype())),
                                                maximum);
}
ir::Value reduce_window_min(ir::Builder& builder, ir::Value x, const WindowOptions& window) {
  return reduce_window_folder::reduce_window_by(builder, x, window,
                                                constant(builder, greatest_value(x.dtype())), minimum);
}
ir::Value reduce_window_product(ir::Builder& builder, ir::Value x, const WindowOptions& window) {
  return reduce_window_folder::reduce_window_by(builder, x, window, scalar(builder, x.dtype(), 1), multiply);
}

ir::Value cumulative_sum(ir::Builder& builder, ir::Value x, std::int64_t dimension, bool reversed) {
  const auto along = static_cast<std::size_t>(normalized_axis(dimension, x.rank()));
  const std::int64_t extent = x.dims()[along];
  if (extent == 0) return x;
  WindowOptions window = {.dimensions = ir::Dims(x.dims().size(), 1),
                          .padding_low = ir::Dims(x.dims().size(), 0),
                          .padding_high = ir::Dims(x.dims().size(), 0)};
  window.dimensions[along] = extent;
  (reversed ? window.padding_high : window.padding_low)[along] = extent - 1;
  return reduce_window_sum(builder, x, window);
}

WindowOptions window_options(const ir::Op& reduce_window) {
  return reduce_window_folder::read_window(reduce_window.attributes());
}

std::string print_padding(const ir::Dims& low, const ir::Dims& high) {
  std::string rows;
  for (std::size_t d = 0; d < low.size(); ++d)
    rows += fmt::format("{}[{}, {}]", d == 0 ? "" : ", ", low[d], high[d]);
  return fmt::format("dense<{}> : tensor<{}x2xi64>", low.empty() ? "" : "[" + rows + "]", low.size());
}

ir::Dims padded_extents(const ir::Dims& dims, const ir::Dims& dilations, const ir::Dims& low,
                        const ir::Dims& high) {
  ir::Dims padded;
  for (std::size_t d = 0; d < dims.size(); ++d)
    padded.push_back(padded_extent(low[d], dilated_extent(dims[d], dilations[d]), high[d]));
  return padded;
}

}  // namespace cornu::inline v0::ops
