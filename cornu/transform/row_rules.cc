#include "cornu/transform/row_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "cornu/ir/builder.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convolution/convolution.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/ops/scatter/scatter.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::transform {
namespace {

using Operands = std::span<const RowDependence>;
using Context = RowRuleContext;

std::size_t at(std::int64_t axis) { return static_cast<std::size_t>(axis); }

bool contains(const ir::Dims& dims, std::int64_t d) { return std::find(dims.begin(), dims.end(), d) != dims.end(); }

std::int64_t index_of(const ir::Dims& dims, std::int64_t d) { return std::find(dims.begin(), dims.end(), d) - dims.begin(); }

std::int64_t product(std::span<const std::int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

/// How many of the rows' axis' indices belong to one round through the batch.
std::int64_t period(const Context& c, const RowDependence& x) { return c.batch * x.inner; }

RowDependence moved(RowDependence x, std::int64_t axis) {
  x.axis = axis;
  return x;
}

RowDependence without_padding(RowDependence x) {
  x.padding.reset();
  return x;
}

std::optional<ir::Literal> zero_of(ir::DType dtype) { return ir::Literal::scalar(dtype, 0); }

std::optional<ir::Literal> if_equal(const RowDependence& a, const RowDependence& b) {
  if (a.has_zero_padding() && b.has_zero_padding()) return zero_of(a.padding->type().dtype);  // of either sign
  return a.padding.has_value() && a.padding == b.padding ? a.padding : std::nullopt;
}

/// Where the rows are in values that an op takes index by index; padding unknown. Operands without rows fit everywhere.
RowDependence joined(const Context& c, Operands operands) {
  RowDependence result;
  for (const RowDependence& operand : operands) {
    if (operand.is_none()) continue;
    if (operand.is_mixed()) return operand;
    if (result.is_rows() && !result.same_place(operand)) return mixed_by(c.op);
    result = without_padding(operand);
  }
  result.repeats = false;
  return result;
}

/// The op on scalars that are known.
std::optional<ir::Literal> evaluated(const ir::OpDef& def, const ir::Attributes& attributes, std::span<const ir::Literal> scalars) {
  ir::Block scratch;
  ir::Builder builder(scratch);
  std::vector<ir::Value> values;
  for (const ir::Literal& scalar : scalars) values.push_back(ops::constant(builder, scalar));
  return evaluate_op(builder.create(def, values, attributes), scalars)[0];
}

// Ops on elements.

std::optional<ir::Literal> elementwise_padding(const Context& c) {
  const Operands x = c.operands;
  if (x.empty()) return std::nullopt;
  if (c.op.name() == "select" && x[0].padding.has_value()) return x[x[0].has_zero_padding() ? 2 : 1].padding;
  if (c.op.name() == "select") return if_equal(x[1], x[2]);
  if (std::all_of(x.begin(), x.end(), [](const RowDependence& each) { return each.padding.has_value(); })) {
    std::vector<ir::Literal> scalars;
    for (const RowDependence& each : x) scalars.push_back(*each.padding);
    return evaluated(c.op.def(), c.op.attributes(), scalars);
  }
  const bool is_product = c.op.name() == "multiply" || c.op.name() == "and";
  if (is_product && (x[0].has_zero_padding() || x[1].has_zero_padding())) return zero_of(c.op.result().dtype());
  if (c.op.name() == "divide" && x[0].has_zero_padding()) return x[0].padding;
  return std::nullopt;
}

RowDependence elementwise(const Context& c) {
  RowDependence result = joined(c, c.operands);
  if (result.is_mixed()) return result;
  result.padding = elementwise_padding(c);
  // An operand without rows may still differ along their axis, unless it is one number.
  result.repeats = result.is_rows() && std::all_of(c.operands.begin(), c.operands.end(),
                                                   [](const RowDependence& x) { return x.is_rows() ? x.repeats : x.padding.has_value(); });
  return result;
}

RowDependence bitcast(const Context& c) {
  if (ir::bit_width(c.op.operand(0).dtype()) == ir::bit_width(c.op.result().dtype())) return elementwise(c);
  return c.operands[0].is_none() ? RowDependence() : mixed_by(c.op);
}

RowDependence constant(const Context& c) {
  const auto& value = c.op.attributes().get<ir::Literal>("value");
  RowDependence result;
  if (value.type().num_elements() == 0 || !value.is_splat()) return result;
  ir::Literal scalar(ir::TensorType{value.type().dtype, {}});
  std::copy_n(value.bytes().begin(), scalar.bytes().size(), scalar.mutable_bytes().begin());
  result.padding = scalar;
  return result;
}

// Ops that move elements.

RowDependence broadcast(const Context& c) {
  const RowDependence& x = c.operands[0];
  return x.is_rows() ? moved(x, c.op.attributes().get<ir::Dims>("broadcast_dimensions")[at(x.axis)]) : x;
}

RowDependence transpose(const Context& c) {
  const RowDependence& x = c.operands[0];
  return x.is_rows() ? moved(x, index_of(c.op.attributes().get<ir::Dims>("permutation"), x.axis)) : x;
}

// The rows keep their place in row-major order; one axis must hold them whole.
RowDependence reshape(const Context& c) {
  const RowDependence& x = c.operands[0];
  if (!x.is_rows()) return x;
  const ir::Dims &from = c.op.operand(0).dims(), &to = c.op.result().dims();
  const std::int64_t stride = x.inner * product(std::span(from).subspan(at(x.axis) + 1));
  std::int64_t behind = 1;
  for (std::int64_t axis = static_cast<std::int64_t>(to.size()) - 1; axis >= 0; --axis) {
    const std::int64_t extent = to[at(axis)];
    if (extent > 1 && stride < behind * extent) {
      const std::int64_t inner = stride / behind;
      if (stride % behind != 0 || extent % (inner * c.batch) != 0) break;
      RowDependence result = moved(x, axis);
      result.inner = inner;
      result.outer = extent / (inner * c.batch);
      return result;
    }
    behind *= extent;
  }
  return mixed_by(c.op);
}

RowDependence reverse(const Context& c) {
  const RowDependence& x = c.operands[0];
  return x.is_rows() && contains(c.op.attributes().get<ir::Dims>("dimensions"), x.axis) ? mixed_by(c.op) : x;
}

RowDependence slice(const Context& c) {
  RowDependence x = c.operands[0];
  if (!x.is_rows()) return x;
  const auto list = [&](const char* name) { return c.op.attributes().get<ir::Dims>(name)[at(x.axis)]; };
  const std::int64_t start = list("start_indices"), limit = list("limit_indices"), round = period(c, x);
  if (list("strides") != 1 || start % round != 0 || limit % round != 0 || start == limit) return mixed_by(c.op);
  x.outer = (limit - start) / round;
  return x;
}

RowDependence pad(const Context& c) {
  RowDependence x = c.operands[0];
  const std::optional<ir::Literal> padding = if_equal(x, c.operands[1]);
  if (!c.operands[1].is_none()) return mixed_by(c.op);
  if (x.is_rows()) {
    const auto list = [&](const char* name) { return c.op.attributes().get<ir::Dims>(name)[at(x.axis)]; };
    const std::int64_t low = list("edge_padding_low"), high = list("edge_padding_high"), round = period(c, x);
    if (list("interior_padding") != 0 || low % round != 0 || high % round != 0 || x.outer + (low + high) / round < 1) return mixed_by(c.op);
    x.outer += (low + high) / round;
  }
  x.padding = padding;
  return x;
}

RowDependence concatenate(const Context& c) {
  RowDependence result = joined(c, {});
  std::optional<ir::Literal> padding = c.operands[0].padding;
  for (const RowDependence& x : c.operands) {
    if (!result.is_rows() && x.is_rows()) result = without_padding(x);
    if (x.padding != padding) padding.reset();
  }
  if (!result.is_rows()) {
    result.padding = padding;
    return result;
  }
  const bool is_along = c.op.attributes().get<std::int64_t>("dimension") == result.axis;
  std::int64_t outer = 0;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const RowDependence& x = c.operands[i];
    const std::int64_t extent = c.op.operand(i).dims()[at(result.axis)];
    const bool fits = !x.is_rows() || (x.axis == result.axis && x.inner == result.inner && (is_along || x.outer == result.outer));
    if (!fits || extent % period(c, result) != 0) return mixed_by(c.op);
    outer += extent / period(c, result);
  }
  if (is_along) result.outer = outer;
  result.padding = padding;
  return result;
}

bool are_none(Operands operands) {
  return std::all_of(operands.begin(), operands.end(), [](const RowDependence& each) { return each.is_none(); });
}

RowDependence dynamic_slice(const Context& c) {
  const RowDependence& x = c.operands[0];
  if (!are_none(c.operands.subspan(1))) return mixed_by(c.op);
  return x.is_rows() && c.op.result().dims()[at(x.axis)] != c.op.operand(0).dims()[at(x.axis)] ? mixed_by(c.op) : x;
}

RowDependence dynamic_update_slice(const Context& c) {
  if (!are_none(c.operands.subspan(2))) return mixed_by(c.op);
  RowDependence result = joined(c, c.operands.first(2));
  if (result.is_mixed()) return result;
  if (result.is_rows() && c.op.operand(0).dims()[at(result.axis)] != c.op.operand(1).dims()[at(result.axis)]) return mixed_by(c.op);
  result.padding = if_equal(c.operands[0], c.operands[1]);
  return result;
}

// Ops that put elements together.

/// The op that a body of two scalars is; null when it is none.
const ir::Op* only_op(const ir::Block& body) {
  if (body.ops().size() != 1 || body.results().size() != 1 || body.results()[0] != body.ops()[0]->result()) return nullptr;
  return body.ops()[0].get();
}

bool is_idempotent(std::string_view name, ir::DType dtype) {
  const bool is_logical = dtype == ir::DType::kI1;
  return name == "maximum" || name == "minimum" || name == "or" || (name == "and") || (is_logical && (name == "add" || name == "multiply"));
}

/// Whether an element changes nothing in a combination that begins with `init`.
bool is_neutral(const ir::Op& body, const ir::Literal& element, const RowDependence& init) {
  const std::string_view name = body.name();
  const ir::DType dtype = body.result().dtype();
  if (is_idempotent(name, dtype)) {
    if (init.padding == element) return true;
    return ir::is_float(dtype) && std::isinf(element.at(0)) && std::signbit(element.at(0)) == (name == "maximum");
  }
  if (name == "add") return element.at(0) == 0;
  return name == "multiply" && element.at(0) == 1;
}

/// What elements that all equal `x.padding` come to.
std::optional<ir::Literal> reduced_padding(const ir::Op& body, const RowDependence& x, const RowDependence& init) {
  if (!x.padding.has_value() || !init.padding.has_value()) return std::nullopt;
  if (body.name() == "add" && x.has_zero_padding() && init.has_zero_padding()) return x.padding;
  if (!is_idempotent(body.name(), body.result().dtype())) return std::nullopt;
  const std::array<ir::Literal, 2> scalars = {*init.padding, *x.padding};
  return evaluated(body.def(), body.attributes(), scalars);
}

RowDependence reduce(const Context& c) {
  const std::size_t n = c.operands.size() / 2;
  RowDependence x = joined(c, c.operands.first(n));
  if (!are_none(c.operands.subspan(n))) return mixed_by(c.op);
  if (x.is_mixed()) return x;
  const auto& dimensions = c.op.attributes().get<ir::Dims>("dimensions");
  const ir::Op* body = n == 1 ? only_op(c.op.region(0)) : nullptr;
  if (x.is_rows() && contains(dimensions, x.axis)) {
    const auto& padding = c.operands[0].padding;
    if (body == nullptr) return mixed_by(c.op);
    if (c.operands[0].repeats && is_idempotent(body->name(), body->result().dtype())) return {};
    return padding.has_value() && is_neutral(*body, *padding, c.operands[1]) ? RowDependence() : mixed_by(c.op);
  }
  x.repeats = body != nullptr && c.operands[0].repeats;
  x.axis -= std::count_if(dimensions.begin(), dimensions.end(), [&](std::int64_t d) { return d < x.axis; });
  if (body != nullptr) x.padding = reduced_padding(*body, c.operands[0], c.operands[1]);
  return x;
}

RowDependence sort(const Context& c) {
  const RowDependence x = joined(c, c.operands);
  const auto dimension = c.op.attributes().get<std::int64_t>("dimension");
  const std::int64_t rank = c.op.operand(0).rank();
  return x.is_rows() && (dimension + rank) % rank == x.axis ? mixed_by(c.op) : x;
}

RowDependence reduce_window(const Context& c) {
  const std::size_t n = c.operands.size() / 2;
  RowDependence x = joined(c, c.operands.first(n));
  if (!are_none(c.operands.subspan(n))) return mixed_by(c.op);
  if (!x.is_rows()) return x;
  const ops::WindowOptions window = ops::window_options(c.op);
  const std::size_t d = at(x.axis);
  if (window.dimensions[d] != 1 || window.strides[d] != 1 || window.base_dilations[d] != 1 || window.padding_low[d] != 0 ||
      window.padding_high[d] != 0)
    return mixed_by(c.op);
  const ir::Op* body = n == 1 ? only_op(c.op.region(0)) : nullptr;
  if (body != nullptr && body->name() == "add") x.padding = reduced_padding(*body, c.operands[0], c.operands[1]);
  return x;
}

RowDependence select_and_scatter(const Context& c) {
  RowDependence x = joined(c, c.operands.first(2));
  if (!c.operands[2].is_none()) return mixed_by(c.op);
  if (!x.is_rows()) return x;
  const ops::SelectWindow window = ops::select_window(c.op);
  const std::size_t d = at(x.axis);
  if (window.dimensions[d] != 1 || window.strides[d] != 1 || window.padding_low[d] != 0 || window.padding_high[d] != 0)
    return mixed_by(c.op);
  const ir::Op* body = only_op(c.op.region(1));
  if (body != nullptr && body->name() == "add") x.padding = reduced_padding(*body, c.operands[1], c.operands[2]);
  return x;
}

// Sums of products.

/// Over rows: padding must be 0 on one side.
RowDependence contracted(const Context& c, const RowDependence& x, const RowDependence& y) {
  if (x.is_rows() && y.is_rows() && (x.outer != y.outer || x.inner != y.inner)) return mixed_by(c.op);
  return x.has_zero_padding() || y.has_zero_padding() ? RowDependence() : mixed_by(c.op);
}

/// Row by row of both: one without rows may still differ from row to row.
RowDependence batched(const RowDependence& x, const RowDependence& y) {
  RowDependence result = x.is_rows() ? x : y;
  result.repeats = x.is_rows() && y.is_rows() && x.repeats && y.repeats;
  return result;
}

RowDependence product_at(const Context& c, const RowDependence& place, std::int64_t axis) {
  RowDependence result = without_padding(moved(place, axis));
  if (c.operands[0].has_zero_padding() || c.operands[1].has_zero_padding()) result.padding = zero_of(c.op.result().dtype());
  return result;
}

RowDependence dot_general(const Context& c) {
  const RowDependence &x = c.operands[0], &y = c.operands[1];
  if (x.is_none() && y.is_none()) return {};
  const ops::DotDimensions dims = ops::dot_dimensions(c.op);
  const std::array<const RowDependence*, 2> sides = {&x, &y};
  const std::array<const ir::Dims*, 2> batching = {&dims.lhs_batching, &dims.rhs_batching};
  const std::array<const ir::Dims*, 2> contracting = {&dims.lhs_contracting, &dims.rhs_contracting};
  if (x.is_rows() && y.is_rows()) {
    const std::int64_t batch_x = index_of(dims.lhs_batching, x.axis), batch_y = index_of(dims.rhs_batching, y.axis);
    const std::int64_t sum_x = index_of(dims.lhs_contracting, x.axis), sum_y = index_of(dims.rhs_contracting, y.axis);
    const bool same = x.outer == y.outer && x.inner == y.inner;
    if (same && batch_x == batch_y && contains(dims.lhs_batching, x.axis)) return product_at(c, batched(x, y), batch_x);
    if (sum_x == sum_y && contains(dims.lhs_contracting, x.axis)) return contracted(c, x, y);
    return mixed_by(c.op);
  }
  const std::size_t side = x.is_rows() ? 0 : 1;
  const RowDependence& rows = *sides[side];
  if (contains(*batching[side], rows.axis)) return product_at(c, batched(x, y), index_of(*batching[side], rows.axis));
  if (contains(*contracting[side], rows.axis)) return contracted(c, x, y);
  // A free dimension: behind the batching ones and, of rhs, behind the free ones of lhs.
  std::int64_t axis = static_cast<std::int64_t>(batching[0]->size());
  if (side == 1) axis += c.op.operand(0).rank() - static_cast<std::int64_t>(batching[0]->size() + contracting[0]->size());
  for (std::int64_t d = 0; d < rows.axis; ++d) axis += contains(*batching[side], d) || contains(*contracting[side], d) ? 0 : 1;
  return product_at(c, rows, axis);
}

RowDependence convolution(const Context& c) {
  const RowDependence &x = c.operands[0], &y = c.operands[1];
  if (x.is_none() && y.is_none()) return {};
  const ops::ConvolutionDimensions dims = ops::convolution_dimensions(c.op);
  const ops::ConvolutionOptions options = ops::convolution_options(c.op);
  const bool sums_x = x.is_none() || x.axis == dims.input_feature_dimension;
  const bool sums_y = y.is_none() || y.axis == dims.kernel_input_feature_dimension;
  if (sums_x && sums_y && options.feature_group_count == 1) return contracted(c, x, y);
  if (y.is_none() && x.axis == dims.input_batch_dimension && options.batch_group_count == 1)
    return product_at(c, x, dims.output_batch_dimension);
  return mixed_by(c.op);
}

// Ops that take indices.

/// Where index dimension `d` goes in an order that leaves the index vectors' dimension out.
std::int64_t without_vector(std::int64_t d, std::int64_t index_vector_dim) { return d < index_vector_dim ? d : d - 1; }

RowDependence gather(const Context& c) {
  const RowDependence &x = c.operands[0], &indices = c.operands[1];
  const ops::GatherDimensions dims = ops::gather_dimensions(c.op);
  ir::Dims batch_dims;  // of the result, that come from indices
  for (std::int64_t d = 0; d < c.op.result().rank(); ++d)
    if (!contains(dims.offset_dims, d)) batch_dims.push_back(d);
  const auto result_of_index = [&](std::int64_t d) { return batch_dims[at(without_vector(d, dims.index_vector_dim))]; };
  if (indices.is_rows() && indices.axis == dims.index_vector_dim) return mixed_by(c.op);
  if (x.is_none()) {
    RowDependence result = indices.is_rows() ? moved(indices, result_of_index(indices.axis)) : indices;
    result.padding = x.padding;
    result.repeats = result.repeats && dims.operand_batching_dims.empty();
    return result;
  }
  if (contains(dims.operand_batching_dims, x.axis)) {
    const std::int64_t d = dims.start_indices_batching_dims[at(index_of(dims.operand_batching_dims, x.axis))];
    if (indices.is_rows() && !indices.same_place(moved(x, d))) return mixed_by(c.op);
    return moved(batched(x, indices), result_of_index(d));
  }
  const auto& sizes = c.op.attributes().get<ir::Dims>("slice_sizes");
  if (indices.is_rows() || contains(dims.collapsed_slice_dims, x.axis) || sizes[at(x.axis)] != c.op.operand(0).dims()[at(x.axis)])
    return mixed_by(c.op);
  std::int64_t offset = 0;
  for (std::int64_t d = 0; d < x.axis; ++d)
    offset += contains(dims.collapsed_slice_dims, d) || contains(dims.operand_batching_dims, d) ? 0 : 1;
  return moved(x, dims.offset_dims[at(offset)]);
}

RowDependence scatter(const Context& c) {
  if (c.op.results().size() != 1) return are_none(c.operands) ? RowDependence() : mixed_by(c.op);
  const RowDependence &input = c.operands[0], &indices = c.operands[1], &updates = c.operands[2];
  const ops::ScatterDimensions dims = ops::scatter_dimensions(c.op);
  ir::Dims scatter_dims;  // of updates, that go through indices
  for (std::int64_t d = 0; d < c.op.operand(2).rank(); ++d)
    if (!contains(dims.update_window_dims, d)) scatter_dims.push_back(d);
  if (are_none(c.operands)) return {};
  if (indices.is_rows() && indices.axis == dims.index_vector_dim) return mixed_by(c.op);
  // Rows through the batching dimensions of all three.
  for (std::size_t i = 0; i < dims.input_batching_dims.size(); ++i) {
    const std::int64_t of_indices = dims.scatter_indices_batching_dims[i];
    const std::int64_t of_updates = scatter_dims[at(without_vector(of_indices, dims.index_vector_dim))];
    const std::array<RowDependence, 3> at_input = {
        input, indices.is_rows() && indices.axis == of_indices ? moved(indices, dims.input_batching_dims[i]) : indices,
        updates.is_rows() && updates.axis == of_updates ? moved(updates, dims.input_batching_dims[i]) : updates};
    const RowDependence place = joined(c, at_input);
    if (!place.is_rows() || place.axis != dims.input_batching_dims[i]) continue;
    const bool all_there = (!indices.is_rows() || indices.axis == of_indices) && (!updates.is_rows() || updates.axis == of_updates);
    if (!all_there) return mixed_by(c.op);
    RowDependence result = place;
    if (input.has_zero_padding() && updates.has_zero_padding()) result.padding = input.padding;
    return result;
  }
  // Rows that are added up where they are 0.
  const ir::Op* body = only_op(c.op.region(0));
  const bool adds_zeros = body != nullptr && body->name() == "add" && updates.has_zero_padding();
  const bool goes_through = !updates.is_rows() || contains(scatter_dims, updates.axis);
  if (input.is_none() && goes_through && adds_zeros) {
    const bool same =
        !indices.is_rows() || !updates.is_rows() || scatter_dims[at(without_vector(indices.axis, dims.index_vector_dim))] == updates.axis;
    if (same) return {};
  }
  return mixed_by(c.op);
}

struct Rule {
  std::string_view name;
  RowDependence (*of)(const Context&);
};
constexpr Rule kRules[] = {
    {"constant", constant},
    {"select", elementwise},
    {"clamp", elementwise},
    {"bitcast_convert", bitcast},
    {"broadcast_in_dim", broadcast},
    {"transpose", transpose},
    {"reshape", reshape},
    {"reverse", reverse},
    {"slice", slice},
    {"pad", pad},
    {"concatenate", concatenate},
    {"dynamic_slice", dynamic_slice},
    {"dynamic_update_slice", dynamic_update_slice},
    {"reduce", reduce},
    {"sort", sort},
    {"reduce_window", reduce_window},
    {"select_and_scatter", select_and_scatter},
    {"dot_general", dot_general},
    {"convolution", convolution},
    {"gather", gather},
    {"scatter", scatter},
};

}  // namespace

