#pragma once

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cornu::inline v0::study {

/// The measurements of a study in a file, a line of JSON each, so that one that was interrupted goes on where
/// it was. The first line is the header: what was asked for, and on which machine.
/// Threads: one thread.
class StudyLog {
 public:
  /// Begins `path` anew, or with `resumes` goes on with what is there. An empty path keeps nothing.
  /// Errors: FailedPrecondition, naming each field that differs with both values, for a file whose header is
  ///         not this one: figures of two machines do not belong into one table; NotFound and InvalidArgument
  ///         for a file that is not there or no log; Unavailable for one that cannot be written. A last line that
  ///         was cut off is left out.
  StudyLog(std::string path, nlohmann::ordered_json header, bool resumes);

  /// The measurement of this name; measured now, and written before it returns, unless it is there.
  nlohmann::ordered_json get(const std::string& name, const std::function<nlohmann::ordered_json()>& measure);
  bool has(const std::string& name) const { return found_.contains(name); }
  std::size_t num_found() const { return found_.size(); }

 private:
  void read(const nlohmann::ordered_json& header);
  void write(const nlohmann::ordered_json& line);

  std::string path_;
  std::ofstream file_;
  nlohmann::ordered_json found_ = nlohmann::ordered_json::object();
};

/// What this machine is, as far as it decides how fast something runs: processor, processors, instruction sets.
nlohmann::ordered_json describe_machine();

}  // namespace cornu::inline v0::study
