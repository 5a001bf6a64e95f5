/// Files that would harm: what loaders of others execute, follow or believe. Each is refused by name, before
/// memory is taken for it.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>

#include "cornu/base/checked_size.h"
#include "cornu/io/hdf5.h"
#include "cornu/io/zip.h"
#include "tests/model_files/hostile_archive_test_support.h"

namespace cornu::inline v0::keras {
namespace {

void set_first_units(Config& model, const Config& units) {
  Config layer = model.at("config").at("layers").at(std::size_t{1});
  Config config = layer.at("config");
  config.set("units", units);
  layer.set("config", config);
  set_first_layer(model, layer);
}

TEST(HostileFileTest, CodeInALambdaIsNeverRun) {
  const TestFolder folder;
  const Archive lambda = Archive().with_config([](Config& model) {
    set_first_layer(model, Config::parse(R"({"module": "keras.layers", "class_name": "Lambda", "config": {
      "name": "lambda", "function": {"class_name": "__lambda__", "config": {"code": "4wEAAAA=", "defaults": null}}}})"));
  });
  EXPECT_SAYS(lambda.load_error(folder), "is code, which is never read");
}

TEST(HostileFileTest, AMarshalledFunctionAsActivationOrLossIsRefused) {
  const TestFolder folder;
  const Archive activation = Archive().with_config([](Config& model) {
    Config layer = model.at("config").at("layers").at(std::size_t{1});
    Config config = layer.at("config");
    config.set("activation",
               Config::parse(R"({"class_name": "__lambda__", "config": {"code": "4wEAAAA="}})"));
    layer.set("config", config);
    set_first_layer(model, layer);
  });
  EXPECT_SAYS(activation.load_error(folder), "activation of Dense");
  const Archive loss = Archive().with_config([](Config& model) {
    Config compile_config = model.at("compile_config");
    compile_config.set("loss",
                       Config::parse(R"({"module": "os", "class_name": "function", "config": "system"})"));
    model.set("compile_config", compile_config);
  });
  EXPECT_SAYS(loss.load_error(folder), "functions are code");
}

TEST(HostileFileTest, ModulesAndClassesOfPythonAreNeverLookedUp) {
  const TestFolder folder;
  for (const char* object :
       {R"({"module": "os", "class_name": "system", "config": {"command": "true"}, "registered_name": null})",
        R"({"module": "builtins", "class_name": "eval", "config": {}, "registered_name": null})",
        R"({"module": "subprocess", "class_name": "Popen", "config": {}, "registered_name": "Popen"})",
        R"({"module": null, "class_name": "Evil", "config": {}, "registered_name": "p>Evil"})"}) {
    const Archive changed =
        Archive().with_config([&](Config& model) { set_first_layer(model, Config::parse(object)); });
    EXPECT_SAYS(changed.load_error(folder), "is not one of Keras's");
  }
  const Archive unknown = Archive().with_config([](Config& model) {
    set_first_layer(model,
                    Config::parse(R"({"module": "keras.utils", "class_name": "get_file", "config": {}})"));
  });
  EXPECT_SAYS(unknown.load_error(folder), "there is no layer class \"get_file\"");
  const Archive saved_model = Archive().with_config([](Config& model) {
    set_first_layer(
        model, Config::parse(
                   R"({"module": "keras.layers", "class_name": "TFSMLayer", "config": {"filepath": "/x"}})"));
  });
  EXPECT_SAYS(saved_model.load_error(folder), "TFSMLayer");
}

TEST(HostileFileTest, PathsInArchivesLeadNowhere) {
  const TestFolder folder;
  Archive archive;
  archive.more = {{"../../outside", "x"}, {"assets/../../../outside", "x"}, {"/absolute", "x"}};
  EXPECT_EQ(archive.load_error(folder), "no error");
  EXPECT_FALSE(std::filesystem::exists(folder / "../outside"));
}

TEST(HostileFileTest, PickledWeightsAreNotRead) {
  const TestFolder folder;
  Archive archive;
  archive.has_weights = false;
  archive.more = {{"model.weights.npz", "x"}};
  EXPECT_SAYS(archive.load_error(folder), "pickled Python objects");
}

TEST(HostileFileTest, ADescriptionThatAsksForMoreThanTheFileHoldsGetsNoMemory) {
  const TestFolder folder;
  for (const std::int64_t units : {std::int64_t{1} << 27, std::int64_t{1} << 40, std::int64_t{1} << 62}) {
    const Archive changed = Archive().with_config([&](Config& model) { set_first_units(model, units); });
    const std::string error = changed.load_error(folder);
    EXPECT_SAYS(error, "config.json");
    EXPECT_NE(error, "no error");
  }
  const Archive some = Archive().with_config([](Config& model) { set_first_units(model, 1 << 22); });
  EXPECT_SAYS(some.load_error(folder), "than the file has weights for");
}

TEST(HostileFileTest, AnArchiveThatUnpacksWithoutEndIsRefused) {
  const TestFolder folder;
  Archive archive;
  archive.weights.append(std::size_t{100} << 20, '\0');
  EXPECT_SAYS(archive.load_error(folder, true), "unpacks to more than 100 times");
  Archive config;
  config.config.append(std::size_t{100} << 20, ' ');
  EXPECT_SAYS(config.load_error(folder, true), "unpacks to more than 100 times");
}

TEST(HostileFileTest, ADescriptionThatUnpacksFromNearlyNothingIsRefused) {
  const TestFolder folder;
  Archive archive;
  archive.config.append(std::size_t{2} << 20, ' ');
  EXPECT_SAYS(archive.load_error(folder, true), "config.json unpacks to more than 100 times");
  EXPECT_EQ(archive.load_error(folder), "no error") << "the file has as many bytes";
}

TEST(HostileFileTest, ADescriptionNestedWithoutEndIsRefused) {
  const TestFolder folder;
  Archive archive;
  archive.config = std::string(1'000'000, '[');
  EXPECT_SAYS(archive.load_error(folder), "config.json");
}

TEST(HostileFileTest, ADescriptionWithAKeyTwiceIsRefused) {
  const TestFolder folder;
  Archive archive;
  archive.config = R"({"class_name": "Sequential", "class_name": "Functional", "config": {}})";
  EXPECT_SAYS(archive.load_error(folder), "class_name");
}

TEST(HostileFileTest, CallsThatFormALoopAreRefused) {
  const TestFolder folder;
  Archive archive;
  archive.config =
      R"({"module": "keras", "class_name": "Functional", "config": {"name": "m", "trainable": true,
    "layers": [{"module": "keras.layers", "class_name": "Flatten", "config": {"name": "a"}, "name": "a", "inbound_nodes":
      [{"args": [{"class_name": "__keras_tensor__", "config": {"keras_history": ["a", 0, 0]}}], "kwargs": {}}]}],
    "input_layers": ["a", 0, 0], "output_layers": ["a", 0, 0]}})";
  EXPECT_SAYS(archive.load_error(folder), "form a loop");
}

