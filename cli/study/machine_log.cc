#include "cli/study/machine_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cli/study/figures.h"
#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/version.h"

namespace cornu::inline v0::study {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostLogBytes = 64 << 20;
constexpr double kLeastJumpSeconds = 5;  // of a clock that is set, beyond its usual drift
constexpr double kDrift = 0.01;

[[noreturn]] void refuse_line(const std::string& path, int number) {
  invalid_argument("[study] \"{}\", line {}: is no line of a log of `cornu study run`", path, number);
}

/// A field of the right type. Errors: as refuse_line.
template <typename T>
T field(const Json& object, const char* name, const std::string& path, int number) {
  const auto found = object.find(name);
  bool is_right = found != object.end();
  if constexpr (std::is_same_v<T, std::string>)
    is_right = is_right && found->is_string();
  else if constexpr (std::is_same_v<T, bool>)
    is_right = is_right && found->is_boolean();
  else
    is_right = is_right && found->is_number() && std::isfinite(found->template get<double>());
  if (!is_right) refuse_line(path, number);
  return found->template get<T>();
}

MachineLogEntry parse_entry(const Json& value, const std::string& path, int number) {
  if (!value.is_object()) refuse_line(path, number);
  MachineLogEntry entry;
  entry.program = field<std::string>(value, "program", path, number);
  entry.isa = field<std::string>(value, "isa", path, number);
  entry.device = field<std::string>(value, "device", path, number);
  entry.threads = field<int>(value, "threads", path, number);
  entry.is_simulated = field<bool>(value, "simulated", path, number);
  entry.steps = field<double>(value, "steps", path, number);
  entry.wall_seconds = field<double>(value, "wall", path, number);
  entry.steady_seconds = field<double>(value, "steady", path, number);
  const auto times = value.find("milliseconds");
  if (times == value.end() || !times->is_array() || times->empty()) refuse_line(path, number);
  for (const Json& time : *times) {
    if (!time.is_number() || !(time.get<double>() >= 0) || !std::isfinite(time.get<double>()))
      refuse_line(path, number);
    entry.milliseconds.push_back(time.get<double>());
  }
  if (!(entry.steps > 0) || entry.threads < 0) refuse_line(path, number);
  return entry;
}

/// Errors: InvalidArgument for a header that is not that of a log of `cornu study run`.
void parse_header(const Json& line, MachineLog& log) {
  if (!line.is_object() || !line.contains("study") || !line["study"].is_object()) refuse_line(log.path, 1);
  const Json& header = line["study"];
  const std::string kind = header.value("kind", "");
  if (kind != "run")
    invalid_argument("[study] \"{}\" is a log of `cornu study {}`: merge takes logs of `cornu study run`",
                     log.path, kind);
  if (const int format = field<int>(header, "format", log.path, 1); format != kMachineLogFormat)
    invalid_argument(
        "[study] \"{}\" has format {}, of Cornu {}, and this program reads format {}: merge with that "
        "version",
        log.path, format, header.value("version", "of another version"), kMachineLogFormat);
  log.host = field<std::string>(header, "host", log.path, 1);
  if (!header.contains("machine") || !header["machine"].is_object()) refuse_line(log.path, 1);
  log.machine = header["machine"];
}

/// True if the two clocks went on differently between two measurements.
bool has_jumped(const MachineLogEntry& before, const MachineLogEntry& after, double& seconds) {
  const double wall = after.wall_seconds - before.wall_seconds;
  const double steady = after.steady_seconds - before.steady_seconds;
  // The steady clock begins anew with the machine: then only a clock that went back is seen.
  seconds = steady >= 0 ? wall - steady : std::min(wall, 0.0);
  return std::abs(seconds) > kLeastJumpSeconds + kDrift * std::max(0.0, steady);
}

void check_clock(MachineLog& log) {
  for (std::size_t i = 1; i < log.entries.size(); ++i)
    if (double seconds = 0; has_jumped(log.entries[i - 1], log.entries[i], seconds))
      log.warnings.push_back(fmt::format(
          "The clock of {} jumped by {} before {} was measured (\"{}\"): the times stay, as they are by a "
          "clock that does not jump.",
          log.host, (seconds < 0 ? "-" : "") + seconds_text(std::abs(seconds)), log.entries[i].name(),
          log.path));
}

/// Adds the entries that `log` lacks; returns their number.
std::size_t add_missing(MachineLog& log, const MachineLog& other) {
  std::set<std::string> names;
  for (const MachineLogEntry& entry : log.entries) names.insert(entry.name());
  std::size_t num_added = 0;
  for (const MachineLogEntry& entry : other.entries)
    if (names.insert(entry.name()).second) {
      log.entries.push_back(entry);
      ++num_added;
    }
  return num_added;
}

}  // namespace

