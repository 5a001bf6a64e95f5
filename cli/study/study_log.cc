#include "cli/study/study_log.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "cornu/base/check.h"
#include "cornu/base/path_hint.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::study {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostFileBytes = 64 << 20;

/// "threads: 2 there, 4 here", for each field that differs.
std::vector<std::string> differences(const Json& there, const Json& here) {
  std::vector<std::string> found;
  const auto shown = [](const Json& object, const std::string& name) {
    return object.contains(name) ? object[name].dump() : std::string("nothing");
  };
  for (const auto& [name, value] : here.items()) {
    if (there.contains(name) && there[name] == value) continue;
    if (value.is_object() && there.contains(name) && there[name].is_object()) {
      for (const std::string& inner : differences(there[name], value)) found.push_back(name + "." + inner);
    } else {
      found.push_back(fmt::format("{}: {} there, {} here", name, shown(there, name), shown(here, name)));
    }
  }
  for (const auto& [name, value] : there.items())
    if (!here.contains(name)) found.push_back(fmt::format("{}: {} there, nothing here", name, value.dump()));
  return found;
}

}  // namespace

StudyLog::StudyLog(std::string path, Json header, bool resumes) : path_(std::move(path)) {
  if (path_.empty()) {
    if (resumes) invalid_argument("[study] to resume takes the log of the study that is resumed");
    return;
  }
  if (path_ == kStandardOutput) {
    if (resumes) read(std::string(std::istreambuf_iterator<char>(std::cin), {}), header);
    write({{"study", std::move(header)}});
    for (const auto& [name, value] : found_.items()) write({{"name", name}, {"value", value}});
    return;
  }
  if (resumes) {
    read(io::read_text_file(path_, {.max_size_bytes = kMostFileBytes}), header);
    // What was cut off goes, so that the next line is a line of its own.
    const std::string copy = path_ + ".new";
    open(copy);
    write({{"study", std::move(header)}});
    for (const auto& [name, value] : found_.items()) write({{"name", name}, {"value", value}});
    std::error_code error;
    std::filesystem::rename(copy, path_, error);
    if (error) fail(ErrorCode::kUnavailable, "[study] cannot write \"{}\": {}", path_, error.message());
    return;
  }
  open(path_);
  write({{"study", std::move(header)}});
}

void StudyLog::read(const std::string& text, const Json& header) {
  std::size_t begin = 0;
  for (int number = 1; begin < text.size(); ++number) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;  // cut off while it was written
    const Json line = Json::parse(text.substr(begin, end - begin), nullptr, /*allow_exceptions=*/false);
    begin = end + 1;
    const bool is_header =
        number == 1 && line.is_object() && line.contains("study") && line["study"].is_object();
    const bool is_value = number > 1 && line.is_object() && line.contains("name") &&
                          line["name"].is_string() && line.contains("value");
    if (!is_header && !is_value)
      invalid_argument("[study] \"{}\", line {}: is not the log of a study", path_, number);
    if (is_value) {
      found_[line["name"].get<std::string>()] = line["value"];
      continue;
    }
    if (const std::vector<std::string> found = differences(line["study"], header); !found.empty())
      fail(ErrorCode::kFailedPrecondition,
           "[study] \"{}\" is the log of another study or machine, whose figures would not belong together: "
           "{}",
           path_, fmt::join(found, "; "));
  }
  if (begin == 0) invalid_argument("[study] \"{}\" is not the log of a study: it has no line", path_);
}

void StudyLog::open(const std::string& file) {
  file_.open(file, std::ios::trunc);
  const int error = errno;
  if (!file_)
    fail(ErrorCode::kUnavailable, "[study] cannot write \"{}\": {}{}", file, std::strerror(error),
         write_hint(file, error));
}

void StudyLog::write(const Json& line) {
  const std::string text = line.dump() + "\n";
  std::ostream& out = path_ == kStandardOutput ? std::cout : file_;
  out << text << std::flush;
  if (!out) fail(ErrorCode::kUnavailable, "[study] cannot write \"{}\": {}", path_, std::strerror(errno));
}

Json StudyLog::get(const std::string& name, const std::function<Json()>& measure) {
  if (const auto found = found_.find(name); found != found_.end()) return *found;
  Json value = measure();
  found_[name] = value;
  if (!path_.empty()) write({{"name", name}, {"value", value}});
  return value;
}

namespace {

bool is_figure(const Json& value) {
  return value.is_number() && value.get<double>() >= 0 && std::isfinite(value.get<double>());
}

}  // namespace

void StudyLog::require(bool is_right, const std::string& name, const std::string& wanted) const {
  if (is_right) return;
  int line = 2;  // behind the header, in the order in which they were found
  for (auto each = found_.begin(); each != found_.end() && each.key() != name; ++each) ++line;
  invalid_argument("[study] \"{}\", line {}: the value of \"{}\" must be {}; it is {}", path_, line, name,
                   wanted, found_.at(name).dump());
}

std::vector<double> StudyLog::numbers(const std::string& name, std::size_t count,
                                      const std::function<std::vector<double>()>& measure) {
  const Json values = get(name, [&] { return Json(measure()); });
  require(values.is_array() && !values.empty() && (count == 0 || values.size() == count) &&
              std::all_of(values.begin(), values.end(), is_figure),
          name,
          fmt::format("a list of {} that are finite and not negative",
                      count == 0 ? "numbers" : fmt::format("{} numbers", count)));
  return values.get<std::vector<double>>();
}

double StudyLog::number(const std::string& name, const std::function<double()>& measure) {
  const Json value = get(name, [&] { return Json(measure()); });
  require(is_figure(value), name, "a number that is finite and not negative");
  return value.get<double>();
}

}  // namespace cornu::inline v0::study
