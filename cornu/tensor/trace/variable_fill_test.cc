#include "cornu/tensor/trace/variable_fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "cornu/base/check.h"
#include "cornu/base/error.h"
#include "cornu/base/sanitizer_test_support.h"
#include "cornu/runtime/fake_device_test_support.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0 {
namespace {

void fill_with(const Variable& variable, float first) {
  detail::fill_variable(variable, [&](std::span<std::byte> bytes) {
    ASSERT_EQ(bytes.size(), variable.type().size_bytes());
    auto* const values = reinterpret_cast<float*>(bytes.data());
    for (std::size_t i = 0; i < bytes.size() / sizeof(float); ++i) values[i] = first + static_cast<float>(i);
  });
}

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

TEST(VariableFillTest, AZeroVariableIsZerosToAllWhoLook) {
  const auto make = [] { return detail::zero_variable({DType::kF32, {4}}, {.name = "slot"}); };
  EXPECT_EQ(make().type(), (TensorType{DType::kF32, {4}}));
  EXPECT_EQ(make().read(), ir::Literal(TensorType{DType::kF32, {4}}));
  EXPECT_EQ(make().value().to_vector<float>(), std::vector<float>(4));
  const Variable added = make();
  added.assign_add(ops::ones({4}));
  EXPECT_EQ(added.read().at(3), 1);
  const Variable state = make();
  const auto step = function([&] { state.assign_add(ops::ones({4})); });
  step();
  step();
  EXPECT_EQ(state.read().at(3), 2);
}

// Both clients' memory is the host's: what the second reads stays valid at the first, which has the
// authority.
TEST(VariableVersionsTest, AFunctionRunsOnTwoClientsOfTheHostInTurn) {
  const auto client = runtime::make_client("cpu");
  const std::string device = add_devices(client)[0];
  const Variable weight(ops::ones({300}));
  const auto total = function([&](const Tensor& x) { return ops::sum(weight.value() * x); });
  const Tensor x = Tensor(2.0F);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(total(x).item<float>(), 600);
    with_device(device, [&] { EXPECT_EQ(total(x).item<float>(), 600); });
  }
  weight.assign(ops::full({300}, 3.0F));
  with_device(device, [&] { EXPECT_EQ(total(x).item<float>(), 1800); });
  EXPECT_EQ(total(x).item<float>(), 1800);
  remove_devices(client);
}

TEST(VariableFillTest, AZeroVariableOnADeviceIsZerosThere) {
  const auto client = std::make_shared<runtime::FakeClient>();
  const std::string device = add_devices(client)[0];
  const Variable state = detail::zero_variable({DType::kF32, {4}}, {});
  with_device(device, [&] {
    const auto step = function([&] { state.assign_add(ops::ones({4})); });
    step();
    EXPECT_EQ(state.read().at(3), 1);
  });
  remove_devices(client);
}

TEST(VariableFillTest, AZeroVariableTakesNoMemoryThatAFillDoesNotTake) {
  if (kIsSanitized) GTEST_SKIP() << "a sanitizer has memory of its own for each byte";
  constexpr std::int64_t kElements = std::int64_t{1} << 24, kBytes = 4 * kElements;
  const std::int64_t before = resident_bytes();
  const Variable variable = detail::zero_variable({DType::kF32, {kElements}}, {});
  EXPECT_LT(resident_bytes() - before, kBytes / 8);
  detail::fill_variable(variable, [](std::span<std::byte> bytes) { std::ranges::fill(bytes, std::byte{1}); });
  const std::int64_t filled = resident_bytes();
  EXPECT_GT(filled - before, kBytes * 7 / 8);
  EXPECT_LT(filled - before, kBytes * 9 / 8);
  EXPECT_EQ(variable.value().bytes()[kBytes - 1], std::byte{1});
  EXPECT_LT(resident_bytes() - before, kBytes * 9 / 8);
}

TEST(VariableFillTest, ReplacesAValueWhereverItIs) {
  const Variable variable(ir::Literal(TensorType{DType::kF32, {4}}));
  fill_with(variable, 10);
  EXPECT_EQ(variable.read().at(3), 13);
  const Tensor seen = variable.value();
  const auto twice = function([&] { variable.assign(variable * 2.0); });
  twice();
  EXPECT_EQ(variable.read().at(3), 26);
  fill_with(variable, 20);  // the program is to find the new buffer
  twice();
  EXPECT_EQ(variable.read().at(3), 46);
  EXPECT_EQ(seen.at(3), 13);
}

TEST(VariableFillTest, ReplacesAValueOnADevice) {
  const auto client = std::make_shared<runtime::FakeClient>();
  const std::string device = add_devices(client)[0];
  const Variable variable(ir::Literal(TensorType{DType::kF32, {4}}));
  const auto twice = function([&] { variable.assign(variable * 2.0); });
  with_device(device, [&] { twice(); });
  fill_with(variable, 10);  // from the host
  EXPECT_EQ(variable.read().at(3), 13);
  with_device(device, [&] {
    twice();
    EXPECT_EQ(variable.read().at(3), 26);
    fill_with(variable, 20);
    twice();
    EXPECT_EQ(variable.read().at(3), 46);
  });
  remove_devices(client);
}

TEST(VariableFillTest, AFillThatFailsChangesNothing) {
  const Variable variable(ir::Literal::of<float>({2}, {1, 2}));
  const auto fail_to_fill = [&] {
    detail::fill_variable(variable, [](std::span<std::byte> bytes) {
      std::ranges::fill(bytes, std::byte{1});
      fail(ErrorCode::kDataLoss, "the file ends here");
    });
  };
  EXPECT_THROW(fail_to_fill(), Error);
  EXPECT_EQ(variable.read(), ir::Literal::of<float>({2}, {1, 2}));
  const auto twice = function([&] { variable.assign(variable * 2.0); });
  twice();
  EXPECT_THROW(fail_to_fill(), Error);
  EXPECT_EQ(variable.read(), ir::Literal::of<float>({2}, {2, 4}));
}

TEST(VariableFillTest, TheHostsValueStaysAsItWasAndIsNoCopyBefore) {
  const Variable variable(ir::Literal::of<float>({2}, {1, 2}));
  EXPECT_EQ(detail::host_value(variable).to_vector<float>(), (std::vector<float>{1, 2}));
  const auto twice = function([&] { variable.assign(variable * 2.0); });
  twice();
  const Tensor value = detail::host_value(variable);
  EXPECT_EQ(value.bytes(), detail::host_value(variable).bytes());
  twice();
  EXPECT_EQ(value.to_vector<float>(), (std::vector<float>{2, 4}));
  EXPECT_EQ(detail::host_value(variable).to_vector<float>(), (std::vector<float>{4, 8}));
}

TEST(VariableFillTest, RefusesTypesThatCannotBe) {
  EXPECT_THROW(detail::zero_variable({DType::kF32, {-1}}, {}), Error);
  EXPECT_THROW(detail::zero_variable({DType::kF32, {std::int64_t{1} << 60}}, {}), Error);
}

}  // namespace
}  // namespace cornu::inline v0