std::string MachineLogEntry::name() const {
  return device == "cpu" ? fmt::format("{}/{}/{}", program, isa, threads)
                         : fmt::format("{}/{}", program, device);
}

Repeats MachineLogEntry::training_seconds() const {
  Repeats seconds;
  for (const double each : milliseconds) seconds.push_back(1e-3 * each * steps);
  return seconds;
}

Json to_json(const MachineLogEntry& entry) {
  return {{"program", entry.program},
          {"isa", entry.isa},
          {"device", entry.device},
          {"threads", entry.threads},
          {"simulated", entry.is_simulated},
          {"steps", entry.steps},
          {"milliseconds", entry.milliseconds},
          {"wall", entry.wall_seconds},
          {"steady", entry.steady_seconds}};
}

Json machine_log_header(const std::string& host, const Json& machine) {
  return {{"kind", "run"},
          {"format", kMachineLogFormat},
          {"version", CORNU_VERSION_STRING},
          {"host", host},
          {"machine", machine}};
}

MachineLog read_machine_log(const std::string& path) {
  const std::string text = io::read_text_file(path, {.max_size_bytes = kMostLogBytes});
  MachineLog log;
  log.path = path;
  std::size_t begin = 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      if (number == 1) refuse_line(path, 1);
      log.warnings.push_back(fmt::format("The last line of \"{}\" was cut off and is left out.", path));
      break;
    }
    const Json line = Json::parse(text.substr(begin, end - begin), nullptr, /*allow_exceptions=*/false);
    begin = end + 1;
    if (number == 1) {
      parse_header(line, log);
      continue;
    }
    if (!line.is_object() || !line.contains("value")) refuse_line(path, number);
    log.entries.push_back(parse_entry(line["value"], path, number));
  }
  if (begin == 0) invalid_argument("[study] \"{}\" is no log of `cornu study run`: it has no line", path);
  check_clock(log);
  return log;
}

JoinedLogs join_machine_logs(const std::vector<std::string>& paths) {
  if (paths.empty()) invalid_argument("[study] merge takes the logs of one machine or several");
  JoinedLogs joined;
  for (const std::string& path : paths) {
    MachineLog log;
    try {
      log = read_machine_log(path);
    } catch (const Error& error) {
      joined.warnings.push_back(fmt::format("\"{}\" is left out: {}", path, error.what()));
      continue;
    }
    joined.warnings.insert(joined.warnings.end(), log.warnings.begin(), log.warnings.end());
    const auto same = std::find_if(joined.logs.begin(), joined.logs.end(), [&](const MachineLog& each) {
      return each.host == log.host && each.machine == log.machine;
    });
    if (same == joined.logs.end()) {
      joined.logs.push_back(std::move(log));
      continue;
    }
    const std::size_t num_added = add_missing(*same, log);
    joined.warnings.push_back(fmt::format(
        "\"{}\" and \"{}\" are of the same host, {}: {} of the {} measurements of the second one are added, "
        "the others are in the first one.",
        same->path, path, log.host, num_added, log.entries.size()));
  }
  if (joined.logs.empty())
    fail(ErrorCode::kUnavailable, "[study] no log can be merged: {}", fmt::join(joined.warnings, "; "));
  // Containers of one host have its name and other limits.
  std::set<std::string> names;
  for (MachineLog& log : joined.logs) {
    const std::string host = log.host;
    for (int number = 2; !names.insert(log.host).second; ++number)
      log.host = fmt::format("{} ({})", host, number);
  }
  return joined;
}

}  // namespace cornu::inline v0::study
