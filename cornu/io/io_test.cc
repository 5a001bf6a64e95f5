#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/cifar.h"
#include "cornu/io/file.h"
#include "cornu/io/idx.h"
#include "cornu/io/npy.h"
#include "cornu/io/npz.h"
#include "cornu/io/word_index.h"

// The files are made by tools/goldens/datasets.py.
namespace cornu::inline v0::io {
namespace {

const std::string kCorpus = "tests/fuzz/corpus/";

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

std::vector<double> numbers_of(const NpzFile& file, const std::string& name) {
  const Array array = file.read(name);
  std::vector<double> result;
  const auto append = [&](auto values) { result.assign(values.begin(), values.end()); };
  switch (array.type) {
    case ElementType::kBool: append(array.values<bool>()); break;
    case ElementType::kU8: append(array.values<std::uint8_t>()); break;
    case ElementType::kI16: append(array.values<std::int16_t>()); break;
    case ElementType::kI64: append(array.values<std::int64_t>()); break;
    case ElementType::kF32: append(array.values<float>()); break;
    default: append(array.values<double>()); break;
  }
  return result;
}

TEST(FileTest, AMissingFileAndADirectoryAreNamed) {
  expect_error(ErrorCode::kNotFound, {"nowhere/x.idx", "No such file"}, [] { read_file("nowhere/x.idx"); });
  expect_error(ErrorCode::kNotFound, {"cannot read tests: it is a directory"}, [] { read_file("tests"); });
}

TEST(FileTest, APipeIsRefusedAndNotWaitedFor) {
  const std::string path = ::testing::TempDir() + "cornu_io_test_pipe";
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  expect_error(ErrorCode::kNotFound, {path, "it is a pipe, not a regular file"}, [&] { read_file(path); });
  ::unlink(path.c_str());
  expect_error(ErrorCode::kNotFound, {"it is a device or socket"}, [] { read_file("/dev/zero"); });
}

TEST(FileTest, AFileBeyondTheLimitIsRefusedBeforeItIsRead) {
  expect_error(ErrorCode::kResourceExhausted, {"LICENSE", "max_size_bytes"},
               [] { read_file("LICENSE", {.max_size_bytes = 10}); });
}

TEST(FileTest, ANegativeLimitIsNoLimitButAMistake) {
  const std::vector<std::string> says = {"max_size_bytes must not be negative; got max_size_bytes = -1"};
  const ReadLimits negative{.max_size_bytes = -1};
  expect_error(ErrorCode::kInvalidArgument, says, [&] { read_file("LICENSE", negative); });
  expect_error(ErrorCode::kInvalidArgument, says, [&] { read_npy("tests/data/numpy.npz", negative); });
  const std::vector<std::byte> archive = read_file("tests/data/numpy.npz");
  expect_error(ErrorCode::kInvalidArgument, says, [&] { NpzFile(archive, "npz", negative).read("u1"); });
  expect_error(ErrorCode::kInvalidArgument, says,
               [&] { gunzip(read_file(kCorpus + "gzip/bomb"), "bomb", negative); });
}

TEST(GzipTest, UnpacksSeveralMembersAndStopsAtTheLimit) {
  const auto two = gunzip(read_file(kCorpus + "gzip/two"), "two");
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(two.data()), two.size()), "ab");
  EXPECT_EQ(gunzip(read_file(kCorpus + "gzip/bomb"), "bomb").size(), std::size_t{1} << 20);
  expect_error(ErrorCode::kResourceExhausted, {"bomb", "the unpacked file"},
               [] { gunzip(read_file(kCorpus + "gzip/bomb"), "bomb", {.max_size_bytes = 1000}); });
}

TEST(GzipTest, ACutAndAnOverLongFileAreErrors) {
  expect_error(ErrorCode::kDataLoss, {"gzip/cut", "cut off"},
               [] { read_file_or_gzip(kCorpus + "gzip/cut"); });
  auto long_file = read_file(kCorpus + "gzip/two");
  long_file.push_back(std::byte{1});
  expect_error(ErrorCode::kDataLoss, {"other bytes follow"}, [&] { gunzip(long_file, "long"); });
}

