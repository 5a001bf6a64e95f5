#include <algorithm>
#include <optional>
#include <set>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/io/array_size_support.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/hdf5.h"
#include "cornu/io/hdf5_format_support.h"

namespace cornu::inline v0::io {
namespace {

using namespace hdf5_format;

/// Reads bytes that begin at an offset of the file; errors contain positions in the file.
class Hdf5Part {
 public:
  Hdf5Part(std::span<const std::byte> bytes, const std::string& name, std::uint64_t offset)
      : reader_(bytes, name), offset_(offset) {}

  std::uint64_t position() const { return offset_ + reader_.offset(); }
  std::size_t remaining() const { return reader_.remaining(); }
  [[noreturn]] void refuse(std::string_view what) const { corrupt(reader_.name(), position(), what); }

  std::span<const std::byte> take(std::uint64_t count, std::string_view what) {
    if (count > remaining()) refuse(fmt::format("{} is cut off; the file is damaged: get it again", what));
    return reader_.take(count, what);
  }
  void skip(std::uint64_t count) { take(count, "a structure"); }
  template <typename T>
  T take() {
    if (remaining() < sizeof(T)) refuse("a structure is cut off; the file is damaged: get it again");
    return reader_.take_little_endian<T>("a number");
  }
  Hdf5Part part(std::uint64_t count, std::string_view what) {
    const std::uint64_t begin = position();
    return {take(count, what), std::string_view(reader_.name()), begin};
  }

 private:
  Hdf5Part(std::span<const std::byte> bytes, std::string_view name, std::uint64_t offset)
      : reader_(bytes, name), offset_(offset) {}
  ByteReader reader_;
  std::uint64_t offset_;
};

struct Datatype {
  DatatypeClass type_class = kFixedPoint;
  std::uint64_t size = 0;
  bool is_variable_text = false;
  std::optional<ElementType> element = {};  // empty: a type that arrays cannot have
};

struct Dataspace {
  std::vector<std::int64_t> dims;
};

class Hdf5Parser {
 public:
  Hdf5Parser(const RandomAccess& bytes, std::string name)
      : bytes_(bytes), name_(std::move(name)), may_be_read_(2 * bytes.size() + kAlwaysRead) {}

  Hdf5Group parse() {
    Block superblock = read(0, std::min<std::uint64_t>(kSuperblockSize, bytes_.size()));
    Hdf5Part part = superblock.part(name_);
    const auto mark =
        part.take(std::min<std::uint64_t>(kSignature.size(), part.remaining()), "the signature");
    if (!std::equal(mark.begin(), mark.end(), std::as_bytes(std::span(kSignature)).begin(),
                    std::as_bytes(std::span(kSignature)).end()))
      corrupt(name_, 0, "not an HDF5 file: it begins with another signature");
    const auto version = part.take<std::uint8_t>();
    if (version != 0)
      part.refuse(
          fmt::format("an HDF5 superblock of version {}; only version 0, which Keras writes, is read: save "
                      "the file with Keras, or with h5py's libver=\"earliest\"",
                      version));
    part.skip(4);
    const auto offset_size = part.take<std::uint8_t>(), length_size = part.take<std::uint8_t>();
    if (offset_size != 8 || length_size != 8) part.refuse("only HDF5 offsets of 8 bytes are read");
    part.skip(1 + 4 + 4);  // the width of trees is stored in each node
    if (part.take<std::uint64_t>() != 0) part.refuse("an HDF5 file that starts after other data is not read");
    part.skip(3 * 8);  // free space, end of file, driver
    part.skip(8);      // the root's name
    Hdf5Group root;
    Header header = read_header(part.take<std::uint64_t>());
    if (!header.tree.has_value()) corrupt(name_, 0, "the file's root is not a group of the oldest format");
    fill(root, std::move(header), 0);
    return root;
  }

