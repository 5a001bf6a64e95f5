#pragma once

#include <filesystem>
#include <optional>

namespace cornu::inline v0 {

/// Number of CPUs in the calling thread's affinity mask, at least 1.
int affinity_num_cpus();

/// The cgroup's CPU quota in CPUs (quota over period), the smallest on the path from the process's group to
/// the root; empty if unlimited.
///
/// Reads version 2 (cpu.max) and version 1 (cpu.cfs_quota_us over cpu.cfs_period_us). `membership`: the file
/// with the content of /proc/self/cgroup; `mount`: the mount point of the hierarchies. Files that are missing
/// or unreadable set no limit.
std::optional<double> cgroup_cpu_quota(const std::filesystem::path& membership = "/proc/self/cgroup",
                                       const std::filesystem::path& mount = "/sys/fs/cgroup");

/// The cgroup's memory limit in bytes, found in the same way (memory.max, memory.limit_in_bytes); empty if
/// unlimited.
std::optional<double> cgroup_memory_limit_bytes(const std::filesystem::path& membership = "/proc/self/cgroup",
                                                const std::filesystem::path& mount = "/sys/fs/cgroup");

}  // namespace cornu::inline v0
