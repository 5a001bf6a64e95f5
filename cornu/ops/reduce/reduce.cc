#include "cornu/ops/reduce/reduce.h"

#include <limits>
#include <memory>
#include <optional>
#include <type_traits>

#include "cornu/base/check.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/reduce/reduce_rules.h"
#include "cornu/ops/run_reference.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace reduce_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  if (context.operands.empty() || context.operands.size() % 2 != 0)
    invalid_argument("(C3) there must be one init_value an input and at least one input; got {} operands",
                     context.operands.size());
  const std::size_t count = context.operands.size() / 2;
  const auto& dimensions = context.attributes.get<ir::Dims>("dimensions");
  const ir::Dims& dims = context.type(0).dims;
  std::vector<ir::TensorType> results, scalars;
  for (std::size_t i = 0; i < count; ++i) {
    if (context.type(i).dims != dims)
      invalid_argument("(C1) inputs must have one shape; got {} and {}", ir::shape_str(dims),
                       ir::shape_str(context.type(i).dims));
    if (context.type(count + i) != ir::TensorType{context.type(i).dtype, {}})
      invalid_argument("(C2) init_values[{}] must be a scalar of its input's dtype; got {} for {}", i,
                       context.type(count + i).str(), context.type(i).str());
    scalars.push_back(context.type(count + i));
  }
  if (!all_in_range(dimensions, static_cast<std::int64_t>(dims.size())))
    invalid_argument("(C4) dimensions {} must be dimensions of {}", dimensions, ir::shape_str(dims));
  if (!is_unique(dimensions)) invalid_argument("(C5) dimensions must not repeat; got {}", dimensions);
  if (context.regions.size() != 1)
    invalid_argument("(C6) there must be one body; got {}", context.regions.size());
  check_scalar_body(*context.regions[0], scalars, "(C6) body");
  const ir::Dims kept =
      extents(dims, remaining_dimensions(static_cast<std::int64_t>(dims.size()), dimensions));
  for (const ir::TensorType& element : scalars) results.push_back({element.dtype, kept});
  return results;
}

/// result[without dimensions] = combine(result, x) over one input; wide sums keep f32 from losing digits in
/// the oracle.
template <typename T, typename Combine>
ir::Literal reduce_simply(const ir::Literal& x, const ir::Literal& init, const ir::TensorType& type,
                          const ir::Dims& strides, Combine combine) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
  // Not std::vector<Wide>: of bools it would hand out proxies.
  const auto accumulated = std::make_unique<Wide[]>(static_cast<std::size_t>(type.num_elements()));
  std::fill_n(accumulated.get(), type.num_elements(), static_cast<Wide>(init.data<T>()[0]));
  const std::span<const T> values = x.data<T>();
  for_each_index(x.type().dims, [&](const ir::Dims& index, std::int64_t at) {
    Wide& target = accumulated[static_cast<std::size_t>(linear_index(index, strides))];
    target = static_cast<Wide>(combine(target, static_cast<Wide>(values[static_cast<std::size_t>(at)])));
  });
  ir::Literal result(type);
  for (std::size_t i = 0; i < result.mutable_data<T>().size(); ++i)
    result.mutable_data<T>()[i] = static_cast<T>(accumulated[i]);
  return result;
}

/// Sums and products of one input, which most reductions are, without running the body for each element.
std::optional<ir::Literal> reduce_by_kind(const ir::ReferenceContext& context, const ir::Dims& strides) {
  const std::string_view kind = simple_reduce_kind(context.op);
  if (kind != "add" && kind != "multiply") return std::nullopt;
  if (const ir::DType dtype = context.op.result().dtype(); is_half(dtype)) {
    const ir::Literal wide[] = {with_float_dtype(context.operands[0], ir::DType::kF32),
                                with_float_dtype(context.operands[1], ir::DType::kF32)};
    const ir::TensorType type{ir::DType::kF32, context.op.result().dims()};
    const auto sum = [](double a, double b) { return a + b; };
    const auto product = [](double a, double b) { return a * b; };
    return with_float_dtype(kind == "add" ? reduce_simply<float>(wide[0], wide[1], type, strides, sum)
                                          : reduce_simply<float>(wide[0], wide[1], type, strides, product),
                            dtype);
  }
  std::optional<ir::Literal> result;
  ir::visit_dtype(context.op.result().dtype(), [&]<typename T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      // Integers wrap: compute unsigned, in at least 32 bits so that promotion to int cannot overflow either.
      auto wrapping = [](auto a, auto b, auto f) {
        if constexpr (std::is_integral_v<T>) {
          return static_cast<T>(f(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
        } else {
          return f(a, b);
        }
      };
      auto sum = [&](auto a, auto b) { return wrapping(a, b, [](auto u, auto v) { return u + v; }); };
      auto product = [&](auto a, auto b) { return wrapping(a, b, [](auto u, auto v) { return u * v; }); };
      const ir::TensorType& type = context.op.result().type();
      result = kind == "add"
                   ? reduce_simply<T>(context.operands[0], context.operands[1], type, strides, sum)
                   : reduce_simply<T>(context.operands[0], context.operands[1], type, strides, product);
    }
  });
  return result;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const auto& dimensions = context.op.attributes().get<ir::Dims>("dimensions");
  const ir::Dims& dims = context.operands[0].type().dims;
  const std::size_t count = context.op.results().size();
  // Strides of the result along the input's dimensions: 0 along those that are reduced.
  ir::Dims strides(dims.size(), 0);
  const ir::Dims kept = remaining_dimensions(static_cast<std::int64_t>(dims.size()), dimensions);
  const ir::Dims result_strides = ir::row_major_strides(context.op.result().dims());
  for (std::size_t d = 0; d < kept.size(); ++d)
    strides[static_cast<std::size_t>(kept[d])] = result_strides[d];
  if (std::optional<ir::Literal> result = reduce_by_kind(context, strides)) return {*result};

  std::vector<ir::Literal> results;
  for (std::size_t i = 0; i < count; ++i) {
    results.emplace_back(context.op.result(i).type());
    for (std::int64_t at = 0; at < results[i].type().num_elements(); ++at)
      copy_element(results[i].mutable_bytes(), at, context.operands[count + i].bytes(), 0,
                   ir::size_bytes(results[i].type().dtype));
  }
  for_each_index(dims, [&](const ir::Dims& index, std::int64_t at) {
    combine_elements(context, context.op.region(0), results, linear_index(index, strides),
                     context.operands.first(count), at);
  });
  return results;
}

