#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::pjrt {

/// Options of a compilation.
struct CompileOptions {
  /// The device of each replica, by the plug-in's numbers; empty: one replica, on a device that the plug-in
  /// chooses.
  std::vector<std::int64_t> devices = {};
  /// Options of XLA by name, without "--", as texts: a bool, an integer, a decimal number or something else.
  std::vector<std::pair<std::string, std::string>> xla_options = {};
};

/// Encodes XLA's message CompileOptionsProto in protobuf's wire format. It always includes the numbers of
/// replicas and partitions: without them plug-ins abort the process.
std::string encode_compile_options(const CompileOptions& options);

/// Parses options such as "--xla_a=1 --xla_b", the format of XLA_FLAGS.
/// Errors: InvalidArgument for a word that does not begin with "--".
std::vector<std::pair<std::string, std::string>> parse_xla_flags(std::string_view flags);

}  // namespace cornu::inline v0::backends::pjrt
