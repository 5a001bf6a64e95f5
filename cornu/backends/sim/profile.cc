#include "cornu/backends/sim/profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "cornu/backends/sim/built_in_profiles.h"
#include "cornu/base/check.h"
#include "cornu/base/nearest_names.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::backends::sim {
namespace {

constexpr double kMostSeconds = 3600;  // of one thing: what is simulated must end some day
constexpr double kMostRate = 1e24;
constexpr double kMostCount = 1e15;
constexpr std::int64_t kMostFileBytes = 64 << 10;

std::vector<ProfileField> make_fields() {
  const auto text = [](const char* name, const char* meaning, std::string Profile::* member, std::vector<std::string> texts = {}) {
    return ProfileField{name, "text", meaning, false, nullptr, member, 0, 0, std::move(texts)};
  };
  const auto number = [](const char* name, const char* unit, const char* meaning, bool is_required, double Profile::* member, double least,
                         double most) { return ProfileField{name, unit, meaning, is_required, member, nullptr, least, most}; };
  return {
      text("description", "What it stands for, for readers.", &Profile::description),
      text("device_type", "What its device is called in device names.", &Profile::device_type),
      text("device_kind", "What kind of device it is, for readers.", &Profile::device_kind),
      text("clock", "Whether costs are waited for, or only move the clock of the client.", &Profile::clock, {"real", "virtual"}),
      number("memory_bytes", "byte", "Memory of the device; 0: not limited.", false, &Profile::memory_bytes, 0, kMostCount),
      number("link_latency_seconds", "s", "Each round trip between host and device.", true, &Profile::link_latency_seconds, 0,
             kMostSeconds),
      number("link_bytes_per_second", "byte/s", "What travels over the link, in both directions together.", true,
             &Profile::link_bytes_per_second, 1, kMostRate),
      number("launch_seconds", "s", "Each execution, before its first step.", true, &Profile::launch_seconds, 0, kMostSeconds),
      number("step_seconds", "s", "Each step, whatever it computes.", false, &Profile::step_seconds, 0, kMostSeconds),
      number("flops_per_second", "1/s", "Multiplications and additions of a step.", true, &Profile::flops_per_second, 1, kMostRate),
      number("compile_seconds", "s", "Each program that is compiled.", true, &Profile::compile_seconds, 0, kMostSeconds),
      number("max_steps_per_launch", "steps", "More steps are run by several launches.", false, &Profile::max_steps_per_launch, 1, 1 << 20),
      number("max_slab_bytes", "byte", "Rows and outputs of a launch; a single step may have more.", false, &Profile::max_slab_bytes, 1,
             kMostCount),
      number("fail_at_launch", "launch", "The launch with this number, from 1, fails halfway; 0: none.", false, &Profile::fail_at_launch, 0,
             kMostCount),
      number("lose_at_launch", "launch", "At the launch with this number the device goes away for good; 0: never.", false,
             &Profile::lose_at_launch, 0, kMostCount),
  };
}

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const ProfileField& field : profile_fields()) names.emplace_back(field.name);
  return names;
}

