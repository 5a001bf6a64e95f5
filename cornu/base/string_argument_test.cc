#include "cornu/base/string_argument.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace cornu::inline v0 {
namespace {

std::string text_of(const StringArgument& text) { return text; }
std::string viewed(StringViewArgument text) { return std::string(text); }

TEST(StringArgumentTest, TakesEachKindOfText) {
  const std::string text = "a/b";
  const char* const pointer = "a/b";
  char array[] = "a/b";
  EXPECT_EQ(text_of(text), text);
  EXPECT_EQ(text_of(std::string(text)), text);
  EXPECT_EQ(text_of(std::string_view(text)), text);
  EXPECT_EQ(text_of(pointer), text);
  EXPECT_EQ(text_of(array), text);
  EXPECT_EQ(text_of("a/b"), text);
  EXPECT_EQ(text_of(std::filesystem::path("a") / "b"), text);
  EXPECT_EQ(text_of(StringArgument(text)), text);
  EXPECT_EQ(viewed(text), text);
  EXPECT_EQ(viewed(std::string_view(text)), text);
  EXPECT_EQ(viewed(pointer), text);
  EXPECT_EQ(viewed(array), text);
  EXPECT_EQ(viewed("a/b"), text);
  EXPECT_EQ(viewed(StringArgument(text)), text);
}

TEST(StringArgumentTest, ANullPointerIsAnEmptyText) {
  const char* const null = nullptr;
  EXPECT_EQ(text_of(null), "");
  EXPECT_EQ(viewed(null), "");
}

TEST(StringArgumentTest, AZeroByteBelongsToAString) {
  const std::string text("a\0b", 3);
  EXPECT_EQ(text_of(text), text);
  EXPECT_EQ(viewed(text), text);
}

// Braces are refused: tests/interface/braces.cc.
static_assert(!std::is_constructible_v<StringArgument, const char*, const char*>);
static_assert(!std::is_constructible_v<StringArgument, std::string, int>);
static_assert(!std::is_constructible_v<StringViewArgument, const char*, const char*>);
static_assert(!std::is_constructible_v<StringViewArgument, const char*, int>);
static_assert(!std::is_default_constructible_v<StringArgument>);
static_assert(!std::is_convertible_v<std::nullptr_t, StringArgument>);
static_assert(!std::is_convertible_v<int, StringViewArgument>);

}  // namespace
}  // namespace cornu::inline v0
