#include "cornu/backends/sim/profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "cornu/backends/sim/built_in_profiles.h"
#include "cornu/base/check.h"
#include "cornu/base/nearest_names.h"
#include "cornu/base/parse_number.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::backends::sim {
namespace {

constexpr double kMostSeconds = 3600;  // limit of each time, so that a simulation ends
constexpr double kMostRate = 1e24;
constexpr double kMostCount = 1e15;
constexpr std::int64_t kMostFileBytes = 64 << 10;

std::vector<ProfileField> make_fields() {
  const auto text = [](const char* name, const char* meaning, std::string Profile::* member,
                       std::vector<std::string> texts = {}) {
    return ProfileField{name, "text", meaning, false, nullptr, member, 0, 0, std::move(texts)};
  };
  const auto number = [](const char* name, const char* unit, const char* meaning, bool is_required,
                         double Profile::* member, double least, double most) {
    return ProfileField{name, unit, meaning, is_required, member, nullptr, least, most};
  };
  const auto count = [&](const char* name, const char* unit, const char* meaning, double Profile::* member,
                         double least, double most) {
    ProfileField field = number(name, unit, meaning, false, member, least, most);
    field.is_count = true;
    return field;
  };
  return {
      text("description", "Description of the profile, for readers.", &Profile::description),
      text("device_type", "What its device is called in device names.", &Profile::device_type),
      text("device_kind", "What kind of device it is, for readers.", &Profile::device_kind),
      text("clock", "Whether costs are waited for, or only move the clock of the client.", &Profile::clock,
           {"real", "virtual"}),
      text("sources", "Where each of its numbers is from, for readers.", &Profile::sources),
      count("memory_bytes", "byte", "Memory of the device; 0: not limited.", &Profile::memory_bytes, 0,
            kMostCount),
      text("results", "Whether launches are computed, or only take their time and write zeros.",
           &Profile::results, {"computed", "zeros"}),
      text("calls", "Whether calls follow each other, or the link works beside the device.", &Profile::calls,
           {"one_by_one", "overlapping"}),
      number("link_latency_seconds", "s", "Each round trip between host and device.", true,
             &Profile::link_latency_seconds, 0, kMostSeconds),
      number("link_bytes_per_second", "byte/s", "What travels over the link, in both directions together.",
             true, &Profile::link_bytes_per_second, 1, kMostRate),
      number("launch_seconds", "s", "Each execution, before its first step.", true, &Profile::launch_seconds,
             0, kMostSeconds),
      number("step_seconds", "s", "Each step, whatever it computes.", false, &Profile::step_seconds, 0,
             kMostSeconds),
      number("flops_per_second", "1/s", "Multiplications and additions of a step.", true,
             &Profile::flops_per_second, 1, kMostRate),
      number("convolution_flops_per_second", "1/s", "Those of convolutions; 0: as the others.", false,
             &Profile::convolution_flops_per_second, 0, kMostRate),
      number("sequence_flops_per_second", "1/s", "Those of recurrent sequences; 0: as the others.", false,
             &Profile::sequence_flops_per_second, 0, kMostRate),
      number("compile_seconds", "s", "Each program that is compiled.", true, &Profile::compile_seconds, 0,
             kMostSeconds),
      count("num_cores", "cores",
            "Devices of one client; replicas that a program is made of run on one each.", &Profile::num_cores,
            1, 256),
      number("ring_latency_seconds", "s", "Each message from a core to the next in their ring.", false,
             &Profile::ring_latency_seconds, 0, kMostSeconds),
      number("ring_bytes_per_second", "byte/s", "What a core sends to the next; 0: it costs nothing.", false,
             &Profile::ring_bytes_per_second, 0, kMostRate),
      number("state_bytes_per_second", "byte/s",
             "The state of a step, which is read and written once; 0: costs nothing.", false,
             &Profile::state_bytes_per_second, 0, kMostRate),
      text("rows", "Whether rows go with each launch, or arrays that are used again are kept there.",
           &Profile::rows, {"sent", "kept"}),
      number("stream_seconds", "s", "Each pass over data whose rows are sent, before its first step.", false,
             &Profile::stream_seconds, 0, kMostSeconds),
      number("stream_step_seconds", "s", "Each step whose rows are sent.", false,
             &Profile::stream_step_seconds, 0, kMostSeconds),
      count("max_steps_per_launch", "steps", "More steps are run by several launches.",
            &Profile::max_steps_per_launch, 1, 1 << 20),
      count("max_launch_bytes", "byte", "Rows and outputs of a launch; a single step may have more.",
            &Profile::max_launch_bytes, 1, kMostCount),
      count("fail_at_launch", "launch", "The launch with this number, from 1, fails halfway; 0: none.",
            &Profile::fail_at_launch, 0, kMostCount),
      count("lose_at_launch", "launch",
            "At the launch with this number the device goes away for good; 0: never.",
            &Profile::lose_at_launch, 0, kMostCount),
  };
}

std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (const ProfileField& field : profile_fields()) names.emplace_back(field.name);
  return names;
}

