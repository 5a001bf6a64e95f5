// Layers of texts and categories against real Keras (tools/goldens/text_layers.py); in pipelines, in models.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/data/dataset.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layers/preprocessing/tokenize_support.h"
#include "cornu/keras/testing/golden_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using data::Dataset;
using data::Element;
using data::Strings;
using layers::HashedCrossing;
using layers::Hashing;
using layers::IntegerLookup;
using layers::StringLookup;
using layers::TextVectorization;
using nlohmann::json;

const json& text_goldens() {
  static const auto& all = *new json(testing::load_golden("text_layers"));
  return all;
}

Element flat_element(const Dims& shape, const json& values, const std::string& dtype) {
  if (dtype == "string") {
    const auto texts = values.get<std::vector<std::string>>();
    return shape.empty() ? Element(data::Text(texts[0])) : Element(Strings(shape, texts));
  }
  if (dtype == "float32") return Tensor::adopt(shape, values.get<std::vector<float>>());
  if (dtype == "int32") return Tensor::adopt(shape, values.get<std::vector<std::int32_t>>());
  return Tensor::adopt(shape, values.get<std::vector<std::int64_t>>());
}

/// Rows of any depth: lists of lists of values.
Element ragged_element(const json& rows, int depth, const std::string& dtype) {
  if (depth == 0) return flat_element({static_cast<std::int64_t>(rows.size())}, rows, dtype);
  std::vector<std::int64_t> splits = {0};
  json values = json::array();
  for (const json& row : rows) {
    values.insert(values.end(), row.begin(), row.end());
    splits.push_back(static_cast<std::int64_t>(values.size()));
  }
  return data::Ragged(ragged_element(values, depth - 1, dtype), splits);
}

int depth_of(const json& rows) {
  int depth = 0;
  for (const json& row : rows)
    if (row.is_array()) depth = std::max(depth, 1 + depth_of(row));
  return depth;
}

Element golden_element(const json& value) {
  if (value.contains("parts")) {
    std::vector<Element> parts;
    for (const json& part : value.at("parts")) parts.push_back(golden_element(part));
    return parts;
  }
  if (value.contains("ragged"))
    return ragged_element(value.at("ragged"), depth_of(value.at("ragged")), value.at("dtype"));
  return flat_element(value.at("shape").get<Dims>(), value.at("data"), value.at("dtype"));
}

void expect_element(const Element& ours, const Element& wanted) {
  ASSERT_EQ(ours.is_ragged(), wanted.is_ragged()) << ours.type_str() << " for " << wanted.type_str();
  if (ours.is_ragged()) {
    EXPECT_EQ(ours.ragged().row_splits(), wanted.ragged().row_splits());
    return expect_element(ours.ragged().values(), wanted.ragged().values());
  }
  if (!wanted.is_numeric() || !ir::is_float(wanted.tensor().dtype())) {
    EXPECT_EQ(ours.type_str(), wanted.type_str());
    EXPECT_EQ(ours.str(), wanted.str());
    return;
  }
  EXPECT_EQ(ours.tensor().dtype(), wanted.tensor().dtype());
  testing::expect_close(ours.tensor(), wanted.tensor(), 1e-6, "values");
}

template <typename Layer, typename Options>
Layer made_of(const std::string& name, const json& config) {
  return Layer(saving::read_fields<Options>(Config::parse(config.dump()), {"keras.layers", name}));
}

template <typename Layer>
void expect_calls(const Layer& layer, const json& row) {
  for (const json& call : row.at("calls")) {
    SCOPED_TRACE(call.at("x").dump());
    expect_element(Element(layer(golden_element(call.at("x")))), golden_element(call.at("y")));
  }
}

