#include "cli/workloads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cli/batch_shape_test_support.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::cli {
namespace {

void expect_below(const Tensor& values, double limit) {
  for (std::int64_t i = 0; i < std::min<std::int64_t>(values.num_elements(), 100000); ++i) {
    ASSERT_GE(values.at(i), 0.0);
    ASSERT_LT(values.at(i), limit);
  }
}

TEST(WorkloadsTest, DataHaveTheSizesAndRangesThatThePeersUse) {
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    const WorkloadData data = make_data(workload);
    ASSERT_EQ(data.x.size(), workload.inputs.size());
    for (std::size_t input = 0; input < data.x.size(); ++input) {
      const auto& [row, num_ids, column_ids] = workload.inputs[input];
      EXPECT_EQ(data.x[input].shape(), with_batch(row, workload.num_rows));
      expect_below(data.x[input], num_ids > 0 ? static_cast<double>(num_ids) : 1.0);
    }
    EXPECT_EQ(data.y.num_rows(), workload.num_rows);
    expect_below(data.y, static_cast<double>(std::max<std::int64_t>(workload.num_classes, 2)));
  }
}

TEST(WorkloadsTest, ModelsHaveAsManyParametersAsThePeers) {
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    const keras::Model model = workload.make_model();
    if (!model.built()) model.build(with_batch(workload.inputs[0].shape, keras::kUnknown));
    EXPECT_EQ(model.count_params(), workload.num_parameters);
  }
}

TEST(WorkloadsTest, LargeTablesHaveAsManyParametersAsThePeers) {
  const WorkloadInput& small = find_workload("criteo_dlrm_small").inputs[1];
  const std::int64_t others = find_workload("criteo_dlrm_small").num_parameters -
                              16 * std::accumulate(small.column_ids.begin(), small.column_ids.end(), 0LL);
  const Workload& workload = find_workload("criteo_dlrm");
  const std::vector<std::int64_t>& tables = workload.inputs[1].column_ids;
  EXPECT_EQ(workload.num_parameters, others + 16 * std::accumulate(tables.begin(), tables.end(), 0LL));
}

TEST(WorkloadsTest, NetworksOfApplicationsHaveAsManyParametersAsThePeers) {
  for (const char* name : {"resnet50", "efficientnetb0"}) {
    SCOPED_TRACE(name);
    const Workload& workload = find_workload(name);
    EXPECT_EQ(workload.make_model().count_params(), workload.num_parameters);
  }
}

TEST(WorkloadsTest, IdsOfEachColumnAreBelowItsNumberAndSmallOnesAreFrequent) {
  Workload workload = find_workload("criteo_dlrm_small");
  workload.num_rows = 2048;
  const Tensor ids = make_data(workload).x[1];
  const std::span<const std::int32_t> values = ids.data<std::int32_t>();
  std::vector<std::int64_t> num_zeros(workload.inputs[1].column_ids.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_GE(values[i], 0);
    ASSERT_LT(values[i], workload.inputs[1].num_ids_at(i));
    if (values[i] == 0) ++num_zeros[i % num_zeros.size()];
  }
  // Of 2,000 ids the first has the share log(2) / log(2001) = 9.1 %.
  const auto column = static_cast<std::size_t>(
      std::find(workload.inputs[1].column_ids.begin(), workload.inputs[1].column_ids.end(), 2000) -
      workload.inputs[1].column_ids.begin());
  EXPECT_NEAR(static_cast<double>(num_zeros[column]) / 2048, 0.091, 0.02);
}

TEST(WorkloadsTest, DataAreTheSameEachTime) {
  const Workload& workload = find_workload("iris_mlp");
  const WorkloadData first = make_data(workload);
  const WorkloadData second = make_data(workload);
  EXPECT_EQ(std::memcmp(first.x[0].bytes(), second.x[0].bytes(), first.x[0].type().size_bytes()), 0);
  EXPECT_EQ(std::memcmp(first.y.bytes(), second.y.bytes(), first.y.type().size_bytes()), 0);
}

TEST(WorkloadsTest, IrisLabelsAreAFloatColumnThatTheLossBroadcasts) {
  const WorkloadData data = make_data(find_workload("iris_mlp"));
  EXPECT_EQ(data.y.dtype(), DType::kF32);
  EXPECT_EQ(data.y.shape(), (Dims{100, 1}));
}

TEST(WorkloadsTest, AnUnknownNameIsRefusedWithTheNearest) {
  try {
    find_workload("mnist_mpl");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(error.what(), "unknown workload \"mnist_mpl\"; did you mean \"mnist_mlp\"?");
  }
}

}  // namespace
}  // namespace cornu::inline v0::cli
