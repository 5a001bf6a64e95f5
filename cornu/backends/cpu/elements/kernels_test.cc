#include "cornu/backends/cpu/elements/kernels.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cornu/ir/literal.h"

namespace cornu::inline v0::backends::cpu::elements {
namespace {

using ir::DType;
using ir::Literal;

/// All numbers of an integer type of 8 or 16 bits, in the order of their bits.
Literal all_numbers(DType dtype) {
  const std::size_t bytes = ir::size_bytes(dtype), count = std::size_t{1} << (8 * bytes);
  Literal numbers({dtype, {static_cast<std::int64_t>(count)}});
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(numbers.mutable_bytes().data() + i * bytes, &i, bytes);  // this CPU's order of bytes
  return numbers;
}

/// What Literal::scalar makes of each number.
Literal rounded(const Literal& numbers, DType to) {
  Literal result({to, numbers.type().dims});
  const std::size_t bytes = ir::size_bytes(to);
  for (std::int64_t i = 0; i < numbers.type().num_elements(); ++i)
    std::memcpy(result.mutable_bytes().data() + static_cast<std::size_t>(i) * bytes,
                Literal::scalar(to, numbers.at(i)).bytes().data(), bytes);
  return result;
}

TEST(ElementKernelsTest, SmallIntegersBecomeTheNearestHalfPrecisionNumbersAtEveryLevel) {
  for (const DType from : {DType::kI8, DType::kU8, DType::kI16, DType::kU16}) {
    const Literal numbers = all_numbers(from);
    const std::int64_t count = numbers.type().num_elements();
    for (const DType to : {DType::kF16, DType::kBF16}) {
      const Literal wanted = rounded(numbers, to);
      for (const IsaLevel level : cpu_isa_levels()) {
        Literal converted({to, {count}});
        const std::byte* const in[] = {numbers.bytes().data()};
        const std::int64_t stride[] = {1};
        kernel_set(level).convert(from, to)(count, in, stride, converted.mutable_bytes().data());
        EXPECT_TRUE(converted == wanted)
            << ir::stablehlo_name(from) << " to " << ir::stablehlo_name(to) << ", " << isa_level_name(level);
      }
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::elements
