#include "cornu/io/npz.h"

#include <set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/npy.h"
#include "cornu/io/random_access.h"
#include "cornu/io/zip.h"

namespace cornu::inline v0::io {

struct NpzFile::Archive {
  ZipFile zip;

  std::vector<std::byte> unpack(std::string_view array_name) const {
    const std::string member = std::string(array_name) + ".npy";
    if (zip.contains(member)) return zip.read(member);
    if (zip.contains(array_name))
      fail(ErrorCode::kDataLoss,
           "[io] {}: the member \"{}\" is not an array: its name does not end in .npy; leave it out",
           shown(zip.name()), shown(array_name));
    fail(ErrorCode::kNotFound, "[io] {} has no array \"{}\"; it has: {}", shown(zip.name()),
         shown(array_name), shown(fmt::format("{}", fmt::join(zip.members(), ", "))));
  }

  std::string where(std::string_view array_name) const {
    return zip.name() + "[" + std::string(array_name) + "]";
  }
};

NpzFile::NpzFile(std::span<const std::byte> bytes, StringArgument name, const ReadLimits& limits)
    : archive_(new Archive{ZipFile(view_bytes(bytes, std::move(name)), "an .npz", limits)}) {}

NpzFile::NpzFile(const StringArgument& path, const ReadLimits& limits)
    : archive_(new Archive{ZipFile(open_random_access(path), "an .npz", limits)}) {}

NpzFile::~NpzFile() = default;
NpzFile::NpzFile(NpzFile&& other) noexcept = default;
const NpzFile::Archive& NpzFile::archive() const { return require_defined(archive_, "npz file"); }

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> result = archive().zip.members();
  for (std::string& name : result)
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
  return result;
}

Array NpzFile::read(StringViewArgument array_name) const {
  return parse_npy(archive().unpack(array_name), archive().where(array_name), archive().zip.limits());
}

IntegerLists NpzFile::read_lists(StringViewArgument array_name) const {
  return parse_npy_lists(archive().unpack(array_name), archive().where(array_name), archive().zip.limits());
}

namespace {

void check_entry_names(std::span<const std::pair<std::string, ArrayView>> arrays) {
  std::set<std::string_view> names;
  for (const auto& [name, array] : arrays) {
    bool is_text = !name.empty() && name.find('\0') == std::string::npos;
    for (std::size_t i = 0; is_text && i < name.size();) {
      const std::size_t length = utf8_length(name, i);
      is_text = length > 0;
      i += length;
    }
    if (!is_text)
      invalid_argument(
          "[io] the name of an array in an .npz file must be text in UTF-8; that of array {} is not",
          names.size());
    if (!names.insert(name).second) invalid_argument("[io] two arrays are named \"{}\"", shown(name));
  }
}

}  // namespace

void write_npz(const StringArgument& path, std::span<const std::pair<std::string, ArrayView>> arrays,
               const WriteNpzOptions& options) {
  check_entry_names(arrays);
  ZipWriter zip(path, options.links);
  for (const auto& [name, array] : arrays) {
    const std::string header = npy_header(array);
    zip.add(name + ".npy", header.size() + array.data.size(), options.compressed, [&](const ByteSink& sink) {
      sink(std::as_bytes(std::span(header)));
      sink(array.data);
    });
  }
  zip.commit();
}

}  // namespace cornu::inline v0::io