 private:
  struct Block {
    std::uint64_t offset;
    std::vector<std::byte> bytes;
    Hdf5Part part(const std::string& name) const { return {bytes, name, offset}; }
  };
  /// A global heap: the position and size of each text, by its number.
  struct TextHeap {
    Block block;
    std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> texts;
  };
  struct Tree {
    std::uint64_t tree;
    std::uint64_t heap;
  };
  struct Entry {
    std::string name;
    std::uint64_t offset;
  };
  /// Result of reading a group's tree.
  struct Entries {
    std::vector<Entry> all = {};
    std::uint64_t name_bytes = 0;  // size of all names, including terminators
  };
  /// Content of an object's header.
  struct Header {
    std::uint64_t offset = 0;
    std::optional<Tree> tree;
    std::optional<Datatype> type;
    std::optional<Dataspace> space;
    std::optional<std::pair<std::uint64_t, std::uint64_t>> data;  // offset, size
    Hdf5Attributes attributes;
  };

  /// Reads a block and limits the total: structures may overlap, so a small file could describe unlimited
  /// amounts. Reading, and with it time and memory, is proportional to the file. Without overlaps no byte is
  /// read more than twice.
  Block read(std::uint64_t offset, std::uint64_t size) {
    if (offset > bytes_.size() || size > bytes_.size() - offset)
      corrupt(name_, offset,
              fmt::format("{} bytes should be here, which extend beyond the end of the file: it is cut off "
                          "or damaged; get it again",
                          size));
    if (size > may_be_read_)
      corrupt(name_, offset, "its structures overlap: they have more bytes than the file; save it again");
    may_be_read_ -= size;
    Block block{offset, std::vector<std::byte>(static_cast<std::size_t>(size))};
    bytes_.read(offset, block.bytes);
    return block;
  }

  /// Registers a structure; each may belong to one object only, so nothing is read twice, and no tree has a
  /// loop.
  void visit(std::uint64_t offset, std::string_view what) {
    if (!visited_.insert(offset).second)
      corrupt(name_, offset, fmt::format("{} belongs to two objects, or to itself", what));
  }

  // Object headers.

  Header read_header(std::uint64_t offset) {
    visit(offset, "an object");
    Block prefix = read(offset, kHeaderPrefixSize);
    Hdf5Part part = prefix.part(name_);
    const auto version = part.take<std::uint8_t>();
    if (version != 1)
      part.refuse(fmt::format("an object's header has version {}; only version 1 is read", version));
    part.skip(1);
    int left = part.take<std::uint16_t>();
    part.skip(4);  // number of the object's names
    Header header;
    header.offset = offset;
    const std::uint64_t size = part.take<std::uint32_t>();
    std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks = {{offset + kHeaderPrefixSize, size}};
    while (!blocks.empty() && left > 0) {
      const auto [begin, length] = blocks.back();
      blocks.pop_back();
      if (begin != offset + kHeaderPrefixSize) visit(begin, "an object's continuation");
      Block block = read(begin, length);
      Hdf5Part messages = block.part(name_);
      while (left > 0 && messages.remaining() >= 8) {
        --left;
        read_message(header, messages, blocks);
      }
    }
    if (left > 0)
      corrupt(name_, offset,
              "an object's header ends before its messages do; the file is damaged: get it again");
    return header;
  }

