#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cornu/base/log_test_support.h"
#include "cornu/keras/keras.h"
#include "tests/random_models/model_maker.h"

// Random models (layers and their options) through everything that a model goes through: summary, JSON,
// clones, files of each format, and training in each of its ways. A failure shows the seed and the model.
// CORNU_TEST_RANDOM_MODELS=FIRST:COUNT selects the seeds; COUNT alone begins at 1.
namespace cornu::inline v0::tests {
namespace {

using keras::Config;
using keras::Model;
using keras::Tensors;

struct Seeds {
  std::uint32_t first = 1, count = 20;
};

Seeds seeds() {
  Seeds chosen;
  const char* const text = std::getenv("CORNU_TEST_RANDOM_MODELS");
  if (text == nullptr) return chosen;
  if (std::sscanf(text, "%u:%u", &chosen.first, &chosen.count) != 2) {
    chosen.first = 1;
    chosen.count = static_cast<std::uint32_t>(std::atoi(text));
  }
  return chosen;
}

/// A folder for files of this process, in memory if the machine has a folder for that.
class Folder {
 public:
  Folder() {
    const bool has_memory = ::access("/dev/shm", W_OK) == 0;
    path_ = std::filesystem::path(has_memory ? "/dev/shm" : ::testing::TempDir()) /
            fmt::format("cornu_random_models_{}", ::getpid());
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string first_difference(const Tensors& a, const Tensors& b) {
  if (a.size() != b.size()) return fmt::format("{} and {} tensors", a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const ir::Literal &left = a[i].literal(), &right = b[i].literal();
    if (left == right) continue;
    if (left.type() != right.type())
      return fmt::format("tensor {}: {} and {}", i, left.type().str(), right.type().str());
    for (std::int64_t j = 0; j < left.type().num_elements(); ++j)
      if (left.at(j) != right.at(j) && !(std::isnan(left.at(j)) && std::isnan(right.at(j))))
        return fmt::format("tensor {}, element {}: {} and {}", i, j, left.at(j), right.at(j));
  }
  return "";
}

class RandomModelsTest : public ::testing::Test {
 protected:
  Tensors predictions(Model model) const { return model.predict_many(made_.x, {.verbose = 0}); }

  /// Checks a copy whose weights are those of the model.
  void expect_copy(const Model& copy, const char* what) const {
    EXPECT_EQ(Config::parse(copy.to_json()), Config::parse(made_.model.to_json())) << what;
    EXPECT_EQ(first_difference(predictions(copy), predictions(made_.model)), "") << what;
  }

  void check_copies() {
    std::string summary;
    made_.model.summary({.expand_nested = true, .show_trainable = true, .print = [&](std::string_view text) {
                           summary += text;
                         }});
    EXPECT_NE(summary.find("Total params"), std::string::npos);
    Model clone = keras::clone_model(made_.model);
    clone.set_weights(made_.model.get_weights());
    expect_copy(clone, "clone_model");
    made_.model.save_weights(folder_ / "m.weights.h5");
    Model from_json = keras::model_from_json(made_.model.to_json());
    from_json.load_weights(folder_ / "m.weights.h5");
    expect_copy(from_json, "model_from_json and .weights.h5");
    made_.model.save(folder_ / "m.keras");
    expect_copy(keras::load_model(folder_ / "m.keras"), ".keras");
    made_.model.save(folder_ / "m.h5");
    expect_copy(keras::load_model(folder_ / "m.h5"), ".h5");
  }

  /// The model from its file, compiled.
  Model loaded(std::int64_t steps_per_execution, bool eagerly) const {
    set_random_seed(seed_);  // of layers without a seed of their own
    Model model = keras::load_model(folder_ / "m.keras");
    Config config = made_.compile_config;
    config.set("steps_per_execution", steps_per_execution);
    config.set("run_eagerly", eagerly);
    model.compile_from_config(config);
    return model;
  }

  double loss_of_two_steps(Model& model) const {
    return model.fit(made_.x, made_.y, {.batch_size = 3, .verbose = 0, .shuffle = false})["loss"].back();
  }

  void check_training() {
    Model one = loaded(1, false), two = loaded(2, false), eager = loaded(1, true);
    const double loss = loss_of_two_steps(one), loss_at_two = loss_of_two_steps(two),
                 eager_loss = loss_of_two_steps(eager);
    EXPECT_TRUE(loss == loss_at_two || (std::isnan(loss) && std::isnan(loss_at_two)))
        << loss << " at one step an execution, " << loss_at_two << " at two";
    EXPECT_EQ(first_difference(Tensors(one.get_weights()), Tensors(two.get_weights())), "") << "weights";
    EXPECT_EQ(std::isfinite(loss), std::isfinite(eager_loss)) << loss << ", eagerly " << eager_loss;
    if (std::isfinite(loss) && std::isfinite(eager_loss)) {
      EXPECT_NEAR(loss, eager_loss, (made_.is_low_precision ? 0.1 : 1e-3) * (1 + std::fabs(loss)));
    }
    check_that_it_goes_on(one);
  }

  /// A trained model continues from its file, with the optimizer's state, as it would have without.
  void check_that_it_goes_on(Model& model) const {
    model.save(folder_ / "trained.keras");
    Model again = keras::load_model(folder_ / "trained.keras");
    EXPECT_EQ(again.get_compile_config(), model.get_compile_config());
    EXPECT_EQ(first_difference(predictions(again), predictions(model)), "") << "trained, saved and loaded";
    if (made_.is_random) return;  // files do not have the states of random numbers, as in Keras
    const double loss = loss_of_two_steps(model), loss_again = loss_of_two_steps(again);
    EXPECT_TRUE(loss == loss_again || (std::isnan(loss) && std::isnan(loss_again)))
        << loss << ", from a file " << loss_again;
  }

  void check(std::uint32_t seed) {
    keras::clear_session();
    seed_ = seed;
    set_random_seed(seed);
    made_ = {};
    ModelMaker maker(seed);
    made_ = maker.make();
    num_drawn_ += maker.num_drawn();
    num_refused_ += maker.num_refused();
    SCOPED_TRACE(fmt::format("seed {}, compiled with {}\n{}", seed, made_.compile_config.json(),
                             made_.model.to_json(1)));
    check_copies();
    check_training();
  }

  const CapturedLog log_;  // warnings about models without trainable weights
  Folder folder_;
  std::uint32_t seed_ = 0;
  RandomModel made_;
  int num_drawn_ = 0;
  int num_refused_ = 0;
};

TEST_F(RandomModelsTest, GoThroughFilesClonesAndEachWayOfTraining) {
  const Seeds chosen = seeds();
  for (std::uint32_t seed = chosen.first; seed < chosen.first + chosen.count; ++seed) {
    try {
      check(seed);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what() << "\n"
                    << (made_.model ? made_.model.to_json(1) : "");
    }
  }
  EXPECT_LT(num_refused_, num_drawn_ / 2) << "most options must be valid ones";
}

}  // namespace
}  // namespace cornu::inline v0::tests
