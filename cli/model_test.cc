/// `cornu model`, as it is called from the shell.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "cli/commands.h"
#include "cornu/base/error.h"
#include "cornu/io/file.h"
#include "cornu/io/zip.h"
#include "cornu/keras/keras.h"

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
  /// What the command prints, or its error.
  static std::string run(const std::string& arguments) {
    CLI::App app;
    add_model(app);
    std::string error;
    testing::internal::CaptureStdout();
    try {
      app.parse("model " + arguments, false);
    } catch (const Error& thrown) {
      error = thrown.what();
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

}  // namespace
}  // namespace cornu::inline v0::cli
