#include "cornu/keras/layers/embedding/distributed_embedding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {
namespace {

using layers::DistributedEmbedding;
using layers::FeatureConfig;
using layers::TableConfig;
using Floats = std::vector<float>;

/// The rows (1, 10), (2, 20), (3, 30), (4, 40), times the factor.
Tensor tens(double factor = 1) { return Tensor::of<float>({4, 2}, {1, 10, 2, 20, 3, 30, 4, 40}) * factor; }
TableConfig four_by_two(const std::string& combiner) {
  return {.vocabulary_size = 4, .dim = 2, .combiner = combiner, .name = "table"};
}
DistributedEmbedding layer_of(const FeatureConfig& feature) {
  return DistributedEmbedding({.feature_configs = {feature}});
}
/// The output of a layer whose only table is tens().
Tensor looked_up(const DistributedEmbedding& layer, const std::vector<Tensor>& inputs) {
  layer.call_many(inputs);  // builds
  layer.set_weights({tens()});
  return layer.call_many(inputs)[0];
}
/// Runs `f` in a new session, so that layers are numbered from the beginning.
std::string fresh_error_text_of(const std::function<void()>& f) {
  clear_session();
  return error_text_of(f);
}
std::string options_error(const std::vector<FeatureConfig>& features) {
  return fresh_error_text_of([&] { DistributedEmbedding({.feature_configs = features}); });
}

class DistributedEmbeddingTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, DistributedEmbeddingTest, testing::platforms(), testing::PlatformName());

const Tensor& three_rows() {
  static const auto& ids = *new Tensor(Tensor::of<std::int64_t>({3, 3}, {1, 2, -1, 3, 3, 0, -1, -7, -1}));
  return ids;
}

TEST_P(DistributedEmbeddingTest, CombinesTheIdsThatAreThere) {
  const auto of = [](const char* combiner) {
    return looked_up(layer_of({.table = four_by_two(combiner)}), {three_rows()}).to_vector<float>();
  };
  EXPECT_EQ(of("sum"), (Floats{5, 50, 9, 90, 0, 0}));
  EXPECT_EQ(of("mean"), (Floats{2.5, 25, 3, 30, 0, 0}));
  const Floats by_root = of("sqrtn");
  const double two = std::sqrt(2.0), three = std::sqrt(3.0);
  const std::vector<double> wanted = {5 / two, 50 / two, 9 / three, 90 / three, 0, 0};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(by_root[i], wanted[i], 1e-5);
}

TEST_P(DistributedEmbeddingTest, WeightsOfAbsentIdsDoNotCountAndDivisorsOfZeroGiveZeros) {
  // Row 2's weights are 1 and -1: its mean has no divisor. Row 3 has no ids, whatever its weights.
  const Tensor ids = Tensor::of<std::int32_t>({4, 3}, {1, 2, -1, 0, 3, -1, 0, 1, -1, -1, -1, -1});
  const Tensor weights = Tensor::of<float>({4, 3}, {3, 1, NAN, 2, -1, 5, 1, -1, 0, 1, 2, 3});
  const auto of = [&](const char* combiner) {
    return looked_up(layer_of({.table = four_by_two(combiner), .weighted = true}), {ids, weights});
  };
  EXPECT_EQ(of("sum").to_vector<float>(), (Floats{9, 90, -2, -20, -1, -10, 0, 0}));
  EXPECT_EQ(of("mean").to_vector<float>(), (Floats{2.25, 22.5, -2, -20, 0, 0, 0, 0}));
  const Floats by_root = of("sqrtn").to_vector<float>();
  const double ten = std::sqrt(10.0), five = std::sqrt(5.0), two = std::sqrt(2.0);
  const std::vector<double> wanted = {9 / ten, 90 / ten, -2 / five, -20 / five, -1 / two, -10 / two, 0, 0};
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(by_root[i], wanted[i], 1e-5) << i;
}