/// Checks a layer whose vocabulary is given, adapted or set, and a copy made from its configuration.
template <typename Layer, typename Options, typename Key>
void check_lookup(const json& row) {
  const auto layer = made_of<Layer, Options>(row.at("layer"), row.at("config"));
  if (row.contains("adapt")) layer.adapt(golden_element(row.at("adapt")));
  if (row.contains("batches")) {
    std::vector<Element> batches;
    for (const json& batch : row.at("batches")) batches.push_back(golden_element(batch));
    layer.adapt(batches);
  }
  if (row.contains("set_vocabulary")) {
    const json& given = row.at("set_vocabulary");
    layer.set_vocabulary(given.at("vocabulary").get<std::vector<Key>>(),
                         {.idf_weights = given.at("idf_weights").get<std::vector<double>>()});
  }
  expect_calls(layer, row);
  EXPECT_EQ(layer.get_vocabulary(), row.at("vocabulary").get<std::vector<Key>>());
  EXPECT_EQ(layer.get_vocabulary({.include_special_tokens = false}),
            row.at("plain_vocabulary").get<std::vector<Key>>());
  EXPECT_EQ(layer.vocabulary_size(), row.at("vocabulary_size").get<std::int64_t>());
  const auto copy = made_of<Layer, Options>(row.at("layer"), json::parse(layer.get_config().json()));
  expect_calls(copy, row);
  EXPECT_EQ(copy.get_vocabulary(), layer.get_vocabulary());
}

TEST(TextLayersTest, ValuesAndVocabulariesAreKerass) {
  std::size_t num_calls = 0;
  for (const json& row : text_goldens().at("cases")) {
    const std::string name = row.at("layer");
    SCOPED_TRACE(name + " " + row.at("config").dump());
    if (name == "StringLookup")
      check_lookup<StringLookup, layers::StringLookupOptions, std::string>(row);
    else if (name == "IntegerLookup")
      check_lookup<IntegerLookup, layers::IntegerLookupOptions, std::int64_t>(row);
    else if (name == "TextVectorization")
      check_lookup<TextVectorization, layers::TextVectorizationOptions, std::string>(row);
    else if (name == "Hashing")
      expect_calls(made_of<Hashing, layers::HashingOptions>(name, row.at("config")), row);
    else
      expect_calls(made_of<HashedCrossing, layers::HashedCrossingOptions>(name, row.at("config")), row);
    if (::testing::Test::HasFatalFailure()) return;
    num_calls += row.at("calls").size();
  }
  EXPECT_GT(num_calls, 150U);
}

TEST(TextLayersTest, BytesThatAreNoCharactersBecomeTensorFlowsReplacements) {
  for (const json& row : text_goldens().at("characters")) {
    std::string text;
    for (const int byte : row.at("bytes").get<std::vector<int>>()) text.push_back(static_cast<char>(byte));
    std::vector<std::string_view> pieces;
    layers::split_characters(text, pieces);
    EXPECT_EQ(std::vector<std::string>(pieces.begin(), pieces.end()),
              row.at("pieces").get<std::vector<std::string>>())
        << row.at("bytes").dump();
  }
}

TEST(TextLayersTest, TheyAreCalledOnTextsAndInPipelines) {
  const StringLookup lookup({.vocabulary = {"a", "b", "c", "d"}});
  EXPECT_EQ(lookup({"a", "z", "d"}).to_vector<std::int64_t>(), (std::vector<std::int64_t>{1, 0, 4}));
  EXPECT_EQ(lookup(data::Text("c")).item<int>(), 3);
  const Dataset letters = Dataset::from_tensor_slices(Strings{"d", "a", "q"});
  const Dataset pairs = Dataset::zip({letters, Dataset::range(3)}).batch(2);
  std::vector<std::int64_t> found;
  for (const Element& pair :
       pairs.map([lookup](const Strings& x, const Tensor& y) { return std::pair(lookup(x), y); }))
    for (const std::int64_t number : pair[0].tensor().to_vector<std::int64_t>()) found.push_back(number);
  EXPECT_EQ(found, (std::vector<std::int64_t>{4, 1, 0}));
  found.clear();
  for (const Element& number : letters.map(lookup, {.num_parallel_calls = 2}))
    found.push_back(number.item<int>());
  EXPECT_EQ(found, (std::vector<std::int64_t>{4, 1, 0}));
  const HashedCrossing cross({.num_bins = 5});
  EXPECT_EQ(cross({Strings{"A", "B"}, std::vector{101, 102}}).to_vector<int>(), (std::vector<int>{1, 1}));
}

