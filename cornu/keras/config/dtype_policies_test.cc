#include "cornu/keras/config/dtype_policies.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0::keras {
namespace {

Config policy_map_goldens() {
  std::ifstream file("tests/goldens/dtype_policy_maps.json");
  return Config::parse(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::string policy_found(const DTypePolicyMap& policies, const std::string& path) {
  try {
    return policies.at(path).name();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return "error";
  }
}

template <typename F>
std::string policy_error(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(DTypePolicyMapTest, PathsHaveKerassPolicies) {
  const Config goldens = policy_map_goldens();
  for (const Config& row : goldens.at("cases").as_list()) {
    const Config& by_default = row.at("default");
    DTypePolicyMap policies =
        by_default.is_null() ? DTypePolicyMap() : DTypePolicyMap(DTypePolicy(by_default.as_string()));
    for (const Config& key : row.at("keys").as_list())
      policies.set(key.at(0).as_string(), key.at(1).as_string());
    EXPECT_EQ(policies.name(), row.at("name").as_string());
    for (const auto& [path, wanted] : row.at("found").as_dict())
      EXPECT_EQ(policy_found(policies, path), wanted.as_string()) << path << " in " << policies.name();
    EXPECT_EQ(serialize(policies), row.at("config")) << serialize(policies).json();
    EXPECT_EQ(deserialize_dtype_policy_map(row.at("config")), policies);
  }
}

TEST(DTypePolicyMapTest, AMissingDefaultIsThePolicyOfNewLayers) {
  DTypePolicyMap policies;
  policies.set("a", "float16");
  const DTypePolicyScope scope("bfloat16");
  EXPECT_EQ(policies.at("b").name(), "bfloat16");
  EXPECT_EQ(policies.name(), "map_bfloat16");
  EXPECT_EQ(deserialize_dtype_policy_map(serialize(policies)).at("a").name(), "float16");
  // Keras writes such policies without their names.
  Config config =
      Config::parse(R"({"class_name": "DTypePolicyMap", "config": {"default_policy": null, "policy_map": {"a":
      {"class_name": "DTypePolicy", "config": {"name": null}}}}})");
  EXPECT_EQ(deserialize_dtype_policy_map(config).at("a").name(), "bfloat16");
}

TEST(DTypePolicyMapTest, KeysAreKeptApartAndErased) {
  DTypePolicyMap policies("float32");
  policies.set("a", "float16");
  EXPECT_NE(policy_error([&] { policies.set("a", "float64"); }).find("there already"), std::string::npos);
  policies.erase("a");
  EXPECT_FALSE(policies.contains("a"));
  EXPECT_EQ(policies.size(), 0U);
  EXPECT_NE(policy_error([&] { policies.erase("a"); }).find("there is no \"a\""), std::string::npos);
}

TEST(DTypePolicyMapTest, ExpressionsThatAreNotUnderstoodAreRefused) {
  DTypePolicyMap policies("float32");
  for (const char* const key : {"(a)", "a|b", "a{2}", "*", "[a", "a\\", "\\b", "[z-a]", "a**", "^a", "a$"})
    EXPECT_NE(policy_error([&] { policies.set(key, "float16"); }).find("[dtype_policy_map]"),
              std::string::npos)
        << key;
  EXPECT_EQ(policies.size(), 0U);
}

TEST(DTypePolicyMapTest, FindingAPathTakesNoTimeBeyondTheProductOfBothLengths) {
  DTypePolicyMap policies("float32");
  std::string many;
  for (int i = 0; i < 200; ++i) many += "a*";
  policies.set(many + "b", "float16");
  EXPECT_EQ(policies.at(std::string(2000, 'a')).name(), "float32");
}

TEST(DTypePolicyMapTest, WhatIsNoMapIsRefused) {
  for (const char* const text :
       {"null", "{}", R"({"class_name": "DTypePolicy", "config": {}})",
        R"({"class_name": "DTypePolicyMap", "config": {"policy_map": []}})",
        R"({"class_name": "DTypePolicyMap", "config": {"policy_map": {"a": "float31"}}})",
        R"({"class_name": "DTypePolicyMap", "config": {"default_policy": 3}})"})
    EXPECT_NE(policy_error([&] { deserialize_dtype_policy_map(Config::parse(text)); }), "no error") << text;
}

}  // namespace
}  // namespace cornu::inline v0::keras