TEST_P(DistributedEmbeddingTest, OneIdARowNeedsNoAxis) {
  const Tensor ids = Tensor::of<std::uint8_t>({2}, {3, 1});
  EXPECT_EQ(looked_up(layer_of({.table = four_by_two("mean")}), {ids}).to_vector<float>(),
            (Floats{4, 40, 2, 20}));
  const Tensor some = Tensor::of<std::int32_t>({3}, {3, -1, 1}), weights = Tensor::of<float>({3}, {2, 2, 0});
  const FeatureConfig sum{.table = four_by_two("sum"), .weighted = true},
      mean{.table = four_by_two("mean"), .weighted = true};
  EXPECT_EQ(looked_up(layer_of(sum), {some, weights}).to_vector<float>(), (Floats{8, 80, 0, 0, 0, 0}));
  EXPECT_EQ(looked_up(layer_of(mean), {some, weights}).to_vector<float>(), (Floats{4, 40, 0, 0, 0, 0}));
  const DistributedEmbedding by_name = layer_of(sum);
  looked_up(by_name, {some, weights});
  EXPECT_EQ(by_name({{"feature_0_weights", weights}, {"feature_0", some}}).to_vector<float>(),
            (Floats{8, 80, 0, 0, 0, 0}));
}

TEST_P(DistributedEmbeddingTest, RowsWithoutAnyPlaceGiveZeros) {
  EXPECT_EQ(looked_up(layer_of({.table = four_by_two("mean")}), {Tensor::of<std::int32_t>({2, 0}, {})})
                .to_vector<float>(),
            (Floats{0, 0, 0, 0}));
}

TEST_P(DistributedEmbeddingTest, IdsBeyondTheTableReadItsLastRowAndFractionsAreCutOff) {
  const Tensor far = Tensor::of<std::int64_t>({2, 1}, {4, std::int64_t{1} << 40});
  EXPECT_EQ(looked_up(layer_of({.table = four_by_two("sum")}), {far}).to_vector<float>(),
            (Floats{4, 40, 4, 40}));
  const Tensor fractions = Tensor::of<float>({2, 1}, {1.75F, -1.0F});
  EXPECT_EQ(looked_up(layer_of({.table = four_by_two("sum")}), {fractions}).to_vector<float>(),
            (Floats{2, 20, 0, 0}));
}

TEST_P(DistributedEmbeddingTest, SequencesAreCutOrFilledUpAndCarryAMask) {
  const FeatureConfig two{.table = four_by_two("mean"), .max_sequence_length = 2};
  const Tensor cut = looked_up(layer_of(two), {three_rows()});
  EXPECT_EQ(cut.to_vector<float>(), (Floats{2, 20, 3, 30, 4, 40, 4, 40, 0, 0, 0, 0}));
  ASSERT_NE(cut.mask(), nullptr);
  EXPECT_EQ(cut.mask()->to_vector<int>(), (std::vector<int>{1, 1, 1, 1, 0, 0}));

  const FeatureConfig four{.table = four_by_two("mean"), .max_sequence_length = 4};
  const Tensor filled = looked_up(layer_of(four), {three_rows().rows(0, 1)});
  EXPECT_EQ(filled.to_vector<float>(), (Floats{2, 20, 3, 30, 0, 0, 0, 0}));
  EXPECT_EQ(filled.mask()->to_vector<int>(), (std::vector<int>{1, 1, 0, 0}));
  const Tensor bytes = Tensor::of<std::uint8_t>({1, 2}, {3, 0});
  EXPECT_EQ(looked_up(layer_of(four), {bytes}).to_vector<float>(), (Floats{4, 40, 1, 10, 0, 0, 0, 0}));
  EXPECT_EQ(looked_up(layer_of({.table = four_by_two("mean")}), {three_rows()}).mask(), nullptr);
}

TEST_P(DistributedEmbeddingTest, FeaturesOfOneTableShareItAndAddTheirGradients) {
  const TableConfig table = four_by_two("sum");
  const DistributedEmbedding layer(
      {.feature_configs = {{.table = table, .name = "a"}, {.table = table, .weighted = true, .name = "b"}}});
  const std::vector<Tensor> inputs = {Tensor::of<std::int32_t>({2, 2}, {1, -1, 2, 1}),
                                      Tensor::of<std::int32_t>({2, 1}, {1, -1}),
                                      Tensor::of<float>({2, 1}, {5, 7})};
  layer.call_many(inputs);
  ASSERT_EQ(layer.trainable_weights().size(), 1U);
  EXPECT_EQ(layer.weight("table").path(), layer.name() + "/table");
  GradientTape tape;
  const std::vector<Tensor> outputs = layer.call_many(inputs);
  const Tensor loss = ops::sum(outputs[0]) + ops::sum(outputs[1]);
  const Tensor gradient = tape.gradient(loss, layer.trainable_weights())[0];
  EXPECT_EQ(gradient.to_vector<float>(), (Floats{0, 0, 7, 7, 1, 1, 0, 0}));
}