TEST(TextLayersTest, AVectorOfTextsGivesATensor) {
  const std::vector<std::string> texts = {"a cat", "a dog"};
  const TextVectorization vectorize({.output_sequence_length = 2, .vocabulary = {"a", "cat", "dog"}});
  EXPECT_EQ(vectorize(texts).to_vector<int>(), (std::vector<int>{2, 3, 2, 4}));
  const StringLookup lookup({.vocabulary = {"a cat", "a dog"}});
  EXPECT_EQ(lookup(texts).to_vector<int>(), (std::vector<int>{1, 2}));
  const Hashing hashing({.num_bins = 3});
  EXPECT_EQ(hashing(texts).to_vector<int>(), hashing(Strings(texts)).to_vector<int>());
}

TEST(TextLayersTest, AdaptTakesDataSetsAndStops) {
  const Strings texts = {"one two", "two three", "three three", "four"};
  const Dataset pairs = Dataset::from_tensor_slices({texts, Tensor::zeros({4})});
  const TextVectorization vectorize({.output_sequence_length = 2});
  vectorize.adapt(pairs.batch(2));
  EXPECT_EQ(vectorize.get_vocabulary(),
            (std::vector<std::string>{"", "[UNK]", "three", "two", "one", "four"}));
  const TextVectorization fewer;
  fewer.adapt(pairs.repeat(), {.steps = 2});  // without batches, each text is one
  EXPECT_EQ(fewer.get_vocabulary({.include_special_tokens = false}),
            (std::vector<std::string>{"two", "three", "one"}));
  const TextVectorization by_hand(
      {.standardize = [](std::string_view text) { return std::string(text) + "!"; },
       .split = [](std::string_view text) { return std::vector<std::string>{std::string(text), "end"}; }});
  by_hand.adapt({"a", "b"});
  EXPECT_EQ(by_hand.get_vocabulary({.include_special_tokens = false}),
            (std::vector<std::string>{"end", "b!", "a!"}));
  EXPECT_THROW(by_hand.get_config(), Error);
}

class TextModelsTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, TextModelsTest, testing::platforms(), testing::PlatformName());

TEST_P(TextModelsTest, IntegersAreLookedUpInsideOfModels) {
  const Tensor x = Tensor::of<std::int64_t>({3, 2}, {12, 1138, 42, 7, -36, 12});
  for (const layers::IntegerLookupOptions& options :
       {layers::IntegerLookupOptions{.vocabulary = {1138, 12, 36, 42}},
        layers::IntegerLookupOptions{.num_oov_indices = 3, .mask_token = 42, .vocabulary = {1138, 12, 36}},
        layers::IntegerLookupOptions{.vocabulary = {1138, 12, 36}, .output_mode = "multi_hot"},
        layers::IntegerLookupOptions{.mask_token = 7, .vocabulary = {1138, 12, 36}, .output_mode = "count"},
        layers::IntegerLookupOptions{.vocabulary = {1138, 12, 36}, .output_mode = "one_hot"},
        layers::IntegerLookupOptions{.vocabulary = {1138, 12},
                                     .idf_weights = std::vector<double>{0.5, 2.0},
                                     .output_mode = "tf_idf"}}) {
    const IntegerLookup lookup(options);
    const KerasTensor input = Input({.shape = {2}, .dtype = DType::kI64});
    Model model({.inputs = {input}, .outputs = {lookup(input)}});
    EXPECT_EQ(model.predict(x, {.verbose = 0}).to_vector<float>(), lookup(x).to_vector<float>())
        << lookup.get_config().json();
  }
  const IntegerLookup back({.vocabulary = {1138, 12, 36}, .invert = true});
  const KerasTensor input = Input({.shape = {2}, .dtype = DType::kI64});
  Model model({.inputs = {input}, .outputs = {back(input)}});
  const Tensor numbers = Tensor::of<std::int64_t>({2, 2}, {0, 1, 3, 9});
  EXPECT_EQ(model.predict(numbers, {.verbose = 0}).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{-1, 1138, 36, -1}));
}