RowDependence mixed_by(const ir::Op& op) {
  std::string reason = fmt::format("\"{}\"", op.name());
  if (!op.location().empty()) reason += fmt::format(" of layer \"{}\"", op.location());
  return {.kind = RowDependence::Kind::kMixed, .reason = std::make_shared<const std::string>(std::move(reason))};
}

RowDependence either(const RowDependence& a, const RowDependence& b, const ir::Op& op) {
  if (a.is_mixed() || b.is_mixed()) return a.is_mixed() ? a : b;
  if (a.is_rows() && b.is_rows() && !a.same_place(b)) return mixed_by(op);
  RowDependence result = a.is_rows() ? a : b;
  result.repeats = a.is_rows() && b.is_rows() && a.repeats && b.repeats;
  result.padding = if_equal(a, b);
  return result;
}

std::vector<RowDependence> row_dependence_of(const RowRuleContext& context) {
  const ir::Op& op = context.op;
  const auto all = [&](const RowDependence& result) { return std::vector<RowDependence>(op.results().size(), result); };
  if (op.def().elementwise) return all(elementwise(context));
  const auto* rule = std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& each) { return each.name == op.name(); });
  if (rule != std::end(kRules)) return all(rule->of(context));
  return all(are_none(context.operands) ? RowDependence() : mixed_by(op));
}

}  // namespace cornu::inline v0::transform