/// Largest difference between the gradient of sum(f(x) * c) and central differences, in f64.
double gradient_error(const Tensor& x, const std::function<Tensor(const Tensor&)>& f) {
  const auto loss = [&](const Tensor& at) {
    const Tensor y = f(at);
    const Tensor factors =
        ops::reshape(ops::cos(ops::cast(ops::arange(y.num_elements()), DType::kF64)), y.shape());
    return ops::sum(y * factors);
  };
  const Tensor gradient = testing::gradient_at(x, loss);
  double error = 0;
  std::vector<double> values = x.to_vector<double>();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto moved = [&](double by) {
      std::vector<double> others = values;
      others[i] += by;
      return loss(Tensor::adopt(x.shape(), std::move(others))).item<double>();
    };
    const double wanted = (moved(1e-5) - moved(-1e-5)) / 2e-5;
    const double difference = std::abs(gradient.at(static_cast<std::int64_t>(i)) - wanted);
    error = std::isnan(difference) ? INFINITY : std::max(error, difference);
  }
  return error;
}

TEST_P(DistributedEmbeddingTest, GradientsOfTableAndWeightsAreThoseOfFiniteDifferences) {
  // One row has no ids, and one has a single id whose weight counts in the sum only.
  const Tensor ids = Tensor::of<std::int32_t>({4, 3}, {1, 2, -1, 3, 3, 0, -1, -1, -1, 2, -1, 2});
  const Tensor weights = Tensor::of<double>({4, 3}, {0.5, 2, 1, -1.5, 0.75, 3, 1, 2, 3, 1, 9, -0.25});
  const Tensor table = ops::cast(tens(0.1), DType::kF64);
  for (const char* combiner : {"sum", "mean", "sqrtn"}) {
    for (const bool weighted : {false, true}) {
      const DistributedEmbedding layer(
          {.feature_configs = {{.table = four_by_two(combiner), .weighted = weighted}}, .dtype = "float64"});
      const auto output = [&](const Tensor& factors) {
        return weighted ? layer.call_many({ids, factors})[0] : layer.call_many({ids})[0];
      };
      output(weights);
      if (weighted) {
        layer.set_weights({table});
        EXPECT_LT(gradient_error(weights, output), 1e-7) << combiner;
      }
      // The gradient of the table: the layer's weight takes the variable's place.
      layer.set_weights({table});
      GradientTape tape;
      const Tensor y = output(weights);
      const Tensor factors =
          ops::reshape(ops::cos(ops::cast(ops::arange(y.num_elements()), DType::kF64)), y.shape());
      const Tensor gradient = tape.gradient(ops::sum(y * factors), layer.trainable_weights())[0];
      std::vector<double> values = table.to_vector<double>();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto moved = [&](double by) {
          std::vector<double> others = values;
          others[i] += by;
          layer.set_weights({Tensor::adopt(table.shape(), std::move(others))});
          return ops::sum(output(weights) * factors).item<double>();
        };
        const double wanted = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        EXPECT_NEAR(gradient.at(static_cast<std::int64_t>(i)), wanted, 1e-7) << combiner << " " << weighted;
      }
    }
  }
}

TEST_P(DistributedEmbeddingTest, ARowWithoutIdsHasNoGradientThatIsNotFinite) {
  const Tensor ids = Tensor::of<std::int32_t>({1, 2}, {-1, -1});
  for (const char* combiner : {"mean", "sqrtn"}) {
    const DistributedEmbedding layer = layer_of({.table = four_by_two(combiner), .weighted = true});
    const auto f = [&](const Tensor& weights) { return ops::sum(layer.call_many({ids, weights})[0]); };
    f(Tensor::zeros({1, 2}));
    EXPECT_EQ(testing::gradient_at(Tensor::zeros({1, 2}), f).to_vector<float>(), (Floats{0, 0})) << combiner;
  }
}

