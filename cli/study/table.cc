#include "cli/study/table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/text/terminal.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string csv_value(const nlohmann::ordered_json& cell) {
  if (cell.is_null()) return "";
  return csv_cell(cell.is_string() ? cell.get<std::string>() : cell.dump());
}

}  // namespace

void Table::add(std::vector<nlohmann::ordered_json> row) {
  CORNU_CHECK(row.size() == columns.size(), "a row of {} cells for {} columns", row.size(), columns.size());
  rows.push_back(std::move(row));
}

std::string column_title(const Column& column) {
  std::string title = column.name;
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!column.unit.empty()) title += fmt::format(", {}", column.unit);
  return column.is_predicted ? title + " (predicted)" : title;
}

std::string cell_text(const nlohmann::ordered_json& cell) {
  if (cell.is_null()) return "";
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  if (!cell.is_number_float()) return cell.dump();
  const double value = cell.get<double>();
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  const int digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return digits > 7 || digits < -5 ? fmt::format("{:.3e}", value)
                                   : fmt::format("{:.{}f}", value, std::clamp(4 - digits, 0, 9));
}

std::string to_csv(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (i > 0) text += ',';
    text += csv_cell(fmt::format("{}{}{}{}", column.name, column.unit.empty() ? "" : "_", column.unit,
                                 column.is_predicted ? " (predicted)" : ""));
  }
  text += "\r\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += csv_value(row[i]);
    }
    text += "\r\n";
  }
  return text;
}

nlohmann::ordered_json to_json(const Table& table) {
  nlohmann::ordered_json json = {{"title", table.title},
                                 {"columns", nlohmann::ordered_json::array()},
                                 {"rows", nlohmann::ordered_json::array()}};
  for (const Column& column : table.columns)
    json["columns"].push_back(
        {{"name", column.name}, {"unit", column.unit}, {"predicted", column.is_predicted}});
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[table.columns[i].name] = row[i];
    json["rows"].push_back(std::move(object));
  }
  return json;
}

std::string to_text(const Table& table, std::optional<std::size_t> width) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : table.rows) {
    rows.emplace_back();
    for (const auto& cell : row) rows.back().push_back(cell_text(cell));
  }
  std::vector<std::string> titles;
  titles.reserve(table.columns.size());
  for (const Column& column : table.columns) titles.push_back(column_title(column));
  return cli::paragraph(table.title, width) + "\n" + cli::table_text(titles, rows, width);
}

}  // namespace cornu::inline v0::study
