#include "cornu/ops/rng_bit_generator/philox.h"

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"

namespace cornu::inline v0::ops {
namespace rng_bit_generator_folder {
namespace {

struct Product {
  ir::Value high, low;
};

/// The 64 bits of a product of 32-bit numbers.
Product multiply_wide(ir::Builder& b, ir::Value x, double factor) {
  const ir::Value wide = convert(b, x, ir::DType::kU64);
  const ir::Value product = multiply(b, wide, full(b, wide.type(), factor));
  const ir::Value high = shift_right_logical(b, product, full(b, wide.type(), 32));
  return {convert(b, high, ir::DType::kU32),
          convert(b, and_(b, product, full(b, wide.type(), 0xffffffffU)), ir::DType::kU32)};
}

}  // namespace
}  // namespace rng_bit_generator_folder

std::array<ir::Value, 4> philox4x32(ir::Builder& builder, std::array<ir::Value, 2> key,
                                    std::array<ir::Value, 4> counter) {
  constexpr double kFactors[] = {0xD2511F53, 0xCD9E8D57}, kKeySteps[] = {0x9E3779B9, 0xBB67AE85};
  constexpr int kNumRounds = 10;
  const ir::Dims dims = counter[0].dims();
  std::array<ir::Value, 4> x = counter;
  for (int round = 0; round < kNumRounds; ++round) {
    const auto first = rng_bit_generator_folder::multiply_wide(builder, x[0], kFactors[0]),
               second = rng_bit_generator_folder::multiply_wide(builder, x[2], kFactors[1]);
    const auto mixed = [&](ir::Value high, ir::Value word, ir::Value of_key) {
      return xor_(builder, xor_(builder, high, word), broadcast_scalar(builder, of_key, dims));
    };
    x = {mixed(second.high, x[1], key[0]), second.low, mixed(first.high, x[3], key[1]), first.low};
    for (std::size_t i = 0; i < 2; ++i)
      key[i] = add(builder, key[i], scalar(builder, ir::DType::kU32, kKeySteps[i]));
  }
  return x;
}

}  // namespace cornu::inline v0::ops
