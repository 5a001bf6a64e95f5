#include "cornu/keras/losses/losses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "cornu/base/error.h"
#include "cornu/base/log_test_support.h"
#include "cornu/keras/base/shapes.h"
#include "cornu/keras/config/global_settings.h"
#include "cornu/keras/testing/golden_options_test_support.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

template <typename L, typename Options>
LossHandle golden_loss_of(const nlohmann::json& config) {
  return L(testing::golden_options<Options>(config));
}

LossHandle golden_loss(const std::string& name, const nlohmann::json& config) {
  using namespace losses;
  if (name == "CategoricalCrossentropy")
    return golden_loss_of<CategoricalCrossentropy, CategoricalCrossentropyOptions>(config);
  if (name == "BinaryCrossentropy")
    return golden_loss_of<BinaryCrossentropy, BinaryCrossentropyOptions>(config);
  if (name == "SparseCategoricalCrossentropy")
    return golden_loss_of<SparseCategoricalCrossentropy, SparseCategoricalCrossentropyOptions>(config);
  if (name == "BinaryFocalCrossentropy")
    return golden_loss_of<BinaryFocalCrossentropy, BinaryFocalCrossentropyOptions>(config);
  if (name == "CategoricalFocalCrossentropy")
    return golden_loss_of<CategoricalFocalCrossentropy, CategoricalFocalCrossentropyOptions>(config);
  if (name == "CategoricalGeneralizedCrossEntropy")
    return golden_loss_of<CategoricalGeneralizedCrossEntropy, CategoricalGeneralizedCrossEntropyOptions>(
        config);
  if (name == "MeanSquaredError") return golden_loss_of<MeanSquaredError, LossOptions>(config);
  if (name == "Dice") return golden_loss_of<Dice, DiceOptions>(config);
  if (name == "Tversky") return golden_loss_of<Tversky, TverskyOptions>(config);
  if (name == "Circle") return golden_loss_of<Circle, CircleOptions>(config);
  if (name == "Huber") return golden_loss_of<Huber, HuberOptions>(config);
  if (name == "CosineSimilarity") return golden_loss_of<CosineSimilarity, CosineSimilarityOptions>(config);
  return Loss::from_name(name);
}

class LossesGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, LossesGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(LossesGoldenTest, ValuesReductionsAndGradientsAreKeras) {
  const nlohmann::json golden = testing::load_golden("losses");
  int number = 0;
  for (const nlohmann::json& row : golden.at("cases")) {
    const std::string what = row.at("loss").get<std::string>() + " " + row.at("config").dump() + " case " +
                             std::to_string(number++);
    const LossHandle loss = golden_loss(row.at("loss"), row.at("config"));
    const Tensor y_true = testing::golden_tensor(row.at("y_true"));
    const Tensor y_pred = testing::golden_tensor(row.at("y_pred"));
    Tensor mask;
    if (row.contains("mask")) mask = ops::not_equal(testing::golden_tensor(row.at("mask")), 0);
    SampleWeights weights;
    if (!row.at("sample_weight").is_null())
      weights.sample_weight = testing::golden_tensor(row.at("sample_weight"));
    EXPECT_NO_THROW(loss->check_types(y_true.type(), y_pred.type())) << what;
    testing::expect_close(loss->call(y_true, y_pred), testing::golden_tensor(row.at("values")), 1e-5, what);
    const Tensor result = loss(y_true, y_pred.with_mask(mask), weights.sample_weight);
    if (row.at("result").is_number()) {
      testing::expect_near_relative(result.item<double>(), row.at("result"), 1e-5, what);
    } else {
      testing::expect_close(result, testing::golden_tensor(row.at("result")), 1e-5, what);
    }
    const Tensor gradient = testing::gradient_at(
        y_pred, [&](const Tensor& p) { return ops::sum((*loss)(y_true, p.with_mask(mask), weights)); });
    testing::expect_close(gradient, testing::golden_tensor(row.at("gradient")), 1e-5, what + " gradient");
  }
  EXPECT_GT(number, 80);
}

