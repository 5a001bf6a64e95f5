#include "cornu/base/cpu_budget.h"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <string>
#include <string_view>

#include "cornu/base/thread_pool.h"

namespace cornu::inline v0 {
namespace {

using std::filesystem::path;

std::optional<double> read_number(const path& file) {
  std::ifstream stream(file);
  double value = 0;
  if (stream >> value) return value;
  return std::nullopt;
}

// "max 100000" or "150000 100000"
std::optional<double> read_quota_v2(const path& directory) {
  std::ifstream stream(directory / "cpu.max");
  std::string quota;
  double period = 0;
  if (!(stream >> quota >> period) || quota == "max" || period <= 0) return std::nullopt;
  const double value = std::strtod(quota.c_str(), nullptr);
  return value > 0 ? std::optional(value / period) : std::nullopt;
}

std::optional<double> read_quota_v1(const path& directory) {
  const std::optional<double> quota = read_number(directory / "cpu.cfs_quota_us");
  const std::optional<double> period = read_number(directory / "cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return *quota / *period;
}

std::optional<double> smaller(std::optional<double> x, std::optional<double> y) {
  if (x && y) return std::min(*x, *y);
  return x ? x : y;
}

// A limit anywhere above the group applies to it too. Inside a container the group's path may not exist below
// the mount; then use the root.
template <typename Read>
std::optional<double> smallest_quota(const path& root, std::string_view group, Read read) {
  std::optional<double> result = read(root);
  path directory = root;
  for (const path& part : path(group).relative_path()) {
    if (part.empty() || part == "..") break;
    directory /= part;
    result = smaller(result, read(directory));
  }
  return result;
}

// "max" or a number of bytes; version 1 has a huge number for no limit.
std::optional<double> read_memory_v2(const path& directory) { return read_number(directory / "memory.max"); }
std::optional<double> read_memory_v1(const path& directory) {
  return read_number(directory / "memory.limit_in_bytes");
}

bool lists_controller(std::string_view controllers, std::string_view wanted) {
  while (!controllers.empty()) {
    const std::size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == wanted) return true;
    if (comma == std::string_view::npos) return false;
    controllers.remove_prefix(comma + 1);
  }
  return false;
}

using Read = std::optional<double> (*)(const path&);

/// The smallest limit of a controller in all hierarchies of the process.
std::optional<double> smallest_limit(const path& membership, const path& mount, std::string_view controller,
                                     Read read_v2, Read read_v1) {
  std::ifstream stream(membership);
  std::optional<double> result;
  // Each line is hierarchy-ID:controllers:path; version 2 has ID 0 and no controllers.
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      result = smaller(result, smallest_quota(mount, group, read_v2));
    } else if (lists_controller(controllers, controller)) {
      std::error_code ignored;
      const path root =
          std::filesystem::exists(mount / controllers, ignored) ? mount / controllers : mount / controller;
      result = smaller(result, smallest_quota(root, group, read_v1));
    }
  }
  return result;
}

}  // namespace

int affinity_num_cpus() {
  // The kernel rejects a mask that is smaller than its own.
  for (int capacity = 1024; capacity <= 1 << 20; capacity *= 4) {
    cpu_set_t* set = CPU_ALLOC(capacity);
    if (set == nullptr) return 1;
    const std::size_t size_bytes = CPU_ALLOC_SIZE(capacity);
    const bool known = sched_getaffinity(0, size_bytes, set) == 0;
    const bool too_small = !known && errno == EINVAL;
    const int count = known ? CPU_COUNT_S(size_bytes, set) : 1;
    CPU_FREE(set);
    if (!too_small) return std::max(1, count);
  }
  return 1;
}

std::optional<double> cgroup_cpu_quota(const path& membership, const path& mount) {
  return smallest_limit(membership, mount, "cpu", read_quota_v2, read_quota_v1);
}

std::optional<double> cgroup_memory_limit_bytes(const path& membership, const path& mount) {
  return smallest_limit(membership, mount, "memory", read_memory_v2, read_memory_v1);
}

int default_num_threads() {
  static const int result = [] {
    int count = affinity_num_cpus();
    if (const std::optional<double> quota = cgroup_cpu_quota()) {
      count = static_cast<int>(std::min<double>(count, std::ceil(*quota)));
    }
    return std::max(1, count);
  }();
  return result;
}

}  // namespace cornu::inline v0
