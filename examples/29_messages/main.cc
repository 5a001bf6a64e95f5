// The programs of docs/guide/messages.md, run and checked: tools/check_guide.py sees that the guide shows
// what stands here.

#include <string>
#include <utility>
#include <vector>

#include "cornu/cornu.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

Sequential small_model() {
  Sequential model({layers::Input({.shape = {1}}), layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  return model;
}

/// Two steps where five are asked for: of that the library warns.
void fit_too_little_data() {
  const Tensor x = ops::ones({8, 1});
  small_model().fit(x, x, {.batch_size = 4, .verbose = 0, .steps_per_epoch = 5});
}

void own_sink() {
  std::vector<std::pair<std::string, std::string>> warnings;
  set_log_sink([&](const LogMessage& message) {
    if (message.severity >= LogSeverity::kWarning) warnings.emplace_back(message.component, message.text);
  });
  fit_too_little_data();
  set_log_sink({});  // stderr again

  expect(warnings.size() == 1 && warnings[0].first == "fit" &&
             warnings[0].second.starts_with("the data ran out after 2 of 5 steps of epoch 1"),
         "a sink gets component and text");
}

void sink_for_a_part() {
  const LogSink before = set_log_sink(stderr_log_sink(LogSeverity::kError));
  fit_too_little_data();  // warns of nothing
  set_log_sink(before);

  expect(!before, "what was set before comes back");
}

void own_message() {
  std::string said;
  set_log_sink([&](const LogMessage& message) { said = message.str(); });
  log_message({.severity = LogSeverity::kWarning, .component = "prices", .text = "the file is a week old"});
  set_log_sink({});

  expect(said == "warning: [prices] the file is a week old", "a message of the program's own");
}

void versions() {
#if CORNU_VERSION < 100
#error "this program needs Cornu 0.1.0"
#endif
  if (version() != CORNU_VERSION)
    log_message(
        {.severity = LogSeverity::kWarning,
         .text = std::string("compiled with Cornu " CORNU_VERSION_STRING ", runs with ") + version_string()});

  expect(version() == CORNU_VERSION && std::string(version_string()) == CORNU_VERSION_STRING,
         "the library is the one that this is compiled with");
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_guide_program("messages", argc, argv,
                                     {own_sink, sink_for_a_part, own_message, versions});
}
