#include "cornu/ops/sort/sort.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"

namespace cornu::inline v0::ops {
namespace sort_folder {
namespace {

/// True if the element at the first position comes before the one at the second.
using Before = std::function<bool(std::int64_t, std::int64_t)>;

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.empty()) invalid_argument("(C1) there must be at least one input");
  std::vector<ir::TensorType> results;
  for (const ir::Value& input : context.operands) {
    if (input.dims() != context.type(0).dims)
      invalid_argument("(C3) inputs must have one shape; got {} and {}", context.type(0).str(),
                       input.type().str());
    results.push_back(input.type());
  }
  const auto dimension = context.attributes.get<std::int64_t>("dimension");
  if (const std::int64_t rank = context.type(0).rank(); dimension < -rank || dimension >= rank)
    invalid_argument("(C4) dimension must be in [{}, {}); got {}", -rank, rank, dimension);
  bool fits = context.regions.size() == 1 && context.regions[0]->arguments().size() == 2 * results.size() &&
              context.regions[0]->results().size() == 1 &&
              context.regions[0]->results()[0].type() == ir::TensorType{ir::DType::kI1, {}};
  for (std::size_t i = 0; fits && i < 2 * results.size(); ++i)
    fits = context.regions[0]->arguments()[i].type() == ir::TensorType{results[i / 2].dtype, {}};
  if (!fits)
    invalid_argument("(C5) the comparator must map two scalars an input, {} of them, to an i1 scalar",
                     2 * results.size());
  return results;
}

std::int64_t sorted_dimension(const ir::Op& op) {
  const auto dimension = op.attributes().get<std::int64_t>("dimension");
  return dimension < 0 ? dimension + op.operand(0).rank() : dimension;
}

/// A comparator that is one compare of an input's two elements, without running its region.
std::optional<Before> simple_before(const ir::ReferenceContext& context) {
  const ir::Block& body = context.op.region(0);
  if (body.ops().size() != 1 || body.ops()[0]->name() != "compare" ||
      body.results()[0] != body.ops()[0]->result())
    return std::nullopt;
  const ir::Op& compare = *body.ops()[0];
  if (compares_total_order(compare)) return std::nullopt;
  const ir::Value lhs = compare.operand(0), rhs = compare.operand(1);
  if (lhs.block() != &body || rhs.block() != &body || lhs.op() != nullptr || rhs.op() != nullptr)
    return std::nullopt;
  if (lhs.index() % 2 != 0 || rhs.index() != lhs.index() + 1) return std::nullopt;
  const ir::Literal& keys = context.operands[static_cast<std::size_t>(lhs.index() / 2)];
  const auto direction =
      comparison_direction_from_name(compare.attributes().get<std::string>("comparison_direction"));
  if (direction != ComparisonDirection::kLt && direction != ComparisonDirection::kGt) return std::nullopt;
  const bool ascending = direction == ComparisonDirection::kLt;
  std::optional<Before> before;
  ir::visit_dtype(keys.type().dtype, [&]<typename T>() {
    const std::span<const T> values = keys.data<T>();
    before = [values, ascending](std::int64_t i, std::int64_t j) {
      const T x = values[static_cast<std::size_t>(i)], y = values[static_cast<std::size_t>(j)];
      return ascending ? x < y : x > y;
    };
  });
  return before;
}

Before region_before(const ir::ReferenceContext& context) {
  return [&context](std::int64_t i, std::int64_t j) {
    std::vector<ir::Literal> arguments;
    for (const ir::Literal& input : context.operands) {
      for (std::int64_t at : {i, j}) {
        ir::Literal element(ir::TensorType{input.type().dtype, {}});
        copy_element(element.mutable_bytes(), 0, input.bytes(), at, ir::size_bytes(input.type().dtype));
        arguments.push_back(element);
      }
    }
    return context.evaluate(context.op.region(0), arguments)[0].data<bool>()[0];
  };
}

/// A stable merge sort; unlike the standard library's, it ends with any comparator.
void merge_sort(std::vector<std::int64_t>& line, const Before& before) {
  std::vector<std::int64_t> merged(line.size());
  for (std::size_t width = 1; width < line.size(); width *= 2) {
    for (std::size_t first = 0; first < line.size(); first += 2 * width) {
      const std::size_t middle = std::min(first + width, line.size()),
                        end = std::min(first + 2 * width, line.size());
      std::size_t left = first, right = middle;
      for (std::size_t at = first; at < end; ++at) {
        const bool take_right = left == middle || (right < end && before(line[right], line[left]));
        merged[at] = take_right ? line[right++] : line[left++];
      }
    }
    std::swap(line, merged);
  }
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  std::vector<ir::Literal> results;
  for (const ir::Literal& input : context.operands) results.emplace_back(input.type());
  const auto dimension = static_cast<std::size_t>(sorted_dimension(context.op));
  const ir::Dims& dims = context.operands[0].type().dims;
  const std::int64_t extent = dims[dimension], stride = ir::row_major_strides(dims)[dimension];
  const std::optional<Before> simple = simple_before(context);
  const Before before = simple ? *simple : region_before(context);
  ir::Dims lines = dims;
  lines[dimension] = std::min<std::int64_t>(extent, 1);
  for_each_index(lines, [&](const ir::Dims& index, std::int64_t) {
    const std::int64_t first = linear_index(index, ir::row_major_strides(dims));
    std::vector<std::int64_t> line(static_cast<std::size_t>(extent));
    for (std::int64_t i = 0; i < extent; ++i) line[static_cast<std::size_t>(i)] = first + i * stride;
    merge_sort(line, before);
    for (std::size_t k = 0; k < results.size(); ++k)
      for (std::int64_t i = 0; i < extent; ++i)
        copy_element(results[k].mutable_bytes(), first + i * stride, context.operands[k].bytes(),
                     line[static_cast<std::size_t>(i)], ir::size_bytes(results[k].type().dtype));
  });
  return results;
}

/// The sort with one more input, on which its comparator does not look.
std::vector<ir::Value> sort_along(ir::Builder& builder, const ir::Op& op, ir::Value more) {
  auto region = std::make_unique<ir::Block>();
  ir::ValueMap map;
  for (const ir::Value& argument : op.region(0).arguments())
    map[argument] = region->add_argument(argument.type());
  for (int side = 0; side < 2; ++side) region->add_argument({more.dtype(), {}});
  ir::Builder inner(*region);
  region->set_results(ir::clone_ops(inner, op.region(0), map));
  std::vector<ir::Value> inputs(op.operands().begin(), op.operands().end());
  inputs.push_back(more);
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(std::move(region));
  // Which of two equal elements is which must be as in the first run.
  const ir::Op& wide = builder.create(op.def(), std::move(inputs), op.attributes(), std::move(regions));
  return {wide.results().begin(), wide.results().end()};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Op& op = context.op;
  const std::int64_t dimension = sorted_dimension(op);
  const ir::Value positions = iota(builder, {ir::DType::kI32, op.operand(0).dims()}, dimension);
  std::vector<ir::Value> moved = {sort_along(builder, op, positions).back()};
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < op.operands().size(); ++i)
    if (context.result_gradients[i]) moved.push_back(context.result_gradients[i]), which.push_back(i);
  // Sorting by where each element came from puts its gradient back there.
  const std::vector<ir::Value> back = sort(builder, moved,
                                           [](ir::Builder& inner, std::span<const ir::Value> v) {
                                             return compare(inner, v[0], v[1], ComparisonDirection::kLt);
                                           },
                                           {.dimension = dimension});
  // A value that the comparator looks at decides an order only.
  std::vector<ir::Value> gradients(op.operands().size() + context.captured.size());
  for (std::size_t i = 0; i < which.size(); ++i) gradients[which[i]] = back[i + 1];
  return gradients;
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("dimension = {} : i64, is_stable = {}", op.attributes().get<std::int64_t>("dimension"),
                     op.attributes().get<bool>("is_stable"));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimension", text.integer({"dimension"}, -1)}, {"is_stable", text.boolean({"is_stable"}, false)}};
}

