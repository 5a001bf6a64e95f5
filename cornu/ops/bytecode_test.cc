#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/ir/bytecode/read.h"
#include "cornu/ir/print.h"
#include "cornu/ir/same_graph_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops {
namespace {

std::string bytes_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The files that tools/goldens/make_bytecode_programs.py wrote; each has the text of its program beside
/// it.
std::vector<std::string> artifact_paths() {
  std::vector<std::string> paths;
  for (const char* const folder : {"tests/programs", "tests/programs/bytecode"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".mlirbc") paths.push_back(entry.path().string());
  return paths;
}

std::string refusal_of(std::string_view program, const ir::ParseOptions& options = {}) {
  try {
    parse_stablehlo(program, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class ArtifactTest : public testing::TestWithParam<std::string> {};

TEST_P(ArtifactTest, IsTheSameGraphAsItsText) {
  const std::string& path = GetParam();
  const ir::ParsedModule text = parse_stablehlo(bytes_of_file(path.substr(0, path.rfind('-')) + ".mlir"));
  const ir::ParsedModule bytecode = parse_stablehlo(bytes_of_file(path), {.name = path});
  ASSERT_EQ(bytecode.module.functions.size(), text.module.functions.size());
  for (std::size_t i = 0; i < text.module.functions.size(); ++i) {
    const ir::Function &expected = *text.module.functions[i], &read = *bytecode.module.functions[i];
    EXPECT_EQ(read.name, expected.name);
    EXPECT_EQ(ir::GraphComparison::difference(read.body, expected.body), "") << expected.name;
  }
  EXPECT_EQ(bytecode.argument_attributes.size(), text.argument_attributes.size());
  EXPECT_EQ(bytecode.donations(), text.donations());
}

INSTANTIATE_TEST_SUITE_P(Programs, ArtifactTest, testing::ValuesIn(artifact_paths()), [](const auto& test) {
  std::string name = std::filesystem::path(test.param).filename().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
});

TEST(BytecodeTest, ThereIsAnArtifactOfEachProgram) { EXPECT_GE(artifact_paths().size(), 20); }

TEST(BytecodeTest, AnArtifactCutOffAnywhereIsRefusedWithThePlace) {
  const std::string whole = bytes_of_file("tests/programs/scan_rnn-1.17.0.mlirbc");
  ASSERT_TRUE(ir::is_bytecode(whole));
  for (std::size_t size = 4; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);  // of its own, so that a sanitizer sees reads beyond it
    EXPECT_EQ(refusal_of(cut).find("program: byte "), 0) << size << ": " << refusal_of(cut);
  }
}

TEST(BytecodeTest, ChangedBytesGiveAProgramOrAnErrorWithItsPlace) {
  std::mt19937 random(1);
  for (const char* const path :
       {"tests/programs/branches-1.17.0.mlirbc", "tests/programs/convnet-1.17.0.mlirbc",
        "tests/programs/bytecode/sharded-1.13.0.mlirbc", "tests/programs/bytecode/tuples-1.17.0.mlirbc"}) {
    const std::string whole = bytes_of_file(path);
    for (int i = 0; i < 500; ++i) {
      std::string changed = whole;
      for (unsigned count = 1 + random() % 3; count > 0; --count)
        changed[4 + random() % (changed.size() - 4)] = static_cast<char>(random());
      const std::string error = refusal_of(changed, {.max_splat_bytes = 1 << 20});
      EXPECT_TRUE(error == "no error" || error.find("program: byte ") == 0) << error;
    }
  }
}

TEST(BytecodeTest, AnOtherVersionOfTheFormatIsNamed) {
  EXPECT_EQ(refusal_of(std::string("ML\xefR\x0f", 5)),
            "program: byte 4: MLIR bytecode of version 7 is not supported, only versions 2 to 6: write the "
            "program with StableHLO 1.0 or later");
}

std::string varint(std::size_t n) { return std::string(1, static_cast<char>(n << 1 | 1)); }  // below 128

std::string varints(std::initializer_list<std::size_t> list) {
  std::string bytes;
  for (const std::size_t n : list) bytes += varint(n);
  return bytes;
}

/// A file whose module has the attribute a with the last of `attributes`, which are encodings of MLIR's own
/// attributes; the first two are an unknown location and the string "a".
std::string module_with(std::vector<std::string> attributes) {
  const auto section = [](char id, const std::string& content) {
    return std::string(1, id) + varint(content.size()) + content;
  };
  attributes.insert(attributes.begin(), {varints({15}), varints({2, 2})});
  attributes.push_back(varints({1, 1, 1, attributes.size() - 1}));  // {a = the last one}
  std::string sizes = varints({attributes.size(), 0, 0, attributes.size()}), encodings;
  for (const std::string& attribute : attributes) {
    sizes += varint(attribute.size() << 1 | 1);
    encodings += attribute;
  }
  const std::string strings = varints({3, 2, 7, 8}) + std::string("builtin\0module\0a\0", 17);
  const std::string op = varints({1 << 1, 0}) + '\x11' + varints({0, attributes.size() - 1, 1 << 1 | 1, 0});
  return std::string("ML\xefR") + varint(6) + std::string(1, '\0') + section(0, strings) +
         section(1, varints({1, 0, 1, 0, 1, 1 << 1 | 1})) + section(2, encodings) + section(3, sizes) +
         section(4, op);
}

TEST(BytecodeTest, AttributesThatContainThemselvesAreRefused) {
  EXPECT_NE(refusal_of(module_with({varints({0, 1, 2})})).find("nested too deeply"), std::string::npos);
}

TEST(BytecodeTest, AttributesOfASizeBeyondThatOfTheFileAreRefused) {
  std::vector<std::string> attributes = {varints({7})};
  for (std::size_t i = 0; i < 20; ++i) attributes.push_back(varints({0, 2, 2 + i, 2 + i}));
  const std::string error = refusal_of(module_with(attributes));
  EXPECT_NE(error.find("too large for a program of this size"), std::string::npos) << error;
}

TEST(BytecodeTest, LimitsAreThoseOfText) {
  const std::string scan = bytes_of_file("tests/programs/scan_rnn-1.17.0.mlirbc");
  EXPECT_NE(refusal_of(scan, {.max_depth = 2}).find("nested too deeply"), std::string::npos);
  EXPECT_NE(refusal_of(scan, {.max_ops = 3}).find("too many operations"), std::string::npos);
  EXPECT_NE(refusal_of(scan, {.max_inlined_bytes = 3}).find("functions are called too often"),
            std::string::npos);
  std::size_t num_bytes = 0;
  std::int64_t num_ops = 0;
  parse_stablehlo(scan, {.charge = [&](std::int64_t ops, std::size_t bytes) {
                    num_ops += ops;
                    num_bytes += bytes;
                  }});
  EXPECT_GT(num_ops, 10);
  EXPECT_GT(num_bytes, scan.size());
}

}  // namespace
}  // namespace cornu::inline v0::ops
