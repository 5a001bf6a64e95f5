#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"

namespace cornu::inline v0::keras::layers {

/// A trainable table of vectors, which features look up. Features whose tables have one name share the table.
/// It is trained by the model's optimizer.
struct TableConfig {  // options/layers.toml
  /// Number of rows: ids are in [0, vocabulary_size); must be positive.
  std::int64_t vocabulary_size = 0;
  /// Number of elements of a vector; must be positive.
  std::int64_t dim = 0;
  /// Initializer of the table; empty: a truncated normal distribution with standard deviation 1 / sqrt(dim).
  InitializerSpec initializer = {};
  /// Combination of the vectors v of several ids with weights w (1 without weights): "sum" is sum(w * v),
  /// "mean" divides it by sum(w), "sqrtn" by sqrt(sum(w * w)).
  std::string combiner = "mean";
  /// Storage of the table over the replicas of a strategy: "replicated" (each has the whole), "row_wise"
  /// (each has consecutive rows), "row_wise_modulo" (each has every N-th row, which spreads frequent ids
  /// where neighbours are alike), "column_wise" (each has consecutive columns) or "table_wise" (one of them
  /// has the whole table); "auto": by rows if the tables in the scope of the strategy take more than a
  /// quarter of the memory of a device. No effect without a strategy.
  std::string sharding = "replicated";
  /// Name of the table and of its weight; required.
  std::string name = {};
  /// Path of a file that holds the table in place of memory, made if it does not exist; empty: memory. It is
  /// no part of a configuration.
  std::string file = {};
};
CORNU_FIELDS(TableConfig, vocabulary_size, dim, initializer, combiner, sharding, name, file)

/// An input that is looked up in a table.
struct FeatureConfig {  // options/layers.toml
  /// Table that the feature reads; features with tables of one name share the table.
  TableConfig table;
  /// 0: the vectors of a row are combined. Positive: number of vectors in the output sequence; later ids are
  /// dropped.
  std::int64_t max_sequence_length = 0;
  /// True: the ids have weights, which are the next input; not for sequences.
  bool weighted = false;
  /// True: the ids of all rows of a batch follow each other (data::packed_rows); the next input has the row
  /// of each. Not for sequences.
  bool packed = false;
  /// Name of the feature; empty: "feature_" and its number.
  std::string name = {};
};
CORNU_FIELDS(FeatureConfig, table, max_sequence_length, weighted, packed, name)

struct DistributedEmbeddingOptions {  // options/layers.toml
  /// Features in the order of the inputs; at least one.
  std::vector<FeatureConfig> feature_configs;
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
};
CORNU_FIELDS(DistributedEmbeddingOptions, feature_configs, name, trainable, dtype)

/// Looks up several features in tables, which they may share. A feature is a category with many values, of
/// which each row has a few or none.
///
///     const layers::TableConfig films{.vocabulary_size = 5000, .dim = 16, .name = "films"};
///     const layers::DistributedEmbedding lookup({.feature_configs = {
///         {.table = films, .name = "seen"}, {.table = films, .weighted = true, .name = "rated"}}});
///     const std::vector<KerasTensor> vectors = lookup.call_many({seen, rated, ratings});
///
/// Inputs:  for each feature, in order: its ids, followed by the weights if it is weighted. Negative ids are
///          absent: rows of different lengths are padded with -1 (data::dense_rows). Weights of absent ids
///          are ignored. A packed feature has the number of each id's row in the batch between its ids and
///          its weights; ids whose row is outside of the batch are absent. Batches of packed ids are made in
///          a data set's map, since their rows cannot be taken apart.
/// Outputs: one for each feature. A row without ids, or with the divisor 0, gives zeros. In a sequence, steps
///          without an id are zeros, and the output's mask excludes them.
/// Ids from vocabulary_size on read the last row; in a model compiled with check_ids they are an error that
/// names feature, value and position. Floating-point ids are truncated to integers.
/// Each table is a weight [vocabulary_size, dim] with the table's name: `lookup.weight("films")`.
/// Shapes:  ids (batch,) or (batch, n), weights like their ids -> (batch, dim); for a sequence, ids (batch,
///          n) -> (batch, max_sequence_length, dim).
/// Errors:  InvalidArgument if there is no feature, a table has no name, a size that is not positive or an
///          unknown combiner, two tables of one name differ, two features have one name, max_sequence_length
///          is negative or combined with weights; in calls, for a wrong number of inputs, wrong ranks, and
///          weights whose shape differs from their ids'.
/// Source:  keras-rs, DistributedEmbedding; TensorFlow, tf.tpu.experimental.embedding and, for the combiners,
///          tf.nn.embedding_lookup_sparse.
class DistributedEmbedding : public LayerHandle {
 public:
  explicit DistributedEmbedding(DistributedEmbeddingOptions options);
};

}  // namespace cornu::inline v0::keras::layers
