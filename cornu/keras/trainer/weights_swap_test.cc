/// Weights that are replaced while other threads predict, evaluate or call functions: each run uses one
/// version, to the bit.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <latch>
#include <mutex>
#include <thread>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class WeightsSwapTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(WeightsSwapTest);

constexpr int kReaders = 3, kSwaps = 60;

/// Several layers with weights above and below the size that is copied under a lock, and scalar weights.
Sequential swapped_model(bool run_eagerly = false) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 40, .activation = "relu"}),
                    layers::Dense({.units = 40, .activation = "tanh"}), layers::BatchNormalization(),
                    layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = run_eagerly});
  return model;
}

std::vector<Tensor> weights_of(const std::function<Sequential()>& make, std::uint64_t seed) {
  set_random_seed(seed);
  const Sequential model = make();
  std::vector<Tensor> weights = model.get_weights();
  for (Tensor& weight : weights) weight = weight + 0.01 * static_cast<double>(seed);
  return weights;
}

/// Calls `read` in several threads while `swap(k)` sets version k % 2; each result must be one of the two
/// correct ones.
void expect_one_version_each(const std::function<Tensor()>& read, const std::function<void(int)>& swap) {
  std::vector<ir::Literal> right;
  for (const int version : {0, 1}) {
    swap(version);
    right.push_back(read().literal());
  }
  ASSERT_FALSE(right[0] == right[1]);
  std::atomic<int> num_wrong{0}, num_read{0}, num_failed{0};
  std::atomic<bool> is_over{false};
  std::latch begin(kReaders + 1);
  std::vector<std::thread> readers;
  for (int i = 0; i < kReaders; ++i)
    readers.emplace_back([&] {
      begin.arrive_and_wait();
      while (!is_over) {
        try {
          const ir::Literal found = read().literal();
          if (!(found == right[0]) && !(found == right[1])) ++num_wrong;
        } catch (const Error& error) {
          ADD_FAILURE() << error.what();
          ++num_failed;
          return;
        }
        ++num_read;
      }
    });
  begin.arrive_and_wait();
  for (int k = 0; k < kSwaps || num_read + num_failed < 2 * kReaders; ++k) swap(k);
  is_over = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(num_wrong, 0) << "of " << num_read;
  for (const int version : {0, 1}) {
    swap(version);
    EXPECT_TRUE(read().literal() == right[static_cast<std::size_t>(version)]);
  }
}

TEST_P(WeightsSwapTest, PredictionsBesideSetWeights) {
  for (const bool run_eagerly : {false, true}) {
    Sequential model = swapped_model(run_eagerly);
    const std::vector<Tensor> versions[] = {weights_of([] { return swapped_model(); }, 1),
                                            weights_of([] { return swapped_model(); }, 2)};
    const Flowers data(37);
    const auto swap = [&](int k) { model.set_weights(versions[k % 2]); };
    expect_one_version_each([&] { return model.predict(data.x, {.batch_size = 8, .verbose = 0}); }, swap);
    expect_one_version_each([&] { return model.predict_on_batch(data.x); }, swap);
  }
}

TEST_P(WeightsSwapTest, PredictionsWithoutPaddingBesideSetWeights) {
  const auto make = [] {
    Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 40, .activation = "relu"}),
                      layers::Lambda([](const Tensor& x) { return x - ops::mean(x, {.axis = 0}); }),
                      layers::Dense({.units = 3})});
    model.compile({.optimizer = "sgd", .loss = "mse"});
    return model;
  };
  Sequential model = make();
  const std::vector<Tensor> versions[] = {weights_of(make, 1), weights_of(make, 2)};
  const Flowers data(21);
  expect_one_version_each([&] { return model.predict(data.x, {.batch_size = 8, .verbose = 0}); },
                          [&](int k) { model.set_weights(versions[k % 2]); });
}

TEST_P(WeightsSwapTest, PredictionsBesideLoadWeights) {
  const std::string folder =
      (std::filesystem::path(::testing::TempDir()) / fmt::format("cornu_swap_{}_{}", ::getpid(), GetParam()))
          .string();
  std::filesystem::create_directories(folder);
  Sequential model = swapped_model();
  for (const std::string end : {".weights.h5", ".safetensors"}) {
    const auto path = [&](int k) { return fmt::format("{}/{}{}", folder, k % 2, end); };
    for (const int k : {0, 1}) {
      model.set_weights(weights_of([] { return swapped_model(); }, static_cast<std::uint64_t>(k + 1)));
      model.save_weights(path(k));
    }
    const Flowers data(20);
    expect_one_version_each([&] { return model.predict(data.x, {.verbose = 0}); },
                            [&](int k) { model.load_weights(path(k)); });
  }
  std::filesystem::remove_all(folder);
}