  void read_message(Header& header, Hdf5Part& messages,
                    std::vector<std::pair<std::uint64_t, std::uint64_t>>& blocks) {
    const auto type = messages.take<std::uint16_t>();
    const auto size = messages.take<std::uint16_t>();
    const auto flags = messages.take<std::uint8_t>();
    messages.skip(3);
    Hdf5Part body = messages.part(size, "a message of an object's header");
    if ((flags & 2) != 0) body.refuse("a message that is stored elsewhere (shared) is not read");
    switch (type) {
      case kNil:
      case kOldFillValue:
      case kFillValue:
      case kModificationTime: return;
      case kDataspace: header.space = read_space(body); return;
      case kDatatype: header.type = read_type(body); return;
      case kLayout: header.data = read_layout(body); return;
      case kAttribute: read_attribute(body, header.attributes); return;
      case kSymbolTable: {
        const auto tree = body.take<std::uint64_t>(), heap = body.take<std::uint64_t>();
        header.tree = Tree{tree, heap};
        return;
      }
      case kContinuation: {
        const auto begin = body.take<std::uint64_t>(), length = body.take<std::uint64_t>();
        blocks.emplace_back(begin, length);
        return;
      }
      case kLinkInfo:
      case kLink: body.refuse("links of newer HDF5 versions are not read: Keras writes none");
      case kExternalFiles: body.refuse("data in other files (external) are never read");
      case kFilters: body.refuse("compressed or filtered data are not read: Keras writes none");
      default:
        body.refuse(fmt::format("a message of type {:#06x} in an object's header; Keras writes none", type));
    }
  }

  Dataspace read_space(Hdf5Part& body) const {
    const auto version = body.take<std::uint8_t>();
    const auto rank = body.take<std::uint8_t>();
    if (version != 1) body.refuse(fmt::format("a dataspace of version {}; only version 1 is read", version));
    constexpr int kLargestRank = 32;  // HDF5's limit
    if (rank > kLargestRank) body.refuse(fmt::format("{} axes; HDF5 has at most {}", rank, kLargestRank));
    body.skip(6);
    Dataspace space;
    for (int i = 0; i < rank; ++i) {
      const auto extent = body.take<std::uint64_t>();
      if (!std::in_range<std::int64_t>(extent)) body.refuse(fmt::format("an extent of {}", extent));
      space.dims.push_back(static_cast<std::int64_t>(extent));
    }
    return space;
  }

  Datatype read_type(Hdf5Part& body) const {
    const auto class_and_version = body.take<std::uint8_t>();
    std::uint32_t bits = body.take<std::uint8_t>();
    bits |= std::uint32_t{body.take<std::uint8_t>()} << 8U;
    bits |= std::uint32_t{body.take<std::uint8_t>()} << 16U;
    Datatype type;
    type.type_class = static_cast<DatatypeClass>(class_and_version & 15);
    type.size = body.take<std::uint32_t>();
    if (class_and_version >> 4 != 1)
      body.refuse(fmt::format("a datatype of version {}; only version 1 is read", class_and_version >> 4));
    switch (type.type_class) {
      case kFixedPoint: read_integer(body, bits, type); break;
      case kFloatingPoint: read_float(body, bits, type); break;
      case kString: break;
      case kOpaque:
        if (type.size == 2) type.element = ElementType::kBF16;
        break;
      case kEnumeration: read_truth(body, bits, type); break;
      case kVariableLength:
        type.is_variable_text = (bits & 15) == 1;
        if (!type.is_variable_text || type.size != 16)
          body.refuse("data of variable length are read only if they are text");
        break;
      default:
        body.refuse(
            fmt::format("data of HDF5's class {}; Keras writes none", static_cast<int>(type.type_class)));
    }
    return type;
  }

  static void read_integer(Hdf5Part& body, std::uint32_t bits, Datatype& type) {
    const auto shift = body.take<std::uint16_t>(), precision = body.take<std::uint16_t>();
    if ((bits & 1) != 0 || shift != 0 || precision != type.size * 8)
      body.refuse("only little-endian integers without unused bits are read");
    const bool is_signed = (bits & 8) != 0;
    switch (type.size) {
      case 1: type.element = is_signed ? ElementType::kI8 : ElementType::kU8; break;
      case 2: type.element = is_signed ? ElementType::kI16 : ElementType::kU16; break;
      case 4: type.element = is_signed ? ElementType::kI32 : ElementType::kU32; break;
      case 8: type.element = is_signed ? ElementType::kI64 : ElementType::kU64; break;
      default: body.refuse(fmt::format("integers of {} bytes", type.size));
    }
  }

