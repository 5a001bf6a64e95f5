#include "tests/fuzz/target.h"

#include "cornu/io/cifar.h"

namespace cornu::inline v0::fuzz {
namespace {

void cifar_once(Bytes bytes) {
  const io::CifarBatch batch = io::parse_cifar10(bytes, "input");
  require(batch.images.size() == batch.labels.size() * io::kCifarImageBytes,
          "another number of pictures than of labels");
}

}  // namespace

void cifar(Bytes bytes) { parse(cifar_once, bytes); }

}  // namespace cornu::inline v0::fuzz
