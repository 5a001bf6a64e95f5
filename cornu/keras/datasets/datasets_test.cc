#include "cornu/keras/datasets/datasets.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>

#include "cornu/base/error.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/keras/utils/sequences.h"
#include "cornu/keras/utils/text_windows.h"

namespace cornu::inline v0::keras::datasets {
namespace {

using keras::testing::golden_tensor;
using keras::testing::load_golden;
using nlohmann::json;

/// A folder for the files of one test.
class DatasetsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / ("cornu_datasets_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }

  std::filesystem::path folder_;
};

template <typename F>
void expect_dataset_error(ErrorCode code, const std::vector<std::string>& parts, F&& f) {
  try {
    f();
    FAIL() << "expected an error with " << parts[0];
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    for (const std::string& part : parts)
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " in " << error.what();
  }
}

void expect_equal(const Tensor& actual, const Tensor& expected) {
  ASSERT_EQ(actual.shape(), expected.shape());
  EXPECT_EQ(actual.to_vector<double>(), expected.to_vector<double>());
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.type() == b.type() && std::memcmp(a.bytes(), b.bytes(), a.type().size_bytes()) == 0;
}

TEST_F(DatasetsTest, MnistIsReadFromIdxFilesAndFromKerasArchive) {
  const json golden = load_golden("datasets").at("mnist");
  for (const char* path : {"tests/data/mnist", "tests/data/mnist.npz"}) {
    SCOPED_TRACE(path);
    const auto [train, test] = mnist::load_data({.path = path});
    EXPECT_EQ(train.x.shape(), (Dims{6, 28, 28}));
    EXPECT_EQ(test.x.shape(), (Dims{3, 28, 28}));
    EXPECT_EQ(train.x.dtype(), DType::kU8);
    expect_equal(train.y, golden_tensor(golden["y_train"]));
    expect_equal(test.y, golden_tensor(golden["y_test"]));
    expect_equal(train.x[0], golden_tensor(golden["first"]));
    for (std::int64_t row = 0; row < 6; ++row) {
      const auto pixels = train.x[row].to_vector<int>();
      EXPECT_EQ(std::accumulate(pixels.begin(), pixels.end(), 0),
                golden["sums"][static_cast<std::size_t>(row)].get<int>());
    }
  }
}

TEST_F(DatasetsTest, MissingFilesSayWhatPeopleGetAndNameNoHost) {
  expect_dataset_error(ErrorCode::kNotFound,
                       {"no MNIST in \"nowhere\"", "train-images-idx3-ubyte.gz (MD5 f68b"},
                       [] { mnist::load_data({.path = "nowhere"}); });
  expect_dataset_error(ErrorCode::kNotFound, {"no MNIST in \"mnist.npz\""}, [] { mnist::load_data(); });
  expect_dataset_error(ErrorCode::kNotFound,
                       {"no CIFAR-10 in \"nowhere\"", "data_batch_1.bin", "cifar-10-binary.tar.gz (MD5 c32a"},
                       [] { cifar10::load_data({.path = "nowhere"}); });
  expect_dataset_error(ErrorCode::kNotFound, {"\"nowhere.npz\"", "imdb.npz (SHA-256 6966"},
                       [] { imdb::load_data({.path = "nowhere.npz"}); });
  expect_dataset_error(ErrorCode::kNotFound, {"imdb_word_index.json (MD5 bfaf"},
                       [] { imdb::get_word_index(); });
}

TEST_F(DatasetsTest, MnistFilesThatDoNotBelongTogetherAreErrors) {
  const auto copy = [&](const char* from, const char* to) {
    std::filesystem::copy_file(std::string("tests/data/mnist/") + from, path(to));
  };
  copy("train-images-idx3-ubyte.gz", "train-images-idx3-ubyte.gz");
  copy("t10k-labels-idx1-ubyte", "train-labels-idx1-ubyte");
  expect_dataset_error(ErrorCode::kDataLoss, {"the labels must be 6 numbers", "got 3 of uint8"},
                       [&] { mnist::load_data({.path = path("")}); });
  std::string labels("\0\0\x08\x01\0\0\0\x06\x01\x02\x03\x04\x05\x0b", 14);
  write("train-labels-idx1-ubyte", labels);
  expect_dataset_error(ErrorCode::kDataLoss, {"label 11 of row 5"},
                       [&] { mnist::load_data({.path = path("")}); });
  write("train-images-idx3-ubyte", labels);
  expect_dataset_error(ErrorCode::kDataLoss, {"rows x 28 x 28 of uint8; got 6"},
                       [&] { mnist::load_data({.path = path("")}); });
}

TEST_F(DatasetsTest, Cifar10PutsTheColoursLast) {
  for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                           "data_batch_5.bin", "test_batch.bin"}) {
    std::string record(3073, '\0');
    record[0] = static_cast<char>(name[11] - '0');
    for (std::size_t i = 0; i < 3072; ++i) record[1 + i] = static_cast<char>(i / 1024 * 64 + i % 32);
    if (name[0] == 't') record[0] = 9;
    write(name, record);
  }
  const auto [train, test] = cifar10::load_data({.path = folder_.string()});
  EXPECT_EQ(train.x.shape(), (Dims{5, 32, 32, 3}));
  EXPECT_EQ(train.y.shape(), (Dims{5, 1}));
  EXPECT_EQ(train.y.to_vector<int>(), (std::vector<int>{1, 2, 3, 4, 5}));
  EXPECT_EQ(test.y.to_vector<int>(), (std::vector<int>{9}));
  EXPECT_EQ(train.x[0][7][5].to_vector<int>(), (std::vector<int>{5, 69, 133}));
  write("data_batch_3.bin", std::string(3000, '\0'));
  expect_dataset_error(ErrorCode::kDataLoss, {"data_batch_3.bin", "3073"},
                       [&] { cifar10::load_data({.path = folder_.string()}); });
}

