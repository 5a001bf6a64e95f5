#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

/// The rows in memory selected by `order`.
ElementCursor row_cursor(std::shared_ptr<const Element> rows, OrderCursor order);
/// Batches of rows in memory.
ElementCursor gather_cursor(std::shared_ptr<const Element> rows, BatchCursor batches);
/// The indices of a range.
OrderCursor range_cursor(const RowRange& range);

/// A stage that selects and orders items, elements or row indices alike, without reading them.
/// CursorOf<Item>(input, parameters, iteration) does the work. `Parameters` defines the name, the number of
/// items, and the result for a range of rows.
template <template <typename> class CursorOf, typename Parameters>
class SelectionStage : public UnaryStage {
 public:
  SelectionStage(StagePointer input, Parameters parameters)
      : UnaryStage(std::move(input)), parameters_(std::move(parameters)) {}

  const char* name() const override { return Parameters::kName; }
  std::int64_t cardinality() const override { return parameters_.cardinality(input_->cardinality()); }
  ElementCursor iterate(const Iteration& iteration) const override {
    if (auto in_memory = rows()) return row_cursor(std::move(in_memory), order(iteration));
    if (auto in_memory = batched_rows()) return gather_cursor(std::move(in_memory), batches(iteration));
    return std::make_unique<CursorOf<Element>>(input_, parameters_, iteration);
  }
  std::shared_ptr<const Element> rows() const override { return input_->rows(); }
  OrderCursor order(const Iteration& iteration) const override {
    if (const std::optional<RowRange> range = row_range()) return range_cursor(*range);
    return std::make_unique<CursorOf<std::int64_t>>(input_, parameters_, iteration);
  }
  std::optional<RowRange> row_range() const override {
    const std::optional<RowRange> range = input_->row_range();
    return range.has_value() ? parameters_.range(*range) : std::nullopt;
  }
  std::shared_ptr<const Element> batched_rows() const override { return input_->batched_rows(); }
  std::int64_t batch_size() const override { return input_->batch_size(); }
  BatchCursor batches(const Iteration& iteration) const override {
    return std::make_unique<CursorOf<RowBatch>>(input_, parameters_, iteration);
  }

 private:
  Parameters parameters_;
};

}  // namespace cornu::inline v0::data
