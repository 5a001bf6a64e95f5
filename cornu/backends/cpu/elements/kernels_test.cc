#include "cornu/backends/cpu/elements/kernels.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <span>
#include <vector>

#include "cornu/backends/cpu/op/cpu_op.h"
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

/// Each number as Literal::scalar rounds it.
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

/// Memory with a page after its end that cannot be read.
class GuardedMemory {
 public:
  explicit GuardedMemory(std::size_t size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)),
               rounded = (size + page - 1) / page * page;
    length_ = rounded + page;
    base_ = static_cast<std::byte*>(
        mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_EQ(mprotect(base_ + rounded, page, PROT_NONE), 0);
    data_ = {base_ + rounded - size, size};
  }
  ~GuardedMemory() { munmap(base_, length_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  std::span<std::byte> data() const { return data_; }

 private:
  std::byte* base_ = nullptr;
  std::size_t length_ = 0;
  std::span<std::byte> data_;
};

/// Operands of a kernel of the generated tables, with elements at random.
class Operands {
 public:
  Operands(const ElementKernelRow& row, std::int64_t count, std::mt19937_64& random) {
    const CpuOp* cpu_op = nullptr;
    for (const CpuOp& op : all_cpu_ops())
      if (op.name == row.op) cpu_op = &op;
    auto* const attributes = cpu_op->kernels_from_code.attributes;
    const auto op = make_scalar_op(*cpu_op, row.operand,
                                   attributes == nullptr ? ir::Attributes() : attributes(row.operand)[0]);
    const std::size_t num_operands = op->op->operands().size();
    for (std::size_t k = 0; k < num_operands + cpu_op->kernels_from_code.num_parameters; ++k) {
      const bool is_parameter = k >= num_operands,
                 is_predicate = k == 0 && cpu_op->kernels_from_code.moves_bits;
      const DType dtype = is_parameter ? DType::kI64 : is_predicate ? DType::kI1 : row.operand;
      bytes_.push_back(ir::size_bytes(dtype));
      strides_.push_back(is_parameter ? 0 : static_cast<std::int64_t>(random() % 4));
      if (random() % 2 == 0 && !is_parameter) strides_.back() = 1;
      const auto size = static_cast<std::size_t>(count == 0 ? 0 : (count - 1) * strides_[k] + 1) * bytes_[k];
      const std::span<std::byte> data = data_.emplace_back(is_parameter ? sizeof(std::int64_t) : size).data();
      for (std::byte& byte : data) byte = static_cast<std::byte>(random());
      if (dtype == DType::kI1)
        for (std::byte& byte : data) byte &= std::byte{1};
      const std::int64_t bits = 4;
      if (is_parameter) std::memcpy(data.data(), &bits, sizeof bits);
    }
  }

  /// The result of `count` elements from `first` on, and then 64 bytes that must not change.
  std::vector<std::byte> run(const ElementKernelRow& row, std::int64_t first, std::int64_t count) const {
    std::vector<const std::byte*> in;
    for (std::size_t k = 0; k < data_.size(); ++k)
      in.push_back(data_[k].data().data() + first * strides_[k] * static_cast<std::int64_t>(bytes_[k]));
    std::vector<std::byte> out(ir::size_bytes(row.result) * static_cast<std::size_t>(count) + 64,
                               std::byte{0x5a});
    row.kernel(count, in.data(), strides_.data(), out.data());
    return out;
  }

 private:
  std::deque<GuardedMemory> data_;
  std::vector<std::size_t> bytes_;
  std::vector<std::int64_t> strides_;
};

/// True if elements are the same bits, or both NaN: which NaN depends on the order of operands.
bool is_same(DType dtype, const std::byte* x, const std::byte* y) {
  const std::size_t bytes = ir::size_bytes(dtype);
  if (std::memcmp(x, y, bytes) == 0) return true;
  const auto is_nan = [&](const std::byte* element) {
    Literal number(ir::TensorType{dtype, {}});
    std::memcpy(number.mutable_bytes().data(), element, bytes);
    return std::isnan(number.at(0));
  };
  return ir::is_float(dtype) && is_nan(x) && is_nan(y);
}

TEST(ElementKernelsTest, AnElementDependsNeitherOnLengthNorOnStrides) {
  std::mt19937_64 random(1);
  for (const IsaLevel level : cpu_isa_levels())
    for (const ElementKernelRow& row : element_kernel_rows(level))
      for (const std::int64_t count : {0, 1, 2, 3, 5, 7, 9, 16, 31, 67}) {
        const Operands operands(row, count, random);
        const std::vector<std::byte> all = operands.run(row, 0, count);
        const std::size_t bytes = ir::size_bytes(row.result);
        for (std::int64_t i = 0; i < count; ++i)
          ASSERT_TRUE(is_same(row.result, operands.run(row, i, 1).data(),
                              all.data() + static_cast<std::size_t>(i) * bytes))
              << row.op << " " << row.variant << " " << ir::stablehlo_name(row.operand) << " to "
              << ir::stablehlo_name(row.result) << ", element " << i << " of " << count << ", "
              << isa_level_name(level);
        for (std::size_t i = all.size() - 64; i < all.size(); ++i)
          ASSERT_EQ(all[i], std::byte{0x5a}) << row.op;
      }
}

TEST(ElementKernelsTest, Avx512HasTheBitsOfAvx2) {
  if (cpu_isa_level() != IsaLevel::kAvx512) GTEST_SKIP() << "no AVX-512 here";
  constexpr std::int64_t kCount = 1000;
  std::mt19937_64 random(2);
  for (ElementKernelRow row : element_kernel_rows(IsaLevel::kAvx512)) {
    const Operands operands(row, kCount, random);
    const std::vector<std::byte> wide = operands.run(row, 0, kCount);
    row.kernel = kernel_set(IsaLevel::kAvx2).find(row.key());
    const std::vector<std::byte> narrow = operands.run(row, 0, kCount);
    for (std::size_t at = 0; at < narrow.size() - 64; at += ir::size_bytes(row.result))
      ASSERT_TRUE(is_same(row.result, wide.data() + at, narrow.data() + at))
          << row.op << " " << ir::stablehlo_name(row.operand);
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::elements
