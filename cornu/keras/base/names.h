#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::keras {

/// The entries of `known` with the smallest edit distance to `wanted`: case and "_" are ignored, a swap of
/// neighbours counts one. Entries with the same first letter come first, then those of the most similar
/// length. Empty if none is within a third of the length.
std::vector<std::string> nearest_names(StringViewArgument wanted, std::span<const std::string> known);
/// The first of nearest_names(); empty if there is none.
std::string nearest_name(StringViewArgument wanted, std::span<const std::string> known);
/// `did you mean "mse" or "mae"?`, or `known: adam, sgd` if none is near.
std::string name_proposal(StringViewArgument wanted, std::span<const std::string> known);

/// The caller and the argument whose value is a name: `[compile] ...; got loss = "msee"`.
struct ArgumentName {
  std::string_view caller;
  std::string_view argument;
};

/// Throws InvalidArgument: `[compile] unknown loss; got loss = "log_cos"; did you mean "log_cosh"?`.
[[noreturn]] void unknown_name(const ArgumentName& argument, std::string_view wanted,
                               std::span<const std::string> known);

/// Errors: InvalidArgument if the name of a `caller` ("metric") contains "/", which separates the parts of a
///         path.
void check_name(StringViewArgument caller, StringViewArgument name);

/// The text, empty for a null pointer.
inline std::string_view or_empty(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

/// The name in lower case without "_", "-" and " ": "log_cosh", "LogCosh" and "logcosh" are one name.
std::string canonical_name(StringViewArgument name);

/// "LeakyReLU" -> "leaky_re_lu", as Keras names its objects.
std::string snake_case(StringViewArgument class_name);

/// "dense", then "dense_1", ...: the next automatic name for this base in this process. Threads: safe.
std::string unique_name(StringViewArgument base);

/// Restarts all automatic names. Threads: safe.
void clear_session();

/// While it lives, variables made on this thread get the prefix `name/` in their path; scopes nest.
class NameScope {
 public:
  explicit NameScope(StringViewArgument name);
  /// Replaces the open scopes by `path` ("sequential/block").
  static NameScope absolute(StringViewArgument path) { return NameScope(path, 0); }
  ~NameScope();
  NameScope(const NameScope&) = delete;
  NameScope& operator=(const NameScope&) = delete;

  /// The scopes of this thread, then `name`: "sequential/dense/kernel".
  static std::string path(StringViewArgument name);
  /// The scopes of this thread: "sequential/dense"; empty outside of any.
  static std::string current();

 private:
  NameScope(std::string_view path, int);
  std::string before_;
};

}  // namespace cornu::inline v0::keras