TEST_P(WeightsSwapTest, PredictionsBesideAssign) {
  for (const std::int64_t units : {3, 600}) {
    Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = units, .use_bias = false})});
    const Variable kernel = model.weights()[0];
    const Tensor versions[] = {kernel.value() + 1.0, kernel.value() - 1.0};
    const Flowers data(20);
    expect_one_version_each([&] { return model.predict(data.x, {.verbose = 0}); },
                            [&](int k) { kernel.assign(versions[k % 2]); });
    expect_one_version_each([&] { return kernel.value(); }, [&](int k) { kernel.assign(versions[k % 2]); });
    expect_one_version_each([&] { return kernel.value(); },
                            [&](int k) { kernel.load(versions[k % 2].literal()); });
  }
}

TEST_P(WeightsSwapTest, EvaluationsBesideSetWeights) {
  for (const bool run_eagerly : {false, true}) {
    Sequential model = swapped_model(run_eagerly);
    const std::vector<Tensor> versions[] = {weights_of([] { return swapped_model(); }, 1),
                                            weights_of([] { return swapped_model(); }, 2)};
    const Flowers data(37);
    const Tensor y = ops::zeros({37, 1});
    std::mutex one_evaluation;  // of one model at a time
    const auto loss = [&] {
      const std::lock_guard lock(one_evaluation);
      return Tensor(model.evaluate(data.x, y, {.batch_size = 8, .verbose = 0})["loss"]);
    };
    expect_one_version_each(loss, [&](int k) { model.set_weights(versions[k % 2]); });
  }
}

TEST_P(WeightsSwapTest, FunctionsBesideSetWeights) {
  Sequential model = swapped_model();
  const std::vector<Tensor> versions[] = {weights_of([] { return swapped_model(); }, 1),
                                          weights_of([] { return swapped_model(); }, 2)};
  const Flowers data(20);
  const auto f = function([&](const Tensor& x) { return model(x); });
  const auto swap = [&](int k) { model.set_weights(versions[k % 2]); };
  expect_one_version_each([&] { return f(data.x); }, swap);
  const auto gradient = [&] {
    GradientTape tape;
    const Tensor y = ops::sum(f(data.x));
    return tape.gradient(y, model.trainable_variables()[0]);
  };
  expect_one_version_each(gradient, swap);
  expect_one_version_each(
      [&] {
        std::vector<Tensor> flat;
        for (const Tensor& weight : model.get_weights()) flat.push_back(ops::reshape(weight, {-1}));
        return ops::concatenate(flat, {.axis = 0});
      },
      swap);
}

// Each thread's function reads what the other one's writes.
TEST_P(WeightsSwapTest, FunctionsThatReadWhatOthersWriteDoNotWaitForEachOther) {
  Variable online(ops::ones({300})), target(ops::zeros({300}));
  auto follow = function([&](const Tensor& rate) {
    target.assign(target.value() + rate * (online.value() - target.value()));
    return ops::sum(target.value());
  });
  auto train = function([&](const Tensor& rate) {
    online.assign(online.value() + rate * target.value());
    return ops::sum(online.value());
  });
  const Tensor rate = Tensor(0.01F);
  follow(rate), train(rate);
  std::thread other([&] {
    for (int i = 0; i < 2000; ++i) (void)follow(rate);
  });
  for (int i = 0; i < 2000; ++i) (void)train(rate);
  other.join();
  EXPECT_GT(target.value().to_vector<float>()[0], 0);
}

TEST_P(WeightsSwapTest, PredictionsBesideTrainingByFunctionsAndOptimizers) {
  // All weights are the same number at all times: a step adds the same to each.
  const Variable small(ops::zeros({3})), large(ops::zeros({3000})), number(ops::zeros({}));
  const std::vector<Variable> all = {small, large, number};
  const auto differences = function([&](const Tensor& x) {
    return ops::max(large + x) - ops::min(large + x) + ops::sum(ops::abs(small - number + x));
  });
  const auto step = function([&] {
    for (const Variable& one : all) one.assign_add(1.0);
  });
  optimizers::SGD sgd({.learning_rate = 1.0});
  const std::vector<Tensor> gradients = {ops::ones({3}), ops::ones({3000}), ops::ones({})};
  const auto train_eagerly = [&] { sgd->apply(gradients, all); };
  const Tensor zero = 0.0F;
  for (const bool is_eager : {false, true}) {
    std::atomic<bool> is_over{false};
    std::atomic<int> num_wrong{0}, num_read{0};
    std::thread reader([&] {
      while (!is_over || num_read < 10) {
        num_wrong += differences(zero).item<float>() == 0 ? 0 : 1;
        ++num_read;
      }
    });
    for (int k = 0; k < kSwaps || num_read < 10; ++k) is_eager ? train_eagerly() : step();
    is_over = true;
    reader.join();
    EXPECT_EQ(num_wrong, 0) << "of " << num_read << (is_eager ? ", optimizer" : ", function");
  }
}

