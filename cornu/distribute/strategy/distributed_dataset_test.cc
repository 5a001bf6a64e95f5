#include "cornu/distribute/strategy/distributed_dataset.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "cornu/runtime/partition.h"

namespace cornu::inline v0::distribute {
namespace {

using Rows = std::vector<std::int64_t>;

/// The rows of each replica of `process`, of the only batch of a data set whose values are row numbers.
std::vector<Rows> rows_of(std::int64_t num_rows, const DistributionOptions& options) {
  const DistributedDataset dataset(data::Dataset::range(num_rows).batch(num_rows), options);
  std::vector<Rows> rows;
  for (const PerReplica<Components>& batch : dataset)
    for (const Components& part : batch.values) rows.push_back(part[0].to_vector<std::int64_t>());
  return rows;
}

TEST(DistributedDatasetTest, CutsBatchesAsThePartitionSays) {
  for (std::int64_t num_replicas = 1; num_replicas <= 6; ++num_replicas)
    for (std::int64_t num_rows = 1; num_rows <= 20; ++num_rows) {
      SCOPED_TRACE(std::to_string(num_rows) + " rows for " + std::to_string(num_replicas));
      const runtime::Partition partition{.num_rows = num_rows, .num_parts = num_replicas};
      std::vector<Rows> expected;
      for (std::int64_t replica = 0; replica < num_replicas; ++replica) {
        Rows& rows = expected.emplace_back(static_cast<std::size_t>(partition.size(replica)));
        std::iota(rows.begin(), rows.end(), partition.begin(replica));
      }
      EXPECT_EQ(rows_of(num_rows, {.num_replicas = num_replicas}), expected);
      for (const std::int64_t num_processes : {2, 3}) {
        if (num_replicas % num_processes != 0) continue;
        std::vector<Rows> joined;
        for (std::int64_t process = 0; process < num_processes; ++process)
          for (Rows& rows :
               rows_of(num_rows,
                       {.num_replicas = num_replicas, .num_processes = num_processes, .process = process}))
            joined.push_back(std::move(rows));
        EXPECT_EQ(joined, expected) << num_processes << " processes";
      }
    }
}

}  // namespace
}  // namespace cornu::inline v0::distribute
