#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/runtime/device_group.h"
#include "cornu/tensor/trace/replicas.h"

/// What the strategies make their replicas of.
namespace cornu::inline v0::distribute {

/// A replica on each of these devices; with kAllNodes they are a group with those of other processes,
/// which the set does not count yet.
/// Errors: as MirroredStrategy, which `strategy` stands for in them.
std::shared_ptr<ReplicaSet> make_replicas(const char* strategy, const std::vector<std::string>& names,
                                          runtime::GroupReach reach = runtime::GroupReach::kThisProcess);
/// Errors: InvalidArgument unless the replicas divide them.
void set_shards(ReplicaSet& replicas, std::int64_t shards);
/// The full names of the devices of a type that there are.
std::vector<std::string> devices_of_type(std::string_view type);

}  // namespace cornu::inline v0::distribute