/// Quotes a text for a message.
std::string shown(const std::string& text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return fmt::format("\"{}\"", text);
  return fmt::format("\"{}...\" ({} characters)", text.substr(0, kMost), text.size());
}

/// Null, with the nearest known name in `message`, if there is none.
const ProfileField* find_field(const std::string& name, std::string& message) {
  constexpr std::size_t kLongestName = 60;
  const std::span<const ProfileField> fields = profile_fields();
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const ProfileField& field) { return name == field.name; });
  if (found != fields.end()) return &*found;
  message = fmt::format("unknown field {}; {}", shown(name),
                        name_proposal(name.substr(0, kLongestName), field_names()));
  return nullptr;
}

/// Sets a field; returns the error, or an empty text.
std::string set_number(Profile& profile, const ProfileField& field, double value) {
  if (field.number == nullptr)
    return fmt::format("\"{}\" is the number {} instead of a text", field.name, value);
  if (!(value >= field.least && value <= field.most))
    return fmt::format("\"{}\" must be from {} to {} ({}); got {}", field.name, field.least, field.most,
                       field.unit, value);
  if (field.is_count && value != std::floor(value))
    return fmt::format("\"{}\" must be a whole number ({}); got {}", field.name, field.unit, value);
  profile.*field.number = value;
  return "";
}

std::string set_text(Profile& profile, const ProfileField& field, const std::string& value) {
  if (field.text == nullptr)
    return fmt::format("\"{}\" is the text {} instead of a number", field.name, shown(value));
  if (!field.texts.empty() && std::find(field.texts.begin(), field.texts.end(), value) == field.texts.end())
    return fmt::format("\"{}\" is {} instead of \"{}\"", field.name, shown(value),
                       fmt::join(field.texts, "\" or \""));
  profile.*field.text = value;
  return "";
}

/// Receives the parser's events and rejects all input except a flat object of known fields, so that depth and
/// memory are bounded.
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
    field_ = find_field(name, message);
    if (field_ == nullptr) return false;
    bool& seen = seen_[static_cast<std::size_t>(field_ - profile_fields().data())];
    if (seen) message = fmt::format("\"{}\" is given twice", field_->name);
    return !std::exchange(seen, true);
  }

  bool string(string_t& value) override {
    if (!inside_) return refuse(fmt::format("the text {}", shown(value)));
    return is_fine(set_text(profile, *field_, value));
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    message = fmt::format("is not JSON at byte {}", position);
    return false;
  }

  /// The required fields that are missing.
  std::vector<std::string> missing() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < profile_fields().size(); ++i)
      if (profile_fields()[i].is_required && !seen_[i]) names.emplace_back(profile_fields()[i].name);
    return names;
  }

  Profile profile;
  std::string message;

 private:
  bool is_fine(const std::string& wrong) {
    message = wrong;
    return wrong.empty();
  }
  bool refuse(std::string_view what) {
    message = inside_ ? fmt::format("\"{}\" is {} instead of a {}", field_->name, what,
                                    field_->text != nullptr ? "text" : "number")
                      : fmt::format("is {} instead of an object of fields", what);
    return false;
  }
  bool take(double value) {
    if (!inside_) return refuse(fmt::format("the number {}", value));
    return is_fine(set_number(profile, *field_, value));
  }

  bool inside_ = false;
  const ProfileField* field_ = nullptr;
  std::array<bool, 64> seen_{};
};