TEST(IdxTest, ReadsImagesPlainAndCompressed) {
  const Array plain = read_idx(kCorpus + "idx/images");
  EXPECT_EQ(plain.dims, (std::vector<std::int64_t>{3, 2, 2}));
  EXPECT_EQ(plain.type, ElementType::kU8);
  EXPECT_EQ(plain.values<std::uint8_t>()[11], 11);
  EXPECT_EQ(read_idx(kCorpus + "gzip/small").data, plain.data);
}

TEST(IdxTest, TurnsTheBytesOfWiderElementsAround) {
  const Array array = read_idx(kCorpus + "idx/floats");
  EXPECT_EQ(array.values<float>()[0], 1.5F);
  EXPECT_EQ(array.values<float>()[1], -2.0F);
}

TEST(IdxTest, DamagedFilesAreErrorsThatNameFileAndPosition) {
  expect_error(ErrorCode::kDataLoss,
               {"idx/cut", "cut off", "3 x 2 x 2", "needs 12 bytes, 11 are left", "at byte 16"},
               [] { read_idx(kCorpus + "idx/cut"); });
  expect_error(ErrorCode::kDataLoss, {"1 bytes follow the end of the data", "at byte 28"},
               [] { read_idx(kCorpus + "idx/long"); });
  expect_error(ErrorCode::kDataLoss, {"no element type 0x01"}, [] { read_idx(kCorpus + "idx/type"); });
  expect_error(ErrorCode::kDataLoss, {"not an IDX file", "two zero bytes"}, [] { read_idx("LICENSE"); });
}

TEST(IdxTest, ExtentsWhoseProductOverflowsAllocateNothing) {
  expect_error(ErrorCode::kDataLoss, {"4294967295 x 4294967295"}, [] { read_idx(kCorpus + "idx/huge"); });
  const std::string gigabytes("\0\0\x08\x02\0\x10\0\0\0\x10\0\0", 12);
  expect_error(ErrorCode::kResourceExhausted, {"1099511627776 bytes"},
               [&] { parse_idx(bytes_of(gigabytes), "big"); });
}

TEST(NpzTest, ReadsWhatNumPyWrote) {
  const NpzFile file("tests/data/numpy.npz");
  const std::vector<double> counting = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(file.names(),
            (std::vector<std::string>{"u1", "i2_big", "i8", "f4_fortran", "f8", "bool", "scalar", "empty"}));
  for (const char* name : {"u1", "i2_big", "f4_fortran"}) {
    EXPECT_EQ(numbers_of(file, name), counting) << name;
    EXPECT_EQ(file.read(name).dims, (std::vector<std::int64_t>{2, 3})) << name;
  }
  EXPECT_EQ(numbers_of(file, "i8"), (std::vector<double>{-3, -2, -1, 0, 1, 2}));
  EXPECT_EQ(numbers_of(file, "f8"), (std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.25}));
  EXPECT_EQ(numbers_of(file, "bool"), (std::vector<double>{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(numbers_of(file, "scalar"), (std::vector<double>{2.5}));
  EXPECT_TRUE(file.read("scalar").dims.empty());
  EXPECT_EQ(file.read("empty").dims, (std::vector<std::int64_t>{0, 3}));
}

TEST(NpzTest, ANameThatIsNotThereListsThoseThatAre) {
  expect_error(ErrorCode::kNotFound, {"no array \"x\"", "u1.npy"},
               [] { NpzFile("tests/data/numpy.npz").read("x"); });
}

TEST(NpzTest, AFileThatWasMovedFromSaysSo) {
  NpzFile file("tests/data/numpy.npz");
  const NpzFile to = std::move(file);
  expect_error(ErrorCode::kFailedPrecondition, {"this npz file is undefined"},
               [&] { (void)file.names(); });  // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(to.names().empty());
  IntegerLists lists;
  const IntegerLists others = std::move(lists);
  EXPECT_EQ(lists.num_lists(), 0);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(others.num_lists(), 0);
}

TEST(NpzTest, DamagedArchivesAreErrors) {
  expect_error(ErrorCode::kDataLoss, {"LICENSE", "not an .npz file"}, [] { NpzFile("LICENSE"); });
  expect_error(ErrorCode::kDataLoss, {"npz/middle"}, [] { NpzFile(kCorpus + "npz/middle").read("x"); });
  expect_error(ErrorCode::kResourceExhausted, {"u1.npy"},
               [] { NpzFile(read_file("tests/data/numpy.npz"), "npz", {.max_size_bytes = 50}).read("u1"); });
}

TEST(NpzTest, ASumIsComparedWhateverSizeTheDirectoryNames) {
  auto bytes = read_file("tests/data/numpy.npz");
  // Of the entry itself and of the directory: the low byte of the unpacked size.
  const auto size_at = [&](const std::string& mark, std::ptrdiff_t offset) {
    const std::span<const std::byte> wanted = bytes_of(mark);
    return std::search(bytes.begin(), bytes.end(), wanted.begin(), wanted.end()) + offset;
  };
  const auto read = [&] { return NpzFile(bytes, "x.npz").read("u1"); };
  EXPECT_NO_THROW(read());
  for (const auto size : {size_at("PK\x03\x04", 22), size_at("PK\x01\x02", 24)})
    *size = static_cast<std::byte>(std::to_integer<unsigned>(*size) + 1);
  expect_error(ErrorCode::kDataLoss, {"u1.npy is damaged or cut off"}, read);
}

TEST(NpyTest, HeadersThatAreNoArrayOfNumbersSaySo) {
  expect_error(ErrorCode::kDataLoss, {"Python objects"}, [] { read_npy(kCorpus + "npy/objects"); });
  expect_error(ErrorCode::kDataLoss, {"elements with fields"}, [] { read_npy(kCorpus + "npy/fields"); });
  expect_error(ErrorCode::kDataLoss, {"needs 48 bytes, 47 are left"}, [] { read_npy(kCorpus + "npy/cut"); });
  expect_error(ErrorCode::kDataLoss, {"not .npy data"}, [] { read_npy("LICENSE"); });
}

TEST(NpyTest, AHeaderCannotNameMoreAxesThanNumPyHas) {
  const auto file_of = [](int rank) {
    std::string dims;
    for (int axis = 0; axis < rank; ++axis) dims += axis == 3 || axis == rank - 1 ? "2," : "1,";
    const std::string header = "{'descr': '|u1', 'fortran_order': True, 'shape': (" + dims + "), }\n";
    return std::string("\x93NUMPY\x02\0", 8) + static_cast<char>(header.size() % 256) +
           static_cast<char>(header.size() / 256) + std::string(2, '\0') + header + "\x01\x02\x03\x04";
  };
  const std::string widest = file_of(64), wider = file_of(65);
  const Array array = parse_npy(bytes_of(widest), "x");
  EXPECT_EQ(array.dims.size(), 64U);
  const auto values = array.values<std::uint8_t>();
  EXPECT_EQ(std::vector<int>(values.begin(), values.end()), (std::vector<int>{1, 3, 2, 4}));
  expect_error(ErrorCode::kDataLoss, {"more than 64 axes"}, [&] { parse_npy(bytes_of(wider), "x"); });
}

TEST(PickleTest, ListsOfEveryProtocolAreTheSame) {
  const NpzFile file("tests/data/lists.npz");
  for (const std::string& name : file.names()) {
    SCOPED_TRACE(name);
    const IntegerLists lists = file.read_lists(name);
    ASSERT_EQ(lists.num_lists(), 4);
    EXPECT_EQ(lists.values, (std::vector<std::int64_t>{1, 2, 300, 70000, -5, std::int64_t{1} << 40, 0}));
    EXPECT_EQ(lists.offsets, (std::vector<std::int64_t>{0, 3, 3, 6, 7}));
  }
  EXPECT_EQ(file.names().size(), 4U);
}

TEST(PickleTest, NamesAndOpcodesBeyondTheSubsetAreRefusedByName) {
  const auto read = [](const std::string& file) {
    return [file] { parse_npy_lists(read_file(kCorpus + "npy_lists/" + file), file); };
  };
  expect_error(ErrorCode::kDataLoss, {"os.system is not accepted"}, read("system"));
  expect_error(ErrorCode::kDataLoss, {"builtins.eval is not accepted"}, read("eval"));
  const auto header = read_file(kCorpus + "npy_lists/protocol4");
  for (const auto& [opcode, name] : std::vector<std::pair<char, std::string>>{
           {'G', "BINFLOAT"}, {'}', "EMPTY_DICT"}, {'\x81', "NEWOBJ"}, {'o', "OBJ"}}) {
    auto changed = header;
    // The first byte behind the header, which is 128 bytes long.
    changed[128] = static_cast<std::byte>(opcode);
    expect_error(ErrorCode::kDataLoss, {"the pickle opcode " + name + " is not accepted", "at byte 128"},
                 [&] { parse_npy_lists(changed, "x"); });
  }
}

/// The header of an array of `count` objects, and a pickle.
std::string pickled(std::int64_t count, const std::string& pickle) {
  std::string header =
      "{'descr': '|O', 'fortran_order': False, 'shape': (" + std::to_string(count) + ",), }\n";
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header +
         std::string("\x80\x04", 2) + pickle;
}

std::string repeated(const std::string& what, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += what;
  return result;
}

TEST(PickleTest, AFileCannotBuildMoreThanItsHeaderSpeaksOf) {
  const auto refused = [](const std::string& file, const std::string& what) {
    expect_error(ErrorCode::kDataLoss, {what}, [&] { parse_npy_lists(bytes_of(file), "x"); });
  };
  refused(pickled(4, repeated("]", 6)), "more lists than the 4");
  refused(pickled(4, repeated(")", 65)), "more than 64 tuples");
  refused(pickled(4, repeated(std::string("U\0", 2), 65)), "more than 64 texts");
  refused(pickled(4, std::string("N") + repeated("\x94", 65)), "more memo entries than values");
}

TEST(PickleTest, WhatAPickleBuildsIsWithinTheLimit) {
  constexpr std::int64_t kMany = std::int64_t{1} << 40;
  for (const std::string& filler : {std::string("]"), std::string("N"), std::string("]\x94"),
                                    std::string("](K\1K\2e"), std::string("](K\1")}) {
    SCOPED_TRACE(filler);
    const std::string file = pickled(kMany, repeated(filler, 20000));
    expect_error(ErrorCode::kResourceExhausted,
                 {"its pickled lists would take", "at most 200000", "max_size_bytes"},
                 [&] { parse_npy_lists(bytes_of(file), "x", {.max_size_bytes = 200000}); });
  }
  expect_error(ErrorCode::kResourceExhausted, {"its pickled lists would take"}, [] {
    const auto bytes = read_file(kCorpus + "npy_lists/protocol4");
    parse_npy_lists(bytes, "x", {.max_size_bytes = 100});
  });
}

TEST(PickleTest, ListsRepeatedByReferenceCannotOutgrowTheFile) {
  const auto whole = read_file(kCorpus + "npy_lists/protocol2");
  std::string pickle = std::string("\x80\x02", 2) +
                       "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n" + std::string("K\0\x85", 3) +
                       "U\x01"
                       "b\x87R" +
                       "(K\x01" + std::string("M\xE8\x03\x85", 4) + "cnumpy\ndtype\nU\x02O8\x85R\x89](](";
  for (int i = 0; i < 100; ++i) pickle += "K\x01";
  pickle += "eq\x01";
  for (int i = 1; i < 1000; ++i) pickle += "h\x01";
  pickle += "etb.";
  std::string file(reinterpret_cast<const char*>(whole.data()), 128);
  file.replace(file.find("(4,), }   "), 10, "(1000,), }");
  file += pickle;
  expect_error(ErrorCode::kDataLoss, {"repeated until they are larger than the file"},
               [&] { parse_npy_lists(bytes_of(file), "x"); });
}

TEST(CifarTest, ReadsLabelsAndPictures) {
  const CifarBatch batch = read_cifar10(kCorpus + "cifar/two");
  EXPECT_EQ(batch.labels, (std::vector<std::uint8_t>{3, 3}));
  ASSERT_EQ(batch.images.size(), 2U * kCifarImageBytes);
  EXPECT_EQ(batch.images[257], 1);
}

TEST(CifarTest, CutAndMislabelledFilesAreErrors) {
  expect_error(ErrorCode::kDataLoss, {"cifar/cut", "3073", "3072 bytes"},
               [] { read_cifar10(kCorpus + "cifar/cut"); });
  expect_error(ErrorCode::kDataLoss, {"record 0 has label 10"},
               [] { read_cifar10(kCorpus + "cifar/label"); });
  const std::string hundred(3074, '\x01');
  expect_error(ErrorCode::kDataLoss, {"CIFAR-100"}, [&] { parse_cifar10(bytes_of(hundred), "x"); });
  expect_error(ErrorCode::kDataLoss, {"unpack it first"}, [] { read_cifar10(kCorpus + "gzip/small"); });
  expect_error(ErrorCode::kDataLoss, {"get it again"}, [] { parse_cifar10({}, "empty"); });
}

TEST(WordIndexTest, ReadsWordsAndRefusesEverythingElse) {
  const WordIndex index = read_word_index(kCorpus + "word_index/small");
  EXPECT_EQ(index.at("the"), 1);
  EXPECT_EQ(index.at("caf\xC3\xA9"), 2);
  const auto read = [](const std::string& file) {
    return [file] { read_word_index(kCorpus + "word_index/" + file); };
  };
  expect_error(ErrorCode::kDataLoss, {"the word \"a\" has an object"}, read("nested"));
  expect_error(ErrorCode::kDataLoss, {"has -1 instead"}, read("negative"));
  expect_error(ErrorCode::kDataLoss, {"occurs twice"}, read("twice"));
  expect_error(ErrorCode::kDataLoss, {"a list instead"}, read("deep"));
  expect_error(ErrorCode::kDataLoss, {"not JSON", "at byte"}, read("tail"));
}

TEST(TextTest, IsUtf8WithLineFeeds) {
  EXPECT_EQ(read_text_file(kCorpus + "text/lines"), "one\ntwo\nthree\n");
  EXPECT_EQ(read_text_file(kCorpus + "text/utf8"), "caf\xC3\xA9 \xE2\x82\xAC\xF0\x9F\x98\x80");
  expect_error(ErrorCode::kDataLoss, {"not UTF-8", "at byte 3"},
               [] { read_text_file(kCorpus + "text/latin1"); });
  expect_error(ErrorCode::kDataLoss, {"not UTF-8"}, [] { read_text_file(kCorpus + "text/surrogate"); });
}

TEST(ErrorTextTest, DataAreShownShortAndWithoutControlCharacters) {
  const auto message = [](const std::string& json) -> std::string {
    try {
      parse_word_index(bytes_of(json), "x\x1b[31m");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("{\"\\u001b[2J\": -1}").find('\x1b'), std::string::npos);
  EXPECT_NE(message("{\"\\u001b[2J\": -1}").find("x\\x1b[31m: the word \"\\x1b[2J\" has -1"),
            std::string::npos);
  const std::string longest = message("{\"" + std::string(1 << 20, 'a') + "\": -1}");
  EXPECT_LT(longest.size(), 600U);
  EXPECT_NE(longest.find("[1048"), std::string::npos) << longest;
  EXPECT_NE(longest.find("has -1 instead"), std::string::npos) << longest;
}

TEST(FileTest, APathWithANulIsRefusedAndNotCut) {
  expect_error(ErrorCode::kInvalidArgument, {"NUL", "LICENSE\\x00.txt"},
               [] { read_file(std::string("LICENSE\0.txt", 12)); });
  expect_error(ErrorCode::kInvalidArgument, {"NUL"}, [] { WholeFile(std::string("LICENSE\0.txt", 12)); });
}

/// The bytes of a file.
std::string text_of(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(WriteNpyTest, WritesTheBytesThatNumpyWrites) {
  const std::string path = ::testing::TempDir() + "cornu_io_test_write.npy";
  for (const char* name : {"bool", "u1", "i8", "f8", "scalar", "empty"}) {
    write_npy(path, read_npy(kCorpus + "npy/" + name));
    EXPECT_EQ(text_of(path), text_of(kCorpus + "npy/" + name)) << name;
  }
  // In Fortran order and of the other byte order they are written as this machine has them.
  for (const char* name : {"f4_fortran", "i2_big"}) {
    const Array array = read_npy(kCorpus + "npy/" + name);
    write_npy(path, array);
    EXPECT_EQ(read_npy(path).data, array.data);
  }
  std::filesystem::remove(path);
}

TEST(WriteNpyTest, TheHeaderLeavesRoomForTheFirstExtentToGrow) {
  const std::vector<std::int64_t> dims = {1};
  const std::vector<std::byte> data(8);
  const std::string header = npy_header({ElementType::kF64, dims, data});
  EXPECT_EQ(header.size(), 128U);
  EXPECT_EQ(header.substr(8, 66),
            std::string("\x76\0{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }       ", 66));
}

TEST(WriteNpyTest, RefusesWhatIsNoArray) {
  const std::vector<std::byte> data(8);
  const auto header = [&](std::vector<std::int64_t> dims) {
    return npy_header({ElementType::kF32, dims, data});
  };
  expect_error(ErrorCode::kInvalidArgument, {"an array of float32 (3) cannot be written from 8 bytes"},
               [&] { header({3}); });
  expect_error(ErrorCode::kInvalidArgument, {"cannot be written"}, [&] { header({-1, -2}); });
  expect_error(ErrorCode::kInvalidArgument, {"cannot be written"},
               [&] { header({std::int64_t{1} << 62, 4, 2}); });
  expect_error(ErrorCode::kInvalidArgument, {"more than 64 axes"},
               [&] { header(std::vector<std::int64_t>(65, 1)); });
}

TEST(WriteNpzTest, IsReadByTheReaderStoredAndDeflated) {
  const std::string path = ::testing::TempDir() + "cornu_io_test_write.npz";
  const Array a = read_npy(kCorpus + "npy/f8"), b = read_npy(kCorpus + "npy/i8");
  const std::vector<std::pair<std::string, ArrayView>> arrays = {{"a", a}, {"b/c", b}};
  for (const bool compressed : {false, true}) {
    write_npz(path, arrays, {.compressed = compressed});
    const NpzFile file(path);
    EXPECT_EQ(file.names(), (std::vector<std::string>{"a", "b/c"}));
    EXPECT_EQ(file.read("a").data, a.data);
    EXPECT_EQ(file.read("b/c").dims, b.dims);
  }
  const std::string before = text_of(path);
  const std::vector<std::pair<std::string, ArrayView>> twice = {{"a", a}, {"a", b}}, nameless = {{"", a}};
  expect_error(ErrorCode::kInvalidArgument, {"two arrays are named \"a\""}, [&] { write_npz(path, twice); });
  expect_error(ErrorCode::kInvalidArgument, {"must be text in UTF-8"}, [&] { write_npz(path, nameless); });
  EXPECT_EQ(text_of(path), before);
  std::filesystem::remove(path);
}

TEST(WholeFileTest, IsThereWholeOrNotAtAll) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "cornu_io_test_whole";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string path = folder / "file", text = "new", old_text = "old";
  {
    WholeFile file(path);
    file.write(bytes_of(old_text));
    EXPECT_FALSE(std::filesystem::exists(path));
    file.commit();
  }
  {
    WholeFile abandoned(path);
    abandoned.write(bytes_of(text));
  }
  EXPECT_EQ(text_of(path), "old");
  std::filesystem::create_symlink("file", folder / "link");
  {
    WholeFile file(folder / "link");
    file.write(bytes_of(text));
    file.commit();
  }
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(text_of(path), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}),
            2);  // nothing half written is left
  expect_error(ErrorCode::kNotFound, {"cannot write", "nowhere/x: No such file"},
               [] { WholeFile("nowhere/x"); });
  expect_error(ErrorCode::kNotFound, {"not a regular file"}, [&] { WholeFile(folder.string()); });
  expect_error(ErrorCode::kNotFound, {"not a regular file"}, [] { WholeFile("/dev/full"); });
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace cornu::inline v0::io