TEST_P(WeightsSwapTest, ARunKeepsTheVersionThatItBeganWith) {
  Sequential model = swapped_model();
  const std::vector<Tensor> versions[] = {weights_of([] { return swapped_model(); }, 1),
                                          weights_of([] { return swapped_model(); }, 2)};
  const Flowers data(20);
  Tensor right[2];
  for (const int k : {0, 1}) {
    model.set_weights(versions[k]);
    right[k] = model.predict(data.x, {.batch_size = 5, .verbose = 0});
  }
  callbacks::LambdaCallback swap({.on_predict_batch_end = [&](const callbacks::BatchRange&) {
    model.set_weights(versions[0]);
    EXPECT_TRUE(model.predict(data.x, {.batch_size = 5, .verbose = 0}).literal() == right[0].literal())
        << "a run that begins later has the later version";
  }});
  EXPECT_TRUE(model.predict(data.x, {.batch_size = 5, .verbose = 0, .callbacks = {&swap}}).literal() ==
              right[1].literal());
  callbacks::LambdaCallback before({.on_predict_begin = [&] { model.set_weights(versions[1]); }});
  EXPECT_TRUE(model.predict(data.x, {.batch_size = 5, .verbose = 0, .callbacks = {&before}}).literal() ==
              right[1].literal());
}

TEST_P(WeightsSwapTest, BesideTrainingModelsThatShareLayersAreRefused) {
  const Flowers data(20);
  layers::Dense shared({.units = 40});
  Sequential trained({layers::Input({.shape = {4}}), shared, layers::Dense({.units = 3})});
  Sequential other({layers::Input({.shape = {4}}), shared, layers::Dense({.units = 2})});
  trained.compile({.optimizer = "adam", .loss = "mse"});
  other.compile({.optimizer = "adam", .loss = "mse"});
  const Tensor before = other.predict(data.x, {.verbose = 0});
  const std::vector<Tensor> weights = trained.get_weights();
  const auto others = [&] {
    const auto refused = [](const std::function<void()>& f) {
      expect_contains(error_of(f), ErrorCode::kFailedPrecondition,
                      {"another thread", "[fit] of model \"sequential\"", "kernel"});
    };
    refused([&] { other.predict(data.x, {.verbose = 0}); });
    refused([&] { other.evaluate(data.x, ops::zeros({20, 2}), {.verbose = 0}); });
    refused([&] { other.train_on_batch(data.x, ops::zeros({20, 2})); });
    refused([&] { trained.set_weights(weights); });
    refused([&] { (void)trained.get_weights(); });
    refused([&] { shared.weights()[0].assign(ops::zeros({4, 40})); });
    refused([&] { (void)shared.weights()[0].value(); });
    const float rate = trained.optimizer().learning_rate().item<float>();
    EXPECT_NO_THROW(trained.optimizer().set_learning_rate(rate)) << "a number that training only reads";
  };
  bool has_begun = false;
  callbacks::LambdaCallback meanwhile({.on_train_batch_begin = [&](const callbacks::BatchRange&) {
    if (!std::exchange(has_begun, true)) std::thread(others).join();
    EXPECT_NO_THROW((void)other.predict(data.x, {.verbose = 0})) << "on the thread that trains";
  }});
  trained.fit(data.x, data.one_hot, {.batch_size = 10, .verbose = 0, .callbacks = {&meanwhile}});
  EXPECT_TRUE(has_begun);
  std::thread([&] {
    EXPECT_FALSE(other.predict(data.x, {.verbose = 0}).literal() == before.literal()) << "it is over";
  }).join();
}

TEST_P(WeightsSwapTest, TwoThreadsTrainTwoModelsThatDrawFromTheProcessesGenerator) {
  const Flowers data(20);
  std::latch both(2);
  const auto train = [&] {
    Sequential model({layers::Dense({.units = 3}),
                      layers::Lambda([](const Tensor& x) { return x + random::normal(x.shape()) * 0.01; })});
    model.compile({.optimizer = "sgd", .loss = "mse"});
    both.arrive_and_wait();
    EXPECT_NO_THROW(model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 5, .verbose = 0}));
  };
  std::thread other(train);
  train();
  other.join();
}

}  // namespace
}  // namespace cornu::inline v0::keras
