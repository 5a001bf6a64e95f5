#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cornu::inline v0::cli {

/// Another library whose script trains the workloads of `cornu bench`.
struct PeerRequest {
  std::string library;             // a name of peer_names()
  std::string python = "python3";  // a Python that has the library
};

/// The libraries: tensorflow, tensorflow-xla, keras-jax, jax, torch, torch-compile.
std::vector<std::string> peer_names();
/// Parses NAME or NAME=PYTHON. Errors: InvalidArgument for an unknown library, with the nearest name.
PeerRequest parse_peer(const std::string& text);
/// The folder of the scripts: share/cornu/peers beside the folder of the running program.
std::filesystem::path peers_folder();

struct PeerMeasurement {
  std::int64_t steps_per_execution = 1;
  int threads = 1;
  double seconds = 1;  // about, after the first fit
  double limit_seconds = 0;
};
struct PeerTimes {
  double step_milliseconds = 0;  // the median
  double first_seconds = 0;      // of the first execution, which compiles
};
/// Runs the library's script for a workload once.
/// Errors: kUnavailable for a missing Python, a missing package, a network that the script does not have, and
///         a script that fails or gives no figure.
PeerTimes run_peer(const PeerRequest& peer, const std::string& workload, const PeerMeasurement& measurement);

}  // namespace cornu::inline v0::cli
