#pragma once

#include <string>
#include <vector>

#include "tests/keras_cases/replay.h"

namespace cornu::inline v0::tests {

/// A result of one case.
struct CaseResult {
  std::string id;
  Replayed replayed;
};

/// The cases that are refused or differ on purpose, from a JSON file: a list of
///
///     {"cases": "layers/core/*", "outcome": "refused", "message": "text inside it", "count": 3,
///      "reason": "..."}
///
/// The first entry that fits a case counts; "*" in `cases` stands for any text. `count` is the number of cases
/// of a whole recording that an entry fits; with `"at_most": true` fewer may, where rounding decides.
class Expectations {
 public:
  /// Errors: std::runtime_error if the file cannot be read; those of Config for entries of another form.
  explicit Expectations(const std::string& path);

  /// The problems, one text each: a case that is neither the same nor expected; with `whole`, also an entry
  /// that fits another number of cases than `count`, because some pass now or newly fail.
  std::vector<std::string> problems(const std::vector<CaseResult>& results, bool whole) const;

 private:
  struct Entry {
    std::string cases, message;
    Outcome outcome = Outcome::kRefused;
    std::int64_t count = 0;
    bool at_most = false;
  };
  std::vector<Entry> entries_;
};

const char* outcome_name(Outcome outcome);

}  // namespace cornu::inline v0::tests