template <typename Options>
Options word_options(const char* path, const json& config) {
  Options options{.path = path};
  if (config.contains("num_words")) options.num_words = config["num_words"].get<std::int64_t>();
  if (config.contains("skip_top")) options.skip_top = config["skip_top"].get<std::int64_t>();
  if (config.contains("maxlen")) options.maxlen = config["maxlen"].get<std::int64_t>();
  if (config.contains("seed")) options.seed = config["seed"].get<std::uint32_t>();
  if (config.contains("index_from")) options.index_from = config["index_from"].get<std::int32_t>();
  const auto optional = [&](const char* name, std::optional<std::int32_t>& value) {
    if (!config.contains(name)) return;
    value = config[name].is_null() ? std::nullopt : std::optional(config[name].get<std::int32_t>());
  };
  optional("start_char", options.start_char);
  optional("oov_char", options.oov_char);
  return options;
}
imdb::LoadDataOptions imdb_options(const json& config) {
  return word_options<imdb::LoadDataOptions>("tests/data/imdb/imdb.npz", config);
}

TEST_F(DatasetsTest, ReutersIsAsInKeras) {
  const json golden = load_golden("file_datasets").at("reuters");
  for (const json& test_case : golden.at("cases")) {
    SCOPED_TRACE(test_case["config"].dump());
    auto options = word_options<reuters::LoadDataOptions>("tests/data/reuters.npz", test_case["config"]);
    options.test_split = test_case["config"].value("test_split", 0.2);
    const auto [train, test] = reuters::load_data(options);
    EXPECT_EQ(train.x, test_case["x_train"].get<Sequences>());
    EXPECT_EQ(test.x, test_case["x_test"].get<Sequences>());
    EXPECT_EQ(train.y.to_vector<int>(), test_case["y_train"].get<std::vector<int>>());
    EXPECT_EQ(test.y.to_vector<int>(), test_case["y_test"].get<std::vector<int>>());
  }
  EXPECT_EQ(reuters::get_label_names(), golden.at("label_names").get<std::vector<std::string>>());
  expect_dataset_error(ErrorCode::kInvalidArgument, {"test_split = 1"},
                       [] { reuters::load_data({.path = "tests/data/reuters.npz", .test_split = 1}); });
  expect_dataset_error(ErrorCode::kNotFound, {"[reuters]", "reuters.npz (SHA-256 d658"},
                       [] { reuters::load_data({.path = "nowhere.npz"}); });
}