TEST_P(DistributedEmbeddingTest, CheckIdsNamesTheFeatureAndTakesNegativeIdsForNone) {
  clear_session();
  const Input seen({.shape = {2}, .dtype = DType::kI32, .name = "seen"});
  Model model({.inputs = seen,
               .outputs = layer_of({.table = four_by_two("sum"), .name = "films"}).call_many({seen})[0]});
  model.compile({.optimizer = "sgd", .loss = "mse", .check_ids = true});
  const auto train_on = [&](const Tensor& ids) { model.train_on_batch(ids, Tensor::zeros({2, 2})); };
  EXPECT_EQ(fresh_error_text_of([&] { train_on(Tensor::of<std::int32_t>({2, 2}, {0, -1, -9, 3})); }),
            "no error");
  const std::string message =
      fresh_error_text_of([&] { train_on(Tensor::of<std::int32_t>({2, 2}, {0, -1, 3, 4})); });
  EXPECT_NE(message.find("feature \"films\": id 4 at (1, 1) is outside [0, 4)"), std::string::npos)
      << message;
  EXPECT_NE(message.find("in layer \"distributed_embedding\""), std::string::npos) << message;
}

TEST_P(DistributedEmbeddingTest, UnderAMixedPolicyTheTableStaysWhole) {
  const DistributedEmbedding layer(
      {.feature_configs = {{.table = four_by_two("sum")}}, .dtype = "mixed_bfloat16"});
  const Tensor output = layer.call_many({three_rows()})[0];
  EXPECT_EQ(output.dtype(), DType::kBF16);
  EXPECT_EQ(layer.weight("table").type().dtype, DType::kF32);
}

/// Two features of one table, one of them weighted, a sequence of another table and numbers, by their names.
struct Clicks {
  std::int64_t num_rows;
  Tensor seen, rated, ratings, words, ages, clicked;

  explicit Clicks(std::int64_t n) : num_rows(n) {
    const auto count = static_cast<std::size_t>(n);
    std::vector<std::int64_t> seen_ids, rated_ids, word_ids;
    Floats stars, years, labels;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        seen_ids.push_back(k <= i % 3 ? static_cast<std::int64_t>((i * 5 + k * 3) % 20) : -1);
        rated_ids.push_back(k < i % 4 ? static_cast<std::int64_t>((i * 7 + k) % 20) : -1);
        stars.push_back(static_cast<float>(1 + (i + k) % 5));
        word_ids.push_back(k < i % 4 ? static_cast<std::int64_t>((i + k) % 9) : -1);
      }
      years.push_back(static_cast<float>(i % 10) / 10);
      labels.push_back(seen_ids[3 * i] % 2 == 0 ? 1 : 0);
    }
    seen = Tensor::adopt({n, 3}, std::move(seen_ids));
    rated = Tensor::adopt({n, 3}, std::move(rated_ids));
    words = Tensor::adopt({n, 3}, std::move(word_ids));
    ratings = Tensor::adopt({n, 3}, std::move(stars));
    ages = Tensor::adopt({n, 1}, std::move(years));
    clicked = Tensor::adopt({n, 1}, std::move(labels));
  }
  Tensors inputs() const {
    return {{"ages", ages}, {"seen", seen}, {"words", words}, {"rated", rated}, {"ratings", ratings}};
  }
};

Model clicks_model(const OptimizerSpec& optimizer, bool run_eagerly = false) {
  clear_session();
  set_random_seed(3);
  const Input seen({.shape = {3}, .dtype = DType::kI64, .name = "seen"}),
      rated({.shape = {3}, .dtype = DType::kI64, .name = "rated"}),
      ratings({.shape = {3}, .name = "ratings"}),
      words({.shape = {3}, .dtype = DType::kI64, .name = "words"}), ages({.shape = {1}, .name = "ages"});
  const TableConfig films{.vocabulary_size = 20, .dim = 4, .combiner = "mean", .name = "films"};
  const TableConfig vocabulary{.vocabulary_size = 9, .dim = 3, .initializer = "uniform", .name = "words"};
  const DistributedEmbedding lookup(
      {.feature_configs = {{.table = films, .name = "seen"},
                           {.table = films, .weighted = true, .name = "rated"},
                           {.table = vocabulary, .max_sequence_length = 4, .name = "words"}}});
  const std::vector<KerasTensor> found = lookup.call_many({seen, rated, ratings, words});
  const KerasTensor text = layers::LSTM({.units = 2})(found[2]);
  const KerasTensor joined = layers::concatenate({found[0], found[1], text, ages});
  const KerasTensor clicked = layers::Dense({.units = 1, .activation = "sigmoid"})(joined);
  Model model({.inputs = {seen, rated, ratings, words, ages}, .outputs = clicked});
  model.compile({.optimizer = optimizer, .loss = "binary_crossentropy", .run_eagerly = run_eagerly});
  return model;
}

