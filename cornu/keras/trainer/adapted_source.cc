#include "cornu/keras/trainer/adapted_source.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/row_states.h"

namespace cornu::inline v0::keras {

AdaptedSource::AdaptedSource(BatchSource& source, DataAdapter& data_adapter, AdaptedSourceOptions options)
    : source_(source), data_adapter_(data_adapter), options_(std::move(options)) {
  examples_ = arranged(source.examples());
  source.begin_run([this](const ArrayData& rows) { return arranged(rows); });
}

ArrayData AdaptedSource::arranged(const ArrayData& rows) const {
  const Network& network = data_adapter_.network();
  const bool is_partial =
      source_.batch_size() != rows.num_rows() && rows.num_rows() % source_.batch_size() != 0;
  if (is_partial && keeps_row_states(network))
    invalid_argument(
        "[{}] model \"{}\" has a stateful layer, which needs batches of one size; got {} rows with "
        "batch_size = {}",
        options_.caller, network.name(), rows.num_rows(), source_.batch_size());
  if (!options_.has_labels) return data_adapter_.arranged(rows.x, {}, {}, options_.caller);
  ArrayData data = data_adapter_.arranged(rows.x, rows.y, rows.sample_weight, options_.caller);
  data_adapter_.prepare(data, options_.caller, options_.labels_name, options_.class_weight,
                        RowsGiven::kBatch);
  return data;
}

}  // namespace cornu::inline v0::keras
