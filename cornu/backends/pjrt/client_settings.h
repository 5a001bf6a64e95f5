#pragma once

#include <pjrt_c_api.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::backends::pjrt {

/// The options of a plug-in's client for the C interface. Plug-ins ignore unknown options, so names, kinds
/// and ranges are checked here.
/// Lifetime: named_values() refers to this object.
class ClientSettings {
 public:
  /// Parses "NAME=VALUE,NAME=VALUE"; may be empty.
  /// Errors: InvalidArgument for an unknown name (with the nearest), a value of another kind or out of its
  ///         range, and a duplicate name.
  explicit ClientSettings(std::string_view text);

  /// Adds a setting unless it is present.
  void set_default(const std::string& name, const std::string& value);
  bool has(std::string_view name) const;
  /// The text as given; empty if it is missing.
  std::optional<std::string> text_of(std::string_view name) const;
  /// Adds an internal number for any platform, which users cannot set.
  void add_number(const std::string& name, std::int64_t value);
  /// Throws InvalidArgument if a setting does not exist on the platform ("cpu", "cuda", ...).
  void check_platform(std::string_view platform) const;

  const std::vector<PJRT_NamedValue>& named_values() const { return values_; }

 private:
  /// The data that a value refers to; addresses are stable.
  struct Stored {
    std::string name, text;
    std::vector<std::int64_t> list;
    bool is_ours = false;
  };
  void add(std::string_view name, std::string_view value);

  std::deque<Stored> stored_;
  std::vector<PJRT_NamedValue> values_;
};

}  // namespace cornu::inline v0::backends::pjrt