TEST_F(DatasetsTest, CaliforniaHousingIsAsInKeras) {
  const json goldens = load_golden("file_datasets");
  for (const json& test_case : goldens.at("california_housing")) {
    const json& config = test_case["config"];
    SCOPED_TRACE(config.dump());
    const auto [train, test] = california_housing::load_data({.version = config.value("version", "large"),
                                                              .path = "tests/data/california_housing.npz",
                                                              .test_split = config.value("test_split", 0.2),
                                                              .seed = config.value("seed", 113U)});
    const std::int64_t num_train = train.x.shape()[0], num_test = test.x.shape()[0];
    EXPECT_EQ((Dims{num_train, num_test}), test_case["rows"].get<Dims>());
    expect_equal(train.x.rows(0, 2), golden_tensor(test_case["first"]));
    expect_equal(test.x.rows(num_test - 2, num_test), golden_tensor(test_case["last"]));
    expect_equal(train.y.rows(0, 5), golden_tensor(test_case["y_train"]));
    expect_equal(test.y.rows(num_test - 5, num_test), golden_tensor(test_case["y_test"]));
  }
  expect_dataset_error(ErrorCode::kInvalidArgument, {"\"medium\""}, [] {
    california_housing::load_data({.version = "medium", .path = "tests/data/california_housing.npz"});
  });
}

TEST_F(DatasetsTest, FashionMnistHasTheFormOfMnist) {
  const auto [train, test] = fashion_mnist::load_data({.path = "tests/data/mnist"});
  const auto digits = mnist::load_data({.path = "tests/data/mnist"});
  EXPECT_TRUE(same_bytes(train.x, digits.train.x));
  EXPECT_TRUE(same_bytes(test.y, digits.test.y));
  expect_dataset_error(ErrorCode::kNotFound,
                       {"[fashion_mnist]", "no Fashion-MNIST in \"nowhere\"", "MD5 8d4f"},
                       [] { fashion_mnist::load_data({.path = "nowhere"}); });
}

TEST_F(DatasetsTest, Cifar100HasTwoLabelsARecord) {
  for (const char* name : {"train.bin", "test.bin"}) {
    std::string records(2 * 3074, '\0');
    for (std::size_t row = 0; row < 2; ++row) {
      records[row * 3074] = static_cast<char>(row + 3);
      records[row * 3074 + 1] = static_cast<char>(row + 98);
      for (std::size_t i = 0; i < 3072; ++i)
        records[row * 3074 + 2 + i] = static_cast<char>(i / 1024 * 64 + i % 32);
    }
    write(name, records);
  }
  const auto [train, test] = cifar100::load_data({.path = folder_.string()});
  EXPECT_EQ(train.x.shape(), (Dims{2, 32, 32, 3}));
  EXPECT_EQ(train.y.shape(), (Dims{2, 1}));
  EXPECT_EQ(train.y.to_vector<int>(), (std::vector<int>{98, 99}));
  EXPECT_EQ(train.x[1][7][5].to_vector<int>(), (std::vector<int>{5, 69, 133}));
  const auto coarse = cifar100::load_data({.path = folder_.string(), .label_mode = "coarse"});
  EXPECT_EQ(coarse.test.y.to_vector<int>(), (std::vector<int>{3, 4}));
  expect_dataset_error(ErrorCode::kInvalidArgument, {"\"middle\""},
                       [&] { cifar100::load_data({.path = folder_.string(), .label_mode = "middle"}); });
  expect_dataset_error(ErrorCode::kNotFound, {"no CIFAR-100", "cifar-100-binary.tar.gz"},
                       [] { cifar100::load_data({.path = "nowhere"}); });
  write("test.bin", std::string(3073, '\0'));
  expect_dataset_error(ErrorCode::kDataLoss, {"test.bin", "3074", "looks like CIFAR-10,"},
                       [&] { cifar100::load_data({.path = folder_.string()}); });
  write("test.bin", std::string(3074, '\x14'));
  expect_dataset_error(ErrorCode::kDataLoss, {"label 20", "0 to 19"},
                       [&] { cifar100::load_data({.path = folder_.string()}); });
  const TrainAndTest made = cifar100::make_data({.num_train = 10, .num_test = 5});
  EXPECT_EQ(made.train.x.shape(), (Dims{10, 32, 32, 3}));
}

TEST_F(DatasetsTest, ImdbIsAsInKeras) {
  const json goldens = load_golden("datasets").at("imdb");
  ASSERT_EQ(goldens.size(), 10U);
  for (const json& test_case : goldens) {
    SCOPED_TRACE(test_case["config"].dump());
    const auto [train, test] = imdb::load_data(imdb_options(test_case["config"]));
    EXPECT_EQ(train.x, test_case["x_train"].get<Sequences>());
    EXPECT_EQ(test.x, test_case["x_test"].get<Sequences>());
    EXPECT_EQ(train.y.to_vector<int>(), test_case["y_train"].get<std::vector<int>>());
    EXPECT_EQ(test.y.to_vector<int>(), test_case["y_test"].get<std::vector<int>>());
    EXPECT_EQ(train.y.dtype(), DType::kI64);
  }
}