/// Checks a name such as "GPU" in "GPU:0"; returns the error, or an empty text.
std::string wrong_device_type(const Profile& profile) {
  const std::string& type = profile.device_type;
  const bool is_one =
      !type.empty() && type.size() <= 32 && std::all_of(type.begin(), type.end(), [](unsigned char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      });
  if (is_one) return "";
  return fmt::format("\"device_type\" must be 1 to 32 capital letters, digits and \"_\", as GPU; got {}",
                     shown(type));
}

/// Applies a change FIELD=VALUE.
void apply_change(Profile& profile, const std::string& change, const std::string& spec) {
  const std::size_t equals = change.find('=');
  if (equals == std::string::npos)
    invalid_argument("[sim] \"{}\": after a comma write FIELD=VALUE, such as clock=virtual; got {}", spec,
                     shown(change));
  const std::string value = change.substr(equals + 1);
  std::string wrong;
  if (const ProfileField* const field = find_field(change.substr(0, equals), wrong)) {
    const std::optional<double> number = parse_number<double>(value);
    wrong = number.has_value() && field->number != nullptr ? set_number(profile, *field, *number)
                                                           : set_text(profile, *field, value);
  }
  if (wrong.empty()) wrong = wrong_device_type(profile);
  if (!wrong.empty()) invalid_argument("[sim] \"{}\": {}", spec, wrong);
}

bool is_path(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

}  // namespace

std::span<const ProfileField> profile_fields() {
  static const auto& fields = *new std::vector<ProfileField>(make_fields());
  return fields;
}

Profile parse_profile(std::string_view text, std::string_view name) {
  ProfileHandler handler;
  if (!nlohmann::json::sax_parse(text, &handler))
    invalid_argument("[sim] profile \"{}\": {}", name, handler.message);
  if (const std::vector<std::string> missing = handler.missing(); !missing.empty())
    invalid_argument("[sim] profile \"{}\" lacks \"{}\"", name, fmt::join(missing, "\", \""));
  if (const std::string wrong = wrong_device_type(handler.profile); !wrong.empty())
    invalid_argument("[sim] profile \"{}\": {}", name, wrong);
  handler.profile.name = name;
  return std::move(handler.profile);
}

std::span<const Profile> built_in_profiles() {
  static const auto& profiles = *new std::vector<Profile>([] {
    std::vector<Profile> all;
    for (const BuiltInProfile& file : built_in_profile_files())
      all.push_back(parse_profile(file.text, file.name));
    return all;
  }());
  return profiles;
}

Profile find_profile(const std::string& name_or_path) {
  if (is_path(name_or_path))
    return parse_profile(io::read_text_file(name_or_path, {.max_size_bytes = kMostFileBytes}), name_or_path);
  std::vector<std::string> names;
  for (const Profile& profile : built_in_profiles()) {
    if (profile.name == name_or_path) return profile;
    names.push_back(profile.name);
  }
  const std::vector<std::string> nearest = nearest_names(name_or_path, names);
  fail(ErrorCode::kNotFound,
       "[sim] no profile is called \"{}\"; there are: {}; a path has a \"/\" or ends in \".json\"{}",
       name_or_path, fmt::join(names, ", "),
       nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest.front()));
}

Profile profile_of_spec(const std::string& spec) {
  const std::size_t first_comma = spec.find(',');
  Profile profile = find_profile(spec.substr(0, first_comma));
  for (std::size_t comma = first_comma; comma != std::string::npos;) {
    const std::size_t next = spec.find(',', comma + 1);
    apply_change(profile, spec.substr(comma + 1, next == std::string::npos ? next : next - comma - 1), spec);
    comma = next;
  }
  return profile;
}

}  // namespace cornu::inline v0::backends::sim