TEST_P(DistributedEmbeddingTest, FitsOnADataSetOfNamedInputsAndPartialBatches) {
  const Clicks clicks(70);
  const data::Dataset batches =
      data::Dataset::from_tensor_slices({data::Element({{"ages", clicks.ages},
                                                        {"seen", clicks.seen},
                                                        {"words", clicks.words},
                                                        {"rated", clicks.rated},
                                                        {"ratings", clicks.ratings}}),
                                         data::Element(clicks.clicked)})
          .batch(16);
  Model model = clicks_model(optimizers::Adam({.learning_rate = 0.05}));
  const auto history = model.fit(batches, {.epochs = 20, .verbose = 0});
  EXPECT_LT(history["loss"].back(), 0.2);
  const std::string explain =
      model.train_program(clicks.inputs(), clicks.clicked, {.batch_size = 16}).explain;
  EXPECT_EQ(explain.find("partial batches"), std::string::npos) << explain;

  Model by_arrays = clicks_model(optimizers::Adam({.learning_rate = 0.05}));
  const auto same = by_arrays.fit(clicks.inputs(), clicks.clicked,
                                  {.batch_size = 16, .epochs = 20, .verbose = 0, .shuffle = false});
  EXPECT_EQ(same["loss"], history["loss"]);

  Model eager = clicks_model(optimizers::Adam({.learning_rate = 0.05}), true);
  const auto slow = eager.fit(clicks.inputs(), clicks.clicked,
                              {.batch_size = 16, .epochs = 2, .verbose = 0, .shuffle = false});
  EXPECT_NEAR(slow["loss"][1], history["loss"][1], 1e-5);
}

TEST_P(DistributedEmbeddingTest, ModelsAreSavedAndLoaded) {
  const Clicks clicks(12);
  Model model = clicks_model("sgd");
  model.fit(clicks.inputs(), clicks.clicked, {.epochs = 2, .verbose = 0});
  const std::string path =
      (std::filesystem::temp_directory_path() / ("clicks_" + std::string(GetParam()) + ".keras")).string();
  model.save(path);
  Model loaded = load_model(path);
  std::filesystem::remove(path);
  EXPECT_EQ(loaded.predict(clicks.inputs(), {.verbose = 0}).to_vector<float>(),
            model.predict(clicks.inputs(), {.verbose = 0}).to_vector<float>());
  EXPECT_EQ(loaded.count_params(), model.count_params());
}

TEST(DistributedEmbeddingOptionsTest, TablesBeginTruncatedNormalByTheirWidth) {
  const DistributedEmbedding layer =
      layer_of({.table = {.vocabulary_size = 4000, .dim = 16, .name = "wide"}});
  layer.call_many({Tensor::of<std::int32_t>({1, 1}, {0})});
  const Tensor table = layer.weight("wide").value();
  const double stddev = ops::std(table).item<double>();
  // A deviation of 0.88 of the untruncated distribution's.
  EXPECT_NEAR(stddev, 0.25 * 0.8796, 0.005);
  EXPECT_LE(ops::max(ops::abs(table)).item<double>(), 0.5);
}

TEST(DistributedEmbeddingOptionsTest, TypesFollowFromARule) {
  const TableConfig table = four_by_two("mean");
  const DistributedEmbedding layer(
      {.feature_configs = {{.table = table, .name = "a"},
                           {.table = table, .weighted = true, .name = "b"},
                           {.table = table, .max_sequence_length = 5, .name = "c"}}});
  const std::vector<TensorType> inputs = {{DType::kI32, {kUnknown}},
                                          {DType::kI32, {kUnknown, kUnknown}},
                                          {DType::kF32, {kUnknown, kUnknown}},
                                          {DType::kI32, {kUnknown, 3}}};
  EXPECT_TRUE(layer->has_type_rule());
  const Trace before;
  const std::vector<TensorType> types = layer->compute_output_types(inputs);
  const Trace after;
  EXPECT_EQ(after.id() - before.id(), 1U);
  EXPECT_EQ(types, (std::vector<TensorType>{{DType::kF32, {kUnknown, 2}},
                                            {DType::kF32, {kUnknown, 2}},
                                            {DType::kF32, {kUnknown, 5, 2}}}));
}

