#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/cost_forecast.h"
#include "cli/study/report.h"
#include "cli/study_peers.h"
#include "cli/timed_training.h"

namespace cornu::inline v0::cli {

/// Options of measurements on other machines, over ssh.
struct HostOptions {
  std::string hosts;  // a list with commas, or a file in mpirun's format; empty: this machine
  std::string ssh = "ssh -o BatchMode=yes -o ConnectTimeout=15";  // words; the host and the command follow
  std::string program;            // Cornu on the hosts; empty: a copy of this program
  double silence_seconds = 1800;  // after which a host that sends nothing is left out
};

/// Options of the measurements of one machine, for a study of several.
struct StudyRunOptions {
  std::vector<std::string> workloads = {"mnist_mlp",     "mnist_cnn",   "cifar10_cnn",
                                        "imdb_fasttext", "imdb_bilstm", "lstm_textgen"};
  std::vector<int> threads;          // empty: 1, 2, 4, ... and all that there are
  std::vector<std::string> isas;     // empty: sse2, and the best there is
  std::vector<std::string> devices;  // besides the processors
  std::vector<std::string> command;  // in place of the workloads
  std::string command_name;          // of the command in tables; empty: its first word
  double seconds = 1;                // about, of each measurement
  std::int64_t repeats = 5;
  std::string host;           // empty: the name of this host
  std::string instance_type;  // the cloud's name of this machine; empty: from the firmware
  std::string log;            // the file; "-": the standard output
  bool resumes = false;
  double limit_seconds = 0;  // of a run of the command; 0: none
  /// Other libraries that train the workloads beside Cornu.
  std::vector<PeerRequest> peers = {};
  HostOptions hosts = {};
  StudyOutput output = {};  // of the joined logs of several hosts
};
/// Measures on this machine and writes one log; returns the table of its measurements.
/// A device, a command or another library that fails leaves a warning.
/// Errors: InvalidArgument, before anything is measured, for no file, for unknown workloads, for more threads
///         than processors, and for strings that name no device; as study::StudyLog; kUnavailable when
///         nothing could be measured.
study::Report study_run(const StudyRunOptions& options);
/// Errors: InvalidArgument for options that fit no machine: no log, devices or libraries beside a command,
///         unknown workloads.
void require_consistent(const StudyRunOptions& options);

struct StudyMergeOptions {
  std::vector<std::string> logs;
  RentalOptions rental = {};
  StudyOutput output = {};
};
/// Joins the logs of several machines into one table, plots and a page: measured, predicted and simulated
/// times apart, and forecasts for the machines of the price lists whose processors were measured.
/// Errors: as study::join_machine_logs; RentalMachines.
study::Report study_merge(const StudyMergeOptions& options);

}  // namespace cornu::inline v0::cli
