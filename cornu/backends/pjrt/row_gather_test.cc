#include "cornu/backends/pjrt/row_gather.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/ops/all.h"

// Tests of rows gathered on the device, by a program that returns its rows.
namespace cornu::inline v0::backends::pjrt {
namespace {

using ir::DType;
using runtime::ArgumentKind;

constexpr std::int64_t kEchoBatch = 2;

/// A program with one argument of each type that returns its rows.
struct Echo {
  std::vector<ir::TensorType> row_types;
  ir::Function function;
  std::unique_ptr<runtime::Executable> executable;

  Echo(runtime::Client& client, std::vector<ir::TensorType> rows, int device) : row_types(std::move(rows)) {
    function.name = "echo";
    std::vector<ir::Value> results;
    for (const ir::TensorType& type : row_types) {
      ir::TensorType batch = type;
      batch.dims.insert(batch.dims.begin(), kEchoBatch);
      results.push_back(function.body.add_argument(batch));
    }
    function.body.set_results(results);
    executable = client.compile({.step = &function,
                                 .arguments = std::vector(row_types.size(), ArgumentKind::kRows),
                                 .name = "echo",
                                 .devices = {device}});
  }

  /// Puts data of `num_rows` rows on the device, runs `num_steps` steps, and expects the rows in the results.
  void expect_rows(runtime::Client& client, int device, std::int64_t num_rows, std::int64_t num_steps) {
    std::vector<std::unique_ptr<runtime::Buffer>> owned;
    std::vector<runtime::Buffer*> buffers;
    std::vector<std::vector<std::byte>> data, found;
    std::vector<std::byte*> outputs;
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < num_steps * kEchoBatch; ++i) indices.push_back(i * 7 % num_rows);
    for (const ir::TensorType& type : row_types) {
      ir::TensorType all = type;
      all.dims.insert(all.dims.begin(), num_rows);
      std::vector<std::byte>& bytes = data.emplace_back(all.size_bytes());
      for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(type.dtype == DType::kI1 ? i * 5 % 2 : i * 5 % 61);
      buffers.push_back(owned.emplace_back(client.allocate(all, device)).get());
      buffers.back()->copy_from_host(bytes.data());
      outputs.push_back(found.emplace_back(type.size_bytes() * indices.size()).data());
    }
    EXPECT_EQ(executable->run({.row_buffers = buffers,
                               .row_indices = indices.data(),
                               .num_rows = num_steps * kEchoBatch,
                               .outputs = outputs},
                              num_steps),
              num_steps);
    for (std::size_t k = 0; k < row_types.size(); ++k) {
      const std::size_t row = row_types[k].size_bytes();
      for (std::size_t i = 0; i < indices.size() && row > 0; ++i)
        ASSERT_EQ(std::memcmp(found[k].data() + i * row,
                              data[k].data() + static_cast<std::size_t>(indices[i]) * row, row),
                  0)
            << row_types[k].str() << ", entry " << i;
    }
  }
};

std::vector<ir::TensorType> all_types() {
  std::vector<ir::TensorType> types;
  for (const DType dtype : {DType::kI1, DType::kI8, DType::kU8, DType::kI16, DType::kI32, DType::kI64,
                            DType::kF16, DType::kBF16, DType::kF32, DType::kF64})
    for (const ir::Dims& dims : {ir::Dims{}, ir::Dims{3}, ir::Dims{2, 0}}) types.push_back({dtype, dims});
  return types;
}

using RowGatherTest = PluginTest;

TEST_F(RowGatherTest, RowsOfEveryTypeComeFromAnyNumberOfThem) {
  Echo echo(*client(), all_types(), 0);
  for (const std::int64_t num_rows : {5, 1, 40})
    for (const std::int64_t num_steps : {1, 3}) echo.expect_rows(*client(), 0, num_rows, num_steps);
}

TEST_F(RowGatherTest, SeveralLaunchesOfAnExecutionGatherTheirOwn) {
  Echo echo(*client(), {{DType::kF32, {3}}, {DType::kI32, {}}}, 0);
  echo.expect_rows(*client(), 0, 11, 1030);  // a launch has at most 1,024 steps
}

TEST_F(RowGatherTest, ProgramsThatWereMadeForOtherNumbersOfRowsAreMadeAgain) {
  Echo echo(*client(), {{DType::kF32, {3}}}, 0);
  const std::int64_t before = client()->counts().compiles.calls;
  for (std::int64_t num_rows = 1; num_rows <= 66; ++num_rows) echo.expect_rows(*client(), 0, num_rows, 1);
  EXPECT_EQ(client()->counts().compiles.calls - before, 67) << "the step and a gather each";
  echo.expect_rows(*client(), 0, 66, 1);
  EXPECT_EQ(client()->counts().compiles.calls - before, 67);
  echo.expect_rows(*client(), 0, 1, 1);  // 64 are cached
  EXPECT_EQ(client()->counts().compiles.calls - before, 68);
}

TEST_F(RowGatherTest, ADeviceThatIsNotTheFirstGathersFromItsOwnMemory) {
  if (!is_on_cpu()) GTEST_SKIP() << "the plug-in for CPUs makes as many devices as it is asked for";
  const auto two = runtime::make_client("pjrt:cpu,cpu_device_count=2");
  Echo echo(*two, {{DType::kF32, {3}}}, 1);
  echo.expect_rows(*two, 1, 9, 3);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