TEST(DistributedEmbeddingOptionsTest, AConfigurationSaysWhichTablesAreShared) {
  clear_session();
  const TableConfig table{.vocabulary_size = 4,
                          .dim = 2,
                          .initializer = initializers::RandomNormal({.stddev = 0.5}),
                          .name = "t"};
  const DistributedEmbedding layer(
      {.feature_configs = {{.table = table}, {.table = table, .max_sequence_length = 3, .name = "b"}}});
  const Config config = layer.get_config();
  EXPECT_EQ(config.at("feature_configs").at(std::size_t{1}).at("table").at("name"), Config("t"));
  EXPECT_EQ(config.at("feature_configs").at(std::size_t{1}).at("max_sequence_length"), Config(3));
  const LayerHandle again(saving::from_config<Layer>("DistributedEmbedding", config));
  EXPECT_EQ(again.get_config(), config);
  again.call_many({Tensor::of<std::int32_t>({1, 1}, {0}), Tensor::of<std::int32_t>({1, 1}, {0})});
  EXPECT_EQ(again.weights().size(), 1U);
}

TEST(DistributedEmbeddingOptionsTest, ConfigurationsThatDoNotFitAreRefused) {
  const auto refusal = [](const char* features) {
    return fresh_error_text_of([&] {
      saving::from_config<Layer>("DistributedEmbedding",
                                 Config::parse(std::string("{\"feature_configs\": ") + features + "}"));
    });
  };
  EXPECT_EQ(
      refusal("3"),
      "[from_config] feature_configs of DistributedEmbedding must be a list of features; got an integer: 3");
  EXPECT_EQ(refusal("[{\"tabel\": {}}]"),
            "[from_config] FeatureConfig has no key \"tabel\"; did you mean \"table\"?");
  EXPECT_EQ(refusal("[{\"table\": {\"dims\": 3}}]"),
            "[from_config] TableConfig has no key \"dims\"; did you mean \"dim\"?");
  EXPECT_EQ(refusal("[{\"table\": 0}]"),
            "[from_config] the config of TableConfig must be a dict; got an integer");
}

TEST(DistributedEmbeddingOptionsTest, RefusesTablesAndFeaturesThatCannotBe) {
  const std::string in_layer = "; in layer \"distributed_embedding\"";
  const auto refusal = [](const TableConfig& table) {
    return options_error({{.table = table, .name = "f"}});
  };
  EXPECT_EQ(options_error({}),
            "[distributed_embedding] feature_configs must hold at least one feature" + in_layer);
  EXPECT_EQ(refusal({.vocabulary_size = 4, .dim = 2}),
            "[distributed_embedding] a name must be given to the table of feature \"f\"" + in_layer);
  EXPECT_EQ(refusal({.vocabulary_size = 4, .dim = 2, .name = "a/b"}),
            "[distributed_embedding] \"/\" must not occur in the name \"a/b\" of the table of feature \"f\"" +
                in_layer);
  EXPECT_EQ(
      refusal({.vocabulary_size = 0, .dim = 2, .name = "t"}),
      "[distributed_embedding] vocabulary_size must be positive; got vocabulary_size = 0 in table \"t\" of "
      "feature \"f\"" +
          in_layer);
  EXPECT_EQ(refusal({.vocabulary_size = 4, .dim = -2, .name = "t"}),
            "[distributed_embedding] dim must be positive; got dim = -2 in table \"t\" of feature \"f\"" +
                in_layer);
  EXPECT_EQ(refusal({.vocabulary_size = 4, .dim = 2, .combiner = "max", .name = "t"}),
            "[distributed_embedding] combiner must be \"sum\", \"mean\" or \"sqrtn\"; got \"max\" in table "
            "\"t\" of "
            "feature \"f\"" +
                in_layer);
  EXPECT_EQ(
      options_error({{.table = four_by_two("sum"), .max_sequence_length = -1}}),
      "[distributed_embedding] max_sequence_length must not be negative; got -1 of feature \"feature_0\"" +
          in_layer);
  EXPECT_EQ(
      options_error({{.table = four_by_two("sum"), .max_sequence_length = 2, .weighted = true}}),
      "[distributed_embedding] a sequence has no weights: max_sequence_length must be 0 or weighted false of "
      "feature \"feature_0\"" +
          in_layer);
  EXPECT_EQ(
      options_error({{.table = four_by_two("sum"), .name = "f"}, {.table = four_by_two("sum"), .name = "f"}}),
      "[distributed_embedding] two features are called \"f\"" + in_layer);
}

