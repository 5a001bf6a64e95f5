#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cornu::inline v0::cli {

/// Fits a finished report, such as Executable::explain() returns, to a terminal of `width` columns. A table
/// with a line that is too wide loses blank columns; then the text of its last column is broken; then it
/// becomes records. Other lines are broken at words. Unchanged without a width.
///
/// A table is a line of three or more titles, with two or more spaces between them, and the lines below it
/// whose cells are in the columns of the titles.
std::string report_text(std::string_view report, std::optional<std::size_t> width);

}  // namespace cornu::inline v0::cli