TEST(LossesTest, PaddingRowsCountNowhereEvenWhenNaN) {
  const testing::OnReferenceBackend on_reference;
  const Tensor y_true = Tensor::of<float>({4, 2}, {0, 1, 1, 0, 5, 5, 5, 5});
  const Tensor y_pred = Tensor::of<float>({4, 2}, {1, 1, 1, 2, NAN, 7, INFINITY, 7});
  const losses::MeanSquaredError loss;
  const RowMask rows = RowMask::first_rows(2, 4);
  EXPECT_EQ((*loss)(y_true, y_pred, {.rows = rows}).item<float>(),
            (*loss)(y_true.rows(0, 2), y_pred.rows(0, 2)).item<float>());
  const Tensor gradient = testing::gradient_at(y_pred, [&](const Tensor& p) {
    return (*loss)(y_true, p, {.rows = RowMask::first_rows(Tensor::of<std::int32_t>({}, {2}), 4)});
  });
  EXPECT_EQ(gradient.at(0), 0.5);
  EXPECT_EQ(gradient.at(3), 1.0);
}

/// Labels and outputs that suit every loss; with `is_spoilt`, the third and fifth sample are not finite.
struct Samples {
  Tensor y_true, y_pred;
};
Samples samples_for(const Loss& loss, bool is_spoilt) {
  const float bad = is_spoilt ? NAN : 1, worse = is_spoilt ? INFINITY : 0;
  const Tensor outputs =
      Tensor::of<float>({5, 2}, {0.2F, 0.8F, 0.6F, 0.4F, bad, worse, 0.3F, 0.7F, -worse, bad});
  if (loss.num_label_classes({5, 2}).has_value())
    return {Tensor::of<std::int32_t>({5}, {1, 0, 1, 1, 0}), outputs};
  return {Tensor::of<float>({5, 2}, {0, 1, 1, 0, worse, bad, 1, 0, bad, 0}), outputs};
}

TEST_P(LossesGoldenTest, InfinityAndNaNOfWeightZeroReachNeitherLossNorGradient) {
  const Tensor weights = Tensor::of<float>({5}, {1, 2, 0, 0.5F, 0});
  const Tensor mask = ops::not_equal(weights, 0);
  const std::set<std::string> of_all_samples = {"circle", "ctc", "dice", "tversky"};  // in every value
  for (const std::string& name : Loss::names()) {
    if (of_all_samples.contains(name)) continue;
    const std::shared_ptr<Loss> loss = Loss::from_name(name);
    const Samples bad = samples_for(*loss, true), good = samples_for(*loss, false);
    const auto expect_same = [&](const SampleWeights& of, const Tensor& masked_by, const char* what) {
      const auto value = [&](const Samples& s) {
        return (*loss)(s.y_true, s.y_pred.with_mask(masked_by), of).item<float>();
      };
      EXPECT_EQ(value(bad), value(good)) << name << ", " << what;
      const auto slope = [&](const Samples& s) {
        return testing::gradient_at(
            s.y_pred, [&](const Tensor& p) { return (*loss)(s.y_true, p.with_mask(masked_by), of); });
      };
      testing::expect_close(slope(bad), slope(good), 0, name + ", " + what);
    };
    expect_same({.sample_weight = weights}, Tensor(), "weights");
    expect_same({.sample_weight = ops::expand_dims(weights, 1)}, Tensor(), "weights in a column");
    expect_same({}, mask, "a mask");
    expect_same({.sample_weight = weights}, mask, "both");
  }
}

TEST_P(LossesGoldenTest, NaNInAStepOfWeightZeroReachesNoOtherStep) {
  const Tensor weights = Tensor::of<float>({1, 3}, {1, 0, 2});
  const Tensor y_true = Tensor::of<float>({1, 3, 2}, {0, 1, NAN, NAN, 1, 0});
  const Tensor y_pred = Tensor::of<float>({1, 3, 2}, {0.5F, 0.25F, NAN, 0, 0.5F, 0.5F});
  const losses::MeanSquaredError loss;
  EXPECT_FLOAT_EQ(loss(y_true, y_pred, weights).item<float>(), (0.40625F + 2 * 0.25F) / 3);
  const Tensor gradient =
      testing::gradient_at(y_pred, [&](const Tensor& p) { return loss(y_true, p, weights); });
  testing::expect_close(gradient, Tensor::of<float>({1, 3, 2}, {0.5F / 3, -0.25F, 0, 0, -1.0F / 3, 1.0F / 3}),
                        1e-6, "gradient");
}