TEST(TextLayersTest, TermsRarerThanMinFrequencyAreUnknown) {
  const std::vector<std::string> texts = {"a", "b", "c", "a", "b", "a"};
  const StringLookup lookup({.min_frequency = 2});
  lookup.adapt(Dataset::from_tensor_slices(Strings(texts)).batch(2));  // counts over all batches
  EXPECT_EQ(lookup.get_vocabulary(), (std::vector<std::string>{"[UNK]", "a", "b"}));
  EXPECT_EQ(lookup({"c", "b", "a"}).to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 2, 1}));

  const IntegerLookup ids({.max_tokens = 3, .min_frequency = 2, .num_oov_indices = 2});
  ids.adapt(Tensor::of<std::int64_t>({7}, {40, 40, 40, 50, 50, 60, 60}));
  EXPECT_EQ(ids.get_vocabulary(), (std::vector<std::int64_t>{-1, -1, 40})) << "both limits hold";

  const TextVectorization words({.min_frequency = 2});
  words.adapt({"the cat", "the dog"});
  EXPECT_EQ(words.get_vocabulary(), (std::vector<std::string>{"", "[UNK]", "the"}));

  const StringLookup empty({.min_frequency = 9});
  empty.adapt({"a", "b"});
  EXPECT_EQ(empty({"a"}).to_vector<std::int64_t>(), (std::vector<std::int64_t>{0}));
}

TEST(TextLayersTest, ConfigurationsHaveMinFrequencyOnlyWhereItCounts) {
  const Config usual = StringLookup({})->get_config();
  EXPECT_EQ(usual.find("min_frequency"), nullptr) << "Keras has no such argument";
  const Config config = StringLookup({.min_frequency = 5})->get_config();
  EXPECT_EQ(config.at("min_frequency"), Config(5));
}

TEST(TextLayersTest, AModelLearnsFromTexts) {
  std::vector<std::string> texts;
  std::vector<float> labels;
  for (int i = 0; i < 64; ++i) {
    texts.push_back(i % 2 == 0 ? "a fine, fine film" : "dull. so dull a film");
    labels.push_back(static_cast<float>(i % 2));
  }
  const Dataset pairs = Dataset::from_tensor_slices({Strings(texts), Tensor(labels)});
  for (const char* mode : {"int", "multi_hot"}) {
    layers::TextVectorizationOptions options{.output_mode = mode};
    if (options.output_mode == "int") options.output_sequence_length = 6;
    const TextVectorization vectorize(options);
    vectorize.adapt(pairs.map([](const std::string& x, float) { return x; }).batch(16));
    Sequential model =
        options.output_mode == "int"
            ? Sequential({layers::Embedding({.input_dim = vectorize.vocabulary_size(), .output_dim = 4}),
                          layers::GlobalAveragePooling1D(), layers::Dense({.units = 1})})
            : Sequential({layers::Dense({.units = 1})});
    model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.1}),
                   .loss = losses::BinaryCrossentropy({.from_logits = true})});
    const Dataset batches = pairs.batch(16).map(
        [vectorize](const Strings& x, const Tensor& y) { return std::pair(vectorize(x), y); });
    const auto history = model.fit(batches, {.epochs = 10, .verbose = 0});
    EXPECT_LT(history["loss"].back(), 0.2) << mode;
  }
}

