#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/io/file.h"
#include "cornu/io/hdf5.h"
#include "cornu/io/safetensors.h"
#include "cornu/io/zip.h"

// The files are made by tools/goldens/weight_files.py.
namespace cornu::inline v0::io {
namespace {

const std::string kModelCorpus = "tests/fuzz/corpus/";

std::string error_of_file(const std::string& name) {
  try {
    const Hdf5File file(open_random_access(kModelCorpus + "hdf5/" + name));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::byte> elements_of(const Hdf5File& file, const std::string& path) {
  const Hdf5Dataset* dataset = file.root().find_dataset(path);
  EXPECT_NE(dataset, nullptr) << path;
  std::vector<std::byte> elements(dataset->size_bytes);
  file.read(*dataset, elements);
  return elements;
}

TEST(Hdf5Test, ReadsWhatH5pyWrote) {
  const Hdf5File file(open_random_access(kModelCorpus + "hdf5/weights"));
  const Hdf5Group* vars = file.root().find_group("layers/dense_1/vars");
  ASSERT_NE(vars, nullptr);
  EXPECT_EQ(vars->attributes.at("name").texts, std::vector<std::string>{"dense_1"});
  const Hdf5Dataset* kernel = vars->find_dataset("0");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->type, ElementType::kF32);
  EXPECT_EQ(kernel->dims, (std::vector<std::int64_t>{2, 3}));
  const std::vector<std::byte> bytes = elements_of(file, "layers/dense_1/vars/0");
  const auto* values = reinterpret_cast<const float*>(bytes.data());
  EXPECT_EQ((std::vector<float>(values, values + 6)), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(vars->find_dataset("1")->type, ElementType::kF16);
  EXPECT_EQ(file.root().find_group("layers/nothing"), nullptr);
  EXPECT_EQ(file.root().find_dataset("layers/dense_1/vars/7"), nullptr);
}

TEST(Hdf5Test, NumberedNamesStandInTheirOrder) {
  const Hdf5File file(open_random_access(kModelCorpus + "hdf5/weights"));
  std::vector<std::string> names;
  for (const auto& [name, dataset] : file.root().find_group("optimizer/vars")->datasets)
    names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}));
  EXPECT_EQ(file.root().find_dataset("optimizer/vars/10")->type, ElementType::kBF16);
}

TEST(Hdf5Test, ReadsEveryTypeAndTextThatKerasHas) {
  const Hdf5File file(open_random_access(kModelCorpus + "hdf5/types"));
  EXPECT_EQ(file.root().find_dataset("truth")->type, ElementType::kBool);
  EXPECT_EQ(elements_of(file, "truth"), (std::vector<std::byte>{std::byte{1}, std::byte{0}}));
  EXPECT_EQ(file.root().find_dataset("empty")->dims, (std::vector<std::int64_t>{0, 3}));
  EXPECT_TRUE(elements_of(file, "empty").empty());
  for (const ElementType type : {ElementType::kI8, ElementType::kU8, ElementType::kI16, ElementType::kU16,
                                 ElementType::kI32, ElementType::kU32, ElementType::kU64})
    EXPECT_EQ(file.root().find_dataset(element_type_name(type))->type, type);
  EXPECT_EQ(file.root().attributes.at("names").texts, (std::vector<std::string>{"a", "bc", ""}));
  EXPECT_TRUE(file.root().attributes.at("none").texts.empty());
}

TEST(Hdf5Test, WhatLeadsElsewhereOrKerasNeverWritesIsRefusedByName) {
  const auto expect_refused = [](const std::string& name, const std::string& part) {
    const std::string error = error_of_file("refused_" + name);
    EXPECT_NE(error.find(part), std::string::npos) << name << ": " << error;
  };
  expect_refused("soft_link", "soft links are never followed");
  expect_refused("external_link", "links of newer HDF5 versions");
  expect_refused("hard_link", "belongs to two objects");
  expect_refused("external_data", "data in other files (external) are never read");
  expect_refused("virtual", "virtual data sets are never read");
  expect_refused("chunks", "data in chunks are not read");
  expect_refused("filter", "filtered data are not read");
  expect_refused("compound", "HDF5's class 6");
}

TEST(Hdf5Test, WhatIsWrittenIsReadAgainAlsoWithTreesOfManyLevels) {
  constexpr int kMany = 2000;  // two levels of a tree of names
  std::vector<float> values(kMany);
  std::iota(values.begin(), values.end(), 0.0F);
  const std::vector<std::int64_t> scalar, pair = {2};
  Hdf5Content content;
  content.attributes["names"] = {.is_list = true, .texts = {"a", "", std::string(9000, 'x')}};
  content.attributes["none"] = {.is_list = true, .texts = {}};
  Hdf5Content& vars = content.group("layers/dense/vars");
  vars.attributes["name"] = {.is_list = false, .texts = {"d\xC3\xA9nse"}};
  for (int i = 0; i < kMany; ++i)
    vars.datasets.emplace(
        std::to_string(i),
        std::pair(ArrayView(ElementType::kF32, scalar,
                            std::as_bytes(std::span(values).subspan(static_cast<std::size_t>(i), 1))),
                  Hdf5Attributes()));
  const std::byte truth[] = {std::byte{1}, std::byte{0}};
  content.datasets.emplace("truth", std::pair(ArrayView(ElementType::kBool, pair, truth), Hdf5Attributes()));
  content.group("empty");
  const Hdf5Writer writer(content);
  std::vector<std::byte> bytes;
  writer.write([&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  ASSERT_EQ(bytes.size(), writer.size_bytes());
  const Hdf5File file(keep_bytes(bytes, "written"));
  EXPECT_EQ(file.root().attributes.at("names").texts[2].size(), 9000U);
  EXPECT_TRUE(file.root().attributes.at("none").texts.empty());
  EXPECT_EQ(file.root().find_group("layers/dense/vars")->attributes.at("name").texts[0], "d\xC3\xA9nse");
  EXPECT_EQ(file.root().find_group("layers/dense/vars")->datasets.size(), values.size());
  const std::vector<std::byte> last = elements_of(file, "layers/dense/vars/1999");
  EXPECT_EQ(*reinterpret_cast<const float*>(last.data()), 1999.0F);
  EXPECT_NE(file.root().find_group("empty"), nullptr);
  EXPECT_EQ(elements_of(file, "truth"), (std::vector<std::byte>(truth, truth + 2)));
}

TEST(SafetensorsTest, ReadsWhatItsOwnLibraryWrote) {
  const SafetensorsFile file(open_random_access(kModelCorpus + "safetensors/weights"));
  ASSERT_EQ(file.entries().size(), 3U);
  const SafetensorsFile::Entry& kernel = file.entries().at("dense.kernel");
  EXPECT_EQ(kernel.dims, (std::vector<std::int64_t>{2, 3}));
  std::vector<float> values(6);
  file.read(kernel, std::as_writable_bytes(std::span(values)));
  EXPECT_EQ(values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(file.entries().at("dense.bias").type, ElementType::kF16);
}

TEST(SafetensorsTest, ArraysThatOverlapLeaveGapsOrLieOutsideAreRefused) {
  const auto error_of_text = [](const std::string& description, std::size_t data) {
    const std::uint64_t size = description.size();
    std::string bytes(reinterpret_cast<const char*>(&size), 8);
    bytes += description + std::string(data, '\0');
    try {
      const SafetensorsFile file(view_bytes(std::as_bytes(std::span(bytes)), "x"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  const std::string a = R"("a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]})";
  EXPECT_EQ(error_of_text("{" + a + "}", 4), "no error");
  EXPECT_NE(error_of_text("{" + a + "," + a + "}", 4).find("occurs twice"), std::string::npos);
  EXPECT_NE(error_of_text("{" + a + R"(, "b": {"dtype": "U8", "shape": [1], "data_offsets": [2, 3]}})", 4)
                .find("overlap"),
            std::string::npos);
  EXPECT_NE(error_of_text("{" + a + "}", 8).find("belong to no array"), std::string::npos);
  EXPECT_NE(error_of_text("{" + a + "}", 3).find("beyond the end"), std::string::npos);
  EXPECT_NE(error_of_text(
                R"({"a": {"dtype": "F32", "shape": [4611686018427387904, 4], "data_offsets": [0, 0]}})", 0)
                .find("does not fit"),
            std::string::npos);
  EXPECT_NE(error_of_text("[", 0).find("cannot be read"), std::string::npos);
}

TEST(ZipTest, MembersAreReadWholeOrInParts) {
  const ZipFile zip(open_random_access(kModelCorpus + "zip/two"), "a zip");
  EXPECT_EQ(zip.members(), (std::vector<std::string>{"stored", "deflated"}));
  for (const char* member : {"stored", "deflated"}) {
    EXPECT_EQ(zip.read(member).size(), 64U);
    std::vector<std::byte> part(7);
    zip.open(member)->read(8, part);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(part.data()), part.size()), "content") << member;
  }
}

TEST(ZipTest, TwoMembersOfOneNameAreRefused) {
  const std::string path = (std::filesystem::path(::testing::TempDir()) / "cornu_zip_twice.zip").string();
  ZipWriter writer(path);
  writer.add("a", "x");
  writer.add("a", "y");
  writer.commit();
  try {
    const ZipFile zip(open_random_access(path), "a zip");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("two members are named \"a\""), std::string::npos);
  }
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace cornu::inline v0::io
