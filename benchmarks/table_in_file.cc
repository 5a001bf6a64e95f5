// Steps of training an embedding table that is kept in a file, beside the time of plain random access to the
// same rows of another mapped file.
//
//   table_in_file FOLDER ROWS WIDTH BATCH STEPS sgd|adagrad
//
// Each sample has one id. The ranks of ids have a power law, and their rows are scattered over the file. The
// first pass meets new rows, the second one the same rows again. A line has the milliseconds of a step, the
// page faults of a step, disk space and resident memory. The files, of which only the pages that are in use
// take disk space, are removed at the end.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "cornu/keras/keras.h"

namespace {

using namespace cornu::keras;
using cornu::DType;

struct Settings {
  std::string folder;
  std::int64_t rows = 0, width = 0, batch = 0, steps = 0;
  std::string optimizer;
};

/// Ids with P(rank < r) = log(r) / log(rows).
std::vector<std::int64_t> power_law_ids(const Settings& settings) {
  constexpr std::uint64_t kPrime = 2'654'435'761;  // scatters neighbours
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> share(0, 1);
  std::vector<std::int64_t> ids(static_cast<std::size_t>(settings.batch * settings.steps));
  for (std::int64_t& id : ids) {
    const auto rank =
        static_cast<std::uint64_t>(std::pow(static_cast<double>(settings.rows), share(generator)));
    id = static_cast<std::int64_t>(rank * kPrime % static_cast<std::uint64_t>(settings.rows));
  }
  return ids;
}

double disk_mb(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) != 0 ? 0 : static_cast<double>(status.st_blocks) * 512 / 1e6;
}

/// A figure of /proc/self/status in MB.
double resident_mb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind(name + ":", 0) == 0)
      return std::strtod(line.c_str() + name.size() + 1, nullptr) * 1024 / 1e6;
  return 0;
}

struct Faults {
  std::int64_t minor = 0, major = 0;
};
Faults faults() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return {usage.ru_minflt, usage.ru_majflt};
}

/// Runs a pass of all steps and prints a line.
template <typename F>
void measure(const char* what, const Settings& settings, const std::string& path, const F& pass) {
  const Faults before = faults();
  const auto start = std::chrono::steady_clock::now();
  pass();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  const Faults after = faults();
  const auto steps = static_cast<double>(settings.steps);
  std::printf(
      "%-28s %9.4f ms a step  %7.1f faults a step (%5.1f major)  %8.1f MB on disk  %8.1f MB resident, "
      "of which %6.1f MB not of files\n",
      what, took.count() / steps, static_cast<double>(after.minor - before.minor) / steps,
      static_cast<double>(after.major - before.major) / steps, disk_mb(path), resident_mb("VmRSS"),
      resident_mb("RssAnon"));
  std::fflush(stdout);
}

void train(const char* what, const Settings& settings, const std::vector<std::int64_t>& ids,
           const std::string& path) {
  cornu::set_random_seed(1);
  const layers::TableConfig table{
      .vocabulary_size = settings.rows, .dim = settings.width, .name = "table", .file = path};
  const layers::DistributedEmbedding lookup({.feature_configs = {{.table = table, .name = "ids"}}});
  const Input input({.shape = {1}, .dtype = DType::kI64, .name = "ids"});
  Model model({.inputs = input, .outputs = layers::Dense({.units = 1})(lookup.call_many({input})[0])});
  const OptimizerHandle optimizer = settings.optimizer == "adagrad"
                                        ? OptimizerHandle(optimizers::Adagrad({.learning_rate = 0.1}))
                                        : OptimizerHandle(optimizers::SGD({.learning_rate = 0.1}));
  model.compile({.optimizer = optimizer, .loss = "mse"});
  const auto count = static_cast<std::int64_t>(ids.size());
  std::vector<float> wanted(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) wanted[i] = static_cast<float>(ids[i] % 7);
  std::vector<std::int64_t> given = ids;
  for (std::int64_t& id : given) id %= settings.rows;
  const cornu::Tensor x = cornu::Tensor::adopt({count, 1}, std::move(given)),
                      y = cornu::Tensor::adopt({count, 1}, std::move(wanted));
  const FitOptions options{.batch_size = settings.batch, .epochs = 1, .verbose = 0, .shuffle = false};
  model.fit(x.slice({{.end = settings.batch}}), y.slice({{.end = settings.batch}}), options);  // compiles
  for (const char* pass : {"new rows", "same rows"})
    measure((std::string(what) + ", " + pass).c_str(), settings, path, [&] { model.fit(x, y, options); });
}

/// Reads and writes the rows of the ids, a batch after the other, and nothing else.
void access(const Settings& settings, const std::vector<std::int64_t>& ids, const std::string& path) {
  const std::size_t size = static_cast<std::size_t>(settings.rows * settings.width) * sizeof(float);
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0 || ftruncate(file, static_cast<off_t>(size)) != 0) return std::perror("table_in_file");
  void* const mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) return std::perror("table_in_file");
  madvise(mapped, size, MADV_RANDOM);
  auto* const rows = static_cast<float*>(mapped);
  for (const char* pass : {"random access, new rows", "random access, same rows"})
    measure(pass, settings, path, [&] {
      for (const std::int64_t id : ids)
        for (std::int64_t i = 0; i < settings.width; ++i) rows[id * settings.width + i] += 0.5F;
    });
  munmap(mapped, size);
  close(file);
}

int run(const Settings& settings) {
  const std::vector<std::int64_t> ids = power_law_ids(settings);
  const std::size_t distinct = std::unordered_set<std::int64_t>(ids.begin(), ids.end()).size();
  std::printf("%lld x %lld, %lld steps of %lld ids, %zu distinct ids\n",
              static_cast<long long>(settings.rows), static_cast<long long>(settings.width),
              static_cast<long long>(settings.steps), static_cast<long long>(settings.batch), distinct);
  Settings small = settings;
  small.rows = 5000;
  train("5,000 rows in memory", small, ids, "");
  const std::string of_table = settings.folder + "/table_in_file.table",
                    plain = settings.folder + "/table_in_file.plain";
  access(settings, ids, plain);
  std::filesystem::remove(plain);
  train("in a file", settings, ids, of_table);
  for (const char* end : {"", ".accumulator"}) std::filesystem::remove(of_table + end);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 7) {
    std::fprintf(stderr, "usage: table_in_file FOLDER ROWS WIDTH BATCH STEPS sgd|adagrad\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoll(arguments[i], nullptr, 10); };
  return run({arguments[1], number(2), number(3), number(4), number(5), arguments[6]});
}