  static void read_float(Hdf5Part& body, std::uint32_t bits, Datatype& type) {
    struct Form {
      ElementType element;
      std::uint16_t precision;
      std::uint8_t exponent_at, exponent_size, mantissa_size;
      std::uint32_t bias;
    };
    static constexpr Form kForms[] = {{ElementType::kF16, 16, 10, 5, 10, 15},
                                      {ElementType::kF32, 32, 23, 8, 23, 127},
                                      {ElementType::kF64, 64, 52, 11, 52, 1023}};
    const auto shift = body.take<std::uint16_t>(), precision = body.take<std::uint16_t>();
    const auto exponent_at = body.take<std::uint8_t>(), exponent_size = body.take<std::uint8_t>();
    const auto mantissa_at = body.take<std::uint8_t>(), mantissa_size = body.take<std::uint8_t>();
    const auto bias = body.take<std::uint32_t>();
    for (const Form& form : kForms) {
      const std::uint32_t wanted_bits = 0x20U | static_cast<std::uint32_t>(form.precision - 1) << 8U;
      if (bits == wanted_bits && shift == 0 && mantissa_at == 0 && precision == form.precision &&
          type.size * 8 == precision && exponent_at == form.exponent_at &&
          exponent_size == form.exponent_size && mantissa_size == form.mantissa_size && bias == form.bias)
        type.element = form.element;
    }
    if (!type.element) body.refuse("only floating-point numbers in IEEE's formats are read");
  }

  /// h5py writes truth values as an enumeration of one byte: FALSE is 0, TRUE is 1.
  void read_truth(Hdf5Part& body, std::uint32_t bits, Datatype& type) const {
    const Datatype base = read_type(body);
    static constexpr std::string_view kNames("FALSE\0\0\0TRUE\0\0\0\0", 16);
    if ((bits & 0xFFFF) != 2 || base.size != 1 || type.size != 1)
      body.refuse("enumerations are read only if they are booleans");
    const auto names = body.take(kNames.size(), "an enumeration");
    const auto values = body.take(2, "an enumeration");
    if (!std::equal(names.begin(), names.end(), std::as_bytes(std::span(kNames)).begin()) ||
        values[0] != std::byte{0} || values[1] != std::byte{1})
      body.refuse("enumerations are read only if they are booleans");
    type.element = ElementType::kBool;
  }

  static std::pair<std::uint64_t, std::uint64_t> read_layout(Hdf5Part& body) {
    const auto version = body.take<std::uint8_t>(), layout = body.take<std::uint8_t>();
    if (version == 4 && layout == 3) body.refuse("virtual data sets are never read");
    if (version != 3)
      body.refuse(fmt::format("a data layout of version {}; only version 3 is read", version));
    if (layout == 0) body.refuse("data inside an object's header (compact) are not read: Keras writes none");
    if (layout == 2) body.refuse("data in chunks are not read: Keras writes none");
    if (layout != 1) body.refuse("virtual data sets are never read");
    const auto offset = body.take<std::uint64_t>(), size = body.take<std::uint64_t>();
    return {offset, size};
  }

  // Attributes.

