/// The published holes of Keras's loaders, a row each: a file that uses one is refused, by name, and nothing
/// outside of it is read, written or run.
#include <fmt/format.h>

#include "tests/model_files/hostile_archive_test_support.h"

namespace cornu::inline v0::keras {
namespace {

constexpr const char* kLambda =
    R"({"module": "keras.layers", "class_name": "Lambda", "config": {"name": "lambda", "function":
       {"class_name": "__lambda__", "config": {"code": "4wEAAAA=", "defaults": null}}}})";

std::string error_of_layer(const TestFolder& folder, const std::string& layer) {
  return Archive()
      .with_config([&](Config& model) { set_first_layer(model, Config::parse(layer)); })
      .load_error(folder);
}

/// The weights replaced by a file of tests/fuzz/corpus/hdf5.
std::string error_of_weights(const TestFolder& folder, const std::string& name) {
  Archive archive;
  archive.weights = text_of(io::read_file("tests/fuzz/corpus/hdf5/" + name));
  return archive.load_error(folder);
}

/// An old .h5 file whose description of the model is another one of the same length or shorter.
std::string error_of_old_file(const TestFolder& folder, const std::string& from, const std::string& to) {
  std::string bytes = text_of(io::read_file("tests/data/keras/dense.h5"));
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos);
  bytes.replace(at, from.size(), to + std::string(from.size() - to.size(), ' '));
  std::ofstream(folder / "old.h5", std::ios::binary) << bytes;
  return error_text_of([&] { load_model(folder / "old.h5"); });
}

struct Hole {
  const char* name;
  std::function<std::string(const TestFolder&)> error;
  const char* says;
};

std::string function_error(const TestFolder& folder, const char* function) {
  return error_of_layer(
      folder,
      fmt::format(R"({{"module": "keras.layers", "class_name": "Dense", "config": {{"name": "d", "units": 2,
      "activation": {}}}}})",
                  function));
}

const Hole kHoles[] = {
    {"CVE_2024_3660_bytecode_in_a_lambda", [](auto& f) { return error_of_layer(f, kLambda); },
     "is code, which is never read"},
    {"CVE_2024_55459_an_archive_that_writes_where_it_likes",
     [](auto& f) {
       Archive archive;
       archive.config = "{}";
       archive.more = {{"../outside", "x"}, {"/tmp/cornu_outside", "x"}, {"assets/../../outside", "x"}};
       std::string error = archive.load_error(f);
       EXPECT_FALSE(std::filesystem::exists(f / "../outside"));
       EXPECT_FALSE(std::filesystem::exists("/tmp/cornu_outside"));
       return error;
     },
     "config.json"},
    {"CVE_2025_1550_any_function_of_any_module",
     [](auto& f) {
       return function_error(
           f,
           R"({"module": "os", "class_name": "function", "config": "system", "registered_name": "system"})");
     },
     "activation"},
    {"CVE_2025_8747_a_function_of_Keras_as_a_tool",
     [](auto& f) {
       return function_error(
           f,
           R"({"module": "keras.utils", "class_name": "function", "config": "get_file", "registered_name": "get_file"})");
     },
     "activation"},
    {"CVE_2025_9906_a_description_that_allows_itself_more",
     [](auto& f) {
       return error_of_layer(
           f, R"({"module": "keras.config", "class_name": "enable_unsafe_deserialization", "config": {}})");
     },
     "enable_unsafe_deserialization"},
    {"CVE_2025_9905_bytecode_in_an_old_file",
     [](auto& f) { return error_of_old_file(f, R"("class_name": "Dense")", R"("class_name":"Lambda")"); },
     "Lambda"},
    {"CVE_2025_49655_a_layer_that_unpickles",
     [](auto& f) {
       return error_of_layer(
           f,
           R"({"module": "keras.layers", "class_name": "TorchModuleWrapper", "config": {"module": "gASVAAAA"}})");
     },
     "TorchModuleWrapper"},
    {"CVE_2025_12058_a_vocabulary_that_is_a_path",
     [](auto& f) {
       return error_of_layer(
           f,
           R"({"module": "keras.layers", "class_name": "StringLookup", "config": {"name": "s", "vocabulary": "/etc/passwd"}})");
     },
     "StringLookup"},
    {"CVE_2025_12060_links_out_of_an_archive",
     [](auto& f) {
       std::filesystem::create_symlink("/etc/hostname", f / "link");
       Archive archive;
       archive.has_weights = false;
       archive.more = {{"assets/link/../../../link", "x"}};
       std::string error = archive.load_error(f);
       EXPECT_TRUE(std::filesystem::is_symlink(f / "link"));
       return error;
     },
     "model.weights.h5"},
    {"CVE_2026_0897_a_shape_larger_than_the_file",
     [](auto& f) {
       Archive archive;
       // The extents of a 2 x 3 array, in its header.
       const std::string extents({6, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0});
       const std::size_t at = archive.weights.find(extents);
       EXPECT_NE(at, std::string::npos);
       archive.weights.replace(at, 8, std::string({0, 0, 0, 0, 0, 1, 0, 0}));
       return archive.load_error(f);
     },
     "model.weights.h5"},
    {"CVE_2026_1669_data_in_other_files",
     [](auto& f) { return error_of_weights(f, "refused_external_data"); },
     "data in other files (external) are never read"},
    {"CVE_2026_1462_a_model_elsewhere",
     [](auto& f) {
       return error_of_layer(
           f, R"({"module": "keras.layers", "class_name": "TFSMLayer", "config": {"filepath": "/x"}})");
     },
     "TFSMLayer"},
    {"CVE_2026_12480_data_that_are_a_view_of_other_files",
     [](auto& f) { return error_of_weights(f, "refused_virtual"); }, "virtual data sets are never read"},
    {"links_to_other_files", [](auto& f) { return error_of_weights(f, "refused_external_link"); },
     "links of newer HDF5 versions"},
};
static_assert(std::size(kHoles) >= 12);

class PublishedHoleTest : public ::testing::TestWithParam<Hole> {};
INSTANTIATE_TEST_SUITE_P(Holes, PublishedHoleTest, ::testing::ValuesIn(kHoles),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(PublishedHoleTest, IsRefusedByName) {
  const TestFolder folder;
  const std::string error = GetParam().error(folder);
  EXPECT_NE(error, "no error");
  EXPECT_SAYS(error, GetParam().says);
}

}  // namespace
}  // namespace cornu::inline v0::keras
