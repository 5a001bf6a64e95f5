/// Files of versions of Keras from 1.2 on, one for each layer, optimizer, loss and form
/// (tools/goldens/old_model_files.py): each opens, predicts what Keras predicted and trains on, or is refused
/// with the way out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "cornu/base/log_test_support.h"
#include "cornu/io/file.h"
#include "cornu/io/zip.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

constexpr double kOldPredictions = 1e-5, kNextLoss = 1e-5, kLaterLoss = 1e-4;

/// What one version of Keras wrote.
class OldFiles {
 public:
  explicit OldFiles(const std::string& version)
      : bytes_(io::read_file_or_gzip(fmt::format("tests/data/keras_old/keras_{}.zip.gz", version))),
        zip_(io::view_bytes(bytes_, version), "a zip"),
        cases_(Config::parse(zip_.read_text("cases.json")).at("cases")) {}

  std::vector<std::string> files() const {
    std::vector<std::string> names = zip_.members();
    std::erase(names, "cases.json");
    return names;
  }
  std::vector<std::byte> read(const std::string& file) const { return zip_.read(file); }
  const Config& golden(const std::string& file) const { return cases_.at(file.substr(0, file.rfind('.'))); }

 private:
  std::vector<std::byte> bytes_;
  io::ZipFile zip_;
  Config cases_;
};

Tensors tensors_of(const Config& arrays) {
  std::vector<Tensor> tensors;
  for (const Config& array : arrays.as_list()) {
    Dims shape;
    for (const Config& extent : array.at("shape").as_list()) shape.push_back(extent.as_integer());
    const bool is_integer = array.contains("dtype");
    std::vector<float> values;
    for (const Config& value : array.at("data").as_list())
      values.push_back(static_cast<float>(value.as_number()));
    const Tensor tensor = Tensor::adopt(shape, values);
    tensors.push_back(is_integer ? ops::cast(tensor, DType::kI32) : tensor);
  }
  return Tensors(tensors);
}

struct Refusal {
  std::string text;                // of the message
  bool is_of_compilation = false;  // without what compile() was given it opens
};

/// What is refused, by the name of the case.
const std::map<std::string, Refusal>& refusals() {
  static const auto& all = *new std::map<std::string, Refusal>{
      {"lambda", {"Lambda"}},
      {"random_height", {"there is no layer class \"RandomHeight\""}},
      {"loss_reduction_none", {"has reduction \"none\"", true}},
  };
  return all;
}