  void read_attribute(Hdf5Part& body, Hdf5Attributes& attributes) {
    const auto version = body.take<std::uint8_t>();
    if (version != 1) body.refuse(fmt::format("an attribute of version {}; only version 1 is read", version));
    body.skip(1);
    const auto name_size = body.take<std::uint16_t>(), type_size = body.take<std::uint16_t>(),
               space_size = body.take<std::uint16_t>();
    std::string attribute_name = text_of(body.take(name_size, "an attribute's name"));
    body.skip(std::min<std::uint64_t>(padded(name_size) - name_size, body.remaining()));
    Hdf5Part type_part = body.part(padded(type_size), "an attribute's type");
    const Datatype type = read_type(type_part);
    Hdf5Part space_part = body.part(padded(space_size), "an attribute's extents");
    const Dataspace space = read_space(space_part);
    if (space.dims.size() > 1) body.refuse("an attribute of several axes; Keras writes none");
    const std::uint64_t count = space.dims.empty() ? 1 : static_cast<std::uint64_t>(space.dims[0]);
    if (type.size == 0 || count > body.remaining() / type.size)
      body.refuse("an attribute is cut off; the file is damaged: get it again");
    Hdf5Attribute attribute{.is_list = !space.dims.empty(), .texts = {}};
    for (std::uint64_t i = 0; i < count; ++i) {
      Hdf5Part value = body.part(type.size, "an attribute's value");
      if (type.is_variable_text) attribute.texts.push_back(read_heap_text(value));
      if (type.type_class == kString)
        attribute.texts.push_back(text_of(value.take(type.size, "an attribute's text")));
    }
    if (!attributes.emplace(std::move(attribute_name), std::move(attribute)).second)
      body.refuse("two attributes of one name");
  }

  static std::string text_of(std::span<const std::byte> bytes) {
    const auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(end - bytes.begin())};
  }

  /// Reads a text from a global heap. All texts together are at most as large as the file: each heap object
  /// is read once.
  std::string read_heap_text(Hdf5Part& value) {
    const auto length = value.take<std::uint32_t>();
    const auto heap_offset = value.take<std::uint64_t>();
    const auto index = value.take<std::uint32_t>();
    if (length == 0) return {};
    const TextHeap& heap = global_heap(heap_offset);
    const auto found = heap.texts.find(index);
    if (found == heap.texts.end())
      value.refuse(fmt::format("the heap at {} has no text {}; the file is damaged: get it again",
                               heap_offset, index));
    const auto [at, size] = found->second;
    visit(at, "a text");
    if (length > size)
      value.refuse("a text is longer than its slot in the heap; the file is damaged: get it again");
    Hdf5Part part = heap.block.part(name_);
    part.skip(at - heap_offset);
    const auto text = part.take(length, "a text");
    return {reinterpret_cast<const char*>(text.data()), text.size()};
  }

  const TextHeap& global_heap(std::uint64_t offset) {
    if (const auto found = heaps_.find(offset); found != heaps_.end()) return found->second;
    Block prefix = read(offset, 16);
    Hdf5Part part = prefix.part(name_);
    const auto mark = part.take(4, "a global heap");
    if (text_of(mark) != "GCOL" || part.take<std::uint8_t>() != 1)
      part.refuse("a global heap of version 1 should be here; the file is damaged: get it again");
    part.skip(3);
    const auto size = part.take<std::uint64_t>();
    // Heaps are kept while the file is read: together they are at most as large as it.
    heap_bytes_ = heap_bytes_ + size;
    if (size < 16)
      part.refuse(fmt::format(
          "a heap of texts of {} bytes, less than its header has; the file is damaged: get it again", size));
    TextHeap heap{read(offset, size), {}};
    if (heap_bytes_.exceeds(static_cast<std::int64_t>(bytes_.size())))
      part.refuse("its heaps of texts overlap: they have more bytes than the file; save it again");
    find_texts(heap);
    return heaps_.emplace(offset, std::move(heap)).first->second;
  }

  void find_texts(TextHeap& heap) const {
    Hdf5Part part = heap.block.part(name_);
    part.skip(16);
    while (part.remaining() >= 16) {
      const auto object = part.take<std::uint16_t>();
      part.skip(6);
      const auto size = part.take<std::uint64_t>();
      if (object == 0) break;  // free space
      if (size > part.remaining())
        part.refuse("a text in a heap is cut off; the file is damaged: get it again");
      heap.texts.emplace(object, std::pair(part.position(), size));
      part.skip(std::min<std::uint64_t>(padded(size), part.remaining()));
    }
  }

  // Groups.