TEST(LossesTest, WeightsBelongToValuesWhicheverAxisALossReduces) {
  const testing::OnReferenceBackend on_reference;
  const Tensor y_true = Tensor::of<float>({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 10});
  const Tensor y_pred = Tensor::of<float>({3, 3}, {3, 1, NAN, -4, 1, 5, 9, 2, 6});
  const losses::CosineSimilarity of_columns({.axis = 0, .reduction = "sum"});
  const Tensor values = of_columns->call(y_true, y_pred);  // the last is NaN
  EXPECT_EQ(of_columns(y_true, y_pred, {1, 2, 0}).item<float>(),
            static_cast<float>(values.at(0)) + 2 * static_cast<float>(values.at(1)));
}

TEST(LossesTest, ALossOfYourOwnSeesPredictionsOfWeightZeroAsTheyAre) {
  const testing::OnReferenceBackend on_reference;
  const LossSpec own = [](const Tensor& y_true, const Tensor& y_pred) {
    return ops::mean(ops::square(y_true - y_pred), {.axis = -1}) + ops::max(y_pred);
  };
  const Tensor y_true = Tensor::zeros({2, 1}), y_pred = Tensor::of<float>({2, 1}, {1, 3});
  EXPECT_EQ((*own.get())(y_true, y_pred, {.sample_weight = Tensor::of<float>({2}, {1, 0})}).item<float>(), 2)
      << "the sample that does not count is in the largest prediction";
}

TEST_P(LossesGoldenTest, ZeroVectorsHaveKerassFiniteSlope) {
  const nlohmann::json golden = testing::load_golden("losses");
  EXPECT_EQ(golden.at("zero_vectors").size(), 2u);
  for (const nlohmann::json& row : golden.at("zero_vectors")) {
    const Tensor y_true = testing::golden_tensor(row.at("y_true"));
    const Tensor y_pred = testing::golden_tensor(row.at("y_pred"));
    const losses::CosineSimilarity loss({.reduction = "sum"});
    testing::expect_close(loss->call(y_true, y_pred), testing::golden_tensor(row.at("values")), 1e-5,
                          "values");
    testing::expect_close(testing::gradient_at(y_pred, [&](const Tensor& p) { return loss(y_true, p); }),
                          testing::golden_tensor(row.at("gradient")), 1e-5, "gradient");
  }
}

TEST(LossesTest, IntegerPredictionsDoNotWrapAround) {
  const testing::OnReferenceBackend on_reference;
  const Tensor labels = Tensor::of<float>({2, 2}, {3, 200, 10, 1});
  const Tensor outputs = Tensor::of<std::uint8_t>({2, 2}, {5, 190, 30, 2});
  EXPECT_EQ(losses::mean_absolute_error(labels, outputs).to_vector<float>(), (std::vector<float>{6, 10.5F}));
  EXPECT_EQ(losses::mean_squared_error(labels, outputs).to_vector<float>(), (std::vector<float>{52, 200.5F}));
  EXPECT_EQ(losses::cosine_similarity(labels, outputs).dtype(), DType::kF32);
}

TEST(LossesTest, AClassIdBeyond32BitsIsNoOtherClass) {
  const testing::OnReferenceBackend on_reference;
  const Tensor outputs = Tensor::of<float>({1, 3}, {0.2F, 0.3F, 0.5F});
  const auto value = [&](std::int64_t id) {
    return losses::sparse_categorical_crossentropy(Tensor::of<std::int64_t>({1}, {id}), outputs).at(0);
  };
  EXPECT_NEAR(value(1), -std::log(0.3), 1e-6);
  EXPECT_EQ(value((std::int64_t{1} << 32) + 1), value(7));
  EXPECT_EQ(value(-(std::int64_t{1} << 32) + 1), value(-1));
}

