#include "cornu/keras/trainer/output_types.h"

#include <numeric>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/ops.h"

/// Outputs whose extents after the first depend on the batch: the types that the loss gets before there is a
/// batch.
namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kNumAlike = 64;  // more rows than a trace for types has

/// The similarity of each two rows of a batch: [batch, batch].
Tensor similarities(const Tensor& x) {
  const Tensor rows = x.rank() == 2 ? x : ops::reshape(x, {x.shape()[0], x.shape()[1] * x.shape()[2]});
  return ops::matmul(rows, ops::transpose(rows)) * 20.0;
}

class Similarities : public Network {
 public:
  Similarities() : Network("Similarities", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return similarities(x); }
};

/// Each row is most similar to itself: the class of row i is i.
void expect_rows_are_their_own_class(Model model, const Tensor& x, const char* loss, bool run_eagerly) {
  std::vector<std::int32_t> numbers(kNumAlike);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i);
  model.compile({.optimizer = "sgd",
                 .loss = std::string(loss) == "from_logits"
                             ? LossSpec(losses::SparseCategoricalCrossentropy({.from_logits = true}))
                             : LossSpec(loss),
                 .metrics = {"accuracy"},
                 .run_eagerly = run_eagerly});
  const Tensor labels = Tensor::adopt({kNumAlike, 1}, numbers);
  const Logs logs = model.evaluate(x, labels, {.batch_size = kNumAlike, .verbose = 0});
  EXPECT_EQ(logs["accuracy"], 1) << "as class ids";
  if (std::string(loss) == "from_logits") {
    EXPECT_LT(logs["loss"], 1e-5);
  }
}

class OutputTypesTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(OutputTypesTest);

TEST_P(OutputTypesTest, ANetworkOfTheUsersMayGiveSimilaritiesOfABatch) {
  for (const bool run_eagerly : {false, true})
    for (const char* loss : {"from_logits", "crossentropy"})
      expect_rows_are_their_own_class(Model(std::make_shared<Similarities>()), ops::eye(kNumAlike), loss,
                                      run_eagerly);
}

TEST_P(OutputTypesTest, TheFirstBatchMayHaveOneRow) {
  for (const bool run_eagerly : {false, true}) {
    Model model(std::make_shared<Similarities>());
    model.compile({.optimizer = "sgd",
                   .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
                   .run_eagerly = run_eagerly});
    const auto loss_of_rows = [&](std::int64_t num_rows) {
      std::vector<std::int32_t> numbers(static_cast<std::size_t>(num_rows));
      std::iota(numbers.begin(), numbers.end(), 0);
      return model.evaluate(ops::eye(num_rows), Tensor::adopt({num_rows, 1}, numbers),
                            {.batch_size = num_rows, .verbose = 0})["loss"];
    };
    EXPECT_EQ(loss_of_rows(1), 0) << "the one class there is";
    EXPECT_LT(loss_of_rows(3), 1e-5);
  }
}

TEST_P(OutputTypesTest, LabelsForAnOpenNumberOfClassesAreCheckedByStepsThatLookAtIds) {
  const auto evaluate = [](bool run_eagerly, bool check_ids) {
    Model model(std::make_shared<Similarities>());
    model.compile({.optimizer = "sgd",
                   .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
                   .run_eagerly = run_eagerly,
                   .check_ids = check_ids});
    model.evaluate(ops::eye(3), Tensor::of<std::int32_t>({3, 1}, {0, 1, 3}), {.batch_size = 3, .verbose = 0});
  };
  expect_contains(error_of([&] { evaluate(true, false); }), ErrorCode::kOutOfRange, {"label 3"});
  expect_contains(error_of([&] { evaluate(false, true); }), ErrorCode::kOutOfRange, {"label 3"});
  EXPECT_NO_THROW(evaluate(false, false));
}

TEST_P(OutputTypesTest, ALambdaInASequentialMay) {
  for (const bool run_eagerly : {false, true})
    expect_rows_are_their_own_class(Sequential({layers::Activation({.activation = "linear"}),
                                                layers::Lambda({.function = similarities})}),
                                    ops::eye(kNumAlike), "from_logits", run_eagerly);
}