  void fill(Hdf5Group& group, Header header, int depth) {
    constexpr int kDeepest = 64;
    if (depth > kDeepest)
      corrupt(name_, header.offset, fmt::format("groups are nested more than {} deep", kDeepest));
    group.attributes = std::move(header.attributes);
    if (header.type || header.space || header.data)
      corrupt(name_, header.offset, "an object is both a group and a data set");
    for (auto& [entry, offset] : read_entries(*header.tree)) {
      Header inside = read_header(offset);
      const bool is_taken = group.groups.contains(entry) || group.datasets.contains(entry);
      if (is_taken) corrupt(name_, offset, fmt::format("two objects are named \"{}\"", entry));
      if (inside.tree) {
        auto made = std::make_unique<Hdf5Group>();
        fill(*made, std::move(inside), depth + 1);
        group.groups.emplace(entry, std::move(made));
      } else {
        group.datasets.emplace(entry, dataset(entry, std::move(inside)));
      }
    }
  }

  /// Reads the entries of a group. The heap is freed before the children are read: only the entries of one
  /// path are in memory at a time.
  std::vector<Entry> read_entries(const Tree& tree) {
    const Block names = local_heap(tree.heap);
    Entries entries;
    read_tree(tree.tree, names, entries, 0);
    return std::move(entries.all);
  }

  Block local_heap(std::uint64_t offset) {
    visit(offset, "a heap of names");
    Block prefix = read(offset, kLocalHeapSize);
    Hdf5Part part = prefix.part(name_);
    if (text_of(part.take(4, "a heap of names")) != "HEAP" || part.take<std::uint8_t>() != 0)
      part.refuse("a local heap of version 0 should be here; the file is damaged: get it again");
    part.skip(3);
    const auto size = part.take<std::uint64_t>();
    part.skip(8);
    const auto data = part.take<std::uint64_t>();
    visit(data, "the text of a heap of names");
    return read(data, size);
  }

  void read_tree(std::uint64_t offset, const Block& names, Entries& entries, int depth) {
    constexpr int kDeepest = 8;
    visit(offset, "a tree of names");
    Block prefix = read(offset, 24);
    Hdf5Part part = prefix.part(name_);
    const std::string mark = text_of(part.take(4, "a tree of names"));
    if (mark == "SNOD") return read_symbols(offset, names, entries);
    const auto type = part.take<std::uint8_t>();
    part.skip(1);
    const std::uint64_t count = part.take<std::uint16_t>();
    if (mark != "TREE" || type != 0 || depth > kDeepest)
      part.refuse("a tree of names should be here; the file is damaged: get it again");
    Block body = read(offset + 24, count * 16 + 8);
    Hdf5Part children = body.part(name_);
    for (std::uint64_t i = 0; i < count; ++i) {
      children.skip(8);  // a name that sorts before it
      read_tree(children.take<std::uint64_t>(), names, entries, depth + 1);
    }
  }

  void read_symbols(std::uint64_t offset, const Block& names, Entries& entries) {
    Block prefix = read(offset, 8);
    Hdf5Part part = prefix.part(name_);
    part.skip(4);
    if (part.take<std::uint8_t>() != 1) part.refuse("a symbol table of version 1 should be here");
    part.skip(1);
    const std::uint64_t count = part.take<std::uint16_t>();
    Block body = read(offset + 8, count * kSymbolEntrySize);
    Hdf5Part symbols = body.part(name_);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto at = symbols.take<std::uint64_t>();
      const auto object = symbols.take<std::uint64_t>();
      const auto kind = symbols.take<std::uint32_t>();
      symbols.skip(20);
      if (kind == 2) symbols.refuse("soft links are never followed");
      if (kind > 2) symbols.refuse("an entry of an unknown kind");
      std::string entry = name_at(at, names, symbols);
      // Each name must have its own place in the heap: names that are suffixes of others would exceed it.
      entries.name_bytes += entry.size() + 1;
      if (entries.name_bytes > names.bytes.size())
        symbols.refuse("names of objects overlap: together they are longer than their heap");
      entries.all.push_back({std::move(entry), object});
    }
  }

