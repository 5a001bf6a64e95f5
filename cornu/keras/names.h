#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::keras {

/// The entry of `known` with the smallest edit distance to `wanted`: case and "_" ignored, a swap of neighbours counts one. Of equals the
/// one with the same first letter, then the most similar length, then the first. Empty when none is within a third of the length.
std::string nearest_name(std::string_view wanted, std::span<const std::string> known);

/// Throws InvalidArgument: `unknown loss "log_cos"; did you mean "log_cosh"?`, or the known names when none is near.
[[noreturn]] void unknown_name(std::string_view kind, std::string_view wanted, std::span<const std::string> known);

/// Lower case without "_", "-" and " ": "log_cosh", "LogCosh" and "logcosh" are one name.
std::string canonical_name(std::string_view name);

/// "LeakyReLU" -> "leaky_re_lu", as Keras names its objects.
std::string snake_case(std::string_view class_name);

/// "dense", then "dense_1", ...: the next automatic name for this base in this process. Threads: safe.
std::string unique_name(std::string_view base);

/// Starts all automatic names anew. Threads: safe.
void clear_session();

/// While it lives, variables made on this thread get `name/` before their path; scopes nest.
class NameScope {
 public:
  explicit NameScope(std::string_view name);
  /// With the scopes `path` ("sequential/block") instead of those that are open.
  static NameScope absolute(std::string_view path) { return NameScope(path, 0); }
  ~NameScope();
  NameScope(const NameScope&) = delete;
  NameScope& operator=(const NameScope&) = delete;

  /// The scopes of this thread with `name` behind them: "sequential/dense/kernel".
  static std::string path(std::string_view name);
  /// The scopes of this thread: "sequential/dense"; empty outside of any.
  static std::string current();

 private:
  NameScope(std::string_view path, int);
  std::string before_;
};

}  // namespace cornu::inline v0::keras
