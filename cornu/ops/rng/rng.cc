#include "cornu/ops/rng/rng.h"

#include <numbers>
#include <string>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/erf_inv/erf_inv.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/random_uniform/random_uniform.h"
#include "cornu/ops/rng_bit_generator/rng_bit_generator.h"

namespace cornu::inline v0::ops {
namespace rng_folder {
namespace {

constexpr std::string_view kSeed = "cornu.seed";

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3);
  const ir::TensorType &a = context.type(0), &b = context.type(1), &shape = context.type(2);
  const bool is_number = ir::is_float(a.dtype) || ir::is_integer(a.dtype);
  if (!is_number || a.rank() != 0 || b.rank() != 0)
    invalid_argument("(I1) a and b must be scalars of numbers; got {} and {}", a.str(), b.str());
  if (a.dtype != b.dtype)
    invalid_argument("(C1) a and b must have one dtype; got {} and {}", a.str(), b.str());
  const auto& distribution = context.attributes.get<std::string>("rng_distribution");
  if (distribution != "UNIFORM" && distribution != "NORMAL")
    invalid_argument("(I4) rng_distribution must be UNIFORM or NORMAL; got \"{}\"", distribution);
  if (distribution == "NORMAL" && !ir::is_float(a.dtype))
    invalid_argument("(C2) NORMAL is of floats; got {}", a.str());
  const auto& dims = context.attributes.get<ir::Dims>("dims");
  if (!ir::is_integer(shape.dtype) || shape.rank() != 1)
    invalid_argument("(I3) shape must be a vector of integers; got {}", shape.str());
  if (shape.dims[0] != static_cast<std::int64_t>(dims.size()))
    invalid_argument("(C3) shape must have an extent for each of the result's {} dimensions; got {}",
                     dims.size(), shape.str());
  return {{a.dtype, dims}};
}

/// Two words from the seed.
ir::Value key_word(ir::Builder& b, std::int64_t seed, int part) {
  return scalar(b, ir::DType::kU32,
                static_cast<double>((static_cast<std::uint64_t>(seed) >> (32 * part)) & 0xffffffffU));
}

/// In [low, high): low plus the remainder of 64 random bits.
ir::Value uniform_integers(ir::Builder& b, ir::Value low, ir::Value high, const ir::TensorType& type,
                           std::int64_t seed) {
  const ir::Value zero = scalar(b, ir::DType::kU64, 0);
  const ir::Value key[] = {
      broadcast_in_dim(b, scalar(b, ir::DType::kU64, static_cast<double>(seed)), {1}, {}),
      broadcast_in_dim(b, zero, {1}, {})};
  const ir::Value state = concatenate(b, {key[0], key[1]}, 0);
  const ir::Value bits = rng_bit_generator(b, state, "THREE_FRY", {ir::DType::kU64, type.dims})[1];
  const auto wide = [&](ir::Value x) {
    const ir::Value signed_x = x.dtype() == ir::DType::kU64 ? x : convert(b, x, ir::DType::kI64);
    const ir::Value bits_of_x =
        signed_x.dtype() == ir::DType::kU64 ? signed_x : bitcast_convert(b, signed_x, ir::DType::kU64);
    return broadcast_scalar(b, bits_of_x, type.dims);
  };
  const ir::Value sum = add(b, wide(low), remainder(b, bits, subtract(b, wide(high), wide(low))));
  if (type.dtype == ir::DType::kU64) return sum;
  return convert(b, bitcast_convert(b, sum, ir::DType::kI64), type.dtype);
}

std::vector<ir::Value> decompose(ir::Builder& b, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::TensorType type{operands[0].dtype(), attributes.get<ir::Dims>("dims")};
  const auto seed = attributes.get<std::int64_t>(kSeed);
  if (!ir::is_float(type.dtype)) return {uniform_integers(b, operands[0], operands[1], type, seed)};
  const ir::DType working = type.dtype == ir::DType::kF64 ? ir::DType::kF64 : ir::DType::kF32;
  const auto spread = [&](ir::Value x) {
    return broadcast_scalar(b, x.dtype() == working ? x : convert(b, x, working), type.dims);
  };
  const ir::Value low = spread(operands[0]), high = spread(operands[1]);
  const ir::Value uniform = random_uniform(b, key_word(b, seed, 0), key_word(b, seed, 1),
                                           scalar(b, ir::DType::kU32, 0), {working, type.dims});
  const auto number = [&](double value) { return full(b, uniform.type(), value); };
  ir::Value y;
  if (attributes.get<std::string>("rng_distribution") == "UNIFORM") {
    y = add(b, low, multiply(b, uniform, subtract(b, high, low)));
  } else {
    // The middle of each step of the uniform numbers, so that neither end is infinite.
    const double half_step = working == ir::DType::kF64 ? 0x1p-53 : 0x1p-24;
    const ir::Value centred =
        multiply(b, subtract(b, add(b, uniform, number(half_step)), number(0.5)), number(2));
    y = add(b, low, multiply(b, high, multiply(b, erf_inv(b, centred), number(std::numbers::sqrt2))));
  }
  return {y.dtype() == type.dtype ? y : convert(b, y, type.dtype)};
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("rng_distribution = #stablehlo<rng_distribution {}>",
                     op.attributes().get<std::string>("rng_distribution"));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  const auto position = static_cast<std::int64_t>(text.position());
  return {{"rng_distribution", text.word({"rng_distribution", "distribution"})},
          {"dims", text.result_type().dims},
          {std::string(kSeed), text.integer({kSeed}, position)}};
}

const ir::OpDef kRng = {.name = "rng",
                        .infer = infer,
                        .decompose = decompose,
                        .print_attributes = print_attributes,
                        .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kRng>(); }

}  // namespace rng_folder

ir::Value rng(ir::Builder& builder, ir::Value a, ir::Value b, ir::Value shape, std::string_view distribution,
              ir::Dims dims, std::int64_t seed) {
  return builder
      .create(rng_folder::kRng, {a, b, shape},
              {{"rng_distribution", std::string(distribution)},
               {"dims", std::move(dims)},
               {std::string(rng_folder::kSeed), seed}})
      .result();
}

}  // namespace cornu::inline v0::ops
