#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/tensor/trace/replicas.h"

/// What the strategies make their replicas of.
namespace cornu::inline v0::distribute {

/// A replica on each of these devices. Errors: as MirroredStrategy, which `strategy` stands for in them.
std::shared_ptr<ReplicaSet> make_replicas(const char* strategy, const std::vector<std::string>& names);
/// Errors: InvalidArgument unless the replicas divide them.
void set_shards(ReplicaSet& replicas, std::int64_t shards);
/// The full names of the devices of a type that there are.
std::vector<std::string> devices_of_type(std::string_view type);

}  // namespace cornu::inline v0::distribute