TEST_F(DatasetsTest, ImdbWithoutAReviewShortEnoughIsAnError) {
  expect_dataset_error(ErrorCode::kInvalidArgument, {"maxlen = 2"},
                       [] { imdb::load_data({.path = "tests/data/imdb/imdb.npz", .maxlen = 2}); });
}

TEST_F(DatasetsTest, TheLimitsOfTheReadersAreOptions) {
  const io::ReadLimits little{.max_size_bytes = 100};
  const auto refuses = [](auto&& load) {
    expect_dataset_error(ErrorCode::kResourceExhausted, {"max_size_bytes"}, load);
  };
  refuses([&] { imdb::load_data({.path = "tests/data/imdb/imdb.npz", .limits = little}); });
  refuses([&] { imdb::get_word_index({.path = "tests/data/imdb/imdb_word_index.json", .limits = little}); });
  refuses([&] { mnist::load_data({.path = "tests/data/mnist", .limits = little}); });
  write("data_batch_1.bin", std::string(3073, '\0'));
  refuses([&] { cifar10::load_data({.path = folder_.string(), .limits = little}); });
}

TEST_F(DatasetsTest, ImdbNumbersStayWithinInt32) {
  constexpr std::int32_t kLargest = std::numeric_limits<std::int32_t>::max();
  expect_dataset_error(ErrorCode::kInvalidArgument, {"beyond int32", "index_from = 2147483647"}, [&] {
    imdb::load_data({.path = "tests/data/imdb/imdb.npz", .index_from = kLargest});
  });
}

TEST_F(DatasetsTest, TheWordIndexHoldsEveryWord) {
  const io::WordIndex index = imdb::get_word_index({.path = "tests/data/imdb/imdb_word_index.json"});
  EXPECT_EQ(index.size(), 62U);
  EXPECT_EQ(index.at("word7"), 7);
  EXPECT_EQ(index.at("caf\xC3\xA9"), 61);
}

TEST_F(DatasetsTest, MadeDataHaveTheShapesOfTheRealOnesAndFollowFromTheSeed) {
  const MakeDataOptions options{.num_train = 40, .num_test = 20, .seed = 3};
  const TrainAndTest digits = mnist::make_data(options), photos = cifar10::make_data(options);
  EXPECT_EQ(digits.train.x.shape(), (Dims{40, 28, 28}));
  EXPECT_EQ(digits.test.y.shape(), (Dims{20}));
  EXPECT_EQ(photos.train.x.shape(), (Dims{40, 32, 32, 3}));
  EXPECT_EQ(photos.test.y.shape(), (Dims{20, 1}));
  EXPECT_TRUE(same_bytes(digits.train.x, mnist::make_data(options).train.x));
  EXPECT_FALSE(
      same_bytes(digits.train.x, mnist::make_data({.num_train = 40, .num_test = 20, .seed = 4}).train.x));
  const imdb::ReviewData reviews = imdb::make_data(options, {.num_words = 1000});
  EXPECT_EQ(reviews.train.x.size(), 40U);
  EXPECT_EQ(reviews.train.x[0][0], 1);
  for (const Sequence& review : reviews.test.x)
    for (const std::int32_t word : review) ASSERT_LT(word, 1000);
  EXPECT_EQ(reviews.train.x, imdb::make_data(options, {.num_words = 1000}).train.x);
}

TEST(SequencesTest, PadSequencesIsAsInKeras) {
  const json golden = load_golden("datasets").at("pad_sequences");
  const auto sequences = golden["sequences"].get<Sequences>();
  for (const json& test_case : golden["cases"]) {
    const json& config = test_case["config"];
    SCOPED_TRACE(config.dump());
    utils::PadSequencesOptions options;
    if (config.contains("maxlen")) options.maxlen = config["maxlen"].get<std::int64_t>();
    if (config.contains("dtype")) options.dtype = DType::kF32;
    options.padding = config.value("padding", "pre");
    options.truncating = config.value("truncating", "pre");
    options.value = config.value("value", 0.0);
    expect_equal(utils::pad_sequences(sequences, options), golden_tensor(test_case["result"]));
  }
}