TEST(HostileFileTest, ChangedBytesOfWeightsAreFoundByTheSum) {
  const TestFolder folder;
  const Archive archive;
  archive.write(folder / "whole.keras");
  std::string bytes = text_of(io::read_file(folder / "whole.keras"));
  const std::size_t at = bytes.find("HDF", 0) + 3000;
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  std::ofstream(folder / "changed.keras", std::ios::binary) << bytes;
  EXPECT_SAYS(error_text_of([&] { load_model(folder / "changed.keras"); }), "its checksum differs");
}

TEST(HostileFileTest, FilesThatAreCutOffOrGoneAreNamed) {
  const TestFolder folder;
  const std::string bytes = text_of(io::read_file(kModel));
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(folder / "cut.keras", std::ios::binary) << bytes.substr(0, size);
    EXPECT_SAYS(error_text_of([&] { load_model(folder / "cut.keras"); }), "cut.keras");
  }
  EXPECT_SAYS(error_text_of([&] { load_model(folder / "none.keras"); }), "No such file");
  EXPECT_SAYS(error_text_of([&] { load_model(folder / ""); }), "directory");
  std::ofstream(folder / "text.keras") << "no archive";
  EXPECT_SAYS(error_text_of([&] { load_model(folder / "text.keras"); }), "neither a .keras nor an .h5 file");
}

TEST(HostileFileTest, APlaceThatCannotBeWrittenLeavesNothing) {
  const Model model = load_model(kModel);
  EXPECT_SAYS(error_text_of([&] { model.save("/nowhere/at/all.keras"); }), "/nowhere/at/all.keras");
  EXPECT_SAYS(error_text_of([&] { model.save("/dev/full/x.keras"); }), "/dev/full");
}

TEST(HostileFileTest, EveryByteOfADescriptionMayBeChanged) {
  const TestFolder folder;
  const Archive whole;
  int refused = 0;
  for (std::size_t at = 0; at < whole.config.size(); at += 37) {
    Archive changed = whole;
    changed.config[at] = changed.config[at] == '0' ? '9' : '0';
    refused += changed.load_error(folder) == "no error" ? 0 : 1;
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace cornu::inline v0::keras
