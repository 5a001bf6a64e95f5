#include "cli/workloads.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cornu/base/error.h"

namespace cornu::inline v0::cli {
namespace {

TEST(WorkloadsTest, DataHaveTheSizesAndRangesThatThePeersUse) {
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    const WorkloadData data = make_data(workload);
    EXPECT_EQ(data.x.shape(), (Dims{workload.num_rows, workload.features}));
    EXPECT_EQ(data.y.num_rows(), workload.num_rows);
    for (const float value : data.x.data<float>()) {
      ASSERT_GE(value, 0.0F);
      ASSERT_LT(value, 1.0F);
    }
    for (std::int64_t row = 0; row < workload.num_rows; ++row) {
      ASSERT_GE(data.y.at(row), 0);
      ASSERT_LT(data.y.at(row), static_cast<double>(workload.num_classes));
    }
  }
}

TEST(WorkloadsTest, DataAreTheSameEachTime) {
  const Workload& workload = find_workload("iris_mlp");
  const WorkloadData first = make_data(workload);
  const WorkloadData second = make_data(workload);
  EXPECT_EQ(std::memcmp(first.x.bytes(), second.x.bytes(), first.x.type().size_bytes()), 0);
  EXPECT_EQ(std::memcmp(first.y.bytes(), second.y.bytes(), first.y.type().size_bytes()), 0);
}

TEST(WorkloadsTest, IrisLabelsAreAFloatColumnThatTheLossBroadcasts) {
  const WorkloadData data = make_data(find_workload("iris_mlp"));
  EXPECT_EQ(data.y.dtype(), DType::kF32);
  EXPECT_EQ(data.y.shape(), (Dims{100, 1}));
}

TEST(WorkloadsTest, NoStepRunsAnOpByItsReferenceKernel) {
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    const WorkloadData data = make_data(workload);
    keras::Sequential model = workload.make_model();
    model.compile(workload.compile_options());
    EXPECT_EQ(model.train_executable(data.x, data.y, {.batch_size = workload.batch_size}).stats().num_reference_fallbacks, 0);
    EXPECT_EQ(model.predict_executable(data.x, {.batch_size = workload.batch_size}).stats().num_reference_fallbacks, 0);
  }
}

TEST(WorkloadsTest, UnknownNameListsTheKnownOnesNearestFirst) {
  try {
    find_workload("mnist_mpl");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(error.what(), "unknown workload \"mnist_mpl\"; there are: mnist_mlp, iris_mlp");
  }
}

}  // namespace
}  // namespace cornu::inline v0::cli
