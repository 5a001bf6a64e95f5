#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

/// Reads traces that Profiler::trace() wrote; for tests.
namespace cornu::inline v0::runtime {

struct ReadTrace {
  bool complete = false;
  std::map<int, std::string> processes;
  std::map<int, std::string> tracks;           // of the first process
  std::map<std::string, int> slices;           // by category
  std::map<std::string, std::int64_t> names;   // of all slices
  std::map<std::string, double> microseconds;  // by category
};

/// Expects that the trace parses, that no slice has a negative length, and that slices of one track are
/// nested or disjoint.
inline ReadTrace read_trace(const std::string& text) {
  ReadTrace trace;
  const nlohmann::json json = nlohmann::json::parse(text);
  trace.complete = json.at("otherData").at("complete");
  std::map<std::pair<int, int>, std::vector<double>> open;  // ends of the slices around, by process and track
  std::map<std::pair<int, int>, double> last;
  for (const auto& event : json.at("traceEvents")) {
    const int process = event.at("pid");
    const std::pair<int, int> track(process, event.at("tid"));
    if (event.at("ph") == "M") {
      if (event.at("name") == "process_name") trace.processes[process] = event.at("args").at("name");
      if (event.at("name") == "thread_name" && process == 1)
        trace.tracks[track.second] = event.at("args").at("name");
      continue;
    }
    EXPECT_EQ(event.at("ph"), "X");
    const double begin = event.at("ts"), length = event.at("dur");
    EXPECT_GE(begin, last[track]) << event;
    EXPECT_GE(length, 0) << event;
    last[track] = begin;
    constexpr double kRounding = 1e-6;  // nanoseconds are written whole; their sums are not exact in binary
    std::vector<double>& around = open[track];
    while (!around.empty() && around.back() <= begin + kRounding) around.pop_back();
    if (!around.empty()) {
      EXPECT_LE(begin + length, around.back() + kRounding) << event;
    }
    around.push_back(begin + length);
    const std::string category = event.at("cat");
    trace.slices[category] += 1;
    trace.microseconds[category] += length;
    trace.names[event.at("name")] += 1;
  }
  return trace;
}

}  // namespace cornu::inline v0::runtime