template <typename T>
ir::Literal literal_scalar(T value) {
  return ir::Literal::of<T>({}, {value});
}

/// The least value of a dtype (the neutral element of maximum) or the greatest.
ir::Literal extreme(ir::DType dtype, bool least) {
  if (ir::is_float(dtype)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return ir::Literal::scalar(dtype, least ? -infinity : infinity);
  }
  ir::Literal result;
  ir::visit_dtype(dtype, [&]<typename T>() {
    result = literal_scalar<T>(least ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
  });
  return result;
}

ir::Literal all_ones(ir::DType dtype) {
  ir::Literal result = ir::Literal::scalar(dtype, 1);
  ir::visit_dtype(dtype, [&]<typename T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      result = literal_scalar<T>(static_cast<T>(-1));
  });
  return result;
}

using BinaryOp = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);

ir::Value reduce_by(ir::Builder& builder, ir::Value x, ir::Dims dimensions, ir::Literal neutral,
                    BinaryOp combine) {
  if (dimensions.empty()) return x;
  const ir::Value init = constant(builder, std::move(neutral));
  return reduce(builder, {x}, {init}, std::move(dimensions),
                [combine](ir::Builder& body, std::span<const ir::Value> values) {
                  return std::vector<ir::Value>{combine(body, values[0], values[1])};
                })[0];
}

const ir::OpDef kReduce = {
    .name = "reduce", .infer = infer, .gradient = reduce_gradient, .reference = reference};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  static const ir::OpDef* const defs[] = {&kReduce};
  return defs;
}

}  // namespace reduce_folder

ir::Literal least_value(ir::DType dtype) { return reduce_folder::extreme(dtype, true); }
ir::Literal greatest_value(ir::DType dtype) { return reduce_folder::extreme(dtype, false); }

void check_scalar_body(const ir::Block& body, const std::vector<ir::TensorType>& scalars,
                       std::string_view what) {
  bool fits = body.arguments().size() == 2 * scalars.size() && body.results().size() == scalars.size();
  for (std::size_t i = 0; fits && i < body.arguments().size(); ++i)
    fits = body.arguments()[i].type() == scalars[i % scalars.size()];
  for (std::size_t i = 0; fits && i < body.results().size(); ++i)
    fits = body.results()[i].type() == scalars[i];
  if (!fits)
    invalid_argument(
        "{} must map twice {} scalars of the operands' dtypes to as many results of these dtypes", what,
        scalars.size());
}

void combine_elements(const ir::ReferenceContext& context, const ir::Block& body,
                      std::vector<ir::Literal>& results, std::int64_t results_at,
                      std::span<const ir::Literal> elements, std::int64_t elements_at) {
  std::vector<ir::Literal> arguments;
  for (const std::span<const ir::Literal> source : {std::span<const ir::Literal>(results), elements}) {
    const std::int64_t from = arguments.empty() ? results_at : elements_at;
    for (const ir::Literal& literal : source) {
      ir::Literal element(ir::TensorType{literal.type().dtype, {}});
      copy_element(element.mutable_bytes(), 0, literal.bytes(), from, ir::size_bytes(literal.type().dtype));
      arguments.push_back(element);
    }
  }
  const std::vector<ir::Literal> combined = context.evaluate(body, arguments);
  for (std::size_t i = 0; i < results.size(); ++i)
    copy_element(results[i].mutable_bytes(), results_at, combined[i].bytes(), 0,
                 ir::size_bytes(results[i].type().dtype));
}