TEST(LossesTest, WeightsComeAsATensorAVectorALiteralListOrByName) {
  const testing::OnReferenceBackend on_reference;
  const Tensor y_true = Tensor::of<float>({3, 1}, {1, 2, 3}), y_pred = Tensor::of<float>({3, 1}, {2, 4, 6});
  const std::vector<float> weights = {3, 0, 1};
  const losses::MeanSquaredError loss({});
  for (const Tensor& value :
       {loss(y_true, y_pred, weights), loss(y_true, y_pred, Tensor(weights)), loss(y_true, y_pred, {3, 0, 1}),
        loss(y_true, y_pred, {.sample_weight = weights}), (*loss)(y_true, y_pred, Tensor(weights))})
    EXPECT_EQ(value.item<float>(), 4.0F);
  EXPECT_EQ(loss(y_true, y_pred, {}).item<float>(), 14.0F / 3);
}

TEST(LossesTest, NamesAreKerasSpellings) {
  for (const char* name : {"log_cosh", "logcosh", "LogCosh"})
    EXPECT_EQ(Loss::from_name(name)->name(), "log_cosh");
  for (const char* name : {"mse", "MSE", "mean_squared_error", "MeanSquaredError"})
    EXPECT_EQ(Loss::from_name(name)->name(), "mean_squared_error");
  for (const auto& [name, full] :
       {std::pair("MAPE", "mean_absolute_percentage_error"),
        std::pair("msle", "mean_squared_logarithmic_error"), std::pair("kld", "kl_divergence"),
        std::pair("KLDivergence", "kl_divergence"), std::pair("BCE", "binary_crossentropy"),
        std::pair("huber", "huber_loss"), std::pair("hinge", "hinge")})
    EXPECT_EQ(Loss::from_name(name)->name(), full);
}

TEST(LossesTest, PaddingRowsAndMaskedStepsCountNowhere) {
  const testing::OnReferenceBackend on_reference;
  const Tensor mask = ops::not_equal(Tensor::of<float>({3, 2}, {1, 0, 1, 1, 1, 1}), 0);
  const Tensor y_true = Tensor::zeros({3, 2, 1});
  const Tensor y_pred = Tensor::of<float>({3, 2, 1}, {1, 9, 2, 3, NAN, 9}).with_mask(mask);
  const losses::MeanSquaredError mean;
  EXPECT_FLOAT_EQ((*mean)(y_true, y_pred, {.rows = RowMask::first_rows(2, 3)}).item<float>(),
                  (1 + 4 + 9) / 3.0F);
  const losses::MeanSquaredError sum({.reduction = "sum"});
  EXPECT_FLOAT_EQ((*sum)(y_true, y_pred, {.rows = RowMask::first_rows(2, 3)}).item<float>(), 14.0F);
}

TEST(LossesTest, FunctionsAreLosses) {
  const testing::OnReferenceBackend on_reference;
  const Tensor y_true = Tensor::of<float>({2, 2}, {0, 0, 1, 1});
  const Tensor y_pred = Tensor::of<float>({2, 2}, {1, 1, 3, 3});
  const LossSpec a_sample = [](const Tensor& t, const Tensor& p) { return ops::sum(p - t, {.axis = -1}); };
  EXPECT_EQ((*a_sample.get())(y_true, y_pred).item<float>(), 3.0F);
  EXPECT_EQ((*a_sample.get())(y_true, y_pred, {.rows = RowMask::first_rows(1, 2)}).item<float>(), 2.0F);
  EXPECT_NO_THROW(a_sample.get()->check_types({DType::kI32, {kUnknown}}, {DType::kF32, {kUnknown, 7}}));
  const LossSpec a_batch = [](const Tensor& t, const Tensor& p) { return ops::sum(p - t); };
  EXPECT_EQ((*a_batch.get())(y_true, y_pred).item<float>(), 6.0F);
  EXPECT_THROW((void)(*a_batch.get())(y_true, y_pred, {.rows = RowMask::first_rows(1, 2)}), Error);
}

