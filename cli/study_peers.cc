#include "cli/study_peers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/child_process.h"
#include "cli/text/suggestion.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::cli {
namespace {

/// A script of benchmarks/peers as it is called for a library.
struct Peer {
  const char* name;
  const char* script;
  const char* variable;  // of the environment; empty: none
  const char* argument;  // empty: none
};
constexpr Peer kPeers[] = {{"tensorflow", "keras_peer.py", "KERAS_BACKEND=tensorflow", ""},
                           {"tensorflow-xla", "keras_peer.py", "KERAS_BACKEND=tensorflow", "--jit"},
                           {"keras-jax", "keras_peer.py", "KERAS_BACKEND=jax", ""},
                           {"jax", "jax_peer.py", "", ""},
                           {"torch", "torch_peer.py", "", ""},
                           {"torch-compile", "torch_peer.py", "", "--compile"}};

const Peer& find_peer(const std::string& name) {
  for (const Peer& peer : kPeers)
    if (name == peer.name) return peer;
  const std::vector<std::string> names = peer_names();
  invalid_argument("[study] there are no scripts for \"{}\"; {}", name,
                   suggestion(name, names, fmt::format("known: {}", fmt::join(names, ", "))));
}

/// The reason of a script's failure in words, from its standard error.
std::string failure_of(const PeerRequest& peer, const std::string& workload, const ProcessEnd& end) {
  const std::string last = last_line_of(end.errors);
  constexpr std::string_view kMissing = "No module named ";
  if (const std::size_t at = last.find(kMissing); at != std::string::npos)
    return fmt::format("{} has no package {}: name a Python that has it, as in --with {}=PYTHON", peer.python,
                       last.substr(at + kMissing.size()), peer.library);
  if (last.find("invalid choice") != std::string::npos || last.find("KeyError") != std::string::npos)
    return fmt::format("its script does not have {}", workload);
  if (end.reason == EndReason::kLimit)
    return fmt::format("{} did not end within the limit of a run", workload);
  return last.empty() ? fmt::format("its script ended with {}", end.exit_code) : last;
}

[[noreturn]] void fail_peer(const PeerRequest& peer, const std::string& why) {
  fail(ErrorCode::kUnavailable, "[study] {}: {}", peer.library, why);
}

}  // namespace

std::vector<std::string> peer_names() {
  std::vector<std::string> names;
  for (const Peer& peer : kPeers) names.emplace_back(peer.name);
  return names;
}

PeerRequest parse_peer(const std::string& text) {
  const std::size_t equals = text.find('=');
  PeerRequest peer{.library = text.substr(0, equals)};
  if (equals != std::string::npos) peer.python = text.substr(equals + 1);
  find_peer(peer.library);
  if (peer.python.empty()) invalid_argument("[study] --with {} has no Python after the \"=\"", text);
  return peer;
}

std::filesystem::path peers_folder() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return program.parent_path().parent_path() / "share" / "cornu" / "peers";
}

PeerTimes run_peer(const PeerRequest& request, const std::string& workload,
                   const PeerMeasurement& measurement) {
  const Peer& peer = find_peer(request.library);
  std::vector<std::string> command = {"env", "CUDA_VISIBLE_DEVICES=", "TF_CPP_MIN_LOG_LEVEL=3"};
  if (*peer.variable != '\0') command.emplace_back(peer.variable);
  command.insert(command.end(), {request.python, (peers_folder() / peer.script).string(), workload, "--spe",
                                 std::to_string(measurement.steps_per_execution), "--seconds",
                                 fmt::format("{}", measurement.seconds)});
  if (*peer.argument != '\0') command.emplace_back(peer.argument);
  std::string figures;
  const ProcessEnd end = run_process(command, {.num_cpus = measurement.threads,
                                               .on_line =
                                                   [&](const std::string& line, double) {
                                                     if (line.starts_with("{")) figures = line;
                                                     return true;
                                                   },
                                               .errors = ErrorOutput::kKept,
                                               .limit_seconds = measurement.limit_seconds});
  if (end.exit_code == 127 || (end.exit_code == 126 && figures.empty()))
    fail_peer(request, fmt::format("there is no program \"{0}\": name a Python, as in --with {1}=PYTHON",
                                   request.python, request.library));
  if (end.reason != EndReason::kItself || end.exit_code != 0 || end.signal != 0)
    fail_peer(request, failure_of(request, workload, end));
  const auto json = nlohmann::json::parse(figures, nullptr, /*allow_exceptions=*/false);
  const auto figure = [&](const char* name) {
    const bool is_there = json.is_object() && json.contains(name) && json[name].is_number();
    const double value = is_there ? json[name].get<double>() : NAN;
    if (!(value >= 0) || !std::isfinite(value)) fail_peer(request, "its script printed no figures");
    return value;
  };
  return {figure("ms_step"), figure("first_fit_s")};
}

}  // namespace cornu::inline v0::cli
