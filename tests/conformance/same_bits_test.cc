#include "tests/conformance/same_bits_test_support.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "cornu/backends/cpu/elements/element_kernels.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/error.h"
#include "cornu/ir/builder.h"
#include "cornu/ops/registry.h"
#include "tests/conformance/run_test_support.h"

// Every elementwise op of every dtype, eagerly and compiled, at every instruction set level. The rows of the
// conformance table are compared so at one level (backend_conformance_test.cc).
namespace cornu::inline v0::ops {
namespace {

/// All elementwise ops of one dtype on the same operands: x, y, z and a predicate.
struct AllOps {
  std::unique_ptr<ir::Function> function = std::make_unique<ir::Function>();
  std::vector<std::string> names;
};

AllOps all_ops(ir::DType dtype, std::int64_t count) {
  AllOps all;
  all.function->name = "main";
  ir::Block& body = all.function->body;
  std::vector<ir::Value> operands;
  for (int i = 0; i < 3; ++i) operands.push_back(body.add_argument({dtype, {count}}));
  const ir::Value predicate = body.add_argument({ir::DType::kI1, {count}});
  ir::Builder builder(body);
  std::vector<ir::Value> results;
  for (const backends::cpu::CpuOp& row : backends::cpu::all_cpu_ops()) {
    if (row.emit == nullptr) continue;
    const std::vector<ir::Attributes> none(1);
    for (const ir::Attributes& attributes :
         row.kernels_from_code.attributes == nullptr ? none : row.kernels_from_code.attributes(dtype)) {
      const auto scalar = backends::cpu::elements::make_scalar_op(row, dtype, attributes);
      if (scalar == nullptr) continue;  // not of this dtype
      std::vector<ir::Value> values;
      for (const ir::Value& operand : scalar->op->operands())
        values.push_back(operand.dtype() == dtype ? operands[values.size()] : predicate);
      const ir::Op& op = builder.create(*find_op_def(row.name), std::move(values), attributes);
      results.push_back(op.result());
      all.names.push_back(fmt::format("{}, {}, to {}", row.name, results.size(), op.result().type().str()));
    }
  }
  body.set_results(std::move(results));
  return all;
}

/// Numbers of all sizes and kinds but subnormal ones: bits at random, some special values, some near 1.
ir::Literal any_numbers(ir::DType dtype, std::int64_t count, std::uint64_t seed) {
  ir::Literal numbers({dtype, {count}});
  std::mt19937_64 random(seed);
  const std::size_t size = ir::size_bytes(dtype);
  constexpr double kSpecial[] = {0.0, -0.0, 1,     -1,    0.5,   1.5,      2.5,       127,
                                 128, 255,  32767, 65504, 65520, INFINITY, -INFINITY, NAN};
  std::uniform_real_distribution<double> near_one(-4, 4);
  for (std::int64_t i = 0; i < count; ++i) {
    std::byte* const at = numbers.mutable_bytes().data() + static_cast<std::size_t>(i) * size;
    std::uint64_t bits = random();
    if (dtype == ir::DType::kI1) bits &= 1;
    std::memcpy(at, &bits, size);
    const bool is_subnormal = ir::is_float(dtype) && std::fabs(numbers.at(i)) < least_normal(dtype);
    if (is_subnormal) std::memset(at, 0, size);
    if (!ir::is_float(dtype) || i % 3 == 0) continue;
    const double number = i % 3 == 1 ? kSpecial[bits % std::size(kSpecial)] : near_one(random);
    std::memcpy(at, ir::Literal::scalar(dtype, number).bytes().data(), size);
  }
  return numbers;
}

class AllElementwiseOpsTest : public testing::TestWithParam<int> {};

TEST_P(AllElementwiseOpsTest, EagerEqualsCompiledForAnyNumbers) {
  constexpr std::int64_t kCount = 4099;  // no multiple of a vector
  const auto dtype = static_cast<ir::DType>(GetParam());
  std::vector<ir::Literal> inputs;
  for (std::uint64_t seed = 0; seed < 3; ++seed) inputs.push_back(any_numbers(dtype, kCount, seed));
  inputs.push_back(any_numbers(ir::DType::kI1, kCount, 3));
  EXPECT_GT(all_ops(dtype, kCount).names.size(), 20U);
  for (const std::shared_ptr<runtime::Client>& client : clients_of_levels()) {
    SCOPED_TRACE(client->description());
    const AllOps all = all_ops(dtype, kCount);
    const std::vector<ir::Literal> eager = run_eagerly(*client, *all.function, inputs);
    const std::vector<ir::Literal> compiled = run_compiled(*client, *all.function, inputs);
    for (std::size_t i = 0; i < all.names.size(); ++i)
      EXPECT_EQ(difference(eager[i], compiled[i]), "") << all.names[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Cpu, AllElementwiseOpsTest, testing::Range(0, static_cast<int>(ir::DType::kF64) + 1),
                         [](const auto& parameter) {
                           return std::string(ir::stablehlo_name(static_cast<ir::DType>(parameter.param)));
                         });

}  // namespace
}  // namespace cornu::inline v0::ops