TEST(LossesTest, AFunctionSeesLabelsAndOutputsOfOneRank) {
  const LossHandle loss = Loss::from_function(
      [](const Tensor& t, const Tensor& p) { return ops::mean(ops::square(t - p), {.axis = -1}); });
  const Tensor vector = Tensor::of<float>({3}, {1, 2, 4}), column = ops::expand_dims(vector, -1);
  EXPECT_EQ(loss(vector, column).item<float>(), 0);
  EXPECT_EQ(loss(column, vector).item<float>(), 0);
  const Tensor grid = Tensor::zeros({3, 2}), deep = ops::expand_dims(grid, -1) + 1.0;
  EXPECT_EQ(loss(grid, deep).item<float>(), 1);
}

class SignedError : public Loss {
 public:
  SignedError() : Loss("signed_error") {}
  Tensor call(const Tensor& y_true, const Tensor& y_pred) const override {
    return ops::square(2 * y_true - 1 - y_pred);
  }
};

class LabelDType : public Loss {
 public:
  explicit LabelDType(std::optional<std::int64_t> num_classes)
      : Loss("label_dtype"), num_classes_(num_classes) {}
  Tensor call(const Tensor& y_true, const Tensor& y_pred) const override {
    dtype = y_true.dtype();
    return ops::zeros_like(y_pred);
  }
  std::optional<std::int64_t> num_label_classes(const Dims&) const override { return num_classes_; }
  mutable DType dtype = DType::kI1;

 private:
  std::optional<std::int64_t> num_classes_;
};

TEST(LossesTest, OwnLossesGetIntegerLabelsAsFloats) {
  const Tensor y_true = Tensor::of<std::uint8_t>({2, 1}, {0, 1}),
               y_pred = Tensor::of<float>({2, 1}, {0.5, 0.5});
  const LossHandle function =
      Loss::from_function([](const Tensor& t, const Tensor& p) { return ops::square(2 * t - 1 - p); });
  const SignedError object;
  EXPECT_EQ(function(y_true, y_pred).item<float>(), 1.25F);
  EXPECT_EQ(object(y_true, y_pred).item<float>(), 1.25F);
  EXPECT_EQ(function(ops::cast(y_true, DType::kI1), y_pred).item<float>(), 1.25F);
  const LabelDType of_numbers({}), of_classes(3);
  for (const LabelDType* loss : {&of_numbers, &of_classes}) (void)(*loss)(y_true, y_pred);
  EXPECT_EQ(of_numbers.dtype, DType::kF32);
  EXPECT_EQ(of_classes.dtype, DType::kU8);
}

TEST(LossesTest, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(losses::BinaryCrossentropy({.label_smoothing = 1.5}), Error);
  EXPECT_THROW(losses::MeanSquaredError({.reduction = "meen"}), Error);
  EXPECT_THROW(losses::MeanSquaredError({.dtype = DType::kI32}), Error);
  EXPECT_THROW(losses::CategoricalGeneralizedCrossEntropy({.q = 0}), Error);
  EXPECT_EQ(losses::SparseCategoricalCrossentropy({.ignore_class = -1})->ignored_class(), -1);
  const testing::OnReferenceBackend on_reference;
  const Tensor wide =
      losses::MeanSquaredError({.dtype = DType::kF64})(Tensor::zeros({2, 2}), Tensor::zeros({2, 2}));
  EXPECT_EQ(wide.dtype(), DType::kF64);
}

std::string loss_error_message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(LossesTest, LossesThatCompareRowsNeedThemWithoutPadding) {
  const testing::OnReferenceBackend on_reference;
  const Tensor y_true = ops::ones({4, 3}), y_pred = ops::full({4, 3}, 0.5);
  const RowMask rows = RowMask::first_rows(Tensor(2), 4);
  for (const LossHandle& loss : {LossHandle(losses::Dice()), LossHandle(losses::Tversky({.axis = {{0, 1}}}))})
    EXPECT_THROW(loss(y_true, y_pred, SampleWeights{.rows = rows}), Error) << loss.name();
  EXPECT_THROW(losses::Circle()(ops::arange(4), y_pred, SampleWeights{.rows = rows}), Error);
  // Without the axis of the rows, padding rows do not count.
  EXPECT_NEAR(losses::Dice({.axis = -1})(y_true, y_pred, SampleWeights{.rows = rows}).item<double>(),
              1 - 3 / 4.5, 1e-6);
}