TEST(DistributedEmbeddingOptionsTest, RefusesTwoDescriptionsOfOneTable) {
  const TableConfig table = four_by_two("sum");
  TableConfig wider = table, seeded = table, same = table;
  wider.dim = 3;
  seeded.initializer = initializers::RandomNormal({.seed = 1});
  same.initializer = initializers::RandomNormal({.seed = 1});
  EXPECT_EQ(
      options_error({{.table = table}, {.table = wider}}),
      "[distributed_embedding] features that share a table must describe it alike; \"table\" has 4 x 2, "
      "\"sum\", and 4 x 3, \"sum\"; in layer \"distributed_embedding\"");
  EXPECT_EQ(options_error({{.table = table}, {.table = seeded}}),
            "[distributed_embedding] features that share a table must describe it alike; \"table\" has two "
            "initializers; in layer \"distributed_embedding\"");
  EXPECT_EQ(options_error({{.table = same}, {.table = seeded}}), "no error");
}

TEST(DistributedEmbeddingOptionsTest, RefusesInputsThatAreNotItsFeatures) {
  const DistributedEmbedding layer(
      {.feature_configs = {{.table = four_by_two("sum"), .name = "a"},
                           {.table = four_by_two("sum"), .weighted = true, .name = "b"}}});
  const Tensor ids = Tensor::of<std::int32_t>({2, 3}, {0, 1, 2, 3, 0, 1});
  const auto refusal = [&](const std::vector<Tensor>& inputs) {
    return fresh_error_text_of([&] { layer.call_many(inputs); });
  };
  const std::string in_layer = "; in layer \"" + layer.name() + "\"";
  EXPECT_EQ(refusal({ids, ids}),
            "[distributed_embedding] expected 3 inputs (a, b, b_weights); got 2" + in_layer);
  EXPECT_EQ(refusal({ops::expand_dims(ids, 0), ids, Tensor::zeros({2, 3})}),
            "[distributed_embedding] ids of feature \"a\" must be (batch,) or (batch, n); got the shape "
            "(None, 2, 3)" +
                in_layer);
  EXPECT_EQ(refusal({ids, ids, Tensor::zeros({2, 2})}),
            "[distributed_embedding] weights of feature \"b\" must have the shape (None, 3) of its ids; got "
            "(None, 2)" +
                in_layer);
  const DistributedEmbedding sequence = layer_of({.table = four_by_two("sum"), .max_sequence_length = 2});
  EXPECT_EQ(fresh_error_text_of([&] { sequence.call_many({Tensor::of<std::int32_t>({2}, {0, 1})}); }),
            "[distributed_embedding] ids of feature \"feature_0\" must be (batch, n); got the shape (None,); "
            "in layer "
            "\"" +
                sequence.name() + "\"");
}

TEST(DistributedEmbeddingOptionsTest, StepsNeverMakeTheGradientOfALargeTable) {
  clear_session();
  constexpr std::int64_t kRows = 40'000, kDim = 16;
  const TableConfig table{.vocabulary_size = kRows, .dim = kDim, .combiner = "sqrtn", .name = "large"};
  const Input a({.shape = {4}, .dtype = DType::kI32}), b({.shape = {2}, .dtype = DType::kI32}),
      w({.shape = {2}});
  const std::vector<KerasTensor> found =
      DistributedEmbedding({.feature_configs = {{.table = table, .name = "a"},
                                                {.table = table, .weighted = true, .name = "b"}}})
          .call_many({a, b, w});
  Model model({.inputs = {a, b, w},
               .outputs = layers::Dense({.units = 1})(layers::concatenate({found[0], found[1]}))});
  model.compile({.optimizer = "adam", .loss = "mse"});
  const Tensors x = {ops::zeros({8, 4}, DType::kI32), ops::zeros({8, 2}, DType::kI32), Tensor::zeros({8, 2})};
  const auto report = model.train_program(x, Tensor::zeros({8, 1}), {.batch_size = 8});
  // Backward needs one number for each row of a table, for either feature.
  EXPECT_LT(report.stats.arena_bytes, static_cast<std::uint64_t>(3 * kRows * sizeof(std::int32_t)))
      << report.explain;
}

}  // namespace
}  // namespace cornu::inline v0::keras
