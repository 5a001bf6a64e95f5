#include "cli/workloads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "cornu/base/error.h"

namespace cornu::inline v0::cli {
namespace {

TEST(WorkloadsTest, DataHaveTheSizesAndRangesThatThePeersUse) {
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    const WorkloadData data = make_data(workload);
    Dims shape = workload.input_shape;
    shape.insert(shape.begin(), workload.num_rows);
    EXPECT_EQ(data.x.shape(), shape);
    EXPECT_EQ(data.y.num_rows(), workload.num_rows);
    const double limit = workload.num_ids > 0 ? static_cast<double>(workload.num_ids) : 1.0;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(data.x.num_elements(), 100000); ++i) {
      ASSERT_GE(data.x.at(i), 0.0);
      ASSERT_LT(data.x.at(i), limit);
    }
    for (std::int64_t row = 0; row < workload.num_rows; ++row) {
      ASSERT_GE(data.y.at(row), 0);
      ASSERT_LT(data.y.at(row), static_cast<double>(std::max<std::int64_t>(workload.num_classes, 2)));
    }
  }
}

TEST(WorkloadsTest, ModelsHaveAsManyParametersAsThePeers) {
  for (const Workload& workload : workloads()) {
    SCOPED_TRACE(workload.name);
    Dims shape = workload.input_shape;
    shape.insert(shape.begin(), keras::kUnknown);
    const keras::Sequential model = workload.make_model();
    model.build(shape);
    EXPECT_EQ(model.count_params(), workload.num_parameters);
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
    EXPECT_STREQ(error.what(),
                 "unknown workload \"mnist_mpl\"; there are: mnist_mlp, mnist_cnn, cifar10_cnn, imdb_fasttext, imdb_bilstm, lstm_textgen, "
                 "cifar_2m_b32, "
                 "cifar_2m_b256, cifar_10m_b32, cifar_10m_b256, iris_mlp, mnist_tpu_cnn");
  }
}

}  // namespace
}  // namespace cornu::inline v0::cli
