#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/runtime/device_group.h"
#include "cornu/tensor/trace/replicas.h"

/// Construction of the strategies' replicas.
namespace cornu::inline v0::distribute {

/// Makes a replica on each of these devices. With kAllNodes they form a group with those of other processes,
/// which the set does not count yet.
/// Errors: those of MirroredStrategy, with `strategy` as its name.
std::shared_ptr<ReplicaSet> make_replicas(const char* strategy, const std::vector<std::string>& names,
                                          runtime::GroupReach reach = runtime::GroupReach::kThisProcess);
/// Errors: InvalidArgument unless `shards` is divisible by the number of replicas.
void set_shards(ReplicaSet& replicas, std::int64_t shards);
/// The full names of the existing devices of a type.
std::vector<std::string> devices_of_type(std::string_view type);

}  // namespace cornu::inline v0::distribute
