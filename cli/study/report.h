#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/study/plot.h"
#include "cli/study/scatter.h"
#include "cli/study/table.h"

namespace cornu::inline v0::study {

/// Results of a study, for every form of output.
struct Report {
  std::string title;
  /// Paragraphs: what was measured where, and what is simulated or predicted.
  std::vector<std::string> notes;
  std::vector<std::string> conclusions;
  std::vector<std::string> warnings;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<Scatter> scatters = {};
  nlohmann::ordered_json machine = {};
};

/// One page without anything from elsewhere, for screens of any width, light and dark, and for paper.
std::string to_html(const Report& report);
nlohmann::ordered_json to_json(const Report& report);
/// The report for a terminal of `width` columns, or for a file.
std::string to_text(const Report& report, std::optional<std::size_t> width = {});

/// The figures of a plot as a table: a row a mark or a point.
Table figures_of(const Plot& plot);
Table figures_of(const Scatter& scatter);

/// Writes PREFIX.csv (PREFIX-2.csv, ... for further tables), PREFIX.json, PREFIX.html, and PREFIX-1.svg, ...
/// with their figures in PREFIX-figure-1.csv, ...; returns the files' names.
/// Errors: Unavailable that names the file which cannot be written.
std::vector<std::string> write_files(const Report& report, const std::string& prefix);

}  // namespace cornu::inline v0::study
