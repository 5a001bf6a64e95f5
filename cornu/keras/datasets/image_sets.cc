#include <algorithm>
#include <filesystem>

#include "cornu/base/check.h"
#include "cornu/io/cifar.h"
#include "cornu/io/idx.h"
#include "cornu/io/npz.h"
#include "cornu/keras/datasets/datasets.h"
#include "cornu/keras/datasets/made_data.h"
#include "cornu/keras/utils/arrays.h"

namespace cornu::inline v0::keras::datasets {
namespace {

constexpr std::int64_t kDigitSize = 28;
constexpr std::int64_t kNumDigits = 10;
constexpr std::int64_t kPhotoSize = 32;

/// MNIST, or a data set of the same format.
struct DigitKind {
  const char* op;
  const char* title;
  const char* people_get;
};

constexpr DigitKind kMnist = {
    "mnist", "MNIST",
    "\"The MNIST database of handwritten digits\": four archives, train-images-idx3-ubyte.gz (MD5 "
    "f68b3c2dcbeaaa9fbdd348bbdeb94873), train-labels-idx1-ubyte.gz (d53e105ee54ea40749a09fcbcd1e9432), "
    "t10k-images-idx3-ubyte.gz (9fb629c4189551a2d022fa330f9573f3) and t10k-labels-idx1-ubyte.gz "
    "(ec29112dd5afa0611ce80d1b7f02629c); or as Keras's mnist.npz (SHA-256 "
    "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1), which is a path, too"};
constexpr DigitKind kFashion = {
    "fashion_mnist", "Fashion-MNIST",
    "\"Fashion-MNIST\": four archives, train-images-idx3-ubyte.gz (MD5 8d4fb7e6c68d591d4c3dfef9ec88bf0d), "
    "train-labels-idx1-ubyte.gz (25c81989df183df01b3e8a0aad5dffbe), t10k-images-idx3-ubyte.gz "
    "(bef4ecab320f06d8554ea6380940ec79) and t10k-labels-idx1-ubyte.gz (bb300cfdad3c16e7a12a480ee83cd310)"};

/// Checks digits and labels against each other.
Arrays checked_digits(const DigitKind& kind, io::Array x, io::Array y, const std::string& where) {
  if (x.type != io::ElementType::kU8 || x.dims.size() != 3 || x.dims[1] != kDigitSize ||
      x.dims[2] != kDigitSize)
    fail(ErrorCode::kDataLoss, "[{}] {}: the pictures must be rows x 28 x 28 of uint8; got {} of {}", kind.op,
         where, fmt::join(x.dims, " x "), io::element_type_name(x.type));
  if (y.type != io::ElementType::kU8 || y.dims.size() != 1 || y.dims[0] != x.dims[0])
    fail(ErrorCode::kDataLoss,
         "[{}] {}: the labels must be {} numbers of uint8, one a picture; got {} of {}: do the files "
         "belong together?",
         kind.op, where, x.dims[0], fmt::join(y.dims, " x "), io::element_type_name(y.type));
  const auto labels = y.values<std::uint8_t>();
  const auto wrong =
      std::find_if(labels.begin(), labels.end(), [](std::uint8_t label) { return label >= kNumDigits; });
  if (wrong != labels.end())
    fail(ErrorCode::kDataLoss,
         "[{}] {}: label {} of row {} is no digit; the file is damaged or of another data set", kind.op,
         where, *wrong, wrong - labels.begin());
  return {utils::to_tensor(std::move(x)), utils::to_tensor(std::move(y))};
}

/// The path of an IDX file, plain or compressed. Errors: NotFound.
std::string find_idx(const DigitKind& kind, const std::filesystem::path& folder, const std::string& name) {
  for (const char* ending : {"", ".gz"})
    if (std::filesystem::is_regular_file(folder / (name + ending)))
      return (folder / (name + ending)).string();
  fail(ErrorCode::kNotFound, "[{}] there is no {} in \"{}\": wanted {} (or {}.gz) there. People get it as {}",
       kind.op, kind.title, folder.string(), name, name, kind.people_get);
}

Arrays read_idx_part(const DigitKind& kind, const std::filesystem::path& folder, const std::string& part,
                     const io::ReadLimits& limits) {
  const std::string images = find_idx(kind, folder, part + "-images-idx3-ubyte");
  const std::string labels = find_idx(kind, folder, part + "-labels-idx1-ubyte");
  return checked_digits(kind, io::read_idx(images, limits), io::read_idx(labels, limits), images);
}

/// Photographs in the layout of layers, with the channels last.
Arrays to_photos(const io::CifarBatch& batch) {
  const auto num_rows = static_cast<std::int64_t>(batch.labels.size());
  constexpr std::size_t kPixels = kPhotoSize * kPhotoSize;
  std::vector<std::uint8_t> x(batch.images.size());
  for (std::size_t row = 0; row < batch.labels.size(); ++row)
    for (std::size_t colour = 0; colour < 3; ++colour)
      for (std::size_t pixel = 0; pixel < kPixels; ++pixel)
        x[(row * kPixels + pixel) * 3 + colour] = batch.images[(row * 3 + colour) * kPixels + pixel];
  return {Tensor::adopt({num_rows, kPhotoSize, kPhotoSize, 3}, std::move(x)),
          Tensor::from<std::uint8_t>({num_rows, 1}, std::span(batch.labels))};
}

/// CIFAR-10 or CIFAR-100.
struct PhotoKind {
  const char* op;
  const char* title;
  const char* subfolder;
  const char* people_get;
};
constexpr PhotoKind kCifar10 = {"cifar10", "CIFAR-10", "cifar-10-batches-bin",
                                "\"CIFAR-10 binary version\", the archive cifar-10-binary.tar.gz (MD5 "
                                "c32a1d4ab5d03f1284b67883e8d87530)"};
constexpr PhotoKind kCifar100 = {"cifar100", "CIFAR-100", "cifar-100-binary",
                                 "\"CIFAR-100 binary version\", the archive cifar-100-binary.tar.gz (MD5 "
                                 "03b5dce01913d631647c71ecec9e9cb8)"};

std::string cifar_file(const PhotoKind& kind, const std::filesystem::path& folder, const std::string& name) {
  for (const char* inner : {"", kind.subfolder})
    if (std::filesystem::is_regular_file(folder / inner / name)) return (folder / inner / name).string();
  fail(ErrorCode::kNotFound,
       "[{}] there is no {} in \"{}\": wanted {} there. People get it as {}; unpack it (tar -xzf) and give "
       "the folder. The Python version of the archive is another one",
       kind.op, kind.title, folder.string(), name, kind.people_get);
}

MakeDataOptions with_defaults(MakeDataOptions options, std::int64_t num_train, std::int64_t num_test) {
  if (options.num_train < 0 || options.num_test < 0)
    invalid_argument({.argument = "num_train"},
                     "[make_data] rows must not be negative; got num_train = {}, num_test = {}",
                     options.num_train, options.num_test);
  if (options.num_train == 0) options.num_train = num_train;
  if (options.num_test == 0) options.num_test = num_test;
  return options;
}

TrainAndTest make_photos(std::int64_t num_classes, const MakeDataOptions& options) {
  TrainAndTest data = detail::make_images({.height = kPhotoSize,
                                           .width = kPhotoSize,
                                           .channels = 3,
                                           .num_classes = num_classes,
                                           .noise = 0.25,
                                           .max_shift = 3},
                                          with_defaults(options, 50000, 10000));
  for (Arrays* part : {&data.train, &data.test})
    part->y = Tensor::from<std::uint8_t>({part->y.num_rows(), 1}, part->y.data<std::uint8_t>());
  return data;
}

}  // namespace

namespace mnist {

TrainAndTest load_data(const LoadDataOptions& options) {
  if (!options.path.ends_with(".npz") || !std::filesystem::is_regular_file(options.path))
    return {read_idx_part(kMnist, options.path, "train", options.limits),
            read_idx_part(kMnist, options.path, "t10k", options.limits)};
  const io::NpzFile file(options.path, options.limits);
  return {checked_digits(kMnist, file.read("x_train"), file.read("y_train"), options.path),
          checked_digits(kMnist, file.read("x_test"), file.read("y_test"), options.path)};
}

TrainAndTest make_data(const MakeDataOptions& options) {
  return detail::make_images({.height = kDigitSize, .width = kDigitSize, .noise = 0.25, .max_shift = 2},
                             with_defaults(options, 60000, 10000));
}

}  // namespace mnist

namespace fashion_mnist {

TrainAndTest load_data(const LoadDataOptions& options) {
  return {read_idx_part(kFashion, options.path, "train", options.limits),
          read_idx_part(kFashion, options.path, "t10k", options.limits)};
}

TrainAndTest make_data(const MakeDataOptions& options) { return mnist::make_data(options); }

}  // namespace fashion_mnist

namespace cifar10 {

TrainAndTest load_data(const LoadDataOptions& options) {
  io::CifarBatch train;
  for (int i = 1; i <= 5; ++i) {
    const io::CifarBatch batch = io::read_cifar10(
        cifar_file(kCifar10, options.path, fmt::format("data_batch_{}.bin", i)), options.limits);
    train.labels.insert(train.labels.end(), batch.labels.begin(), batch.labels.end());
    train.images.insert(train.images.end(), batch.images.begin(), batch.images.end());
  }
  return {to_photos(train),
          to_photos(io::read_cifar10(cifar_file(kCifar10, options.path, "test_batch.bin"), options.limits))};
}

TrainAndTest make_data(const MakeDataOptions& options) { return make_photos(10, options); }

}  // namespace cifar10

namespace cifar100 {

TrainAndTest load_data(const LoadDataOptions& options) {
  if (options.label_mode != "fine" && options.label_mode != "coarse")
    invalid_argument({.argument = "label_mode"},
                     "[cifar100] label_mode must be \"fine\" or \"coarse\"; got \"{}\"", options.label_mode);
  const auto read = [&](const char* name) {
    io::Cifar100Batch batch = io::read_cifar100(cifar_file(kCifar100, options.path, name), options.limits);
    return to_photos({.labels = options.label_mode == "fine" ? std::move(batch.fine_labels)
                                                             : std::move(batch.coarse_labels),
                      .images = std::move(batch.images)});
  };
  Arrays train = read("train.bin");
  return {std::move(train), read("test.bin")};
}

TrainAndTest make_data(const MakeDataOptions& options) { return make_photos(100, options); }

}  // namespace cifar100

}  // namespace cornu::inline v0::keras::datasets
