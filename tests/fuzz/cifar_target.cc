#include "tests/fuzz/target.h"

#include "cornu/io/cifar.h"

namespace cornu::inline v0::fuzz {
namespace {

void cifar_once(Bytes bytes) {
  const io::CifarBatch batch = io::parse_cifar10(bytes, "input");
  require(batch.images.size() == batch.labels.size() * io::kCifarImageBytes,
          "another number of pictures than of labels");
}

void cifar100_once(Bytes bytes) {
  const io::Cifar100Batch batch = io::parse_cifar100(bytes, "input");
  require(batch.images.size() == batch.fine_labels.size() * io::kCifarImageBytes &&
              batch.coarse_labels.size() == batch.fine_labels.size(),
          "another number of pictures than of labels");
}

}  // namespace

void cifar(Bytes bytes) {
  parse(cifar_once, bytes);
  parse(cifar100_once, bytes);
}

}  // namespace cornu::inline v0::fuzz
