#include <vector>

#include "cornu/base/error.h"
#include "cornu/io/hdf5.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

void read_all(const io::Hdf5File& file, const io::Hdf5Group& group) {
  for (const auto& [name, dataset] : group.datasets) {
    std::vector<std::byte> elements(dataset.size_bytes);
    file.read(dataset, elements);
  }
  for (const auto& [name, inside] : group.groups) read_all(file, *inside);
}

void hdf5_once(Bytes bytes) {
  const io::Hdf5File file(io::view_bytes(bytes, "input"));
  read_all(file, file.root());
}

}  // namespace

void hdf5(Bytes bytes) { parse(hdf5_once, bytes); }

}  // namespace cornu::inline v0::fuzz
