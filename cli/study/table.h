#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cornu::inline v0::study {

struct Column {
  std::string name;  // snake_case, as in the JSON
  std::string unit;  // empty: a text, or a number without one
  /// Nobody measured it: said so in every form of output.
  bool is_predicted = false;
};

/// The result of a study. Cells are texts, numbers, or null where there is nothing to say.
struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<nlohmann::ordered_json>> rows;

  /// As many cells as there are columns.
  void add(std::vector<nlohmann::ordered_json> row);
};

/// RFC 4180, a header line with the unit behind the name: "seconds_s", "cost_usd (predicted)".
std::string to_csv(const Table& table);
/// An object with title, columns and rows, a row an object by the columns' names.
nlohmann::ordered_json to_json(const Table& table);
/// Aligned columns for a terminal; the headings of a wide table take several lines.
std::string to_text(const Table& table);
/// What a reader sees of a cell: four significant digits.
std::string cell_text(const nlohmann::ordered_json& cell);
std::string column_title(const Column& column);

}  // namespace cornu::inline v0::study
