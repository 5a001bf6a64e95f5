#include "cornu/backends/sim/profile.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cornu/base/error.h"

namespace cornu::inline v0::backends::sim {
namespace {

constexpr std::string_view kFields =
    R"("link_latency_seconds": 0.001, "link_bytes_per_second": 1e9, "launch_seconds": 0.002, "flops_per_second": 1e12, "compile_seconds": 3)";

std::string with(std::string_view more) {
  return "{" + std::string(kFields) + (more.empty() ? "" : ", ") + std::string(more) + "}";
}

std::string without(std::string_view field) {
  std::string text = with("");
  const std::size_t at = text.find("\"" + std::string(field) + "\"");
  const std::size_t comma = text.find(',', at);
  return comma == std::string::npos ? text.substr(0, text.rfind(',', at)) + "}"
                                    : text.substr(0, at) + text.substr(comma + 1);
}

/// The message of the error that parsing throws.
std::string refused(std::string_view text) {
  try {
    parse_profile(text, "p");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  return "";
}

TEST(ProfileTest, ReadsNumbersAndTexts) {
  const Profile profile = parse_profile(
      with(R"("device_type": "TPU", "description": "far away", "clock": "virtual", "memory_bytes": 8e9)"),
      "mine");
  EXPECT_EQ(profile.name, "mine");
  EXPECT_EQ(profile.device_type, "TPU");
  EXPECT_EQ(profile.description, "far away");
  EXPECT_TRUE(profile.has_virtual_clock());
  EXPECT_EQ(profile.memory_bytes, 8e9);
  EXPECT_EQ(profile.link_latency_seconds, 0.001);
  EXPECT_EQ(profile.link_bytes_per_second, 1e9);
  EXPECT_EQ(profile.launch_seconds, 0.002);
  EXPECT_EQ(profile.flops_per_second, 1e12);
  EXPECT_EQ(profile.compile_seconds, 3);
  EXPECT_EQ(profile.step_seconds, 0) << "an optional field keeps its default";
  EXPECT_FALSE(parse_profile(with(""), "mine").has_virtual_clock());
}

TEST(ProfileTest, NamesEveryFieldThatIsMissing) {
  for (const ProfileField& field : profile_fields()) {
    if (!field.is_required) continue;
    EXPECT_EQ(refused(without(field.name)), "[sim] profile \"p\" lacks \"" + std::string(field.name) + "\"");
  }
  EXPECT_EQ(refused("{}"),
            "[sim] profile \"p\" lacks \"link_latency_seconds\", \"link_bytes_per_second\", "
            "\"launch_seconds\", \"flops_per_second\", "
            "\"compile_seconds\"");
}

TEST(ProfileTest, RejectsNegativeAndBoundlessNumbersAndSaysTheRange) {
  EXPECT_EQ(refused(with(R"("step_seconds": -1)")),
            "[sim] profile \"p\": \"step_seconds\" must be from 0 to 3600 (s); got -1");
  for (const ProfileField& field : profile_fields()) {
    if (field.number == nullptr) continue;
    Profile profile;
    for (const char* value : {"-1", "-1e-9", "1e300"}) {
      const std::string text =
          (field.is_required
               ? without(field.name).insert(1, "\"" + std::string(field.name) + "\": " + value + ", ")
               : with("\"" + std::string(field.name) + "\": " + value));
      EXPECT_NE(refused(text).find("\"" + std::string(field.name) + "\" must be from"), std::string::npos)
          << text;
    }
  }
  EXPECT_NE(
      refused(without("flops_per_second").insert(1, R"("flops_per_second": 0, )")).find("must be from 1"),
      std::string::npos);
}

TEST(ProfileTest, RejectsCountsWithAFraction) {
  EXPECT_EQ(refused(with(R"("num_cores": 1.5)")),
            "[sim] profile \"p\": \"num_cores\" must be a whole number (cores); got 1.5");
  EXPECT_EQ(refused(with(R"("fail_at_launch": 2.5)")),
            "[sim] profile \"p\": \"fail_at_launch\" must be a whole number (launch); got 2.5");
  std::vector<std::string> counts;
  for (const ProfileField& field : profile_fields()) {
    if (!field.is_count) continue;
    counts.emplace_back(field.name);
    const std::string name = "\"" + counts.back() + "\"";
    EXPECT_NE(refused(with(name + ": 2.5")).find(name + " must be a whole number"), std::string::npos);
    EXPECT_EQ(parse_profile(with(name + ": 2e0"), "p").*field.number, 2);
  }
  EXPECT_EQ(counts, (std::vector<std::string>{"memory_bytes", "num_cores", "max_steps_per_launch",
                                              "max_launch_bytes", "fail_at_launch", "lose_at_launch"}));
  EXPECT_EQ(parse_profile(with(R"("step_seconds": 2.5)"), "p").step_seconds, 2.5) << "no count";
}

TEST(ProfileTest, NamesTheNearestKnownFieldToAnUnknownOne) {
  EXPECT_EQ(refused(with(R"("lanch_seconds": 1)")),
            "[sim] profile \"p\": unknown field \"lanch_seconds\"; did you mean \"launch_seconds\"?");
  EXPECT_NE(refused(with(R"("colour": 1)")).find("unknown field \"colour\"; known: description, device_type"),
            std::string::npos);
}

TEST(ProfileTest, RejectsValuesOfTheWrongType) {
  EXPECT_EQ(refused(with(R"("step_seconds": "1")")),
            "[sim] profile \"p\": \"step_seconds\" is the text \"1\" instead of a number");
  EXPECT_EQ(refused(with(R"("description": 1)")),
            "[sim] profile \"p\": \"description\" is the number 1 instead of a text");
  EXPECT_EQ(refused(with(R"("step_seconds": null)")),
            "[sim] profile \"p\": \"step_seconds\" is null instead of a number");
  EXPECT_EQ(refused(with(R"("step_seconds": [1])")),
            "[sim] profile \"p\": \"step_seconds\" is a list instead of a number");
  EXPECT_EQ(refused(with(R"("step_seconds": {})")),
            "[sim] profile \"p\": \"step_seconds\" is an object instead of a number");
  EXPECT_EQ(refused(with(R"("step_seconds": true)")),
            "[sim] profile \"p\": \"step_seconds\" is a truth value instead of a number");
  EXPECT_EQ(refused(with(R"("clock": "wall")")),
            "[sim] profile \"p\": \"clock\" is \"wall\" instead of \"real\" or \"virtual\"");
  EXPECT_NE(refused(with(R"("device_type": "gpu/0")")).find("got \"gpu/0\""), std::string::npos);
  EXPECT_NE(refused(with(R"("device_type": "")")).find("device_type"), std::string::npos);
  EXPECT_EQ(refused(with(R"("step_seconds": 1, "step_seconds": 1)")),
            "[sim] profile \"p\": \"step_seconds\" is given twice");
}

TEST(ProfileTest, RejectsWhatIsNoObjectOfFields) {
  EXPECT_EQ(refused(""), "[sim] profile \"p\": is not JSON at byte 1");
  EXPECT_EQ(refused("[]"), "[sim] profile \"p\": is a list instead of an object of fields");
  EXPECT_EQ(refused("3"), "[sim] profile \"p\": is the number 3 instead of an object of fields");
  EXPECT_EQ(refused("\"x\""), "[sim] profile \"p\": is the text \"x\" instead of an object of fields");
  EXPECT_NE(refused(with("") + "{}").find("is not JSON"), std::string::npos);
  EXPECT_NE(refused(with("").substr(0, 30)).find("is not JSON"), std::string::npos);
  EXPECT_NE(refused(with("\"step_seconds\": NaN")).find("is not JSON"), std::string::npos);
  EXPECT_NE(refused(with("\"step_seconds\": 1e999")).find("is not JSON"), std::string::npos);
  EXPECT_NE(refused("{\"description\": \"\xff\"}").find("is not JSON"), std::string::npos);
}

TEST(ProfileTest, HostileTextsEndEarlyAndInShortMessages) {
  EXPECT_LT(refused(std::string(50000, '[')).size(), 200U);
  std::string nested;
  for (int i = 0; i < 10000; ++i) nested += "{\"step_seconds\":";
  EXPECT_LT(refused(nested).size(), 200U);
  EXPECT_LT(refused("{\"" + std::string(50000, 'x') + "\": 1}").size(), 600U);
  EXPECT_LT(refused("{\"clock\": \"" + std::string(50000, 'x') + "\"}").size(), 500U);
}

TEST(ProfileTest, BuiltInProfilesAreFoundByName) {
  ASSERT_FALSE(built_in_profiles().empty());
  for (const Profile& profile : built_in_profiles()) {
    EXPECT_EQ(find_profile(profile.name).name, profile.name);
    EXPECT_FALSE(profile.description.empty()) << profile.name;
    EXPECT_FALSE(profile.sources.empty()) << profile.name;
  }
  EXPECT_EQ(find_profile("call_60ms").link_latency_seconds, 0.06);
  try {
    find_profile("call_50ms");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound);
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("[sim] no profile is called \"call_50ms\"; there are: a100, call_60ms, "))
        << message;
    EXPECT_TRUE(message.ends_with("ends in \".json\"; did you mean \"call_60ms\"?")) << message;
  }
}

TEST(ProfileTest, TheGuideHasEveryFieldWithItsUnit) {
  std::ifstream file("docs/guide/devices.md");
  if (!file) GTEST_SKIP() << "not run from the root of the tree";
  const std::string guide((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (const ProfileField& field : profile_fields()) {
    std::string row = "| `" + std::string(field.name) + "` | ";
    if (field.number != nullptr) row += std::string(field.unit) + " | ";
    EXPECT_NE(guide.find(row), std::string::npos) << row;
  }
}

TEST(ProfileTest, FieldsCanBeChangedBehindTheName) {
  const Profile profile = profile_of_spec("call_60ms,clock=virtual,fail_at_launch=3,device_type=GPU");
  EXPECT_EQ(profile.name, "call_60ms");
  EXPECT_TRUE(profile.has_virtual_clock());
  EXPECT_EQ(profile.fail_at_launch, 3);
  EXPECT_EQ(profile.device_type, "GPU");
  EXPECT_EQ(profile.link_latency_seconds, 0.06);
  const auto refused_spec = [](const std::string& spec) -> std::string {
    try {
      profile_of_spec(spec);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refused_spec("call_60ms,clok=virtual"),
            "[sim] \"call_60ms,clok=virtual\": unknown field \"clok\"; did you mean \"clock\"?");
  EXPECT_EQ(refused_spec("call_60ms,step_seconds=-1"),
            "[sim] \"call_60ms,step_seconds=-1\": \"step_seconds\" must be from 0 to 3600 (s); got -1");
  EXPECT_EQ(refused_spec("call_60ms,step_seconds=1s"),
            "[sim] \"call_60ms,step_seconds=1s\": \"step_seconds\" is the text \"1s\" instead of a number");
  EXPECT_EQ(
      refused_spec("call_60ms,fail_at_launch=2.5"),
      "[sim] \"call_60ms,fail_at_launch=2.5\": \"fail_at_launch\" must be a whole number (launch); got 2.5");
  EXPECT_NE(refused_spec("call_60ms,step_seconds=nan").find("must be from 0"), std::string::npos);
  EXPECT_NE(refused_spec("call_60ms,").find("FIELD=VALUE"), std::string::npos);
  EXPECT_NE(refused_spec("call_60ms,device_type=g").find("device_type"), std::string::npos);
  EXPECT_NE(refused_spec("call_60m").find("no profile"), std::string::npos);
}

struct ProfileFileTest : testing::Test {
  std::filesystem::path folder = std::filesystem::temp_directory_path() / "cornu_profile_test";
  ProfileFileTest() { std::filesystem::create_directories(folder); }
  ~ProfileFileTest() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
};

TEST_F(ProfileFileTest, APathReadsAFile) {
  const std::string path = write("mine.json", with(""));
  EXPECT_EQ(find_profile(path).name, path);
  EXPECT_EQ(find_profile(path).compile_seconds, 3);
}

TEST_F(ProfileFileTest, FilesThatAreNotThereOrTooLargeAreErrors) {
  EXPECT_THROW(find_profile((folder / "none.json").string()), Error);
  EXPECT_THROW(find_profile(folder.string()), Error);
  EXPECT_THROW(find_profile(""), Error);
  try {
    find_profile(write("large.json", with("\"description\": \"" + std::string(100000, 'x') + "\"")));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted) << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::sim
