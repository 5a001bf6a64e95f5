#pragma once

#include <pjrt_c_api.h>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::backends::pjrt {

/// What a client of a plug-in is made with, as the C interface takes it. Plug-ins ignore options that they do
/// not know, so names, kinds and ranges are checked here.
/// Lifetime: named_values() refers to this.
class ClientSettings {
 public:
  /// "NAME=VALUE,NAME=VALUE"; may be empty.
  /// Errors: InvalidArgument for an unknown name (with the nearest), a value of another kind or out of its
  ///         range, a name that stands twice.
  explicit ClientSettings(std::string_view text);

  /// Adds one unless it is there.
  void set_default(const std::string& name, const std::string& value);
  bool has(std::string_view name) const;
  /// As it was given; nothing where it is not there.
  std::optional<std::string> text_of(std::string_view name) const;
  /// Adds a number that is no setting of users, and of every platform.
  void add_number(const std::string& name, std::int64_t value);
  /// Throws InvalidArgument when settings were given that a platform ("cpu", "cuda", ...) does not have.
  void check_platform(std::string_view platform) const;

  const std::vector<PJRT_NamedValue>& named_values() const { return values_; }

 private:
  /// What a value refers to; addresses stay.
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