  static std::string name_at(std::uint64_t at, const Block& names, const Hdf5Part& symbols) {
    constexpr std::size_t kLongestName = 4096;
    if (at >= names.bytes.size()) symbols.refuse("a name outside its heap");
    auto rest = std::span(names.bytes).subspan(static_cast<std::size_t>(at));
    const bool is_long = rest.size() > kLongestName;
    if (is_long) rest = rest.first(kLongestName + 1);
    std::string entry = text_of(rest);
    if (entry.size() == rest.size() && is_long)
      symbols.refuse(fmt::format("the name of an object has more than {} bytes", kLongestName));
    if (entry.empty() || entry.size() == rest.size()) symbols.refuse("a name is empty or has no end");
    if (entry.find('/') != std::string::npos || entry == "." || entry == "..")
      symbols.refuse(fmt::format("\"{}\" is not a valid name of an object", entry));
    return entry;
  }

  Hdf5Dataset dataset(const std::string& entry, Header header) {
    const auto refuse = [&](std::string_view what) {
      corrupt(name_, header.offset, fmt::format("\"{}\" {}", entry, what));
    };
    if (!header.type || !header.space || !header.data)
      refuse("is neither a group nor a data set with a type, extents and data");
    if (!header.type->element) refuse("has elements that are not numbers");
    Hdf5Dataset result;
    result.type = *header.type->element;
    result.dims = std::move(header.space->dims);
    result.attributes = std::move(header.attributes);
    // Keras writes bfloat16 as opaque bytes; newer versions name the type in an attribute.
    const auto says = result.attributes.find("dtype");
    if (result.type == ElementType::kBF16 && says != result.attributes.end() &&
        says->second.texts != std::vector<std::string>{"bfloat16"})
      refuse("has elements of two bytes of an unknown kind");
    const std::optional<std::uint64_t> size = array_size_bytes(result.dims, result.type);
    if (size) data_bytes_ = data_bytes_ + *size;
    if (!size || data_bytes_.exceeds(static_cast<std::int64_t>(bytes_.size())))
      refuse(fmt::format("of {} should have more bytes than the file", fmt::join(result.dims, " x ")));
    result.size_bytes = *size;
    if (result.size_bytes == 0) return result;
    std::tie(result.offset, std::ignore) = *header.data;
    if (result.offset == kUndefined) refuse("was never written");
    if (header.data->second != result.size_bytes)
      refuse(fmt::format("has {} bytes where its extents need {}", header.data->second, result.size_bytes));
    if (result.offset > bytes_.size() || result.size_bytes > bytes_.size() - result.offset)
      refuse("extends beyond the end of the file: it is cut off; get it again");
    return result;
  }

  const RandomAccess& bytes_;
  std::string name_;
  static constexpr std::uint64_t kAlwaysRead = std::uint64_t{1} << 20;
  std::uint64_t may_be_read_;
  std::set<std::uint64_t> visited_;
  std::map<std::uint64_t, TextHeap> heaps_;
  CheckedSize heap_bytes_ = 0;
  CheckedSize data_bytes_ = 0;
};

}  // namespace

Hdf5File::Hdf5File(RandomAccessPointer bytes)
    : bytes_(std::move(bytes)), root_(Hdf5Parser(*bytes_, bytes_->name()).parse()) {}

void Hdf5File::read(const Hdf5Dataset& dataset, std::span<std::byte> destination) const {
  CORNU_CHECK(destination.size() == dataset.size_bytes, "{} bytes for a data set of {}", destination.size(),
              dataset.size_bytes);
  if (!destination.empty()) bytes_->read(dataset.offset, destination);
}

}  // namespace cornu::inline v0::io
