#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::pjrt {

/// How a program is compiled.
struct CompileOptions {
  /// The device of each replica, by the plug-in's numbers; empty: one replica, on a device that the plug-in
  /// chooses.
  std::vector<std::int64_t> devices = {};
  /// Options of XLA by name, without "--", as texts: a bool, an integer, a decimal number or something else.
  std::vector<std::pair<std::string, std::string>> xla_options = {};
};

/// The message CompileOptionsProto of XLA, in protobuf's wire format. It always says how many replicas and
/// partitions there are: without them plug-ins end the process.
std::string encode_compile_options(const CompileOptions& options);

/// The options in a text such as "--xla_a=1 --xla_b": what XLA_FLAGS holds.
/// Errors: InvalidArgument for a word that does not begin with "--".
std::vector<std::pair<std::string, std::string>> parse_xla_flags(std::string_view flags);

}  // namespace cornu::inline v0::backends::pjrt
