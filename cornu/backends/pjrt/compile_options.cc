#include "cornu/backends/pjrt/compile_options.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"
#include "cornu/io/proto_writer.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

/// DeviceAssignmentProto: one partition, a device a replica.
std::string device_assignment(const std::vector<std::int64_t>& devices) {
  std::string ids, partition, assignment;
  for (const std::int64_t id : devices) io::append_varint(ids, static_cast<std::uint64_t>(id));
  io::append_bytes_field(partition, 1, ids);
  io::append_varint_field(assignment, 1, devices.size());
  io::append_varint_field(assignment, 2, 1);
  io::append_bytes_field(assignment, 3, partition);
  return assignment;
}

/// OptionOverrideProto with the type that the text suggests.
std::string option_value(const std::string& text) {
  std::string value;
  if (text == "true" || text == "false")
    io::append_varint_field(value, 2, text == "true" ? 1 : 0);
  else if (const auto integer = parse_number<std::int64_t>(text))
    io::append_varint_field(value, 3, static_cast<std::uint64_t>(*integer));
  else if (const auto number = parse_number<double>(text))
    io::append_double_field(value, 4, *number);
  else
    io::append_bytes_field(value, 1, text);
  return value;
}

}  // namespace

std::string encode_compile_options(const CompileOptions& options) {
  std::string build;
  io::append_varint_field(build, 4, std::max<std::size_t>(options.devices.size(), 1));
  io::append_varint_field(build, 5, 1);
  if (!options.devices.empty()) io::append_bytes_field(build, 9, device_assignment(options.devices));
  std::string message;
  io::append_bytes_field(message, 3, build);
  for (const auto& [name, value] : options.xla_options) {
    std::string entry;
    io::append_bytes_field(entry, 1, name);
    io::append_bytes_field(entry, 2, option_value(value));
    io::append_bytes_field(message, 7, entry);
  }
  return message;
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
