#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cornu::inline v0::keras {

enum class Alignment { kLeft, kRight, kCenter };

/// A column of the table that summary() prints.
struct SummaryColumn {
  std::string title;
  Alignment alignment = Alignment::kLeft;
  double position = 1.0;  // its end, as a part of the line
};

/// The columns "Layer (type)", "Output Shape" and "Param #", with `connections` also "Connected to", and with
/// `trainable` also "Trainable", at Keras's positions.
std::vector<SummaryColumn> summary_columns(bool connections, bool trainable);

/// The totals below the table.
struct SummaryTotals {
  std::int64_t trainable = 0;
  std::int64_t trainable_bytes = 0;
  std::int64_t non_trainable = 0;
  std::int64_t non_trainable_bytes = 0;
  bool has_optimizer = false;
  std::int64_t optimizer = 0;
  std::int64_t optimizer_bytes = 0;
  /// Lines about tables that the replicas of a strategy hold in parts.
  std::vector<std::string> sharded = {};
};

/// Renders Keras's summary table, `line_length` columns wide (at least 20), with its totals; ends with a
/// newline. Each row has one cell for each column.
/// Errors: InvalidArgument if positions decrease, or leave a column fewer than four characters.
std::string render_summary(const std::string& model_name, const std::vector<SummaryColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows, const SummaryTotals& totals,
                           std::int64_t line_length);

/// The width that Keras uses: `widest` columns, or four fewer than the terminal has (80 if there is none).
std::int64_t default_summary_line_length(std::int64_t widest);

/// "1,234,567"
std::string with_thousands(std::int64_t n);

/// "1.01 KB"
std::string readable_bytes(std::int64_t num_bytes);

}  // namespace cornu::inline v0::keras
