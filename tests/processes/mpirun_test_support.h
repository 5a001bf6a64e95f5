#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

// Programs that tests start by mpirun: PROCESSES_MPIRUN and PROCESSES_CHILD say what.

struct Outcome {
  int code = 0;
  std::string text;
  double seconds = 0;

  int count(const std::string& part) const {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

/// `environment`: "A=1 B=2", of mpirun and all that it starts.
inline Outcome run(const std::string& options, const std::string& arguments,
                   const std::string& environment = "") {
  const std::string command = environment + " " + std::getenv("PROCESSES_MPIRUN") + " --oversubscribe " +
                              options + " " + std::getenv("PROCESSES_CHILD") + " " + arguments + " 2>&1";
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {.code = -1, .text = "popen failed"};
  char piece[4096];
  for (std::size_t size = 0; (size = std::fread(piece, 1, sizeof(piece), pipe)) > 0;)
    outcome.text.append(piece, size);
  outcome.code = pclose(pipe);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}