TEST(LossesTest, LabelsOfNewLossesThatDoNotFitAreRefused) {
  const TensorType ids{DType::kI32, {kUnknown}}, rows{DType::kF32, {kUnknown, 4}};
  const TensorType sequences{DType::kF32, {kUnknown, 7, 4}};
  EXPECT_THROW(losses::Circle()->check_types(rows, rows), Error);
  EXPECT_NO_THROW(losses::Circle()->check_types(ids, rows));
  EXPECT_THROW(losses::CTC()->check_types(ids, sequences), Error);
  EXPECT_NO_THROW(losses::CTC()->check_types(rows, sequences));
  EXPECT_THROW(losses::Dice()->check_types(ids, rows), Error);
  EXPECT_THROW(losses::Tversky({.alpha = -1}), Error);
  EXPECT_THROW(losses::Tversky({.beta = -1}), Error);
}

TEST(LossesTest, RowsWithoutReferencesHaveTheValueZeroAndNoGradient) {
  const testing::OnReferenceBackend on_reference;
  const Tensor labels = ops::arange(3);  // each class has one row
  const Tensor y_pred = ops::eye(3);
  EXPECT_EQ(losses::Circle()(labels, y_pred).item<double>(), 0);
  const Tensor gradient =
      testing::gradient_at(y_pred, [&](const Tensor& p) { return losses::Circle()(labels, p); });
  EXPECT_EQ(ops::max(ops::abs(gradient)).item<double>(), 0);
}

TEST(LossesTest, UnknownNameIsAnsweredWithTheNearest) {
  const std::string message =
      loss_error_message([] { (void)Loss::from_name("sparse_categorical_crosentropy"); });
  EXPECT_NE(message.find("did you mean \"sparse_categorical_crossentropy\"?"), std::string::npos) << message;
}

TEST(LossesTest, ClassIdsForADenseLossProposeOneHotOrTheSparseLoss) {
  const TensorType output = {DType::kF32, {kUnknown, 3}};
  const auto expect_proposals = [&](const LossHandle& loss, const Dims& labels) {
    const std::string message = loss_error_message([&] { loss->check_types({DType::kI32, labels}, output); });
    EXPECT_NE(message.find("one-hot"), std::string::npos) << message;
    EXPECT_NE(message.find("sparse_categorical_crossentropy"), std::string::npos) << message;
  };
  expect_proposals(losses::CategoricalCrossentropy(), {kUnknown});
  expect_proposals(losses::BinaryCrossentropy(), {kUnknown});
  expect_proposals(losses::CategoricalCrossentropy(), {kUnknown, 1});
  expect_proposals(losses::BinaryCrossentropy(), {kUnknown, 1});
  EXPECT_NO_THROW(losses::LogCosh()->check_types({DType::kI32, {kUnknown, 1}}, output))
      << "broadcasts, as in Keras";
  EXPECT_NO_THROW(losses::LogCosh()->check_types({DType::kF32, {150, 3}}, output));
}

TEST(LossesTest, LabelsOfOneValueAColumnBroadcastWhereTheirNumberIsNotThatOfTheRows) {
  const testing::OnReferenceBackend on_reference;
  const Tensor labels = Tensor::of<float>({3}, {0, 1, 2}),
               outputs = Tensor::of<float>({2, 3}, {0, 1, 2, 1, 2, 3});
  EXPECT_EQ((*Loss::from_name("mse"))(labels, outputs).item<float>(), 0.5F);
}