std::unique_ptr<ir::Block> make_scalar_body(const ir::Builder& builder, std::span<const ir::Value> inputs,
                                            const ReduceBody& body) {
  auto block = std::make_unique<ir::Block>();
  for (int side = 0; side < 2; ++side)
    for (const ir::Value& input : inputs) block->add_argument({input.dtype(), {}});
  ir::Builder inner(*block);
  inner.set_location(builder.location());
  block->set_results(body(inner, block->arguments()));
  return block;
}

std::string_view simple_body_kind(const ir::Block& body) {
  if (body.arguments().size() != 2 || body.ops().size() != 1 || body.results().size() != 1) return {};
  const ir::Op& op = *body.ops()[0];
  if (op.results().size() != 1 || body.results()[0] != op.result() || op.operands().size() != 2) return {};
  const ir::Value first = body.arguments()[0], second = body.arguments()[1];
  const bool uses_both = (op.operand(0) == first && op.operand(1) == second) ||
                         (op.operand(0) == second && op.operand(1) == first);
  return uses_both ? op.name() : std::string_view();
}

std::string_view simple_reduce_kind(const ir::Op& reduce) { return simple_body_kind(reduce.region(0)); }

std::vector<ir::Value> reduce(ir::Builder& builder, std::vector<ir::Value> inputs,
                              std::vector<ir::Value> init_values, ir::Dims dimensions,
                              const ReduceBody& body) {
  std::vector<std::unique_ptr<ir::Block>> regions;
  regions.push_back(make_scalar_body(builder, inputs, body));
  inputs.insert(inputs.end(), init_values.begin(), init_values.end());
  const ir::Op& op = builder.create(reduce_folder::kReduce, std::move(inputs),
                                    {{"dimensions", std::move(dimensions)}}, std::move(regions));
  return {op.results().begin(), op.results().end()};
}

ir::Value reduce_sum(ir::Builder& builder, ir::Value x, ir::Dims dimensions) {
  return reduce_folder::reduce_by(builder, x, std::move(dimensions), ir::Literal::scalar(x.dtype(), 0), add);
}
ir::Value reduce_max(ir::Builder& builder, ir::Value x, ir::Dims dimensions) {
  return reduce_folder::reduce_by(builder, x, std::move(dimensions), reduce_folder::extreme(x.dtype(), true),
                                  maximum);
}
ir::Value reduce_min(ir::Builder& builder, ir::Value x, ir::Dims dimensions) {
  return reduce_folder::reduce_by(builder, x, std::move(dimensions), reduce_folder::extreme(x.dtype(), false),
                                  minimum);
}
ir::Value reduce_product(ir::Builder& builder, ir::Value x, ir::Dims dimensions) {
  return reduce_folder::reduce_by(builder, x, std::move(dimensions), ir::Literal::scalar(x.dtype(), 1),
                                  multiply);
}
ir::Value reduce_and(ir::Builder& builder, ir::Value x, ir::Dims dimensions) {
  return reduce_folder::reduce_by(builder, x, std::move(dimensions), reduce_folder::all_ones(x.dtype()),
                                  and_);
}
ir::Value reduce_or(ir::Builder& builder, ir::Value x, ir::Dims dimensions) {
  return reduce_folder::reduce_by(builder, x, std::move(dimensions), ir::Literal::scalar(x.dtype(), 0), or_);
}

ir::Value argmax(ir::Builder& builder, ir::Value x, std::int64_t dimension) {
  if (dimension < 0 || dimension >= x.rank())
    invalid_argument("[argmax] {} is not a dimension of {}", dimension, ir::shape_str(x.dims()));
  const ir::Value positions = iota(builder, {ir::DType::kI32, x.dims()}, dimension);
  const std::vector<ir::Value> inits = {constant(builder, reduce_folder::extreme(x.dtype(), true)),
                                        scalar(builder, ir::DType::kI32, 0)};
  // Commutative and associative, as reduce asks: the greater value wins, NaN above all, the smaller position
  // among equals.
  const auto body = [](ir::Builder& b, std::span<const ir::Value> v) {
    const ir::Value left = v[0], left_at = v[1], right = v[2], right_at = v[3];
    ir::Value greater = compare(b, left, right, ComparisonDirection::kGt);
    ir::Value equal = compare(b, left, right, ComparisonDirection::kEq);
    if (ir::is_float(left.dtype())) {
      const ir::Value left_nan = compare(b, left, left, ComparisonDirection::kNe);
      const ir::Value right_nan = compare(b, right, right, ComparisonDirection::kNe);
      const ir::Value only_left_nan = and_(b, left_nan, not_(b, right_nan));
      greater = or_(b, greater, only_left_nan);
      equal = or_(b, equal, and_(b, left_nan, right_nan));
    }
    const ir::Value before = compare(b, left_at, right_at, ComparisonDirection::kLt);
    const ir::Value first = or_(b, greater, and_(b, equal, before));
    return std::vector<ir::Value>{select(b, first, left, right), select(b, first, left_at, right_at)};
  };
  return reduce(builder, {x, positions}, inits, {dimension}, body)[1];
}

}  // namespace cornu::inline v0::ops
