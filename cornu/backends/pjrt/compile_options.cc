#include "cornu/backends/pjrt/compile_options.h"

#include <algorithm>
#include <bit>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

/// Writes fields of a protobuf message, of the kinds that are needed here.
class MessageWriter {
 public:
  void varint(int field, std::uint64_t value) {
    put((static_cast<std::uint64_t>(field) << 3) | 0);
    put(value);
  }
  void bytes(int field, std::string_view value) {
    put((static_cast<std::uint64_t>(field) << 3) | 2);
    put(value.size());
    text_ += value;
  }
  void fixed64(int field, double value) {
    put((static_cast<std::uint64_t>(field) << 3) | 1);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 0; i < 8; ++i) text_ += static_cast<char>(bits >> (8 * i));
  }
  void put(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// DeviceAssignmentProto: one partition, a device a replica.
std::string device_assignment(const std::vector<std::int64_t>& devices) {
  MessageWriter ids, partition, assignment;
  for (const std::int64_t id : devices) ids.put(static_cast<std::uint64_t>(id));
  partition.bytes(1, ids.text());
  assignment.varint(1, devices.size());
  assignment.varint(2, 1);
  assignment.bytes(3, partition.text());
  return assignment.text();
}

/// OptionOverrideProto with the type that the text suggests.
std::string option_value(const std::string& text) {
  MessageWriter value;
  if (text == "true" || text == "false")
    value.varint(2, text == "true" ? 1 : 0);
  else if (const auto integer = parse_number<std::int64_t>(text))
    value.varint(3, static_cast<std::uint64_t>(*integer));
  else if (const auto number = parse_number<double>(text))
    value.fixed64(4, *number);
  else
    value.bytes(1, text);
  return value.text();
}

}  // namespace

std::string encode_compile_options(const CompileOptions& options) {
  MessageWriter build;
  build.varint(4, std::max<std::size_t>(options.devices.size(), 1));
  build.varint(5, 1);
  if (!options.devices.empty()) build.bytes(9, device_assignment(options.devices));
  MessageWriter message;
  message.bytes(3, build.text());
  for (const auto& [name, value] : options.xla_options) {
    MessageWriter entry;
    entry.bytes(1, name);
    entry.bytes(2, option_value(value));
    message.bytes(7, entry.text());
  }
  return message.text();
}

std::vector<std::pair<std::string, std::string>> parse_xla_flags(std::string_view flags) {
  std::vector<std::pair<std::string, std::string>> options;
  constexpr std::string_view kSpace = " \t\n";
  for (std::size_t begin = flags.find_first_not_of(kSpace); begin != std::string_view::npos;
       begin = flags.find_first_not_of(kSpace, begin)) {
    const std::size_t end = std::min(flags.find_first_of(kSpace, begin), flags.size());
    std::string_view word = flags.substr(begin, end - begin);
    begin = end;
    if (!word.starts_with("--") || word.size() == 2)
      invalid_argument("[pjrt] XLA_FLAGS must hold \"--name=value\" words; got \"{}\"", word);
    word.remove_prefix(2);
    const std::size_t equals = std::min(word.find('='), word.size());
    options.emplace_back(word.substr(0, equals),
                         equals < word.size() ? word.substr(equals + 1) : std::string_view("true"));
  }
  return options;
}

}  // namespace cornu::inline v0::backends::pjrt
