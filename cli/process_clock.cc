#include "cli/process_clock.h"

#include <sys/resource.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace cornu::inline v0::cli {
namespace {
double main_reached_seconds = 0;
}

void mark_main() { main_reached_seconds = seconds_since_process_start(); }

double seconds_to_main() { return main_reached_seconds; }

double seconds_since_process_start() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');  // the program's name may hold blanks and parentheses
  double ticks = std::numeric_limits<double>::quiet_NaN();
  if (name_end != std::string::npos) {
    std::istringstream fields(line.substr(name_end + 1));
    std::string field;
    for (int number = 3; number < 22; ++number) fields >> field;
    fields >> ticks;  // field 22, starttime
  }
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 -
         ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

long peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace cornu::inline v0::cli
