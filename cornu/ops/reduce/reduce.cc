#include "cornu/ops/reduce/reduce.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ir/text/short_form.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/run_reference.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/transpose/transpose.h"

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

ir::Literal all_ones(ir::DType dtype) {
  ir::Literal result = ir::Literal::scalar(dtype, 1);
  ir::visit_dtype(dtype, [&]<typename T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      result = ir::Literal::of<T>({}, {static_cast<T>(-1)});
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

/// For each element the product of the others it is reduced with: no division, so that zeros are no
/// exception.
ir::Value product_of_others(ir::Builder& builder, ir::Value x, const ir::Dims& dimensions) {
  const ir::Dims kept = remaining_dimensions(x.rank(), dimensions);
  const ir::Dims order = concatenated(kept, dimensions);
  const ir::Value moved = transpose(builder, x, order);
  // [kept..., reduced...] -> [kept..., n] -> [kept..., n, n]: row i holds all values, but 1 at i.
  ir::Dims flat = extents(x.dims(), kept);
  std::int64_t count = 1;
  for (std::int64_t extent : extents(x.dims(), dimensions)) count *= extent;
  flat.push_back(count);
  const std::int64_t last = static_cast<std::int64_t>(kept.size());
  ir::Dims square = concatenated(flat, {count});
  const ir::Value rows = broadcast_in_dim(builder, reshape(builder, moved, flat), square,
                                          concatenated(counting(last), {last + 1}));
  const ir::TensorType positions{ir::DType::kI64, square};
  const ir::Value row = iota(builder, positions, last), column = iota(builder, positions, last + 1);
  const ir::Value diagonal = compare(builder, row, column, ComparisonDirection::kEq);
  const ir::Value others = select(builder, diagonal, full(builder, rows.type(), 1), rows);
  const ir::Value product = reduce_product(builder, others, {last + 1});
  return transpose(builder, reshape(builder, product, moved.dims()), inverse_permutation(order));
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Op& op = context.op;
  const std::string_view kind = simple_reduce_kind(op);
  const bool sum = kind == "add", product = kind == "multiply",
             extreme = kind == "maximum" || kind == "minimum";
  if (!sum && !product && !extreme)
    fail(ErrorCode::kUnimplemented,
         "only reductions by one add, multiply, maximum or minimum have a gradient");
  const ir::Value x = op.operand(0), init = op.operand(1), dy = context.result_gradients[0];
  const auto& dimensions = op.attributes().get<ir::Dims>("dimensions");
  const ir::Dims kept = remaining_dimensions(x.rank(), dimensions);
  auto spread = [&](ir::Value value) { return broadcast_in_dim(builder, value, x.dims(), kept); };
  if (sum) {
    const ir::Value init_gradient =
        context.wants(init) ? reduce_sum(builder, dy, counting(dy.rank())) : ir::Value();
    return {spread(dy), init_gradient};
  }
  if (!is_constant(init))
    fail(ErrorCode::kUnimplemented, "the gradient of a reduction by {} needs a constant init_value", kind);
  if (product) {
    const ir::Value scaled = multiply(builder, dy, broadcast_scalar(builder, init, dy.dims()));
    const ir::Value others = product_of_others(builder, x, dimensions);
    return {multiply(builder, spread(scaled), others), ir::Value()};
  }
  const ir::Value chosen = compare(builder, x, spread(op.result()), ComparisonDirection::kEq);
  const ir::Value ones = convert(builder, chosen, x.dtype());
  ir::Value count = reduce_sum(builder, ones, dimensions);
  // Where another init value than the neutral one wins no element has the extremum.
  if (init.op()->attributes().get<ir::Literal>("value") !=
      (kind == "maximum" ? least_value(x.dtype()) : greatest_value(x.dtype())))
    count = maximum(builder, count, full(builder, count.type(), 1));
  const ir::Value share = divide(builder, dy, count);
  return {multiply(builder, ones, spread(share)), ir::Value()};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dimensions", text.integers({"dimensions"})}};
}

/// reduce(%x init: %c), (%y init: %d) applies stablehlo.add across dimensions = [1] : types, or, without
/// `applies`, a body after the types: reducer(%a: t, %b: t) (%c: u, %d: u) { ... }
void read_short_form(ir::ShortForm& form) {
  ir::text::Lexer& lexer = form.lexer();
  std::vector<ir::Value> init_values;
  do {
    lexer.expect("(");
    form.operands.push_back(form.read_value());
    lexer.expect("init");
    lexer.expect(":");
    init_values.push_back(form.read_value());
    lexer.expect(")");
  } while (lexer.accept(","));
  const std::vector<ir::Value> inputs = form.operands;
  form.operands.insert(form.operands.end(), init_values.begin(), init_values.end());
  const std::size_t applies = lexer.token().position;
  const ir::OpDef* const combine = lexer.accept("applies") ? &form.read_op_name() : nullptr;
  lexer.expect("across");
  form.read_field();
  form.read_fields();
  form.read_types();
  if (combine != nullptr) {
    if (inputs.size() != 1) lexer.fail_at(applies, "[reduce] one operation combines one input");
    auto body = std::make_unique<ir::Block>();
    for (int side = 0; side < 2; ++side) body->add_argument({inputs[0].dtype(), {}});
    const std::span<const ir::Value> arguments = body->arguments();
    body->set_results(form.create(*body, *combine, {arguments.begin(), arguments.end()}));
    form.regions.push_back(std::move(body));
    return;
  }
  lexer.expect("reducer");
  std::vector<ir::ShortForm::Argument> sides[2];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    lexer.expect("(");
    for (std::size_t side = 0; side < 2; ++side) {
      if (side == 1) lexer.expect(",");
      const ir::text::Token name = lexer.expect(ir::text::TokenKind::kValue, "an argument such as %arg0");
      lexer.expect(":");
      sides[side].push_back({name.text, ir::text::read_type(lexer)});
    }
    lexer.expect(")");
  }
  sides[0].insert(sides[0].end(), sides[1].begin(), sides[1].end());
  form.read_region(sides[0]);
}

const ir::OpDef kReduce = {.name = "reduce",
                           .infer = infer,
                           .gradient = gradient,
                           .reference = reference,
                           .has_regions = true,
                           .read_attributes = read_attributes,
                           .read_short_form = read_short_form};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kReduce>(); }

}  // namespace reduce_folder

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
  return reduce_folder::reduce_by(builder, x, std::move(dimensions), least_value(x.dtype()), maximum);
}
ir::Value reduce_min(ir::Builder& builder, ir::Value x, ir::Dims dimensions) {
  return reduce_folder::reduce_by(builder, x, std::move(dimensions), greatest_value(x.dtype()), minimum);
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
  const std::vector<ir::Value> inits = {constant(builder, least_value(x.dtype())),
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
