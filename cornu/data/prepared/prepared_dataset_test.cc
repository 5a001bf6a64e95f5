#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cornu/base/error.h"
#include "cornu/data/prepared/example_decoder.h"
#include "cornu/data/prepared/tfds.h"
#include "cornu/data/testing/element_json_test_support.h"
#include "cornu/io/example.h"
#include "cornu/io/tfrecord.h"

namespace cornu::inline v0::data::tfds {
namespace {

constexpr const char* kFolder = "tests/data/prepared";

const nlohmann::json& prepared_goldens() {
  static const nlohmann::json goldens = [] {
    std::ifstream file("tests/goldens/prepared_datasets.json");
    return nlohmann::json::parse(file);
  }();
  return goldens;
}

PreparedDataset digits(const std::string& split, bool as_supervised = false) {
  return load("tiny_digits", {.split = split, .data_dir = kFolder, .as_supervised = as_supervised});
}

template <typename F>
std::string prepared_error(ErrorCode code, F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(PreparedDatasetTest, ImagesAndLabelsComeInTheOrderOfTfdsLoad) {
  EXPECT_EQ(elements_json(digits("train")).dump(), prepared_goldens()["digits"].dump());
  EXPECT_EQ(elements_json(digits("test", true)).dump(), prepared_goldens()["supervised"].dump());
  const LoadOptions batched{.split = "test", .data_dir = kFolder, .batch_size = 4};
  EXPECT_EQ(elements_json(load("tiny_digits", batched)).dump(), prepared_goldens()["batched"].dump());
}

TEST(PreparedDatasetTest, EveryKindOfFeatureIsReadAsThere) {
  const PreparedDataset things = load("many_things/small:0.*.*", {.split = "train", .data_dir = kFolder});
  const nlohmann::json& wanted = prepared_goldens()["things"];
  std::size_t i = 0;
  for (const Element& element : things) {
    nlohmann::json actual = element_json(element), expected = wanted[i++];
    for (const char* const empty : {"any_size", "photo"}) EXPECT_EQ(actual[empty], expected[empty]) << empty;
    EXPECT_EQ(actual, expected) << i;
  }
  EXPECT_EQ(i, wanted.size());
  EXPECT_EQ(things.take(1).element_spec().find("int64") != std::string::npos, true);
  const Element first = *things.begin();
  EXPECT_EQ(first["half"].tensor().dtype(), DType::kF16);
  EXPECT_EQ(first["count"].tensor().dtype(), DType::kU64);
  EXPECT_EQ(first["meta"]["flag"].tensor().dtype(), DType::kI1);
  EXPECT_EQ(first["points"].tensor().dtype(), DType::kF64);
  EXPECT_EQ(first["points"].tensor().shape(), (Dims{1, 2}));
  EXPECT_EQ(first["any_size"].tensor().shape(), (Dims{7, 3, 4}));
}

TEST(PreparedDatasetTest, SlicesOfSplitsAreThoseOfTfds) {
  for (const auto& [split, wanted] : prepared_goldens()["splits"].items()) {
    nlohmann::json found = nlohmann::json::array();
    const PreparedDataset dataset = digits(split, true);
    for (const Element& element : dataset)
      found.push_back(element[1].item<int>() * 1000 + static_cast<int>(element[0].tensor().at(0)));
    EXPECT_EQ(found, wanted) << split;
    EXPECT_EQ(dataset.cardinality(), static_cast<std::int64_t>(wanted.size())) << split;
  }
}

TEST(PreparedDatasetTest, WhatTfdsRefusesAsASplitIsRefused) {
  for (const auto& split : prepared_goldens()["wrong"])
    expect_has(prepared_error(ErrorCode::kInvalidArgument, [&] { digits(split.get<std::string>()); }),
               "split \"");
  for (const char* const split :
       {"train[1%:2shard]", "train[9shard:]", "train[:1e2]", "train[0x10:]", "train[:nan%]", "train[:2%",
        "train[99999999999999999999:]", "train]", "train[:-]", "train++test"})
    expect_has(prepared_error(ErrorCode::kInvalidArgument, [&] { digits(split); }), "split \"");
}

TEST(PreparedDatasetTest, ItsInfoIsThatOfTheFiles) {
  const PreparedDataset dataset = digits("train");
  const DatasetInfo& info = dataset.info();
  EXPECT_EQ(info.name, "tiny_digits");
  EXPECT_EQ(info.version, "1.0.2");
  EXPECT_EQ(info.supervised_keys, (std::vector<std::string>{"image", "label"}));
  EXPECT_EQ(info.split("train").num_examples, 60);
  EXPECT_EQ(info.split("test").shard_lengths, (std::vector<std::int64_t>{3, 4, 3}));
  EXPECT_EQ(info.features.at("label").class_names, (std::vector<std::string>{"zero", "one", "two words"}));
  EXPECT_EQ(info.features.at("image").shape, (Dims{4, 3, 1}));
  const DatasetInfo things = info_from_directory(std::string(kFolder) + "/many_things/small/0.3.0");
  EXPECT_EQ(things.config_name, "small");
  EXPECT_EQ(things.features.at("meta/kind").num_classes, 5);
  EXPECT_EQ(things.features.at("kinds").class_names, (std::vector<std::string>{"a", "b"}));
  expect_has(prepared_error(ErrorCode::kInvalidArgument, [&] { things.features.at("meta/none"); }),
             "flag, id, kind");
  expect_has(prepared_error(ErrorCode::kInvalidArgument, [&] { things.split("validation"); }), "train");
  expect_has(prepared_error(
                 ErrorCode::kInvalidArgument,
                 [] { load("many_things", {.split = "train", .data_dir = kFolder, .as_supervised = true}); }),
             "does not define its inputs and labels");
}

TEST(PreparedDatasetTest, WhatIsNotThereIsNamedWithWhatIs) {
  const auto error_of = [](const char* name, ErrorCode code) {
    return prepared_error(code, [&] { load(name, {.split = "train", .data_dir = kFolder}); });
  };
  expect_has(error_of("mnist", ErrorCode::kNotFound), "many_things, tiny_digits");
  expect_has(error_of("tiny_digits:2.*.*", ErrorCode::kNotFound), "1.0.2");
  const auto error_in = [](const std::string& folder) {
    return prepared_error(ErrorCode::kNotFound,
                          [&] { load("mnist", {.split = "train", .data_dir = folder}); });
  };
  expect_has(error_in("/no/such/folder"),
             "there is no folder /no/such/folder either. Nothing is downloaded: ");
  const std::string empty =
      (std::filesystem::temp_directory_path() / ("cornu_tfds_" + std::to_string(::getpid()))).string();
  std::filesystem::create_directories(empty);
  expect_has(error_in(empty), empty + " has no data sets. Nothing is downloaded: ");
  std::filesystem::remove(empty);
  expect_has(error_of("many_things/large", ErrorCode::kNotFound), "large");
  error_of("../prepared/tiny_digits", ErrorCode::kInvalidArgument);
  error_of("/etc", ErrorCode::kInvalidArgument);
  expect_has(prepared_error(ErrorCode::kInvalidArgument,
                            [] { load("mnist", {.split = "train", .data_dir = "http://localhost:1/x"}); }),
             "over the network");
}

TEST(PreparedDatasetTest, FilesInAnotherOrderHaveTheSameExamples) {
  const auto sum = [](const Dataset& dataset) {
    return dataset
        .reduce(0.0, [](double state, const Element& e) { return state + e["image"].tensor().at(0); })
        .item<double>();
  };
  const LoadOptions options{.split = "train", .data_dir = kFolder, .shuffle_files = true, .seed = 3};
  const Dataset shuffled = load("tiny_digits", options);
  EXPECT_EQ(sum(shuffled), sum(digits("train")));
  bool differs = false;
  for (int pass = 0; pass < 5; ++pass)
    differs |= elements_json(shuffled).dump() != elements_json(digits("train")).dump();
  EXPECT_TRUE(differs);
}

TEST(PreparedDatasetTest, AnIteratorGoesOnWhereItWas) {
  const Dataset dataset = digits("train[5:]");
  Iterator iterator = dataset.iterator();
  iterator.skip(21);
  const std::vector<std::byte> place = iterator.save();
  const nlohmann::json wanted = element_json(*iterator.next());
  Iterator later = dataset.iterator();
  later.restore(place);
  EXPECT_EQ(element_json(*later.next()), wanted);
}

/// A copy of tiny_digits whose files a test may damage.
class DamagedDatasetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("cornu_prepared_test_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::copy(std::string(kFolder) + "/tiny_digits/1.0.2", folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string text(const char* name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const char* name, const std::string& content) const { std::ofstream(folder_ / name) << content; }
  void replace(const char* name, const std::string& from, const std::string& to) const {
    std::string content = text(name);
    ASSERT_NE(content.find(from), std::string::npos);
    write(name, content.replace(content.find(from), from.size(), to));
  }
  std::string error(ErrorCode code) const {
    return prepared_error(code,
                          [&] { load_from_directory(folder_.string(), {.split = "train"}).to_vector(); });
  }
  std::filesystem::path folder_;
};

TEST_F(DamagedDatasetTest, FilesOfOtherFoldersAreNeverNamed) {
  replace("dataset_info.json", "{DATASET}-{SPLIT}", "../{DATASET}-{SPLIT}");
  expect_has(error(ErrorCode::kDataLoss), "is not a valid name");
}

TEST_F(DamagedDatasetTest, AnotherNumberOfRecordsIsAnError) {
  replace("dataset_info.json", "\"20\"", "\"21\"");
  expect_has(error(ErrorCode::kFailedPrecondition), "61");
}

TEST_F(DamagedDatasetTest, LengthsThatCannotBeAreRefused) {
  replace("dataset_info.json", "\"20\"", "\"-20\"");
  expect_has(error(ErrorCode::kDataLoss), "negative");
  replace("dataset_info.json", "\"-20\"", "\"9223372036854775807\"");
  expect_has(error(ErrorCode::kDataLoss), "counted");
  replace("dataset_info.json", "\"9223372036854775807\"", "\"9223372036854775808\"");
  expect_has(error(ErrorCode::kDataLoss), "64 bits");
}

TEST(DatasetInfoTest, NamesOfFilesTakeNoMoreMemoryThanTheLimitsAllow) {
  const auto num_files = [](const std::string& pattern, std::size_t count) {
    std::string lengths = "1";
    for (std::size_t i = 1; i < count; ++i) lengths += ",1";
    const std::string split =
        R"({"name": "train", "filepathTemplate": ")" + pattern + R"(", "shardLengths": [)" + lengths + "]}";
    return parse_dataset_info(R"({"name": "d", "splits": [)" + split + "]}", "info")
        .splits[0]
        .file_names.size();
  };
  constexpr std::size_t kMost = 100'000;
  EXPECT_EQ(num_files("x", kMost), kMost);
  expect_has(prepared_error(ErrorCode::kDataLoss, [&] { num_files("x", kMost + 1); }),
             "more than 100000 files");
  expect_has(prepared_error(ErrorCode::kDataLoss, [&] { num_files(std::string(256, 'x'), 1); }),
             "more than 255 bytes");
  expect_has(
      prepared_error(ErrorCode::kDataLoss, [&] { num_files(std::string(250, 'x') + "{SPLIT}{SPLIT}", 1); }),
      "more than 255 bytes");
}

TEST_F(DamagedDatasetTest, OtherKindsOfFeaturesAreRefusedByName) {
  replace("features.json", "\"classLabel\": {\n                    \"numClasses\": \"3\"\n                },",
          "\"audio\": {},");
  replace("features.json", "class_label_feature.ClassLabel", "audio_feature.Audio");
  expect_has(error(ErrorCode::kUnimplemented), "feature \"label\" is a Audio");
}

TEST_F(DamagedDatasetTest, ImagesOfAnotherShapeAreRefused) {
  replace("features.json", "\"4\"", "\"5\"");
  expect_has(error(ErrorCode::kDataLoss), "feature \"image\": an image of shape (4, 3, 1)");
}

TEST_F(DamagedDatasetTest, LabelsBeyondTheClassesAreRefused) {
  replace("features.json", "\"numClasses\": \"3\"", "\"numClasses\": \"2\"");
  expect_has(error(ErrorCode::kDataLoss), "3 names for the 2 classes");
  write("label.labels.txt", "a\nb\n");
  expect_has(error(ErrorCode::kDataLoss), "2 is not from -1 to 1");
}

TEST_F(DamagedDatasetTest, OtherFormsOfFilesAreNamed) {
  replace("dataset_info.json", "\"tfrecord\"", "\"array_record\"");
  expect_has(error(ErrorCode::kUnimplemented), "array_record");
  write("dataset_info.json", "[1]");
  expect_has(error(ErrorCode::kDataLoss), "no JSON object");
  std::filesystem::remove(folder_ / "features.json");
  write("dataset_info.json", R"({"name": "a"})");
  error(ErrorCode::kNotFound);
}

TEST(ExampleDecoderTest, NumbersThatTheTypeDoesNotHoldAreNamed) {
  const ExampleDecoder decode(
      parse_features(
          R"({"featuresDict": {"features": {"a": {"tensor": {"dtype": "uint8", "shape": {"dimensions": ["-1", 2]}}}}}})",
          "features.json"),
      "records");
  const auto record = [](std::vector<std::int64_t> values) {
    return Text(io::serialize_example({{"a", std::move(values)}}));
  };
  EXPECT_EQ(element_json(decode(record({1, 255}))).dump(), R"({"a":[[1,255]]})");
  EXPECT_EQ(decode(record({}))["a"].tensor().shape(), (Dims{0, 2}));
  expect_has(prepared_error(ErrorCode::kDataLoss, [&] { decode(record({1, 256})); }),
             "256 is not from 0 to 255");
  expect_has(prepared_error(ErrorCode::kDataLoss, [&] { decode(record({1, 2, 3})); }),
             "do not fill whole rows of 2");
}

TEST(ParseFeaturesTest, DeepAndHugeFeaturesAreRefused) {
  std::string deep = R"({"text": {}})";
  for (int i = 0; i < 40; ++i) deep = R"({"featuresDict": {"features": {"a": )" + deep + "}}}";
  expect_has(prepared_error(ErrorCode::kDataLoss, [&] { parse_features(deep, "f"); }), "deep");
  const auto shaped = [](const char* shape) {
    return std::string(
               R"({"featuresDict": {"features": {"a": {"tensor": {"dtype": "int32", "shape": {"dimensions": )") +
           shape + "}}}}}}";
  };
  expect_has(
      prepared_error(ErrorCode::kDataLoss, [&] { parse_features(shaped("[4294967296, 4294967296]"), "f"); }),
      "too many");
  expect_has(prepared_error(ErrorCode::kUnimplemented, [&] { parse_features(shaped("[-1, -1]"), "f"); }),
             "unknown");
}

}  // namespace
}  // namespace cornu::inline v0::data::tfds
