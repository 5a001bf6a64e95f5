#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Layout of text for people: the terminal's width, paragraphs, lists and tables that fit it.
namespace cornu::inline v0::cli {

/// Number of columns of the standard output: COLUMNS where it is set, else those of the terminal. Absent
/// where the output is a file or a pipe: its lines may be of any length, so that other programs can read them.
std::optional<std::size_t> text_width();
/// The same of the standard error, but absent for every file and pipe: a search for a message finds its line.
std::optional<std::size_t> error_width();

/// Columns that a text takes: its characters, not its bytes.
std::size_t width_of(std::string_view text);

/// Breaks the text into lines of at most `width` columns: at spaces, a word without a space after a comma or
/// where the line is full. A path or an address ("a/b") without a comma stays whole, so that it can be copied.
/// All lines but the first begin with `indent` spaces; `used` columns of the first line are taken
/// already.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t used);

/// The text, cut where it is longer than `width` columns; its last character is "…" then.
std::string clipped(std::string_view text, std::size_t width);

/// A paragraph of `width` columns; unchanged without a width.
std::string paragraph(const std::string& text, std::optional<std::size_t> width);

struct ListEntry {
  std::string name;
  std::string meaning;
};
/// Columns of a list: names begin at `indent`, meanings at `column`.
struct ListColumns {
  std::size_t width = 80;
  std::size_t indent = 2;
  std::size_t column = 30;
};
/// The name and on its right the meaning, which begins a line of its own after a name that is too long.
std::string list_entry(const ListEntry& entry, const ListColumns& columns);
/// A list whose names all begin at `indent`. A narrow terminal has each meaning below its name; without a
/// width each entry is one line.
std::string list_text(const std::vector<ListEntry>& entries, std::optional<std::size_t> width,
                      std::size_t indent);

/// A table in aligned columns. Its titles take several lines where the table would be too wide otherwise; a
/// table that is still too wide becomes records, one line for each cell that is not empty. Without a width it
/// is always a table.
std::string table_text(const std::vector<std::string>& titles,
                       const std::vector<std::vector<std::string>>& rows, std::optional<std::size_t> width);

}  // namespace cornu::inline v0::cli