/// Takes the parser's events and refuses whatever is not a flat object of known fields, so that depth and memory stay bounded.
class ProfileHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return refuse("null"); }
  bool boolean(bool) override { return refuse("a truth value"); }
  bool number_integer(number_integer_t value) override { return take(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return take(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return take(value); }
  bool binary(binary_t&) override { return refuse("binary data"); }
  bool start_array(std::size_t) override { return refuse("a list"); }
  bool end_array() override { return true; }
  bool end_object() override { return true; }

  bool start_object(std::size_t) override {
    if (inside_) return refuse("an object");
    return inside_ = true;
  }

  bool key(string_t& name) override {
    const std::span<const ProfileField> fields = profile_fields();
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const ProfileField& field) { return name == field.name; });
    if (found == fields.end()) {
      message = fmt::format("unknown field {}; {}", shown(name), name_proposal(name.substr(0, kMostShown), field_names()));
      return false;
    }
    field_ = &*found;
    if (seen_[static_cast<std::size_t>(found - fields.begin())]) return wrong("stands twice");
    return seen_[static_cast<std::size_t>(found - fields.begin())] = true;
  }

  bool string(string_t& value) override {
    if (!inside_ || field_->text == nullptr) return refuse(fmt::format("the text {}", shown(value)));
    const std::vector<std::string>& texts = field_->texts;
    if (!texts.empty() && std::find(texts.begin(), texts.end(), value) == texts.end())
      return wrong(fmt::format("is {} instead of \"{}\"", shown(value), fmt::join(texts, "\" or \"")));
    profile.*field_->text = value;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    message = fmt::format("is not JSON at byte {}", position);
    return false;
  }

  /// What is required and did not come; empty: nothing.
  std::vector<std::string> missing() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < profile_fields().size(); ++i)
      if (profile_fields()[i].is_required && !seen_[i]) names.emplace_back(profile_fields()[i].name);
    return names;
  }

  Profile profile;
  std::string message;

 private:
  static constexpr std::size_t kMostShown = 60;  // characters of a text in a message
  static std::string shown(const std::string& text) {
    if (text.size() <= kMostShown) return fmt::format("\"{}\"", text);
    return fmt::format("\"{}...\" ({} characters)", text.substr(0, kMostShown), text.size());
  }

  bool wrong(std::string_view what) {
    message = fmt::format("\"{}\" {}", field_->name, what);
    return false;
  }
  bool refuse(std::string_view what) {
    if (!inside_) {
      message = fmt::format("is {} instead of an object of fields", what);
      return false;
    }
    return wrong(fmt::format("is {} instead of a {}", what, field_->text != nullptr ? "text" : "number"));
  }
  bool take(double value) {
    if (!inside_ || field_->number == nullptr) return refuse(fmt::format("the number {}", value));
    if (!(value >= field_->least && value <= field_->most))
      return wrong(fmt::format("must be from {} to {} ({}); got {}", field_->least, field_->most, field_->unit, value));
    profile.*field_->number = value;
    return true;
  }

  bool inside_ = false;
  const ProfileField* field_ = nullptr;
  std::array<bool, 64> seen_{};
};

bool is_path(const std::string& name) { return name.find('/') != std::string::npos || name.ends_with(".json"); }

/// A name as "GPU" in "GPU:0".
bool is_device_type(const std::string& type) {
  return !type.empty() && type.size() <= 32 && std::all_of(type.begin(), type.end(), [](unsigned char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::span<const ProfileField> profile_fields() {
  static const auto& fields = *new std::vector<ProfileField>(make_fields());
  return fields;
}

Profile parse_profile(std::string_view text, std::string_view name) {
  ProfileHandler handler;
  if (!nlohmann::json::sax_parse(text, &handler)) invalid_argument("[sim] profile \"{}\": {}", name, handler.message);
  if (const std::vector<std::string> missing = handler.missing(); !missing.empty())
    invalid_argument("[sim] profile \"{}\" lacks \"{}\"", name, fmt::join(missing, "\", \""));
  if (!is_device_type(handler.profile.device_type))
    invalid_argument("[sim] profile \"{}\": \"device_type\" must be 1 to 32 capital letters, digits and \"_\", as GPU; got \"{}\"", name,
                     handler.profile.device_type);
  handler.profile.name = name;
  return std::move(handler.profile);
}

std::span<const Profile> built_in_profiles() {
  static const auto& profiles = *new std::vector<Profile>([] {
    std::vector<Profile> all;
    for (const BuiltInProfile& file : built_in_profile_files()) all.push_back(parse_profile(file.text, file.name));
    return all;
  }());
  return profiles;
}

Profile find_profile(const std::string& name_or_path) {
  if (is_path(name_or_path)) return parse_profile(io::read_text_file(name_or_path, {.max_size_bytes = kMostFileBytes}), name_or_path);
  std::vector<std::string> names;
  for (const Profile& profile : built_in_profiles()) {
    if (profile.name == name_or_path) return profile;
    names.push_back(profile.name);
  }
  const std::vector<std::string> nearest = nearest_names(name_or_path, names);
  fail(ErrorCode::kNotFound, "[sim] no profile is called \"{}\"{}; there are: {}; a path has a \"/\" or ends in \".json\"", name_or_path,
       nearest.empty() ? "" : fmt::format(", did you mean \"{}\"?", nearest.front()), fmt::join(names, ", "));
}

}  // namespace cornu::inline v0::backends::sim