TEST(LossesTest, LabelsOfOneValueARowAreAColumnWithAWarningThatProposesTheSparseLoss) {
  const testing::OnReferenceBackend on_reference;
  const Tensor labels = Tensor::of<std::int32_t>({3}, {0, 2, 1}), outputs = ops::full({3, 3}, 0.3F);
  for (const char* name : {"mse", "mae", "mape", "msle", "log_cosh", "huber", "poisson", "hinge",
                           "squared_hinge", "categorical_hinge", "kl_divergence", "cosine_similarity"}) {
    const std::shared_ptr<Loss> loss = Loss::from_name(name);
    CapturedLog log;
    loss->check_types({DType::kI32, {kUnknown}}, {DType::kF32, {kUnknown, 3}});
    const std::string said = log.take();
    EXPECT_NE(said.find("one-hot"), std::string::npos) << said;
    EXPECT_NE(said.find("sparse_categorical_crossentropy"), std::string::npos) << said;
    loss->check_types({DType::kI32, {kUnknown}}, {DType::kF32, {kUnknown, 3}});
    EXPECT_EQ(log.take(), "") << "once";
    EXPECT_EQ((*loss)(labels, outputs).item<float>(),
              (*loss)(ops::expand_dims(labels, 1), outputs).item<float>())
        << name;
  }
}

TEST(LossesTest, ShapesThatDoNotFitNameTheLossAndBothTensors) {
  const std::string message =
      loss_error_message([] { (*losses::MeanSquaredError())(Tensor::zeros({3, 2}), Tensor::zeros({4, 2})); });
  EXPECT_TRUE(message.starts_with("[mean_squared_error] ")) << message;
  EXPECT_TRUE(message.ends_with("; y_true has shape (3, 2), y_pred has shape (4, 2)")) << message;
}

TEST(LossesTest, TheSparseLossTakesOutputsOfAnOpenNumberOfClasses) {
  const losses::SparseCategoricalCrossentropy loss;
  const TensorType output = {DType::kF32, {kUnknown, kUnknown}};
  EXPECT_NO_THROW(loss->check_types({DType::kI32, {150}}, output));
  EXPECT_NO_THROW(loss->check_types({DType::kI32, {150, 1}}, output));
  EXPECT_FALSE(loss->num_label_classes(output.dims).has_value());
}

TEST(LossesTest, AnAxisThatTheOutputOfTheSparseLossDoesNotHaveIsNamed) {
  const TensorType output = {DType::kF32, {kUnknown, 3}}, labels = {DType::kI32, {kUnknown}};
  for (const std::int64_t axis : {2, -3}) {
    const losses::SparseCategoricalCrossentropy loss({.axis = axis});
    const std::string expected =
        "axis is outside the 2 axes of the output (None, 3); got axis = " + std::to_string(axis);
    for (const std::string& message :
         {loss_error_message([&] { loss->check_types(labels, output); }),
          loss_error_message([&] { (void)loss->num_label_classes(output.dims); })})
      EXPECT_NE(message.find(expected), std::string::npos) << message;
  }
}

TEST(LossesTest, OneHotLabelsForTheSparseLossProposeTheDenseOne) {
  const losses::SparseCategoricalCrossentropy loss;
  const TensorType output = {DType::kF32, {kUnknown, 3}};
  const std::string message = loss_error_message([&] { loss->check_types({DType::kF32, {150, 3}}, output); });
  EXPECT_NE(message.find("\"categorical_crossentropy\""), std::string::npos) << message;
  EXPECT_NO_THROW(loss->check_types({DType::kI32, {150}}, output));
  EXPECT_NO_THROW(loss->check_types({DType::kI32, {150, 1}}, output));
  EXPECT_EQ(loss->num_label_classes(output.dims), 3);
  EXPECT_FALSE(losses::LogCosh()->num_label_classes(output.dims).has_value());
}

TEST(LossesTest, TheDtypeIsFloatxUnlessItIsGiven) {
  config::set_floatx("float64");
  const losses::Dice by_setting;
  const losses::Dice given({.dtype = DType::kF32});
  config::set_floatx("float32");
  EXPECT_EQ(by_setting->dtype(), DType::kF64);
  EXPECT_EQ(by_setting(ops::ones({2, 2}), ops::ones({2, 2})).dtype(), DType::kF64);
  EXPECT_EQ(given->dtype(), DType::kF32);
}

}  // namespace
}  // namespace cornu::inline v0::keras