constexpr ErrorCode kInvalid = ErrorCode::kInvalidArgument;
constexpr ErrorCode kPrecondition = ErrorCode::kFailedPrecondition;

TEST(TextLayersTest, WrongOptionsAreRefused) {
  using layers::StringLookupOptions;
  const std::vector<std::string> ab = {"a", "b"};
  const auto refuse = [](const StringLookupOptions& options, const std::string& part) {
    expect_error(kInvalid, {part}, [&] { StringLookup layer(options); });
  };
  refuse({.max_tokens = 1}, "max_tokens");
  refuse({.max_tokens = 2, .vocabulary = ab}, "max_tokens = 2");
  refuse({.min_frequency = 0}, "min_frequency = 0");
  refuse({.num_oov_indices = -1}, "num_oov_indices");
  refuse({.vocabulary = ab, .idf_weights = std::vector<double>{1, 2}}, "idf_weights");
  refuse({.vocabulary = ab, .output_mode = "tf_idf"}, "idf_weights");
  refuse({.vocabulary = ab, .idf_weights = std::vector<double>{1}, .output_mode = "tf_idf"}, "idf_weights");
  refuse({.invert = true, .output_mode = "count"}, "invert");
  refuse({.output_mode = "two_hot"}, "output_mode");
  refuse({.pad_to_max_tokens = true}, "max_tokens");
  refuse({.encoding = "latin-1"}, "encoding");
  refuse({.salt = {1, 2, 3}}, "salt");
  refuse({.vocabulary = {"a", "b", "a"}}, "names \"a\" twice");
  refuse({.mask_token = "b", .vocabulary = ab}, "\"b\"");
  refuse({.vocabulary = std::vector<std::string>{}}, "empty");
  expect_error(kInvalid, {"salt"}, [] { IntegerLookup({.salt = 3}); });
  expect_error(kInvalid, {"vocabulary_dtype"}, [] { IntegerLookup({.vocabulary_dtype = "int32"}); });
  expect_error(kInvalid, {"num_bins"}, [] { Hashing({}); });
  expect_error(kInvalid, {"output_mode"}, [] { Hashing({.num_bins = 2, .output_mode = "tf_idf"}); });
  expect_error(kInvalid, {"dtype"}, [] { Hashing({.num_bins = 2, .dtype = DType::kF32}); });
  expect_error(kInvalid, {"output_mode"}, [] { HashedCrossing({.num_bins = 2, .output_mode = "count"}); });
  expect_error(kInvalid, {"standardize"}, [] { TextVectorization({.standardize = "upper"}); });
  expect_error(kInvalid, {"split"}, [] { TextVectorization({.split = "lines"}); });
  expect_error(kInvalid, {"ngrams"}, [] { TextVectorization({.ngrams = {0, 2}}); });
  expect_error(kInvalid, {"output_sequence_length"},
               [] { TextVectorization({.output_mode = "count", .output_sequence_length = 4}); });
  expect_error(kInvalid, {"ragged"}, [] { TextVectorization({.output_mode = "count", .ragged = true}); });
}

TEST(TextLayersTest, WrongCallsAreRefused) {
  const StringLookup strict({.num_oov_indices = 0, .vocabulary = {"a"}});
  expect_error(kInvalid, {"\"b\" is not in the vocabulary"}, [&] { strict({"a", "b"}); });
  expect_error(kInvalid, {"texts"}, [&] { strict(Element(3)); });
  expect_error(kPrecondition, {"adapt()"}, [&] { strict.adapt({"b"}); });
  const StringLookup counts({.output_mode = "count"});
  expect_error(kPrecondition, {"no vocabulary"}, [&] { counts({"a"}); });
  counts.adapt({"a", "b"});
  expect_error(kPrecondition, {"cannot change from 3 to 2"}, [&] { counts.adapt({"c"}); });
  expect_error(kInvalid, {"two axes"}, [&] { counts(Strings({1, 1, 1}, std::vector<std::string>{"a"})); });
  expect_error(kInvalid, {"no data"}, [&] { counts.adapt(Dataset::range(0)); });
  expect_error(kInvalid, {"(batch, 1)"},
               [] { TextVectorization()(Strings({1, 2}, std::vector<std::string>{"a", "b"})); });
  expect_error(kInvalid, {"mask_value"}, [] { Hashing({.num_bins = 3, .mask_value = 1})(Strings{"a"}); });
  expect_error(kInvalid, {"one shape"},
               [] { HashedCrossing({.num_bins = 3})({Strings{"a"}, std::vector{1, 2}}); });
  expect_error(kInvalid, {"integers"},
               [] { HashedCrossing({.num_bins = 3})({Strings{"a"}, std::vector{1.5}}); });
  const KerasTensor input = Input({.shape = {2}, .dtype = DType::kI64});
  expect_error(kPrecondition, {"vocabulary"}, [&] { IntegerLookup()(input); });
  expect_error(ErrorCode::kUnimplemented, {"num_oov_indices"},
               [&] { IntegerLookup({.num_oov_indices = 0, .vocabulary = {1}})(input); });
  const Hashing hashing({.num_bins = 3});
  expect_error(ErrorCode::kUnimplemented, {"map()"},
               [&] { static_cast<const LayerHandle&>(hashing)(input); });
  const TextVectorization vectorize;
  expect_error(ErrorCode::kUnimplemented, {"map()"},
               [&] { static_cast<const LayerHandle&>(vectorize)(input); });
}

TEST(TextLayersTest, HashingComparesNumbersWithTheMaskBeforeTheyAreCut) {
  const Hashing hashing({.num_bins = 3, .mask_value = 1});
  const std::vector<int> bins =
      hashing(Element(Tensor::of<float>({2}, {1.0F, 1.5F}))).tensor().to_vector<int>();
  EXPECT_EQ(bins[0], 0);
  EXPECT_GT(bins[1], 0);
  EXPECT_GT(hashing(Element(1.5)).tensor().item<int>(), 0);
  EXPECT_EQ(hashing(Element(1.0)).tensor().item<int>(), 0);
}

TEST(TextLayersTest, VocabulariesStandInFilesButNoConfigurationNamesOne) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cornu_text_layers_test";
  std::filesystem::create_directories(folder);
  const std::string words = folder / "words.txt", numbers = folder / "numbers.txt",
                    wrong = folder / "wrong.txt";
  std::ofstream(words) << "b\r\na\n\nc";
  std::ofstream(numbers) << "7\n-3\n";
  std::ofstream(wrong) << "7\nx\n";
  const StringLookup lookup({.vocabulary = words});
  EXPECT_EQ(lookup.get_vocabulary(), (std::vector<std::string>{"[UNK]", "b", "a", "", "c"}));
  EXPECT_EQ(StringLookup(saving::read_fields<layers::StringLookupOptions>(lookup.get_config(),
                                                                          {"keras.layers", "StringLookup"}))
                .get_vocabulary(),
            lookup.get_vocabulary());
  EXPECT_EQ(IntegerLookup({.vocabulary = numbers}).get_vocabulary(), (std::vector<std::int64_t>{-1, 7, -3}));
  expect_error(kInvalid, {"line 2"}, [&] { IntegerLookup({.vocabulary = wrong}); });
  expect_error(ErrorCode::kNotFound, {"missing.txt"},
               [&] { StringLookup({.vocabulary = (folder / "missing.txt").string()}); });
  Config config = lookup.get_config();
  config.set("vocabulary", words);
  expect_error(kInvalid, {"names a file"}, [&] { saving::from_config<Layer>("StringLookup", config); });
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cornu::inline v0::keras
