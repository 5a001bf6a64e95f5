/// `cornu model`, as it is called from the shell.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <sstream>

#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/model_training.h"
#include "cli/pseudo_terminal_test_support.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/base/log.h"
#include "cornu/io/file.h"
#include "cornu/io/zip.h"
#include "cornu/keras/files/training_state.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/utils/arrays.h"

namespace cornu::inline v0::cli {
namespace {

constexpr const char* kModel = "tests/data/keras/dense.keras";

class ModelCommandTest : public testing::Test {
 protected:
  ModelCommandTest() {
    folder_ = std::filesystem::temp_directory_path() / ("cornu_model_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~ModelCommandTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  /// The output of the command, or its error.
  static std::string run(const std::string& arguments) {
    CLI::App app;
    add_model(app);
    std::string error;
    testing::internal::CaptureStdout();
    try {
      app.parse("model " + arguments, false);
    } catch (const Error& thrown) {
      error = thrown.what();
    } catch (const CLI::RuntimeError& thrown) {
      error = "exit code " + std::to_string(thrown.get_exit_code());
    }
    std::fflush(stdout);
    return testing::internal::GetCapturedStdout() + error;
  }
  /// The model with its description changed.
  std::string changed(const std::function<void(std::string& config)>& change) const {
    const io::ZipFile zip(io::open_random_access(kModel), "a .keras");
    io::ZipWriter writer(path("changed.keras"));
    for (const std::string& member : zip.members()) {
      const std::vector<std::byte> bytes = zip.read(member);
      std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      if (member == "config.json") change(text);
      writer.add(member, text);
    }
    writer.commit();
    return path("changed.keras");
  }
  static std::string bytes_of(const std::string& file) {
    const std::vector<std::byte> bytes = io::read_file(file);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::filesystem::path folder_;
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(ModelCommandTest, CheckReadsWhatCompileWasTold) {
  EXPECT_SAYS(run(std::string(kModel) + " check"), "compiled: all of it can be read");
  const std::string wrong = changed([](std::string& config) {
    keras::Config model = keras::Config::parse(config);
    keras::Config compile_config = model.at("compile_config");
    compile_config.set("optimizer",
                       keras::Config::dict({{"class_name", "Nonsense"}, {"config", keras::Config::dict()}}));
    model.set("compile_config", compile_config);
    config = model.json();
  });
  EXPECT_SAYS(run(wrong + " check"), "Nonsense");
}

TEST_F(ModelCommandTest, CheckComparesTheSumsOfMembersThatNoModelNeeds) {
  std::string bytes = bytes_of(changed([](std::string&) {}));
  const std::size_t at = bytes.find("metadata.json") + 40;
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(path("damaged.keras"), std::ios::binary) << bytes;
  EXPECT_SAYS(run(path("damaged.keras") + " check"), "metadata.json");
}

TEST_F(ModelCommandTest, WhatCannotBeWrittenIsRefusedBeforeTheWork) {
  const std::string arrays = " --inputs none.npz ";
  const std::string train = std::string(kModel) + " train --labels none.npz" + arrays + "--save ";
  EXPECT_SAYS(run(train + "x.txt"), ".keras or .h5");
  EXPECT_SAYS(run(train + "/nonexistent/x.keras"), "there is no folder /nonexistent");
  EXPECT_SAYS(run(std::string(kModel) + " predict" + arrays + "--output /nonexistent/y.npz"),
              "there is no folder");
  EXPECT_SAYS(run(std::string(kModel) + " predict" + arrays + "--output " + path("")),
              "is no path of a file");
  EXPECT_SAYS(run(train + path("x.keras")), "none.npz");
}

TEST_F(ModelCommandTest, NamesAreShownWithoutWhatATerminalObeys) {
  const keras::Sequential model(
      {keras::layers::Input({.shape = {4}}), keras::layers::Dense({.units = 1, .name = "d\x1b]0;x\x07"})},
      {.name = "m\x1b[2J\r"});
  model.save(path("escapes.keras"));
  for (const char* action : {" check", " weights", " summary"}) {
    const std::string text = run(path("escapes.keras") + action);
    EXPECT_EQ(text.find_first_of("\x1b\x07\r"), std::string::npos) << text;
    EXPECT_SAYS(text, "\\x1b");
  }
}

TEST_F(ModelCommandTest, ArraysOfTheUserHaveNoLimitOfTheReader) {
  keras::utils::save_npz(path("x.npz"),
                         keras::Tensors(std::vector<keras::Tensors::Named>{{"x", ops::zeros({2, 6})}}));
  std::string bytes = bytes_of(path("x.npz"));
  const std::size_t entry = bytes.rfind("PK\x01\x02");
  bytes.replace(entry + 24, 4, std::string("\0\0\0\x70", 4));  // 1.75 GiB should come out
  std::ofstream(path("x.npz"), std::ios::binary) << bytes;
  const std::string error =
      run(std::string(kModel) + " predict --inputs " + path("x.npz") + " --output " + path("y.npz"));
  EXPECT_SAYS(error, "x.npz");
  EXPECT_EQ(error.find("max_size_bytes"), std::string::npos) << error;
}

TEST_F(ModelCommandTest, ArraysAreFoundByNameBesideOthers) {
  const keras::Input a({.shape = {2}, .name = "a"}), b({.shape = {3}, .name = "b"});
  keras::Model model({.inputs = {a, b},
                      .outputs = {keras::layers::Dense({.units = 4, .name = "c"})(a),
                                  keras::layers::Dense({.units = 5, .name = "d"})(b)}});
  model.compile({.optimizer = "sgd", .loss = {"mse", "mse"}});
  model.save(path("two.keras"));
  keras::utils::save_npz(path("all.npz"),
                         keras::Tensors(std::vector<keras::Tensors::Named>{{"d", ops::zeros({6, 5})},
                                                                           {"b", ops::zeros({6, 3})},
                                                                           {"other", ops::zeros({1})},
                                                                           {"a", ops::zeros({6, 2})},
                                                                           {"c", ops::zeros({6, 4})}}));
  const std::string arrays = " --inputs " + path("all.npz") + " --labels " + path("all.npz");
  EXPECT_SAYS(run(path("two.keras") + " evaluate" + arrays), "loss: ");
  EXPECT_SAYS(run(path("two.keras") + " train" + arrays), "loss: ");
  const std::string predicted =
      run(path("two.keras") + " predict --inputs " + path("all.npz") + " --output " + path("y.npz"));
  EXPECT_SAYS(predicted, "c: (6, 4) float32");
  EXPECT_SAYS(predicted, "d: (6, 5) float32");
}

TEST_F(ModelCommandTest, TheInputOfASequentialHasTheNameOfItsInputLayer) {
  const std::string predict =
      std::string(kModel) + " predict --inputs " + path("x.npz") + " --output " + path("y.npz");
  const auto save_with = [&](const std::string& name) {
    keras::utils::save_npz(path("x.npz"),
                           keras::Tensors(std::vector<keras::Tensors::Named>{
                               {"p", ops::zeros({1})}, {name, ops::zeros({2, 6})}, {"q", ops::zeros({1})}}));
  };
  save_with("input_layer");
  EXPECT_SAYS(run(predict), ": (2, ");
  save_with("x");
  EXPECT_SAYS(run(predict), "holds 3 arrays: p, x, q; give them by name, input_layer, or as many");
}

/// Rows of dense.keras, as text with a header.
std::string csv_of_rows(std::int64_t num_rows) {
  std::string text = "a,b,c,d,e,f\n";
  for (std::int64_t i = 0; i < num_rows; ++i) text += std::to_string(i % 5) + ", 0.5,-1,+2,3e-1,4\n";
  return text;
}

TEST_F(ModelCommandTest, ArraysComeFromAndGoToNpyAndCsv) {
  std::ofstream(path("x.csv")) << csv_of_rows(7);
  std::vector<float> rows;
  for (int i = 0; i < 7; ++i)
    for (const float value : {static_cast<float>(i % 5), 0.5F, -1.0F, 2.0F, 0.3F, 4.0F})
      rows.push_back(value);
  keras::utils::save_npy(path("x.npy"), Tensor::from<float>({7, 6}, rows));
  const std::string predict = std::string(kModel) + " predict --inputs ";
  EXPECT_SAYS(run(predict + path("x.npy") + " --output " + path("y.npy")), "(7, 3) float32");
  EXPECT_SAYS(run(predict + path("x.csv") + " --output " + path("y.csv")), "(7, 3) float32");
  const Tensor expected = keras::utils::load_npy(path("y.npy"));
  std::vector<float> found;
  std::ifstream file(path("y.csv"));
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) found.push_back(std::stof(field));
  }
  EXPECT_EQ(found, expected.to_vector<float>()) << "every digit";
  std::ofstream(path("labels.csv")) << "0\n1\n2\n0\n1\n2\n0\n";
  const std::string arrays = " --inputs " + path("x.csv") + " --labels " + path("labels.csv");
  EXPECT_SAYS(run(std::string(kModel) + " evaluate" + arrays), "accuracy: ");
}

TEST_F(ModelCommandTest, EvaluatePrintsMetricsOfSeveralNumbersAndNan) {
  const auto evaluated = [&](const char* row) {
    std::ofstream(path("x.csv")) << row << row;
    std::ofstream(path("labels.csv")) << "1,0,0\n0,1,0\n";
    return run(std::string(kModel) + " evaluate --inputs " + path("x.csv") + " --labels " +
               path("labels.csv") + " --loss categorical_crossentropy --metrics f1_score");
  };
  EXPECT_SAYS(evaluated("1,2,3,4,5,6\n"), "f1_score: [");
  EXPECT_SAYS(evaluated("nan,nan,nan,nan,nan,nan\n"), "loss: nan");
}

TEST_F(ModelCommandTest, ACsvFillsTheShapeOfTheInputAndIntegersStayIntegers) {
  keras::Sequential pictures({keras::layers::Input({.shape = {2, 3}}), keras::layers::Flatten(),
                              keras::layers::Dense({.units = 1})});
  pictures.save(path("pictures.keras"));
  std::ofstream(path("x.csv")) << csv_of_rows(3);
  EXPECT_SAYS(
      run(path("pictures.keras") + " predict --inputs " + path("x.csv") + " --output " + path("y.npz")),
      "(3, 1) float32");
  keras::Sequential words({keras::layers::Input({.shape = {2}, .dtype = DType::kI32}),
                           keras::layers::Embedding({.input_dim = 10, .output_dim = 3})});
  words.save(path("words.keras"));
  std::ofstream(path("ids.csv")) << "1,2\n3,9\n";
  EXPECT_SAYS(
      run(path("words.keras") + " predict --inputs " + path("ids.csv") + " --output " + path("y.csv")),
      "(2, 2, 3) float32");
  const std::string text = bytes_of(path("y.csv"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << "a line a row: " << text;
}

TEST_F(ModelCommandTest, WhatIsNoTableOfNumbersIsNamedByRowAndColumn) {
  const auto refused = [&](const std::string& text) {
    std::ofstream(path("x.csv")) << text;
    return run(std::string(kModel) + " predict --inputs " + path("x.csv") + " --output " + path("y.npz"));
  };
  EXPECT_SAYS(refused("1,2,3,4,5,6\n1,2,x,4,5,6\n"), "x.csv, row 2, column 3: \"x\" is no number");
  EXPECT_SAYS(refused("1,2,3,4,5,6\n1,2,,4,5,6\n"),
              "row 2, column 3: \"\" is no number; write nan for a missing number");
  EXPECT_SAYS(refused("1,2,,4,5,6\n1,2,3,4,5,6\n"),
              "row 1, column 3: \"\" is no number; the first line is a header only if it has no number");
  EXPECT_SAYS(refused("1;2;3;4;5;6\n1;2;3;4;5;6\n"),
              "row 2, column 1: \"1;2;3;4;5;6\" is no number; separate");
  EXPECT_SAYS(refused("1,2,3,4,5,6\n1,2,3\n"), "row 2: there are 3 fields; the rows before it have 6");
  EXPECT_SAYS(refused("a,b\n"), "has no row of numbers");
}

TEST_F(ModelCommandTest, AFileOfOneArrayIsRefusedForSeveral) {
  const keras::Input a({.shape = {2}, .name = "a"}), b({.shape = {3}, .name = "b"});
  const keras::Model model({.inputs = {a, b},
                            .outputs = {keras::layers::Dense({.units = 4, .name = "c"})(a),
                                        keras::layers::Dense({.units = 5, .name = "d"})(b)}});
  model.save(path("two.keras"));
  const std::string predict = path("two.keras") + " predict --inputs " + path("x.csv") + " --output ";
  EXPECT_SAYS(run(predict + path("y.csv")),
              "holds one array and the model has 2 outputs: write an .npz file");
  EXPECT_SAYS(run(predict + path("y.npz")), "has 2 inputs (a, b) and " + path("x.csv") + " holds one array");
}

/// A regression with rows of its own, in a file, and what `cornu model FILE train` makes of it.
class TrainCommandTest : public ModelCommandTest {
 protected:
  TrainCommandTest() {
    set_random_seed(7);
    std::vector<float> x, y;
    for (int i = 0; i < 40; ++i) {
      x.push_back(0.05F * static_cast<float>(i));
      y.push_back(1.0F - 0.1F * static_cast<float>(i % 7));
    }
    rows_ = Tensor::from<float>({40, 1}, x);
    labels_ = Tensor::from<float>({40, 1}, y);
  }
  static keras::Sequential small_model() {
    keras::Sequential model({keras::layers::Input({.shape = {1}}), keras::layers::Dense({.units = 4}),
                             keras::layers::Dense({.units = 1})});
    model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.01}), .loss = "mse"});
    return model;
  }
  static std::vector<std::vector<float>> weights_of(const keras::Model& model) {
    std::vector<std::vector<float>> values;
    for (const Variable& weight : model.weights()) values.push_back(weight.value().to_vector<float>());
    return values;
  }
  /// A callback that does something after step `step` of the run.
  static keras::callbacks::CallbackEntry behind(std::int64_t step, const std::function<void()>& work) {
    return keras::callbacks::LambdaCallback(
        {.on_train_batch_end = [step, work, count = std::int64_t{0}](
                                   const keras::callbacks::BatchRange& batches, keras::LazyLogs&) mutable {
          count += batches.count;
          if (count == step) work();
        }});
  }