TEST(SequencesTest, PadSequencesRefusesWhatItDoesNotKnow) {
  expect_dataset_error(ErrorCode::kInvalidArgument, {"[pad_sequences] padding", "\"left\""},
                       [] { utils::pad_sequences({{1}}, {.padding = "left"}); });
  expect_dataset_error(ErrorCode::kInvalidArgument, {"truncating = \"\""},
                       [] { utils::pad_sequences({{1}}, {.truncating = ""}); });
  expect_dataset_error(ErrorCode::kInvalidArgument, {"maxlen = 0"},
                       [] { utils::pad_sequences({{1}}, {.maxlen = 0}); });
  expect_dataset_error(ErrorCode::kInvalidArgument, {"dtype = bool"},
                       [] { utils::pad_sequences({{1}}, {.dtype = DType::kI1}); });
  expect_dataset_error(ErrorCode::kInvalidArgument, {"dtype = bfloat16"},
                       [] { utils::pad_sequences({{1}}, {.dtype = DType::kBF16}); });
  EXPECT_EQ(utils::pad_sequences({}).shape(), (Dims{0, 0}));
}

TEST(SequencesTest, PadSequencesMakesEveryIntegerDtypeAndChangesNoNumber) {
  const Sequences sequences = {{1, 200}, {255}};
  const Tensor bytes = utils::pad_sequences(sequences, {.dtype = DType::kU8, .value = 7.9});
  EXPECT_EQ(bytes.dtype(), DType::kU8);
  EXPECT_EQ(bytes.to_vector<int>(), (std::vector<int>{1, 200, 7, 255}));
  EXPECT_EQ(utils::pad_sequences(sequences, {.dtype = DType::kU64}).to_vector<int>(),
            (std::vector<int>{1, 200, 0, 255}));
  expect_dataset_error(ErrorCode::kOutOfRange, {"200 at position 1 of sequence 0 does not fit dtype = int8"},
                       [&] { utils::pad_sequences(sequences, {.dtype = DType::kI8}); });
  for (const double value : {std::nan(""), HUGE_VAL, 2147483648.0, -2147483649.0}) {
    expect_dataset_error(ErrorCode::kInvalidArgument,
                         {"value must be a number that dtype holds", "dtype = int32"},
                         [&] { utils::pad_sequences(sequences, {.value = value}); });
  }
  EXPECT_EQ(utils::pad_sequences({{}}, {.maxlen = 1, .value = -2147483648.0}).to_vector<double>(),
            (std::vector<double>{-2147483648.0}));
  EXPECT_TRUE(
      std::isnan(utils::pad_sequences({{}}, {.maxlen = 1, .dtype = DType::kF32, .value = std::nan("")})
                     .to_vector<float>()[0]));
}

TEST(SequencesTest, SizesThatOverflowAreErrorsBeforeMemoryIsTaken) {
  const Sequences four(4, Sequence{1});
  expect_dataset_error(ErrorCode::kResourceExhausted,
                       {"[pad_sequences] maxlen = 4611686018427387904", "4 x 4611686018427387904 int32"},
                       [&] { utils::pad_sequences(four, {.maxlen = std::int64_t{1} << 62}); });
  expect_dataset_error(ErrorCode::kResourceExhausted, {"[to_categorical] num_classes = 4611686018427387905"},
                       [] {
                         utils::to_categorical(Tensor::of<std::int64_t>({4}, {0, 1, 2, 3}),
                                               {.num_classes = (std::int64_t{1} << 62) + 1});
                       });
  expect_dataset_error(
      ErrorCode::kResourceExhausted,
      {"the class id 4611686018427387903 at position 2", "4 x 4611686018427387904 float32"},
      [] { utils::to_categorical(Tensor::of<std::int64_t>({4}, {0, 1, (std::int64_t{1} << 62) - 1, 3})); });
  expect_dataset_error(ErrorCode::kResourceExhausted, {"the class id 1000000000 at position 4"}, [] {
    utils::to_categorical(Tensor::of<std::int32_t>({5}, {0, 1, 2, 3, 1000000000}));
  });
  expect_dataset_error(
      ErrorCode::kOutOfRange, {"the class id 9223372036854775807 at position 1 is outside"}, [] {
        utils::to_categorical(Tensor::of<std::int64_t>({2}, {0, std::numeric_limits<std::int64_t>::max()}));
      });
}

