#include "cornu/keras/config/config.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/error_test_support.h"

namespace cornu::inline v0::keras {
namespace {

TEST(ConfigTest, WritesJsonAsPythonDoes) {
  const Config config = Config::dict({{"units", 3},
                                      {"rate", 0.5},
                                      {"scale", 2.0},
                                      {"tiny", 1e-7},
                                      {"large", 1e22},
                                      {"name", "a \"b\"\n"},
                                      {"on", true},
                                      {"none", nullptr},
                                      {"shape", Config::list({nullptr, 4})},
                                      {"empty", Config::dict()}});
  EXPECT_EQ(
      config.json(),
      R"({"units": 3, "rate": 0.5, "scale": 2.0, "tiny": 1e-07, "large": 1e+22, "name": "a \"b\"\n", "on": true, "none": null, )"
      R"("shape": [null, 4], "empty": {}})");
  EXPECT_EQ(Config::list({1, 2}).json(2), "[\n  1,\n  2\n]");
}

TEST(ConfigTest, CopiesAreDeepAndAMovedFromConfigIsNull) {
  Config config = Config::dict({{"shape", Config::list({1, 2})}});
  Config copy = config;
  copy.set("shape", 3);
  EXPECT_EQ(config.json(), R"({"shape": [1, 2]})");
  const Config moved = std::move(config);
  EXPECT_EQ(moved.json(), R"({"shape": [1, 2]})");
  EXPECT_TRUE(config.is_null());  // NOLINT(bugprone-use-after-move): the state is specified
  EXPECT_EQ(config, Config());
  config = copy;
  EXPECT_EQ(config, copy);
}

TEST(ConfigTest, ReadsWhatItWrites) {
  const Config config = Config::dict(
      {{"a", Config::list({1, -2, 0.1, std::numeric_limits<std::uint64_t>::max(), "\xc3\xa9\x01"})},
       {"b", Config::list({INFINITY, -INFINITY, NAN})}});
  EXPECT_EQ(Config::parse(config.json()), config);
  EXPECT_EQ(Config::parse(config.json(3)), config);
  EXPECT_EQ(Config::parse(R"(["NaN", NaN])").at(std::size_t{0}).as_string(), "NaN");
}

TEST(ConfigTest, NoTextOfAFileIsMistakenForANumber) {
  const Config config =
      Config::parse(R"(["\u0001NaN", "\u0001\u0001NaN", "\u0001", NaN, "a\u0001NaN", "\\u0001NaN"])");
  const std::vector<std::string> texts = {"\x01NaN", "\x01\x01NaN", "\x01"};
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(config.at(i), Config(texts[i])) << i;
  EXPECT_TRUE(config.at(std::size_t{3}).is_number());
  EXPECT_EQ(config.at(std::size_t{4}), Config("a\x01NaN"));
  EXPECT_EQ(config.at(std::size_t{5}), Config("\\u0001NaN"));
  EXPECT_EQ(Config::parse(config.json()), config);
  EXPECT_EQ(Config::parse(R"({"\u0001NaN": 1})").keys(), std::vector<std::string>{"\x01NaN"});
  EXPECT_NE(error_text_of([] { Config::parse("{NaN: 1}"); }).find("where a key should be"),
            std::string::npos);
}

TEST(ConfigTest, ADictOfVeryManyKeysIsReadAtOnce) {
  constexpr int kMany = 300'000;  // comparing each with all others took minutes
  std::string text = "{";
  for (int i = 0; i < kMany; ++i) text += (i == 0 ? "\"k" : ", \"k") + std::to_string(i) + "\": 0";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(Config::parse(text + "}").size(), static_cast<std::size_t>(kMany));
  EXPECT_NE(error_text_of([&] { Config::parse(text + ", \"k7\": 0}"); }).find("\"k7\" occurs twice"),
            std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(ConfigTest, NumbersAreEqualWhateverTheyAreWrittenAs) {
  EXPECT_EQ(Config(2), Config(2.0));
  EXPECT_FALSE(Config(true) == Config(1));
  EXPECT_EQ(Config::parse(R"({"a": 1, "b": 2})"), Config::parse(R"({"b": 2, "a": 1})"));
}

TEST(ConfigTest, IntegersKeepSixtyFourBits) {
  const Config large = Config::parse("18446744073709551615");
  EXPECT_EQ(large.as_unsigned(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_NE(error_text_of([&] { large.as_integer(); }).find("64 bits with a sign"), std::string::npos);
  EXPECT_NE(error_text_of([] { Config(-1).as_unsigned(); }).find("not negative; got -1"), std::string::npos);
  EXPECT_NE(
      error_text_of([] { Config::parse("[123456789012345678901234567890]"); }).find("does not fit 64 bits"),
      std::string::npos);
}

TEST(ConfigTest, RefusesWhatIsNoJson) {
  for (const char* text :
       {"", "{", "[1,]", "{\"a\" 1}", "nul", "[1] 2", "{\"a\": 1, \"a\": 2}", "\"\xff\"", "NaNa"})
    EXPECT_NE(error_text_of([&] { Config::parse(text); }).find("[config] the text is not JSON"),
              std::string::npos)
        << text;
  EXPECT_NE(error_text_of([] { Config::parse(std::string(100'000, '[')); }).find("nested more than 256 deep"),
            std::string::npos);
}

TEST(ConfigTest, SaysWhatIsThereInsteadOfWhatWasAskedFor) {
  const Config config = Config::dict({{"units", 3}, {"activation", "relu"}});
  EXPECT_EQ(error_text_of([&] { config.at("unit"); }),
            "[config] there is no key \"unit\"; did you mean \"units\"?");
  EXPECT_EQ(error_text_of([&] { config.at("units").as_string(); }),
            "[config] expected a string; got an integer: 3");
  EXPECT_EQ(error_text_of([&] { config.at("activation").as_list(); }),
            "[config] expected a list; got a string: \"relu\"");
  EXPECT_EQ(error_text_of([] { Config::dict({{"a", 1}, {"a", 2}}); }), "[config] the key \"a\" occurs twice");
}

TEST(ConfigTest, SetKeepsTheOrderOfKeys) {
  Config config;
  config.set("b", 1);
  config.set("a", 2);
  config.set("b", 3);
  EXPECT_EQ(config.json(), R"({"b": 3, "a": 2})");
  config.erase("b");
  EXPECT_EQ(config.json(), R"({"a": 2})");
}

}  // namespace
}  // namespace cornu::inline v0::keras