  Tensor rows_, labels_;
};

TEST_F(TrainCommandTest, TheFirstSignalEndsTheTrainingAndTheModelIsSaved) {
  for (const int signal : {SIGINT, SIGTERM}) {
    keras::Sequential model = small_model();
    std::vector<std::vector<float>> at_signal;
    const int code =
        train_and_save(model, rows_, labels_, {.batch_size = 8, .epochs = 1000, .save = path("saved.keras")},
                       {behind(13, [&] {
                         at_signal = weights_of(model);
                         raise(signal);
                       })});
    EXPECT_EQ(code, 128 + signal);
    const keras::Model saved = keras::load_model(path("saved.keras"));
    EXPECT_EQ(weights_of(saved), at_signal);
    EXPECT_EQ(saved.optimizer()->iterations().item<std::int64_t>(), 13);
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL);
  }
}

TEST_F(TrainCommandTest, SigtermEndsItWhereSigintIsIgnored) {
  std::signal(SIGINT, SIG_IGN);  // as a shell does for what runs in the background
  keras::Sequential model = small_model();
  const int code =
      train_and_save(model, rows_, labels_, {.epochs = 1000, .save = path("saved.keras")}, {behind(2, [] {
                       raise(SIGINT);
                       raise(SIGTERM);
                     })});
  struct sigaction now = {};
  sigaction(SIGINT, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN) << "and stays so";
  std::signal(SIGINT, SIG_DFL);
  EXPECT_EQ(code, 128 + SIGTERM);
  EXPECT_TRUE(std::filesystem::exists(path("saved.keras")));
}

TEST_F(TrainCommandTest, ASignalBehindTheLastStepWaitsUntilTheModelIsSaved) {
  EXPECT_EXIT(
      {
        keras::Sequential model = small_model();
        {
          Interruption interruption;
          keras::Model(model).fit(rows_, labels_, {.verbose = 0, .callbacks = {interruption.watch()}});
          raise(SIGTERM);
          model.save(path("late.keras"));
        }
        std::exit(0);
      },
      testing::KilledBySignal(SIGTERM), "");
  EXPECT_TRUE(std::filesystem::exists(path("late.keras")));
}

TEST_F(TrainCommandTest, TheSameCommandGoesOnFromTheBackupOfASignal) {
  const TrainingOptions options{.batch_size = 8, .epochs = 6, .backup = path("backup")};
  set_random_seed(3);
  keras::Sequential whole = small_model();
  whole.save(path("start.keras"));
  const auto trained = [&](std::vector<keras::callbacks::CallbackEntry> first, int wanted) {
    set_random_seed(3);
    keras::Model model = keras::load_model(path("start.keras"));
    EXPECT_EQ(train_and_save(model, rows_, labels_, options, std::move(first)), wanted);
    return weights_of(model);
  };
  const auto nothing = [] {};
  const std::vector<std::vector<float>> expected = trained({behind(13, nothing)}, 0);
  EXPECT_FALSE(std::filesystem::exists(path("backup/backup.state"))) << "the training came to its end";
  trained({behind(13, [] { raise(SIGINT); })}, 128 + SIGINT);
  ASSERT_TRUE(std::filesystem::exists(path("backup/backup.state")));
  EXPECT_EQ(keras::load_training_state(path("backup/backup.state")).at("run/step").item<std::int64_t>(), 3);
  EXPECT_EQ(trained({behind(13, nothing)}, 0), expected);
}

TEST_F(TrainCommandTest, AnotherLossThanANumberEndsItWithTheLastGoodWeights) {
  keras::Sequential model = small_model();
  const std::vector<std::vector<float>> before = weights_of(model);
  std::vector<float> labels = labels_.to_vector<float>();
  labels[20] = std::numeric_limits<float>::infinity();
  const Error error = error_of([&] {
    train_and_save(model, rows_, Tensor::from<float>({40, 1}, labels),
                   {.batch_size = 8, .epochs = 3, .shuffle = false, .save = path("good.keras")});
  });
  EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
  EXPECT_SAYS(std::string(error.what()), "step 3 of 5");
  EXPECT_SAYS(std::string(error.what()), "good.keras has them");
  const keras::Model saved = keras::load_model(path("good.keras"));
  EXPECT_EQ(saved.optimizer()->iterations().item<std::int64_t>(), 2) << "the steps before it";
  for (const std::vector<float>& weight : weights_of(saved))
    for (const float value : weight) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NE(weights_of(saved), before);
}

TEST_F(TrainCommandTest, ItTrainsOnFromTheOptimizersStateOfTheFile) {
  keras::Sequential model = small_model();
  model.fit(rows_, labels_, {.batch_size = 8, .epochs = 2, .verbose = 0, .shuffle = false});
  model.save(path("half.keras"));
  model.fit(rows_, labels_, {.batch_size = 8, .epochs = 2, .verbose = 0, .shuffle = false});
  keras::Model loaded = keras::load_model(path("half.keras"));
  EXPECT_EQ(train_and_save(loaded, rows_, labels_, {.batch_size = 8, .epochs = 2, .shuffle = false}), 0);
  EXPECT_EQ(weights_of(loaded), weights_of(model));
}

TEST_F(TrainCommandTest, LearningRateSplitAndEarlyStopping) {
  small_model().save(path("m.keras"));
  keras::utils::save_npy(path("x.npy"), rows_);
  keras::utils::save_npy(path("y.npy"), labels_);
  const std::string text =
      run(path("m.keras") + " train --inputs " + path("x.npy") + " --labels " + path("y.npy") +
          " --epochs 50 --validation-split 0.25 --early-stopping 2 --learning-rate 0.5 --save " +
          path("saved.keras"));
  EXPECT_SAYS(text, "val_loss: ");
  EXPECT_EQ(text.find("Epoch 50/50"), std::string::npos) << "such a rate makes it worse soon";
  const keras::Model saved = keras::load_model(path("saved.keras"));
  EXPECT_EQ(saved.optimizer()->learning_rate().item<float>(), 0.5F);
}

TEST_F(TrainCommandTest, OneSeedGivesTheSameNumbers) {
  small_model().save(path("m.keras"));
  keras::utils::save_npy(path("x.npy"), rows_);
  keras::utils::save_npy(path("y.npy"), labels_);
  const auto trained = [&](const std::string& seed) {
    run(path("m.keras") + " train --inputs " + path("x.npy") + " --labels " + path("y.npy") + " --epochs 2" +
        seed + " --save " + path("saved.keras"));
    return weights_of(keras::load_model(path("saved.keras")));
  };
  const auto first = trained(" --seed 5");
  EXPECT_NE(trained(" --seed 6"), first);
  EXPECT_EQ(trained(" --seed 5"), first);
}

TEST_F(TrainCommandTest, WithoutSaveAWarningComesBeforeTheTraining) {
  std::vector<std::string> warnings;
  const LogSink before = set_log_sink([&](const LogMessage& message) { warnings.push_back(message.text); });
  keras::Sequential model = small_model();
  std::size_t warned = 0;
  train_and_save(model, rows_, labels_, {}, {behind(1, [&] { warned = warnings.size(); })});
  set_log_sink(before);
  ASSERT_EQ(warned, 1U);
  EXPECT_SAYS(warnings[0], "without --save the trained weights are lost");
}

TEST_F(TrainCommandTest, ATerminalShowsTheProgressBarAndAFileALineForEachEpoch) {
  small_model().save(path("m.keras"));
  keras::utils::save_npy(path("x.npy"), rows_);
  keras::utils::save_npy(path("y.npy"), labels_);
  const std::string train = path("m.keras") + " train --inputs " + path("x.npy") + " --labels " +
                            path("y.npy") + " --epochs 2 --save " + path("saved.keras");
  const std::string in_file = run(train);
  EXPECT_SAYS(in_file, "2/2 - 0s -");
  EXPECT_EQ(in_file.find('\r'), std::string::npos);
  setenv("TERM", "xterm", 1);
  PseudoTerminal terminal(80);
  if (!terminal.is_open()) GTEST_SKIP() << "there are no pseudo terminals";
  CLI::App app;
  add_model(app);
  app.parse("model " + train, false);
  const std::string on_terminal = terminal.text();
  EXPECT_SAYS(on_terminal, "━━━");
  EXPECT_SAYS(on_terminal, "\r");
}

TEST_F(ModelCommandTest, WeightsAreRecordsOnANarrowTerminal) {
  PseudoTerminal terminal(40);
  if (!terminal.is_open()) GTEST_SKIP() << "there are no pseudo terminals";
  CLI::App app;
  add_model(app);
  app.parse(std::string("model ") + kModel + " weights", false);
  std::string text = terminal.text();
  std::erase(text, '\r');
  EXPECT_SAYS(text, "weight  dense_model/dense/kernel\n");
  EXPECT_SAYS(text, "shape   (6, 8)\n");
}

TEST_F(TrainCommandTest, AModelThatIsNotCompiledSaysHowToGoOnAndDoesSo) {
  keras::Sequential({keras::layers::Input({.shape = {1}}), keras::layers::Dense({.units = 1})})
      .save(path("raw.keras"));
  keras::utils::save_npy(path("x.npy"), rows_);
  keras::utils::save_npy(path("y.npy"), labels_);
  const std::string arrays = " --inputs " + path("x.npy") + " --labels " + path("y.npy");
  for (const char* const action : {" train", " evaluate"}) {
    const std::string text = run(path("raw.keras") + action + arrays);
    EXPECT_SAYS(text, "has no optimizer and no loss");
    EXPECT_SAYS(text, "--optimizer adam --loss mse");
  }
  const std::string trained =
      run(path("raw.keras") + " train" + arrays +
          " --optimizer sgd --loss mse --metrics mae --epochs 2 --save " + path("saved.keras"));
  EXPECT_SAYS(trained, "mae: ");
  EXPECT_TRUE(keras::load_model(path("saved.keras")).compiled());
  EXPECT_SAYS(run(path("saved.keras") + " evaluate" + arrays), "mae: ");
  EXPECT_SAYS(run(path("raw.keras") + " evaluate" + arrays + " --loss mse"), "loss: ");
  EXPECT_SAYS(run(path("raw.keras") + " train" + arrays + " --loss mee"), "did you mean");
}

TEST_F(TrainCommandTest, OptionsReplaceTheOptimizerAndTheLossOfTheFile) {
  small_model().save(path("m.keras"));
  keras::utils::save_npy(path("x.npy"), rows_);
  keras::utils::save_npy(path("y.npy"), labels_);
  const std::string arrays = " --inputs " + path("x.npy") + " --labels " + path("y.npy");
  const std::string squares = run(path("m.keras") + " evaluate" + arrays);
  const std::string absolutes = run(path("m.keras") + " evaluate" + arrays + " --loss mae");
  EXPECT_SAYS(absolutes, "loss: ");
  EXPECT_NE(squares, absolutes);
  run(path("m.keras") + " train" + arrays + " --optimizer sgd --save " + path("saved.keras"));
  EXPECT_EQ(keras::load_model(path("saved.keras")).optimizer()->class_name(), "SGD");
}

}  // namespace
}  // namespace cornu::inline v0::cli
