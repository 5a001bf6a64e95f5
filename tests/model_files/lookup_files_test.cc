/// Vocabularies that Keras keeps among the assets of .keras files.
#include <gtest/gtest.h>

#include "cornu/io/zip.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

constexpr const char* kLookups = "tests/data/keras/lookups.keras";

/// A copy of that file with one member changed.
std::string lookups_with(const TestFolder& folder, const std::string& member, const std::string& content) {
  const std::string path = folder / "changed.keras";
  const io::ZipFile zip(io::open_random_access(kLookups), "a .keras");
  io::ZipWriter written(path);
  for (const std::string& name : zip.members()) {
    const std::vector<std::byte> bytes = zip.read(name);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    written.add(name, name == member ? content : text);
  }
  written.commit();
  return path;
}

std::string weights_of_lookups() {
  const std::vector<std::byte> bytes =
      io::ZipFile(io::open_random_access(kLookups), "a .keras").read("model.weights.h5");
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Tensor array_of(const char* name) {
  const Tensors arrays = utils::load_npz("tests/data/keras/lookups.npz");
  for (std::size_t i = 0; i < arrays.size(); ++i)
    if (arrays.names()[i] == name) return arrays[i];
  return {};
}

TEST(LookupFilesTest, AdaptedLookupsGiveKerassPredictions) {
  const Tensor x = array_of("x");
  Model model = load_model(kLookups);
  EXPECT_LT(relative_difference(model.predict_on_batch(x), array_of("predictions")), 1e-5);
  // The vocabulary is the model's now, in files of ours too.
  const TestFolder folder;
  model.save(folder / "again.keras");
  Model again = load_model(folder / "again.keras");
  EXPECT_EQ(again.predict_on_batch(x).to_vector<float>(), model.predict_on_batch(x).to_vector<float>());
}

TEST(LookupFilesTest, DamagedVocabulariesAreNamed) {
  const TestFolder folder;
  const std::string member = "assets/layers/integer_lookup/vocabulary.txt";
  const std::string no_integer =
      error_text_of([&] { load_model(lookups_with(folder, member, "-1\n12\n7x\n-3")); });
  EXPECT_NE(no_integer.find("line 3 of " + member + " is no integer: \"7x\""), std::string::npos)
      << no_integer;
  const std::string twice = error_text_of([&] { load_model(lookups_with(folder, member, "-1\n12\n12\n")); });
  EXPECT_NE(twice.find("twice"), std::string::npos) << twice;
  EXPECT_FALSE(error_text_of([&] { load_model(lookups_with(folder, member, "")); }).empty());
}

TEST(LookupFilesTest, EmptyLinesAtTheEndAreNoTermsAndTakeNoMemory) {
  const TestFolder folder;
  const std::string member = "assets/layers/integer_lookup/vocabulary.txt";
  const std::string terms = io::ZipFile(io::open_random_access(kLookups), "a .keras").read_text(member);
  for (const std::string& end : {std::string(1 << 22, '\n'), std::string("\r\n\r\n\r")})
    EXPECT_EQ(error_text_of([&] { load_model(lookups_with(folder, member, terms + end)); }), "no error");
}

TEST(LookupFilesTest, AnEmptyTermStandsOnce) {
  const TestFolder folder;
  const std::string path = folder / "m.keras", member = "assets/layers/string_lookup/vocabulary.txt";
  const auto error_with = [&](const std::string& terms) {
    io::ZipWriter zip(path);
    zip.add("config.json",
            R"({"module": "keras", "class_name": "Sequential", "config": {"name": "m", "layers": [
      {"module": "keras.layers", "class_name": "StringLookup", "config": {"name": "string_lookup", "vocabulary": null}}]}})");
    zip.add("model.weights.h5", weights_of_lookups());
    zip.add(member, terms);
    zip.commit();
    return error_text_of([&] { load_model(path); });
  };
  const std::string error = error_with("a\n\n\nb\n");
  EXPECT_NE(error.find("line 3 of " + member + " is empty, as one before it"), std::string::npos) << error;
}

}  // namespace
}  // namespace cornu::inline v0::keras
