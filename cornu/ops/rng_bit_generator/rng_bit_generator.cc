#include "cornu/ops/rng_bit_generator/rng_bit_generator.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/rng_bit_generator/philox.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/threefry2x32/threefry2x32.h"

namespace cornu::inline v0::ops {
namespace rng_bit_generator_folder {
namespace {

constexpr std::string_view kAlgorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};

ir::TensorType type_of(const ir::Attributes& attributes) {
  return {attributes.get<ir::DType>("dtype"), attributes.get<ir::Dims>("dims")};
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const auto& algorithm = context.attributes.get<std::string>("rng_algorithm");
  if (std::find(std::begin(kAlgorithms), std::end(kAlgorithms), algorithm) == std::end(kAlgorithms))
    invalid_argument("(I2) rng_algorithm must be one of {}; got \"{}\"", fmt::join(kAlgorithms, ", "),
                     algorithm);
  const ir::TensorType& state = context.type(0);
  const bool is_vector = state.dtype == ir::DType::kU64 && state.rank() == 1;
  if (!is_vector || !(state.dims[0] == 2 || (state.dims[0] == 3 && algorithm != "THREE_FRY")))
    invalid_argument("(I1) initial_state must be 2 ui64, or 3 for PHILOX; got {}", state.str());
  const ir::TensorType type = type_of(context.attributes);
  ir::check_type(type);
  if (!ir::is_integer(type.dtype))
    invalid_argument("(I3) the bits must be of an integer dtype; got {}", type.str());
  return {state, type};
}

/// Both halves of ui64 as ui32, the low one first.
std::array<ir::Value, 2> halves(ir::Builder& b, ir::Value x) {
  const ir::Value low = and_(b, x, full(b, x.type(), 0xffffffffU)),
                  high = shift_right_logical(b, x, full(b, x.type(), 32));
  return {convert(b, low, ir::DType::kU32), convert(b, high, ir::DType::kU32)};
}

ir::Value joined(ir::Builder& b, ir::Value low, ir::Value high) {
  const ir::Value wide = convert(b, high, ir::DType::kU64);
  return or_(b, shift_left(b, wide, full(b, wide.type(), 32)), convert(b, low, ir::DType::kU64));
}

ir::Value word(ir::Builder& b, ir::Value state, std::int64_t i) {
  return reshape(b, slice(b, state, {i}, {i + 1}, {1}), {});
}

ir::Value state_of(ir::Builder& b, std::span<const ir::Value> words) {
  std::vector<ir::Value> vectors;
  for (const ir::Value scalar : words) vectors.push_back(reshape(b, scalar, {1}));
  return concatenate(b, vectors, 0);
}

/// The counter of each of `count` blocks.
ir::Value counters(ir::Builder& b, ir::Value first, std::int64_t count) {
  const ir::Dims dims = {count};
  return add(b, broadcast_scalar(b, first, dims), iota(b, {ir::DType::kU64, dims}, 0));
}

struct Bits {
  ir::Value state;
  ir::Value words;  // flat, or of the wanted shape
};

/// XLA's split of a shape into two halves: along the first even dimension, else along the largest.
struct HalfShape {
  explicit HalfShape(const ir::Dims& dims) : whole(dims) {
    if (whole.empty()) whole = {1};
    const auto even = std::find_if(whole.begin(), whole.end(), [](std::int64_t n) { return n % 2 == 0; });
    dimension = static_cast<std::size_t>(
        (even != whole.end() ? even : std::max_element(whole.begin(), whole.end())) - whole.begin());
    half = whole;
    half[dimension] = (whole[dimension] + 1) / 2;
    half.insert(half.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, 1);
  }
  ir::Dims whole, half;
  std::size_t dimension = 0;
};

/// The words of a block go to both halves of the shape.
ir::Value combine_halves(ir::Builder& b, const std::vector<ir::Value>& words, const HalfShape& shape) {
  std::vector<ir::Value> halves_of;
  for (const ir::Value flat : words) halves_of.push_back(reshape(b, flat, shape.half));
  ir::Dims even = shape.whole;
  even[shape.dimension] += even[shape.dimension] % 2;
  const ir::Value both =
      reshape(b, concatenate(b, halves_of, static_cast<std::int64_t>(shape.dimension) + 1), even);
  if (even == shape.whole) return both;
  return slice(b, both, ir::Dims(even.size(), 0), shape.whole, ir::Dims(even.size(), 1));
}

Bits three_fry(ir::Builder& b, ir::Value state, const ir::Dims& dims, bool is_wide) {
  const ir::Value key = word(b, state, 0), counter = word(b, state, 1);
  const HalfShape shape(dims);
  const std::int64_t count = ir::TensorType{ir::DType::kU32, is_wide ? dims : shape.half}.num_elements();
  const std::array<ir::Value, 2> keys = halves(b, key), at = halves(b, counters(b, counter, count));
  const std::vector<ir::Value> words = threefry2x32(b, keys[0], keys[1], at[0], at[1]);
  const ir::Value next = add(b, counter, scalar(b, ir::DType::kU64, static_cast<double>(count)));
  const ir::Value new_words[] = {key, next};
  return {state_of(b, new_words), is_wide ? joined(b, words[0], words[1]) : combine_halves(b, words, shape)};
}

/// A number of 128 bits plus one of 64.
std::array<ir::Value, 2> add_wide(ir::Builder& b, std::array<ir::Value, 2> x, ir::Value y) {
  const auto spread = [&](ir::Value of) { return y.rank() == 0 ? of : broadcast_scalar(b, of, y.dims()); };
  const ir::Value low = add(b, spread(x[0]), y);
  const ir::Value carries = compare(b, low, y, ComparisonDirection::kLt);
  const ir::Value high = spread(x[1]);
  return {low, add(b, high, convert(b, carries, ir::DType::kU64))};
}

Bits philox(ir::Builder& b, ir::Value state, const ir::Dims& dims, bool is_wide) {
  const std::int64_t num_elements = ir::TensorType{ir::DType::kU32, dims}.num_elements(),
                     per_block = is_wide ? 2 : 4, count = divide_up(num_elements, per_block);
  const std::int64_t num_state_words = state.dims()[0];
  const ir::Value key = word(b, state, 0);
  const std::array<ir::Value, 2> counter = {word(b, state, 1), num_state_words > 2 ? word(b, state, 2) : key};
  const std::array<ir::Value, 2> at = add_wide(b, counter, iota(b, {ir::DType::kU64, {count}}, 0)),
                                 low = halves(b, at[0]), high = halves(b, at[1]);
  const std::array<ir::Value, 4> words = philox4x32(b, halves(b, key), {low[0], low[1], high[0], high[1]});
  std::vector<ir::Value> in_turn(words.begin(), words.end());
  if (is_wide) in_turn = {joined(b, words[0], words[1]), joined(b, words[2], words[3])};
  for (ir::Value& part : in_turn) part = reshape(b, part, {count, 1});
  const ir::Value flat = reshape(b, concatenate(b, in_turn, 1), {count * per_block});
  const std::array<ir::Value, 2> next =
      add_wide(b, counter, scalar(b, ir::DType::kU64, static_cast<double>(count)));
  const ir::Value new_words[] = {key, next[0], next[1]};
  return {state_of(b, std::span(new_words).first(static_cast<std::size_t>(num_state_words))),
          slice(b, flat, {0}, {num_elements}, {1})};
}

ir::DType unsigned_of(int bits) {
  return bits == 8    ? ir::DType::kU8
         : bits == 16 ? ir::DType::kU16
         : bits == 32 ? ir::DType::kU32
                      : ir::DType::kU64;
}

std::vector<ir::Value> decompose(ir::Builder& b, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::TensorType type = type_of(attributes);
  const int width = ir::bit_width(type.dtype);
  const bool is_three_fry = attributes.get<std::string>("rng_algorithm") == "THREE_FRY";
  const Bits bits = is_three_fry ? three_fry(b, operands[0], type.dims, width == 64)
                                 : philox(b, operands[0], type.dims, width == 64);
  ir::Value words = bits.words;
  if (width < 32) {
    words = and_(b, words, full(b, words.type(), static_cast<double>((1U << width) - 1)));
    words = convert(b, words, unsigned_of(width));
  }
  if (words.dtype() != type.dtype) words = bitcast_convert(b, words, type.dtype);
  return {bits.state, words.dims() == type.dims ? words : reshape(b, words, type.dims)};
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("rng_algorithm = #stablehlo<rng_algorithm {}>",
                     op.attributes().get<std::string>("rng_algorithm"));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  const ir::TensorType& type = text.result_type(1);
  return {{"rng_algorithm", text.word({"rng_algorithm", "algorithm"})},
          {"dims", type.dims},
          {"dtype", type.dtype}};
}

const ir::OpDef kRngBitGenerator = {.name = "rng_bit_generator",
                                    .infer = infer,
                                    .gradient =
                                        [](const ir::GradientContext& context) {
                                          return std::vector<ir::Value>(context.op.operands().size());
                                        },
                                    .decompose = decompose,
                                    .print_attributes = print_attributes,
                                    .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kRngBitGenerator>(); }

}  // namespace rng_bit_generator_folder

std::vector<ir::Value> rng_bit_generator(ir::Builder& builder, ir::Value initial_state,
                                         std::string_view algorithm, const ir::TensorType& type) {
  const ir::Op& op =
      builder.create(rng_bit_generator_folder::kRngBitGenerator, {initial_state},
                     {{"rng_algorithm", std::string(algorithm)}, {"dims", type.dims}, {"dtype", type.dtype}});
  return {op.results().begin(), op.results().end()};
}

}  // namespace cornu::inline v0::ops
