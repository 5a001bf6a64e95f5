// Sums of f32 over processes, by Cornu and by MPI_Allreduce in turn:
//   mpirun -n 2 build/release/bin/all_reduce_speed [megabytes] [repetitions]
//   mpirun -n 4 build/release/bin/all_reduce_speed --calls > calls.json   # for `cornu study scaling --calls`
#define OMPI_SKIP_MPICXX 1
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/distribute/mpi/mpi.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& work) {
  MPI_Barrier(MPI_COMM_WORLD);
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Times {
  std::vector<double> seconds;

  double median() {
    std::sort(seconds.begin(), seconds.end());
    return seconds[seconds.size() / 2];
  }
};

/// Medians of an all-reduce of so many bytes.
struct Medians {
  double of_cornu, of_mpi;
};

Medians measure(cornu::runtime::Collective& processes, double bytes, int repetitions) {
  const auto size = static_cast<std::size_t>(bytes / sizeof(float));
  std::vector<float> own(size, 1e-30f), mpi(size, 1e-30f);
  const auto by_cornu = [&] {
    processes.all_reduce(cornu::ir::DType::kF32, std::as_writable_bytes(std::span(own)));
  };
  const auto by_mpi = [&] {
    MPI_Allreduce(MPI_IN_PLACE, mpi.data(), static_cast<int>(mpi.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  };
  Times of_cornu, of_mpi;
  for (int i = -2; i < repetitions; ++i) {  // two to warm up
    const double a = seconds_of(by_cornu), b = seconds_of(by_mpi);
    if (i < 0) continue;
    of_cornu.seconds.push_back(a);
    of_mpi.seconds.push_back(b);
  }
  return {of_cornu.median(), of_mpi.median()};
}

/// Sums of several sizes as the file that `cornu study scaling --calls` reads.
void print_calls(cornu::runtime::Collective& processes) {
  std::string calls;
  for (const double bytes : {4e3, 4e4, 4e5, 4e6, 4e7}) {
    const double seconds = measure(processes, bytes, 31).of_cornu;
    calls += fmt::format("{}\n  {{\"replicas\": {}, \"bytes\": {:g}, \"seconds\": {:.4g}}}",
                         calls.empty() ? "" : ",", processes.size(), bytes, seconds);
  }
  if (processes.is_chief()) fmt::print("{{\"calls\": [{}\n]}}\n", calls);
}

}  // namespace

int main(int count, char** arguments) {
  const auto processes = cornu::distribute::mpi_processes();
  if (count > 1 && std::string_view(arguments[1]) == "--calls") {
    print_calls(*processes);
    return 0;
  }
  const double megabytes = count > 1 ? std::atof(arguments[1]) : 40;
  const auto [a, b] = measure(*processes, megabytes * 1e6, count > 2 ? std::atoi(arguments[2]) : 31);
  if (!processes->is_chief()) return 0;
  fmt::print(
      "{} processes, {} MB: {:.3f} ms, {:.2f} GB/s; MPI_Allreduce {:.3f} ms, {:.2f} GB/s; {:.2f} of its "
      "speed\n",
      processes->size(), megabytes, a * 1e3, megabytes * 1e-3 / a, b * 1e3, megabytes * 1e-3 / b, b / a);
  return 0;
}
