#include "cornu/keras/trainer/output_types.h"

#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/tensor/ops.h"

/// Outputs with more extents that follow from the batch than the first: what the loss is told of them before
/// there is a batch.
namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kNumAlike = 64;  // more rows than a trace for types has

/// How alike the rows of a batch are: [batch, batch].
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

/// Each row is most alike to itself: the class of row i is i.
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

/// [batch, features] as [features, batch].
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

TEST(OutputTypesOfTracesTest, ClassWeightsMayNameAnyClassWhereTheNumberOfClassesIsOpen) {
  const Tensor labels = Tensor::of<std::int32_t>({3}, {0, 1, 1});
  EXPECT_EQ(weights_of_classes({{1, 2.0}, {70, 3.0}}, labels, {DType::kF32, {kUnknown, kUnknown}}, "fit")
                .to_vector<float>(),
            (std::vector<float>{1, 2, 2}));
  EXPECT_THROW((void)weights_of_classes({{70, 3.0}}, labels, {DType::kF32, {kUnknown, 5}}, "fit"), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras
