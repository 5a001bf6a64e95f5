#include "cornu/ops/dot_general/dot_general.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <variant>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/product_dtype.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {
namespace dot_general_folder {
namespace {

/// Attribute of a dot that is read, until it is expanded.
constexpr const char* kAccumulationType = "accumulation_type";

DotDimensions read_dimensions(const ir::Attributes& attributes) {
  return {.lhs_batching = attributes.get<ir::Dims>("lhs_batching_dimensions"),
          .rhs_batching = attributes.get<ir::Dims>("rhs_batching_dimensions"),
          .lhs_contracting = attributes.get<ir::Dims>("lhs_contracting_dimensions"),
          .rhs_contracting = attributes.get<ir::Dims>("rhs_contracting_dimensions")};
}

ir::Dims lhs_free(const DotDimensions& dot, std::int64_t rank) {
  return remaining_dimensions(rank, concatenated(dot.lhs_batching, dot.lhs_contracting));
}
ir::Dims rhs_free(const DotDimensions& dot, std::int64_t rank) {
  return remaining_dimensions(rank, concatenated(dot.rhs_batching, dot.rhs_contracting));
}

ir::TensorType type_of(const ir::TensorType& lhs, const ir::TensorType& rhs, const DotDimensions& dot) {
  if (dot.lhs_batching.size() != dot.rhs_batching.size())
    invalid_argument("(C1) lhs and rhs must have as many batching dimensions; got {} and {}",
                     dot.lhs_batching, dot.rhs_batching);
  if (dot.lhs_contracting.size() != dot.rhs_contracting.size())
    invalid_argument("(C2) lhs and rhs must have as many contracting dimensions; got {} and {}",
                     dot.lhs_contracting, dot.rhs_contracting);
  if (!is_unique(concatenated(dot.lhs_batching, dot.lhs_contracting)))
    invalid_argument("(C3) lhs's batching and contracting dimensions must not repeat; got {} and {}",
                     dot.lhs_batching, dot.lhs_contracting);
  if (!is_unique(concatenated(dot.rhs_batching, dot.rhs_contracting)))
    invalid_argument("(C4) rhs's batching and contracting dimensions must not repeat; got {} and {}",
                     dot.rhs_batching, dot.rhs_contracting);
  if (!all_in_range(dot.lhs_batching, lhs.rank()))
    invalid_argument("(C5) lhs_batching {} are not dimensions of {}", dot.lhs_batching, lhs.str());
  if (!all_in_range(dot.lhs_contracting, lhs.rank()))
    invalid_argument("(C6) lhs_contracting {} are not dimensions of {}", dot.lhs_contracting, lhs.str());
  if (!all_in_range(dot.rhs_batching, rhs.rank()))
    invalid_argument("(C7) rhs_batching {} are not dimensions of {}", dot.rhs_batching, rhs.str());
  if (!all_in_range(dot.rhs_contracting, rhs.rank()))
    invalid_argument("(C8) rhs_contracting {} are not dimensions of {}", dot.rhs_contracting, rhs.str());
  const ir::Dims batch = extents(lhs.dims, dot.lhs_batching);
  if (batch != extents(rhs.dims, dot.rhs_batching))
    invalid_argument("(C9) batching extents must agree; got lhs {} along {} and rhs {} along {}",
                     ir::shape_str(lhs.dims), dot.lhs_batching, ir::shape_str(rhs.dims), dot.rhs_batching);
  if (extents(lhs.dims, dot.lhs_contracting) != extents(rhs.dims, dot.rhs_contracting))
    invalid_argument("(C10) contracting extents must agree; got lhs {} along {} and rhs {} along {}",
                     ir::shape_str(lhs.dims), dot.lhs_contracting, ir::shape_str(rhs.dims),
                     dot.rhs_contracting);
  if (lhs.dtype != rhs.dtype)
    invalid_argument("(C13) lhs and rhs must share a dtype; got {} and {}", lhs.str(), rhs.str());
  const ir::Dims free = concatenated(extents(lhs.dims, lhs_free(dot, lhs.rank())),
                                     extents(rhs.dims, rhs_free(dot, rhs.rank())));
  return {lhs.dtype, concatenated(batch, free)};
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  return {type_of(context.type(0), context.type(1), read_dimensions(context.attributes))};
}

/// f32 sums in f64, so that the oracle is more exact than the tested code; integers wrap; i1 is or of and.
template <typename T>
T dot_product(std::span<const T> lhs, std::span<const T> rhs, std::int64_t lhs_first, std::int64_t rhs_first,
              const std::vector<std::int64_t>& lhs_offsets, const std::vector<std::int64_t>& rhs_offsets) {
  using Real = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
  using Wide = std::conditional_t<std::is_arithmetic_v<T>, Real, std::complex<double>>;
  Wide sum = 0;
  for (std::size_t k = 0; k < lhs_offsets.size(); ++k)
    sum += static_cast<Wide>(lhs[static_cast<std::size_t>(lhs_first + lhs_offsets[k])]) *
           static_cast<Wide>(rhs[static_cast<std::size_t>(rhs_first + rhs_offsets[k])]);
  return static_cast<T>(sum);
}

/// Positions of the contracted elements relative to the first.
std::vector<std::int64_t> contracted_offsets(const ir::Dims& dims, const ir::Dims& dimensions) {
  const ir::Dims strides = extents(ir::row_major_strides(dims), dimensions);
  std::vector<std::int64_t> offsets;
  for_each_index(extents(dims, dimensions), [&](const ir::Dims& index, std::int64_t) {
    offsets.push_back(linear_index(index, strides));
  });
  return offsets;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const ir::Literal& lhs = context.operands[0];
  const ir::Literal& rhs = context.operands[1];
  const DotDimensions dot = dot_dimensions(context.op);
  const ir::Dims lhs_strides = ir::row_major_strides(lhs.type().dims),
                 rhs_strides = ir::row_major_strides(rhs.type().dims);
  // Strides of both operands along the result's dimensions: batch, lhs's free, rhs's free.
  const ir::Dims left = extents(lhs_strides, lhs_free(dot, lhs.type().rank())),
                 right = extents(rhs_strides, rhs_free(dot, rhs.type().rank()));
  const ir::Dims lhs_along =
      concatenated(concatenated(extents(lhs_strides, dot.lhs_batching), left), ir::Dims(right.size(), 0));
  const ir::Dims rhs_along =
      concatenated(concatenated(extents(rhs_strides, dot.rhs_batching), ir::Dims(left.size(), 0)), right);
  const auto lhs_offsets = contracted_offsets(lhs.type().dims, dot.lhs_contracting);
  const auto rhs_offsets = contracted_offsets(rhs.type().dims, dot.rhs_contracting);
  const auto run = [&]<typename T>() {
    const auto x = lhs.data<T>(), y = rhs.data<T>();
    const auto out = result.mutable_data<T>();
    for_each_index(result.type().dims, [&](const ir::Dims& index, std::int64_t at) {
      out[static_cast<std::size_t>(at)] = dot_product<T>(
          x, y, linear_index(index, lhs_along), linear_index(index, rhs_along), lhs_offsets, rhs_offsets);
    });
  };
  const ir::DType dtype = result.type().dtype;
  if (!ir::visit_dtype(dtype, run) && !ir::visit_complex_dtype(dtype, run))
    fail(ErrorCode::kUnimplemented, "[dot_general] no reference kernel for {}", result.type().str());
  return {result};
}

/// `value` has its dimensions in the order `order` of the original; puts them in place.
ir::Value restore_order(ir::Builder& builder, ir::Value value, const ir::Dims& order) {
  return is_sorted(order) ? value : transpose(builder, value, inverse_permutation(order));
}

/// `contracting` sorted by the numbers of its partners in the other operand.
ir::Dims sorted_by(const ir::Dims& contracting, const ir::Dims& partners) {
  ir::Dims at = counting(static_cast<std::int64_t>(partners.size()));
  std::sort(at.begin(), at.end(), [&](std::int64_t i, std::int64_t j) {
    return partners[static_cast<std::size_t>(i)] < partners[static_cast<std::size_t>(j)];
  });
  return extents(contracting, at);
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  ir::Builder& builder = context.builder;
  const ir::Value lhs = context.op.operand(0), rhs = context.op.operand(1), dy = context.result_gradients[0];
  const DotDimensions dot = dot_dimensions(context.op);
  const ir::Dims left = lhs_free(dot, lhs.rank()), right = rhs_free(dot, rhs.rank());
  const auto num_batching = static_cast<std::int64_t>(dot.lhs_batching.size()),
             num_left = static_cast<std::int64_t>(left.size());
  const ir::Dims batch = counting(num_batching);
  ir::Dims dy_left, dy_right;
  for (std::int64_t i = 0; i < num_left; ++i) dy_left.push_back(num_batching + i);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(right.size()); ++i)
    dy_right.push_back(num_batching + num_left + i);
  // lhs: [batch, left, right] x [batch, right, contracted] -> [batch, left, contracted in rhs's order]
  const ir::Value dlhs = dot_general(builder, dy, rhs, {batch, dot.rhs_batching, dy_right, right});
  // rhs: [batch, left, contracted] x [batch, left, right] -> [batch, contracted in lhs's order, right]
  const ir::Value drhs = dot_general(builder, lhs, dy, {dot.lhs_batching, batch, left, dy_left});
  return {restore_order(builder, dlhs,
                        concatenated(concatenated(dot.lhs_batching, left),
                                     sorted_by(dot.lhs_contracting, dot.rhs_contracting))),
          restore_order(builder, drhs,
                        concatenated(concatenated(dot.rhs_batching,
                                                  sorted_by(dot.rhs_contracting, dot.lhs_contracting)),
                                     right))};
}

std::string print_attributes(const ir::Op& op) {
  const DotDimensions dot = dot_dimensions(op);
  std::string text;
  append_list(text, "lhs_batching_dimensions", dot.lhs_batching);
  append_list(text, "rhs_batching_dimensions", dot.rhs_batching);
  append_list(text, "lhs_contracting_dimensions", dot.lhs_contracting);
  append_list(text, "rhs_contracting_dimensions", dot.rhs_contracting);
  return fmt::format("dot_dimension_numbers = #stablehlo.dot<{}>", text);
}

/// The type in which an algorithm sums. Its other fields allow less precise products than ours.
std::optional<ir::DType> read_accumulation_type(ir::OpAttributes& text) {
  ir::OpAttributes algorithm = text.inside({"algorithm"});
  algorithm.ignore({"lhs_precision_type", "rhs_precision_type", "lhs_component_count", "rhs_component_count",
                    "num_primitive_operations", "allow_imprecise_accumulation"});
  const ir::text::Syntax* const type = algorithm.find({"accumulation_type"});
  return type != nullptr && type->is(ir::text::SyntaxKind::kType) ? std::optional(type->dtype) : std::nullopt;
}

DotDimensions read_dimension_numbers(ir::OpAttributes& text) {
  const auto product = [&](ir::OpAttributes::Names names, std::size_t side) {
    const ir::text::Syntax* const found = text.find(names);
    if (found == nullptr) return ir::Dims();
    if (!found->is(ir::text::SyntaxKind::kProduct) || found->items.size() != 2)
      text.fail(found->begin, "dimensions are given as [0] x [1]");
    return text.integers_of(found->items[side]);
  };
  if (text.find({"dot_dimension_numbers"}) == nullptr)
    return {.lhs_batching = product({"batching_dims"}, 0),
            .rhs_batching = product({"batching_dims"}, 1),
            .lhs_contracting = product({"contracting_dims"}, 0),
            .rhs_contracting = product({"contracting_dims"}, 1)};
  ir::OpAttributes numbers = text.inside({"dot_dimension_numbers"});
  return {.lhs_batching = numbers.integers({"lhs_batching_dimensions"}, {}),
          .rhs_batching = numbers.integers({"rhs_batching_dimensions"}, {}),
          .lhs_contracting = numbers.integers({"lhs_contracting_dimensions"}, {}),
          .rhs_contracting = numbers.integers({"rhs_contracting_dimensions"}, {})};
}

ir::Attributes attributes_of(const DotDimensions& dot) {
  return {{"lhs_batching_dimensions", dot.lhs_batching},
          {"rhs_batching_dimensions", dot.rhs_batching},
          {"lhs_contracting_dimensions", dot.lhs_contracting},
          {"rhs_contracting_dimensions", dot.rhs_contracting}};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  text.ignore({"precision_config", "precision"});  // every product is exact in its dtype
  ir::Attributes attributes = attributes_of(read_dimension_numbers(text));
  if (const auto type = read_accumulation_type(text);
      type && ir::bit_width(*type) > ir::bit_width(text.operand_type(0).dtype))
    attributes.set(kAccumulationType, *type);
  return attributes;
}

/// A dot of other dtypes than one: in a common dtype, with conversions around it.
std::vector<ir::Value> expand(const ir::ExpandContext& context) {
  if (context.operands.size() != 2) return {};
  const ir::Value lhs = context.operands[0], rhs = context.operands[1];
  const ir::Attribute* const accumulation = context.attributes.find(kAccumulationType);
  const ir::DType result = context.result_types.empty() ? lhs.dtype() : context.result_types.back().dtype;
  const std::optional<ir::DType> common = common_product_dtype(
      {lhs.dtype(), rhs.dtype(), result,
       accumulation == nullptr ? std::nullopt : std::optional(std::get<ir::DType>(*accumulation))});
  if (!common) {
    if (accumulation == nullptr || lhs.dtype() != rhs.dtype()) return {};
    return {dot_general(context.builder, lhs, rhs, read_dimensions(context.attributes))};
  }
  const auto converted = [&](ir::Value value, ir::DType dtype) {
    return value.dtype() == dtype ? value : convert(context.builder, value, dtype);
  };
  const ir::Value product = dot_general(context.builder, converted(lhs, *common), converted(rhs, *common),
                                        read_dimensions(context.attributes));
  return {converted(product, result)};
}

const ir::OpDef kDotGeneral = {.name = "dot_general",
                               .infer = infer,
                               .gradient = gradient,
                               .reference = reference,
                               .reference_by_f32 = true,
                               .print_attributes = print_attributes,
                               .read_attributes = read_attributes,
                               .expand = expand};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kDotGeneral>(); }

}  // namespace dot_general_folder

DotDimensions dot_dimensions(const ir::Op& dot_general) {
  return dot_general_folder::read_dimensions(dot_general.attributes());
}

DotDimensions dot_dimensions(const ir::Attributes& attributes) {
  return dot_general_folder::read_dimensions(attributes);
}

ir::Attributes dot_attributes(const DotDimensions& dimensions) {
  return dot_general_folder::attributes_of(dimensions);
}

ir::TensorType dot_type(const ir::TensorType& lhs, const ir::TensorType& rhs,
                        const DotDimensions& dimensions) {
  return dot_general_folder::type_of(lhs, rhs, dimensions);
}

ir::Value dot_general(ir::Builder& builder, ir::Value lhs, ir::Value rhs, const DotDimensions& dimensions) {
  return builder
      .create(dot_general_folder::kDotGeneral, {lhs, rhs}, dot_general_folder::attributes_of(dimensions))
      .result();
}

ir::Value matmul(ir::Builder& builder, ir::Value x, ir::Value y) {
  if (x.rank() != 2 || y.rank() != 2)
    invalid_argument("[matmul] operands must have rank 2; got {} and {}", ir::shape_str(x.dims()),
                     ir::shape_str(y.dims()));
  return dot_general(builder, x, y, {.lhs_contracting = {1}, .rhs_contracting = {0}});
}

}  // namespace cornu::inline v0::ops
