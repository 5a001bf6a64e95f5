#include "cornu/backends/pjrt/discovery.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

namespace fs = std::filesystem;

std::string message_of(const std::string& list) {
  try {
    parse_plugin_list(list);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  ADD_FAILURE() << list << " was taken";
  return "";
}

TEST(DiscoveryTest, AListNamesPluginsInItsOrder) {
  EXPECT_EQ(parse_plugin_list("cpu=/a.so,my-chip=/b/c=d.so"),
            (std::vector<PluginFile>{{"cpu", "/a.so"}, {"my-chip", "/b/c=d.so"}}));
  EXPECT_TRUE(parse_plugin_list("").empty());
}

TEST(DiscoveryTest, WhatIsNoListIsRefusedWithTheEntry) {
  for (const char* bad : {"/a.so", "=/a.so", "cpu=", "a b=/a.so"})
    EXPECT_NE(message_of(bad).find("CORNU_PJRT_PLUGINS"), std::string::npos) << bad;
  EXPECT_NE(message_of("cpu=/a.so,,x=/b.so").find("got \"\""), std::string::npos);
  EXPECT_NE(message_of("cpu=/a.so,cpu=/b.so").find("twice"), std::string::npos);
}

TEST(DiscoveryTest, PackagesOfPythonBringPluginsAndTheFirstFolderWins) {
  const fs::path root = fs::path(testing::TempDir()) / "cornu_pjrt_discovery";
  const auto add = [&](const std::string& path) {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << "x";
    return (root / path).string();
  };
  const std::string cuda = add("a/jax_plugins/xla_cuda13/xla_cuda_plugin.so"),
                    tpu = add("b/libtpu/libtpu.so");
  add("b/jax_plugins/xla_cuda12/xla_cuda_plugin.so");
  add("b/something/else.so");
  EXPECT_EQ(plugins_in({(root / "a").string(), (root / "b").string(), (root / "none").string()}),
            (std::vector<PluginFile>{{"cuda", cuda}, {"tpu", tpu}}));
  fs::remove_all(root);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
