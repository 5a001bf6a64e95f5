#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "cornu/backends/pjrt/discovery.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::pjrt {

/// True if the plug-in for CPUs is installed; CTest fetches it (cmake/Pjrt.cmake).
inline bool has_cpu_plugin() {
  for (const PluginFile& plugin : find_plugins())
    if (plugin.name == "cpu") return std::filesystem::exists(plugin.path);
  return false;
}

/// The device in CORNU_TEST_PJRT_DEVICE, such as pjrt:cuda; by default the plug-in for CPUs.
inline std::string tested_device() {
  const char* const device = std::getenv("CORNU_TEST_PJRT_DEVICE");
  return device == nullptr ? "pjrt:cpu" : device;
}

/// Tests that run programs on the plug-in for CPUs.
class CpuPluginTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_cpu_plugin())
      GTEST_SKIP()
          << "the plug-in for CPUs is not there: run this by ctest, or set CORNU_PJRT_PLUGINS=cpu=PATH";
  }
  /// One client for all tests of a program.
  static const std::shared_ptr<runtime::Client>& client() {
    static auto& client = *new std::shared_ptr<runtime::Client>(runtime::make_client("pjrt:cpu"));
    return client;
  }
};

/// Tests that run programs on the plug-in of tested_device().
class PluginTest : public CpuPluginTest {
 protected:
  static bool is_on_cpu() { return tested_device().starts_with("pjrt:cpu"); }
  void SetUp() override {
    if (is_on_cpu()) CpuPluginTest::SetUp();
  }
  /// One client for all tests of a program.
  static const std::shared_ptr<runtime::Client>& client() {
    static auto& client = *new std::shared_ptr<runtime::Client>(runtime::make_client(tested_device()));
    return client;
  }
};

}  // namespace cornu::inline v0::backends::pjrt
