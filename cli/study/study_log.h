#pragma once

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cornu::inline v0::study {

/// The path of a log that is written to the standard output, and continued from the standard input.
inline constexpr const char* kStandardOutput = "-";

/// The measurements of a study in a file, a line of JSON each, so that one that was interrupted goes on where
/// it was. The first line is the header: what was asked for, and on which machine.
/// Threads: one thread.
class StudyLog {
 public:
  /// Begins an empty file at `path`, or with `resumes` continues the one at `path`. An empty path keeps
  /// nothing.
  /// Errors: FailedPrecondition, naming each field that differs with both values, for a file whose header is
  ///         not this one: figures of two machines do not belong into one table; NotFound and InvalidArgument
  ///         for a file that is not there or no log; Unavailable for one that cannot be written. A last line
  ///         that was cut off is left out.
  StudyLog(std::string path, nlohmann::ordered_json header, bool resumes);

  /// The measurement of this name; measured now, and written before it returns, unless it is there.
  nlohmann::ordered_json get(const std::string& name, const std::function<nlohmann::ordered_json()>& measure);
  /// The same for a measurement that is a list of `count` numbers, or of at least one where `count` is 0.
  /// Errors: InvalidArgument, naming the log and the line, for one that the log has as something else, or
  ///         that is negative or not finite.
  std::vector<double> numbers(const std::string& name, std::size_t count,
                              const std::function<std::vector<double>()>& measure);
  /// The same for a single number.
  double number(const std::string& name, const std::function<double()>& measure);
  bool has(const std::string& name) const { return found_.contains(name); }
  std::size_t num_found() const { return found_.size(); }

 private:
  void read(const std::string& text, const nlohmann::ordered_json& header);
  void open(const std::string& file);
  void require(bool is_right, const std::string& name, const std::string& wanted) const;
  void write(const nlohmann::ordered_json& line);

  std::string path_;
  std::ofstream file_;
  nlohmann::ordered_json found_ = nlohmann::ordered_json::object();
};

}  // namespace cornu::inline v0::study