TEST(SequencesTest, ToCategoricalIsAsInKeras) {
  const json goldens = load_golden("datasets").at("to_categorical");
  ASSERT_EQ(goldens.size(), 4U);
  for (const json& test_case : goldens) {
    SCOPED_TRACE(test_case.dump());
    utils::ToCategoricalOptions options;
    if (!test_case["num_classes"].is_null())
      options.num_classes = test_case["num_classes"].get<std::int64_t>();
    expect_equal(utils::to_categorical(golden_tensor(test_case["x"]), options),
                 golden_tensor(test_case["result"]));
  }
}

TEST(SequencesTest, ToCategoricalNamesAnIdOutsideTheClasses) {
  expect_dataset_error(ErrorCode::kOutOfRange, {"class id 3 at position 1 is outside [0, 3)"}, [] {
    utils::to_categorical(Tensor::of<std::int32_t>({2}, {0, 3}), {.num_classes = 3});
  });
  expect_dataset_error(ErrorCode::kOutOfRange, {"class id -1"},
                       [] { utils::to_categorical(Tensor::of<std::int32_t>({2}, {0, -1})); });
  expect_dataset_error(ErrorCode::kOutOfRange, {"class id -1 at position 0"},
                       [] { utils::to_categorical(Tensor::of<std::int32_t>({1}, {-1})); });
  expect_dataset_error(ErrorCode::kInvalidArgument, {"float32"},
                       [] { utils::to_categorical(Tensor::of<float>({1}, {0})); });
}

TEST(TextWindowsTest, WindowsAreOneHotAndTheNextCharacterIsTheLabel) {
  const std::string text =
      "abcab\xC3\xA9"
      "a";
  const utils::CharacterVocabulary vocabulary(text);
  EXPECT_EQ(vocabulary.size(), 4);
  EXPECT_EQ(vocabulary[3], "\xC3\xA9");
  const utils::TextWindows windows = utils::text_windows(text, vocabulary, {.maxlen = 3, .step = 2});
  EXPECT_EQ(windows.x.shape(), (Dims{2, 3, 4}));
  EXPECT_EQ(windows.y.to_vector<int>(), (std::vector<int>{0, 3}));
  EXPECT_EQ(windows.x[1].to_vector<int>(), (std::vector<int>{0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0}));
  EXPECT_EQ(vocabulary.decode(vocabulary.encode(text)), text);
  expect_equal(utils::one_hot_text("cab", vocabulary)[0], windows.x[1]);
}

TEST(TextWindowsTest, ShortTextsAndUnknownCharactersAreErrors) {
  const utils::CharacterVocabulary vocabulary("abc");
  expect_dataset_error(ErrorCode::kInvalidArgument, {"3 characters, maxlen = 3"},
                       [&] { utils::text_windows("abc", vocabulary, {.maxlen = 3}); });
  expect_dataset_error(ErrorCode::kInvalidArgument, {"step = 0"},
                       [&] { utils::text_windows("abc", vocabulary, {.maxlen = 1, .step = 0}); });
  expect_dataset_error(ErrorCode::kOutOfRange, {"no character \"x\" (number 1"},
                       [&] { utils::one_hot_text("ax", vocabulary); });
  expect_dataset_error(ErrorCode::kInvalidArgument, {"not UTF-8 at byte 1"},
                       [] { utils::CharacterVocabulary("a\xFF"); });
  // A lead byte without what must follow, an overlong form, a surrogate, a code point beyond the last.
  for (const char* wrong : {"ab\xC3(", "ab\xC0\xAF", "ab\xED\xA0\x80", "ab\xF4\x90\x80\x80"})
    expect_dataset_error(ErrorCode::kInvalidArgument, {"not UTF-8 at byte 2"},
                         [&] { utils::text_windows(wrong, vocabulary, {.maxlen = 1}); });
  for (const std::int32_t id : {-1, 3}) {
    const std::vector<std::int32_t> ids = {0, id};
    expect_dataset_error(ErrorCode::kOutOfRange,
                         {"the vocabulary has 3 characters", "got id = " + std::to_string(id)},
                         [&] { (void)vocabulary.decode(ids); });
  }
  expect_dataset_error(ErrorCode::kResourceExhausted, {"windows of 65536 characters of 3 kinds", "16 GiB"},
                       [&] {
                         utils::text_windows(std::string(std::size_t{1} << 17, 'a'), vocabulary,
                                             {.maxlen = 1 << 16, .step = 1});
                       });
  expect_dataset_error(ErrorCode::kInvalidArgument, {"the text is empty"},
                       [&] { utils::one_hot_text("", vocabulary); });
}

}  // namespace
}  // namespace cornu::inline v0::keras::datasets