TEST_P(OutputTypesTest, ANetworkBuiltForOpenExtentsMay) {
  Model model(std::make_shared<Similarities>());
  model.build({kUnknown, kUnknown, kUnknown});
  expect_rows_are_their_own_class(model, ops::reshape(ops::eye(kNumAlike), {kNumAlike, 4, kNumAlike / 4}),
                                  "from_logits", false);
}

/// Transposes [batch, features] to [features, batch].
class Turning : public Network {
 public:
  Turning() : Network("Turning", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return ops::transpose(x); }
};

TEST(OutputTypesOfTracesTest, ExtentsThatFollowFromTheBatchAreOpen) {
  const auto network = std::make_shared<Turning>();
  network->build_once({kUnknown, 3});
  // The first extent is always the batch for the trainer.
  EXPECT_EQ(output_types(*network, {{DType::kF32, {kUnknown, 3}}}),
            (std::vector<TensorType>{{DType::kF32, {kUnknown, kUnknown}}}));
  EXPECT_EQ(output_types(*network, {{DType::kF32, {kUnknown, 5}}}),
            (std::vector<TensorType>{{DType::kF32, {kUnknown, kUnknown}}}))
      << "of another shape than it was built for";
}

TEST(OutputTypesOfCallsTest, DataOfOneRowLeaveExtentsThatFollowFromTheBatchOpen) {
  const auto network = std::make_shared<Turning>();
  for (const std::int64_t num_rows : {1, 2, 5})
    EXPECT_EQ(concrete_output_types(*network, {.x = ops::ones({num_rows, 3}, DType::kF32)}),
              (std::vector<TensorType>{{DType::kF32, {kUnknown, kUnknown}}}))
        << num_rows;
}

TEST(OutputTypesOfCallsTest, ALayerOfADeclaredBatchIsCalledOnThatManyRows) {
  const Input x({.shape = {3}, .batch_size = 4});
  const Model model({.inputs = x, .outputs = layers::Lambda({.function = [](const Tensor& t) {
                                    EXPECT_EQ(t.num_rows(), 4);
                                    return ops::transpose(t);
                                  }})(x)});
  EXPECT_EQ(concrete_output_types(*model, {.x = ops::ones({1, 3}, DType::kF32)}),
            (std::vector<TensorType>{{DType::kF32, {kUnknown, 4}}}));
}

/// Drops the first axis of a batch of one row.
class Squeezing : public Network {
 public:
  Squeezing() : Network("Squeezing", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return ops::squeeze(x); }
};

TEST(OutputTypesOfCallsTest, ARankThatFollowsFromTheBatchIsRefused) {
  const auto network = std::make_shared<Squeezing>();
  for (const std::int64_t num_rows : {1, 2})
    expect_contains(error_of([&] {
                      (void)concrete_output_types(*network, {.x = ops::ones({num_rows, 3}, DType::kF32)});
                    }),
                    ErrorCode::kInvalidArgument,
                    {"whatever the open extents", "with 1 in their place the outputs are (3,) float32",
                     "with 2 they are (2, 3) float32"});
}

TEST(OutputTypesOfTracesTest, ClassWeightsMayNameAnyClassWhereTheNumberOfClassesIsOpen) {
  const Tensor labels = Tensor::of<std::int32_t>({3}, {0, 1, 1});
  EXPECT_EQ(weights_of_classes({{1, 2.0}, {70, 3.0}}, labels, {DType::kF32, {kUnknown, kUnknown}},
                               RowsGiven::kAll, "fit")
                .to_vector<float>(),
            (std::vector<float>{1, 2, 2}));
  EXPECT_THROW(
      (void)weights_of_classes({{70, 3.0}}, labels, {DType::kF32, {kUnknown, 5}}, RowsGiven::kAll, "fit"),
      Error);
  const TensorType one_column{DType::kF32, {kUnknown, 1}};
  EXPECT_EQ(weights_of_classes({{1, 2.0}, {5, 3.0}}, labels, one_column, RowsGiven::kBatch, "fit")
                .to_vector<float>(),
            (std::vector<float>{1, 2, 2}))
      << "another batch may have the class";
  EXPECT_THROW((void)weights_of_classes({{5, 3.0}}, labels, one_column, RowsGiven::kAll, "fit"), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras
