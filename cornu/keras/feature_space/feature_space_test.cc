// FeatureSpaces against real Keras (tools/goldens/feature_space.py).
#include "cornu/keras/feature_space/feature_space.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"

namespace cornu::inline v0::keras::utils {
namespace {

using data::Element;
using nlohmann::json;

const json& goldens() {
  static const auto& all = *new json(testing::load_golden("feature_space"));
  return all;
}

Element column(const json& value) {
  const Dims shape = value.at("shape").get<Dims>();
  if (value.at("dtype") == "string")
    return data::Strings(shape, value.at("data").get<std::vector<std::string>>());
  if (value.at("dtype") == "int32")
    return Tensor::adopt(shape, value.at("data").get<std::vector<std::int32_t>>());
  if (value.at("dtype") == "int64")
    return Tensor::adopt(shape, value.at("data").get<std::vector<std::int64_t>>());
  return Tensor::adopt(shape, value.at("data").get<std::vector<float>>());
}

Element table(const char* key,
              const std::vector<std::string>& names = {"age", "income", "rooms", "zip", "city", "job"}) {
  std::vector<Element> columns;
  for (const std::string& name : names) columns.push_back(column(goldens().at(key).at(name)));
  return Element(names, std::move(columns));
}

Element one_row(const Element& rows) {
  return data::map_leaves(rows, [](const Element& leaf) -> Element {
    return leaf.is_strings() ? Element(leaf.strings().text(0)) : Element(leaf.tensor()[0]);
  });
}

FeatureSpace space(const std::string& mode) {
  const std::string categories = mode == "dict" ? "int" : "one_hot";
  return FeatureSpace(
      {.features = {{"age", FeatureSpace::float_discretized(5, {.output_mode = categories})},
                    {"income", "float_normalized"},
                    {"rooms",
                     FeatureSpace::integer_categorical({.max_tokens = 5, .output_mode = categories})},
                    {"zip", FeatureSpace::integer_hashed(7, {.output_mode = categories})},
                    {"city",
                     FeatureSpace::string_categorical({.num_oov_indices = 2, .output_mode = categories})},
                    {"job", "string_hashed"}},
       .output_mode = mode,
       .crosses = {FeatureSpace::cross({"city", "job"}, {.crossing_dim = 6, .output_mode = categories}),
                   {"rooms", "city"}},
       .crossing_dim = 9,
       .hashing_dim = 4});
}

FeatureSpace numbers() {
  return FeatureSpace({.features = {{"age", "float"},
                                    {"income", FeatureSpace::float_rescaled({.scale = 1e-4, .offset = -3})},
                                    {"rooms", "integer_categorical"}}});
}

void expect_tensor(const Element& ours, const json& wanted, const std::string& what) {
  EXPECT_EQ(ir::numpy_name(ours.tensor().dtype()), wanted.at("dtype").get<std::string>()) << what;
  testing::expect_close(ours.tensor(), column(wanted).tensor(), 1e-5, what);
}

void expect_golden(const FeatureSpace& ours, const json& golden, const Element& rows) {
  const Element result = ours(rows), one = ours(one_row(rows));
  if (!result.is_structure()) {
    expect_tensor(result, golden.at("rows"), "rows");
    return expect_tensor(one, golden.at("one"), "one row");
  }
  ASSERT_EQ(result.names(), golden.at("names").get<std::vector<std::string>>());
  EXPECT_EQ(ours.encoded_names(), result.names());
  for (std::size_t i = 0; i < result.size(); ++i) {
    expect_tensor(result[i], golden.at("rows")[i], result.names()[i]);
    expect_tensor(one[i], golden.at("one")[i], result.names()[i] + " of one row");
  }
}

TEST(FeatureSpaceTest, VectorsAreKerass) {
  for (const char* mode : {"concat", "dict"}) {
    const FeatureSpace made = space(mode);
    made.adapt(table("table"));
    expect_golden(made, goldens().at("spaces").at(mode), table("new"));
    FeatureSpace copy = FeatureSpace::from_config(Config::parse(made.get_config().json()));
    EXPECT_EQ(copy.encoded_names(), made.encoded_names());
  }
  const FeatureSpace made = numbers();
  made.adapt(table("table", {"age", "income", "rooms"}));
  expect_golden(made, goldens().at("spaces").at("numbers"), table("new", {"age", "income", "rooms"}));
}

TEST(FeatureSpaceTest, DataSetsOfRowsAndOfBatchesAdaptTheSame) {
  const FeatureSpace by_rows = space("concat"), by_batches = space("concat");
  const data::Dataset rows = data::Dataset::from_tensor_slices(table("table"));
  by_rows.adapt(rows);
  by_batches.adapt(rows.batch(32));
  expect_golden(by_rows, goldens().at("spaces").at("concat"), table("new"));
  expect_golden(by_batches, goldens().at("spaces").at("concat"), table("new"));
}

TEST(FeatureSpaceTest, ASpaceThatWasMovedFromStillHasItsLayer) {
  FeatureSpace space({.features = {{"age", "float"}}});
  const FeatureSpace other = std::move(space);
  EXPECT_EQ(space.encoded_names(), other.encoded_names());  // NOLINT: a move is a copy
}

TEST(FeatureSpaceTest, FilesAreReadAndWrittenAsKerass) {
  const FeatureSpace from_keras = FeatureSpace::load("tests/data/keras/feature_space.keras");
  expect_golden(from_keras, goldens().at("spaces").at("concat"), table("new"));
  const std::string path = ::testing::TempDir() + "/cornu_feature_space.keras";
  from_keras.save(path);
  expect_golden(FeatureSpace::load(path), goldens().at("spaces").at("concat"), table("new"));
  expect_error(ErrorCode::kInvalidArgument, {"FeatureSpace::load()"}, [&] { load_model(path); });
  std::filesystem::remove(path);
  expect_error(ErrorCode::kInvalidArgument, {".keras", "x.h5"}, [&] { from_keras.save("x.h5"); });
}

TEST(FeatureSpaceTest, NumbersBecomePartOfAModel) {
  const FeatureSpace made = numbers();
  made.adapt(table("table", {"age", "income", "rooms"}));
  const KerasTensors encoded = made.get_encoded_features();
  ASSERT_EQ(encoded.size(), 1u);
  const ByName<KerasTensor> inputs = made.get_inputs();
  const Model model({.inputs = {inputs["age"], inputs["income"], inputs["rooms"]}, .outputs = encoded});
  const Element rows = table("new", {"age", "income", "rooms"});
  std::vector<Tensor> columns;
  for (const Element& each : rows.parts()) columns.push_back(ops::expand_dims(each.tensor(), -1));
  testing::expect_close(model(columns), made(rows).tensor(), 1e-6, "model");
}

TEST(FeatureSpaceTest, ModelsBeginWithEncodedTexts) {
  const FeatureSpace made = space("dict");
  made.adapt(table("table"));
  const KerasTensors encoded = made.get_encoded_features();
  ASSERT_EQ(encoded.size(), made.encoded_names().size());
  EXPECT_EQ(encoded[0].shape(), (Dims{kUnknown, 1}));
  EXPECT_EQ(encoded[3].shape(), (Dims{kUnknown, 4}));  // job
  EXPECT_EQ(encoded[0].dtype(), DType::kI32);
  EXPECT_EQ(encoded[1].dtype(), DType::kI64);
  expect_error(ErrorCode::kUnimplemented, {"get_encoded_features"}, [&] { made.get_inputs(); });
}

TEST(FeatureSpaceTest, MistakesAreErrors) {
  const auto expect_refused = [](FeatureSpaceOptions options, const std::vector<std::string>& parts) {
    expect_error(ErrorCode::kInvalidArgument, parts, [&] { FeatureSpace space(options); });
  };
  expect_refused({.features = {}}, {"features must not be empty"});
  expect_refused({.features = {{"a", "flot"}}}, {"got a = \"flot\"", "float"});
  expect_refused({.features = {{"a", "float"}}, .output_mode = "list"},
                 {"output_mode", "\"concat\" or \"dict\""});
  expect_refused(
      {.features = {{"city", "string_hashed"}, {"job", "string_hashed"}}, .crosses = {{"city", "jobs"}}},
      {"jobs", "did you mean \"job\""});
  expect_refused({.features = {{"a", "float"}, {"a", "float"}}}, {"\"a\" twice"});
  expect_error(ErrorCode::kInvalidArgument, {"two features or more"}, [] { Cross({"city"}); });
  expect_error(ErrorCode::kInvalidArgument, {"\"float\""},
               [] { FeatureSpace::cross({"a", "b"}, {.output_mode = "float"}); });
  const FeatureSpace made = numbers();
  const Element rows = table("new", {"age", "income", "rooms"});
  expect_error(ErrorCode::kFailedPrecondition, {"adapt()"}, [&] { made(rows); });
  made.adapt(table("table", {"age", "income", "rooms"}));
  expect_error(ErrorCode::kInvalidArgument, {"\"rooms\" are missing"},
               [&] { made(table("new", {"age", "income"})); });
  expect_error(ErrorCode::kInvalidArgument, {"no feature \"zip\""}, [&] { made(table("new")); });
  expect_error(ErrorCode::kInvalidArgument, {"\"age\"", "float32"}, [&] {
    made(Element({{"age", data::Strings{"x"}}, {"income", Tensor({1.0F})}, {"rooms", Tensor({1})}}));
  });
  const FeatureSpace unencoded(
      {.features = {{"a", FeatureSpace::integer_hashed(3, {.output_mode = "int"})}}});
  expect_error(ErrorCode::kInvalidArgument, {"not encoded"},
               [&] { unencoded(Element({{"a", Tensor({1})}})); });
}

}  // namespace
}  // namespace cornu::inline v0::keras::utils