const ir::OpDef kSort = {.name = "sort",
                         .infer = infer,
                         .gradient = gradient,
                         .reference = reference,
                         .print_attributes = print_attributes,
                         .has_regions = true,
                         .read_attributes = read_attributes};

ir::Value sort_by(ir::Builder& builder, ir::Value x, std::int64_t dimension, ComparisonDirection direction) {
  return sort(builder, {x},
              [direction](ir::Builder& inner, std::span<const ir::Value> v) {
                return compare(inner, v[0], v[1], direction);
              },
              {.dimension = dimension})[0];
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSort>(); }

}  // namespace sort_folder

std::vector<ir::Value> sort(ir::Builder& builder, std::vector<ir::Value> inputs, const Comparator& comparator,
                            SortOptions options) {
  auto region = std::make_unique<ir::Block>();
  for (const ir::Value& input : inputs)
    for (int side = 0; side < 2; ++side) region->add_argument({input.dtype(), {}});
  ir::Builder inner(*region);
  inner.set_location(builder.location());
  region->set_results({comparator(inner, region->arguments())});
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(std::move(region));
  const ir::Op& op = builder.create(sort_folder::kSort, std::move(inputs),
                                    {{"dimension", options.dimension}, {"is_stable", options.is_stable}},
                                    std::move(regions));
  return {op.results().begin(), op.results().end()};
}

ir::Value sort_ascending(ir::Builder& builder, ir::Value x, std::int64_t dimension) {
  return sort_folder::sort_by(builder, x, dimension, ComparisonDirection::kLt);
}

ir::Value sort_descending(ir::Builder& builder, ir::Value x, std::int64_t dimension) {
  return sort_folder::sort_by(builder, x, dimension, ComparisonDirection::kGt);
}

}  // namespace cornu::inline v0::ops
