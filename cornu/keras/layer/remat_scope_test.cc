#include "cornu/keras/layer/remat_scope.h"

#include <gtest/gtest.h>

#include <optional>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"

namespace cornu::inline v0::keras {
namespace {

constexpr int kNumBlocks = 8;

/// A deep network with dropout and statistics; with a scope if `remat` is set.
Model deep_model(const std::optional<RematScopeOptions>& remat, const char* activation = "gelu") {
  clear_session();
  std::optional<RematScope> scope;
  if (remat.has_value()) scope.emplace(*remat);
  const Input input({.shape = {48}});
  KerasTensor x = layers::Dense({.units = 64, .name = "first"})(input);
  for (int i = 0; i < kNumBlocks; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    const Sequential block(
        {layers::LayerNormalization(), layers::Dense({.units = 64, .activation = activation}),
         layers::BatchNormalization(), layers::Dropout({.rate = 0.2, .seed = seed}),
         layers::Dense({.units = 64, .activation = "tanh"})},
        {.name = "block_" + std::to_string(i)});
    x = layers::add({x, block(x)});
  }
  Model model({.inputs = input, .outputs = layers::Dense({.units = 3})(x)});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.01}), .loss = "mse"});
  return model;
}

RematScopeOptions of_blocks() {
  RematScopeOptions options{.mode = "list_of_layers"};
  for (int i = 0; i < kNumBlocks; ++i) options.layer_names.push_back("block_" + std::to_string(i));
  return options;
}

Tensor data(const Dims& shape, std::uint64_t seed) { return random::normal(shape, {.seed = seed}); }

TEST(RematScopeTest, LossesAndWeightsAreTheSame) {
  const Tensor x = data({64, 48}, 1), y = data({64, 3}, 2);
  const Model plain = deep_model(std::nullopt);
  const std::vector<Tensor> first = plain->get_weights();
  const auto train = [&](Model model) {
    model.set_weights(first);
    return model.fit(x, y, {.batch_size = 16, .epochs = 2, .verbose = 0, .shuffle = false})["loss"];
  };
  const std::vector<double> losses = train(plain);
  const std::vector<Tensor> last = plain->get_weights();
  for (const RematScopeOptions& options :
       {RematScopeOptions{}, RematScopeOptions{.mode = "activations"},
        RematScopeOptions{.mode = "larger_than", .output_size_threshold = 100}, of_blocks()}) {
    SCOPED_TRACE(*options.mode);
    const Model model = deep_model(options);
    EXPECT_EQ(train(model), losses);
    for (std::size_t i = 0; i < last.size(); ++i)
      EXPECT_EQ(model->get_weights()[i].to_vector<float>(), last[i].to_vector<float>()) << i;
  }
}

TEST(RematScopeTest, ADeepNetworkTakesLessMemory) {
  constexpr std::int64_t kRows = 2048;
  const Tensor x = Tensor::zeros({kRows, 48}), y = Tensor::zeros({kRows, 3});
  const auto arena = [&](const std::optional<RematScopeOptions>& options, const char* activation = "gelu") {
    Model model = deep_model(options, activation);
    return static_cast<double>(model.train_program(x, y, {.batch_size = kRows}).stats.arena_bytes);
  };
  const double plain = arena(std::nullopt);
  EXPECT_LT(arena(of_blocks()), 0.4 * plain);
  EXPECT_LT(arena(RematScopeOptions{}), 0.4 * plain);
  // A step keeps more of elu than its result and its derivative.
  EXPECT_LT(arena(RematScopeOptions{.mode = "activations"}, "elu"), 0.9 * arena(std::nullopt, "elu"));
}

TEST(RematScopeTest, TheInnermostScopeOfTheConstructionCounts) {
  EXPECT_EQ(RematScope::current(), nullptr);
  const RematScope outer({.mode = "larger_than", .output_size_threshold = 7});
  EXPECT_EQ(RematScope::current()->output_size_threshold, 7);
  {
    const RematScope inner({.mode = std::nullopt});
    EXPECT_EQ(RematScope::current(), nullptr);
  }
  EXPECT_EQ(*RematScope::current()->mode, "larger_than");
  expect_error(ErrorCode::kInvalidArgument, {"mode", "\"ful\"", "\"full\""},
               [] { RematScope scope({.mode = "ful"}); });
}

TEST(RematScopeTest, FunctionsOfLayersToo) {
  const layers::Dense dense({.units = 4, .activation = "relu"});
  const auto block = remat([&](const Tensor& x) { return dense(x); });
  const Tensor x = data({8, 4}, 3);
  EXPECT_EQ(block(x).to_vector<float>(), dense(x).to_vector<float>());
}

}  // namespace
}  // namespace cornu::inline v0::keras