bool is_one_of(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether the version trains as Keras 3.15 does; the losses of others are only finite.
bool trains_as_today(const std::string& version, const std::string& name) {
  const bool is_3 = version.starts_with("3.");
  // Penalties of activities are means over rows since Keras 3.7.
  if (is_one_of(name, {"activity_regularization", "dense_l1_l2"})) return version == "3.15.1";
  // Keras 3 forgets the delta of a Huber. It reports no loss where a model inside is compiled, too.
  if (is_one_of(name, {"loss_huber_object", "nested_sequential"})) return !is_3;
  // TensorFlow goes by the logits, which is another gradient for labels that do not add up to 1.
  if (is_one_of(name, {"loss_categorical_crossentropy", "loss_categorical_crossentropy_object"})) return is_3;
  // Keras 3.0 counts penalties of weights twice.
  return version != "3.0.5" ||
         !is_one_of(name, {"dense", "depthwise_conv2d", "gru_sequences", "lstm_sequences",
                           "simple_rnn_sequences", "separable_conv2d", "frozen"});
}

/// The relative gate of a loss; the first is that of the file's weights.
double loss_gate(const std::string& version, bool is_first) {
  // On TensorFlow 1 some weights are updated before the gradients of others have read them.
  if (version.starts_with("1.") || version.starts_with("2.2")) return 2e-2;
  return is_first ? kNextLoss : kLaterLoss;
}

class OldFilesTest : public ::testing::TestWithParam<std::string> {
 protected:
  // Most models are in several versions' files: their programs are compiled once.
  static void SetUpTestSuite() {
    cache_ = new TestFolder;
    set_default_client(runtime::make_client("cpu", {.cache_folder = *cache_ / "programs"}));
  }
  static void TearDownTestSuite() {
    set_default_client(nullptr);
    delete std::exchange(cache_, nullptr);
  }

  static void expect_predictions(Model& model, const std::string& name, const Config& golden) {
    const Tensors expected = tensors_of(golden.at("before"));
    const Tensors got = model.predict_many(tensors_of(golden.at("x")), {.verbose = 0});
    ASSERT_EQ(got.size(), expected.size());
    // Keras 3 writes training = true into the calls of random layers.
    if (GetParam().starts_with("3.") && name.starts_with("random_")) return;
    const double gate = name == "mixed_precision" ? 2e-2 : kOldPredictions;
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_LT(relative_difference(ops::cast(got[i], DType::kF32), expected[i]), gate);
  }

  /// The losses of two further steps; without any in the golden, training draws random numbers.
  static void expect_losses(Model& model, const std::string& name, const Config& golden, bool has_state) {
    const Tensors x = tensors_of(golden.at("x")), y = tensors_of(golden.at("y"));
    const Config* const losses = golden.find("losses");
    const bool is_as_today = losses != nullptr && trains_as_today(GetParam(), name);
    for (std::size_t step = 0; step < 2; ++step) {
      model.reset_metrics();
      const double loss = model.train_on_batch(x, y).at("loss");
      EXPECT_TRUE(std::isfinite(loss)) << loss;
      // Keras on TensorFlow keeps the divided kernel of SpectralNormalization, as Cornu; on JAX it is lost.
      if (!is_as_today || (step > 0 && (!has_state || name == "spectral_normalization"))) continue;
      const double expected = losses->at(step).as_number();
      EXPECT_NEAR(loss, expected, loss_gate(GetParam(), step == 0) * std::max(0.01, std::abs(expected)))
          << "step " << step;
    }
  }

  static void expect_refused(const std::string& path, const std::string& name, const Refusal& refusal,
                             const Config& golden) {
    const std::string error = error_text_of([&] { load_model(path); });
    EXPECT_NE(error.find(refusal.text), std::string::npos) << error;
    const char* const way_out = refusal.is_of_compilation ? "{.compile = false}" : "load_weights()";
    EXPECT_NE(error.find(way_out), std::string::npos) << error;
    if (!refusal.is_of_compilation) return;
    Model model = load_model(path, {.compile = false});
    expect_predictions(model, name, golden);
  }

  static void expect_works(const std::string& path, const std::string& name, const Config& golden) {
    CapturedLog log;
    Model model = load_model(path);
    const std::string said = log.take();
    ASSERT_TRUE(model.compiled());
    expect_predictions(model, name, golden);
    const bool has_state =
        said.find("begins anew") == std::string::npos && said.find("Nadam") == std::string::npos;
    expect_losses(model, name, golden, has_state);
  }

 private:
  static TestFolder* cache_;
};
TestFolder* OldFilesTest::cache_ = nullptr;

TEST_P(OldFilesTest, EachOpensPredictsAndTrainsOnOrIsRefusedWithTheWayOut) {
  const TestFolder folder;
  const OldFiles files(GetParam());
  ASSERT_FALSE(files.files().empty());
  for (const std::string& file : files.files()) {
    SCOPED_TRACE(file);
    const std::string path = folder / file;
    const std::vector<std::byte> content = files.read(file);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
    const std::string name = file.substr(0, file.rfind('.'));
    const auto refused = refusals().find(name);
    try {
      if (refused != refusals().end())
        expect_refused(path, name, refused->second, files.golden(file));
      else
        expect_works(path, name, files.golden(file));
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
    clear_session();
  }
}

// As many variables as an SGD without momentum has in Keras 3: the second one is no learning rate.
TEST(OldOptimizerStateTest, AnSgdOfOneWeightGoesOn) {
  const TestFolder folder;
  const std::vector<std::byte> content = OldFiles("2.15.1").read("optimizer_sgd_one_weight.keras");
  std::ofstream(folder / "m.keras", std::ios::binary)
      .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  CapturedLog log;
  Model model = load_model(folder / "m.keras");
  EXPECT_EQ(log.take(), "");
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 2);
  EXPECT_NEAR(model.optimizer().learning_rate().item<float>(), 0.05, 1e-9);
  model.optimizer()->iteration_variable().assign(7);
  model.load_weights(folder / "m.keras");
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 2);
  EXPECT_NEAR(model.optimizer().learning_rate().item<float>(), 0.05, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Versions, OldFilesTest,
                         ::testing::Values("1.2.2", "1.2.2_theano", "2.2.4", "2.4.0", "2.15.1", "3.0.5",
                                           "3.3.3", "3.6.0", "3.15.1"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return "Keras_" + name;
                         });

}  // namespace
}  // namespace cornu::inline v0::keras
