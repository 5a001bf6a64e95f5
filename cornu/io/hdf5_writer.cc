#include <algorithm>
#include <deque>
#include <optional>
#include <tuple>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/hdf5.h"
#include "cornu/io/hdf5_format_support.h"

namespace cornu::inline v0::io {
namespace {

using namespace hdf5_format;

/// Builder of the bytes of HDF5 structures.
class Hdf5Bytes {
 public:
  template <typename T>
  Hdf5Bytes& put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i)));
    return *this;
  }
  Hdf5Bytes& text(std::string_view text) { return append(std::as_bytes(std::span(text))); }
  Hdf5Bytes& append(std::span<const std::byte> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
    return *this;
  }
  Hdf5Bytes& zeros(std::uint64_t count) {
    bytes_.resize(bytes_.size() + static_cast<std::size_t>(count));
    return *this;
  }
  Hdf5Bytes& pad() { return zeros(padded(bytes_.size()) - bytes_.size()); }
  std::uint64_t size() const { return bytes_.size(); }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

struct Message {
  MessageType type;
  Hdf5Bytes body;
};

/// The data of a group or data set that other objects refer to.
struct Written {
  std::string_view name;
  std::uint64_t header = 0;
};

struct FloatForm {
  std::uint8_t exponent_at, exponent_size;
  std::uint32_t bias;
};

Hdf5Bytes integer_type(std::uint64_t size, bool is_signed) {
  return Hdf5Bytes()
      .put<std::uint8_t>(0x10 | kFixedPoint)
      .put<std::uint8_t>(is_signed ? 8 : 0)
      .put<std::uint16_t>(0)
      .put<std::uint32_t>(size)
      .put<std::uint16_t>(0)
      .put<std::uint16_t>(size * 8);
}

Hdf5Bytes float_type(std::uint64_t size, const FloatForm& form) {
  return Hdf5Bytes()
      .put<std::uint8_t>(0x10 | kFloatingPoint)
      .put<std::uint8_t>(0x20)
      .put<std::uint8_t>(size * 8 - 1)
      .put<std::uint8_t>(0)
      .put<std::uint32_t>(size)
      .put<std::uint16_t>(0)
      .put<std::uint16_t>(size * 8)
      .put<std::uint8_t>(form.exponent_at)
      .put<std::uint8_t>(form.exponent_size)
      .put<std::uint8_t>(0)
      .put<std::uint8_t>(form.exponent_at)  // the mantissa is below the exponent
      .put<std::uint32_t>(form.bias);
}

Hdf5Bytes datatype(ElementType type) {
  const auto size = static_cast<std::uint64_t>(element_size_bytes(type));
  switch (type) {
    case ElementType::kF16: return float_type(size, {10, 5, 15});
    case ElementType::kF32: return float_type(size, {23, 8, 127});
    case ElementType::kF64: return float_type(size, {52, 11, 1023});
    case ElementType::kBF16:
      return Hdf5Bytes().put<std::uint8_t>(0x10 | kOpaque).zeros(3).put<std::uint32_t>(size);
    case ElementType::kBool:
      return Hdf5Bytes()
          .put<std::uint8_t>(0x10 | kEnumeration)
          .put<std::uint8_t>(2)
          .zeros(2)
          .put<std::uint32_t>(size)
          .append(integer_type(1, true).bytes())
          .text(std::string_view("FALSE\0\0\0TRUE\0\0\0\0", 16))
          .put<std::uint8_t>(0)
          .put<std::uint8_t>(1);
    case ElementType::kI8:
    case ElementType::kI16:
    case ElementType::kI32:
    case ElementType::kI64: return integer_type(size, true);
    case ElementType::kC64:
    case ElementType::kC128:
      invalid_argument("[io] HDF5 files cannot have elements of type {}", element_type_name(type));
    default: return integer_type(size, false);
  }
}

/// The type of a UTF-8 text of any length, as in h5py.
Hdf5Bytes text_type() {
  return Hdf5Bytes()
      .put<std::uint8_t>(0x10 | kVariableLength)
      .put<std::uint8_t>(1)
      .put<std::uint8_t>(1)
      .put<std::uint8_t>(0)
      .put<std::uint32_t>(16)
      .put<std::uint8_t>(0x10 | kString)
      .put<std::uint8_t>(0)
      .put<std::uint16_t>(0)
      .put<std::uint32_t>(1);
}

Hdf5Bytes dataspace(std::span<const std::int64_t> dims) {
  Hdf5Bytes bytes;
  bytes.put<std::uint8_t>(1).put<std::uint8_t>(dims.size()).zeros(6);
  for (const std::int64_t extent : dims) bytes.put<std::int64_t>(extent);
  return bytes;
}

}  // namespace

struct Hdf5Writer::Layout {
  struct Piece {
    std::uint64_t offset;
    std::vector<std::byte> bytes;
    std::span<const std::byte> view;  // of arrays
  };
  /// A heap of texts with free space.
  struct Heap {
    std::size_t piece = 0;
    std::uint64_t used = 0;
    std::uint16_t count = 0;
  };

  explicit Layout(const Hdf5Content& content) {
    place(Hdf5Bytes().zeros(kSuperblockSize).bytes());
    const Group root = group(content);
    Hdf5Bytes superblock;
    superblock.text(kSignature).zeros(5).put<std::uint8_t>(8).put<std::uint8_t>(8).zeros(1);
    superblock.put(kLeafK).put(kInternalK).put<std::uint32_t>(0);
    superblock.put<std::uint64_t>(0).put(kUndefined).put(end).put(kUndefined);
    superblock.put<std::uint64_t>(0).put(root.header).put<std::uint32_t>(1).put<std::uint32_t>(0);
    superblock.put(root.tree).put(root.heap);
    pieces[0].bytes = std::move(superblock.bytes());
  }

  struct Group {
    std::uint64_t header, tree, heap;
  };

  std::uint64_t place(std::vector<std::byte> bytes, std::span<const std::byte> view = {}) {
    const std::uint64_t offset = end;
    end = padded(end + bytes.size() + view.size());
    pieces.push_back({offset, std::move(bytes), view});
    return offset;
  }

  Group group(const Hdf5Content& content) {
    std::map<std::string_view, std::uint64_t> headers;
    for (const auto& [name, inside] : content.groups) headers[name] = group(*inside).header;
    for (const auto& [name, dataset_and_attributes] : content.datasets) {
      const bool is_new =
          headers.emplace(name, dataset(dataset_and_attributes.first, dataset_and_attributes.second)).second;
      if (!is_new)
        invalid_argument("[io] a group and an array of an HDF5 file would both be named \"{}\"", shown(name));
    }
    Group written{};
    std::tie(written.tree, written.heap) = names(headers);
    std::vector<Message> messages;
    messages.push_back({kSymbolTable, Hdf5Bytes().put(written.tree).put(written.heap)});
    add_attributes(content.attributes, messages);
    written.header = object_header(messages);
    return written;
  }

  std::uint64_t dataset(const ArrayView& array, const Hdf5Attributes& attributes) {
    const std::uint64_t offset = array.data.empty() ? kUndefined : place({}, array.data);
    std::vector<Message> messages;
    messages.push_back({kDataspace, dataspace(array.dims)});
    messages.push_back({kDatatype, datatype(array.type)});
    messages.push_back({kFillValue, Hdf5Bytes()
                                        .put<std::uint8_t>(2)     // version
                                        .put<std::uint8_t>(2)     // space is allocated late
                                        .put<std::uint8_t>(2)     // and filled if a value was set
                                        .put<std::uint8_t>(0)});  // none was set
    messages.push_back(
        {kLayout, Hdf5Bytes().put<std::uint8_t>(3).put<std::uint8_t>(1).put(offset).put<std::uint64_t>(
                      array.data.size())});
    add_attributes(attributes, messages);
    return object_header(messages);
  }

  std::uint64_t object_header(std::vector<Message>& messages) {
    Hdf5Bytes body;
    for (Message& message : messages) {
      message.body.pad();
      constexpr std::uint64_t kLargestMessage = 0xFFF8;
      if (message.body.size() > kLargestMessage)
        invalid_argument("[io] an attribute of an HDF5 file holds at most {} bytes; got {}", kLargestMessage,
                         message.body.size());
      body.put<std::uint16_t>(message.type).put<std::uint16_t>(message.body.size()).zeros(4);
      body.append(message.body.bytes());
    }
    Hdf5Bytes header;
    header.put<std::uint8_t>(1).put<std::uint8_t>(0).put<std::uint16_t>(messages.size());
    header.put<std::uint32_t>(1).put<std::uint32_t>(body.size()).zeros(4).append(body.bytes());
    return place(std::move(header.bytes()));
  }

  void add_attributes(const Hdf5Attributes& attributes, std::vector<Message>& messages) {
    for (const auto& [name, attribute] : attributes) {
      // Like h5py, which makes an empty list an array of numbers.
      const bool is_empty = attribute.is_list && attribute.texts.empty();
      Hdf5Bytes type = is_empty ? datatype(ElementType::kF64) : text_type();
      const std::int64_t extents[] = {static_cast<std::int64_t>(attribute.texts.size())};
      Hdf5Bytes space = dataspace(std::span(extents).first(attribute.is_list ? 1 : 0));
      Hdf5Bytes body;
      body.put<std::uint8_t>(1).put<std::uint8_t>(0).put<std::uint16_t>(name.size() + 1);
      body.put<std::uint16_t>(type.size()).put<std::uint16_t>(space.size());
      body.text(name).zeros(1).pad();
      body.append(type.bytes()).pad().append(space.bytes()).pad();
      for (const std::string& text : attribute.texts) put_text(text, body);
      messages.push_back({kAttribute, std::move(body)});
    }
  }

  /// Stores a text in a heap, and appends its location to `reference`.
  void put_text(const std::string& text, Hdf5Bytes& reference) {
    constexpr std::uint64_t kPrefix = 16;
    reference.put<std::uint32_t>(text.size());
    if (text.empty()) {
      reference.put<std::uint64_t>(0).put<std::uint32_t>(0);
      return;
    }
    const std::uint64_t needed = kPrefix + padded(text.size());
    if (!heap || heap->used + needed > pieces[heap->piece].bytes.size()) {
      close_heap();
      const std::uint64_t size = std::max(kSmallestGlobalHeap, kPrefix + needed);
      Hdf5Bytes bytes;
      bytes.text("GCOL").put<std::uint32_t>(1).put<std::uint64_t>(size).zeros(size - kPrefix);
      heap = Heap{pieces.size(), kPrefix, 0};
      place(std::move(bytes.bytes()));
    }
    Piece& piece = pieces[heap->piece];
    Hdf5Bytes object;
    object.put<std::uint16_t>(++heap->count).zeros(6).put<std::uint64_t>(text.size()).text(text);
    std::copy(object.bytes().begin(), object.bytes().end(),
              piece.bytes.begin() + static_cast<std::ptrdiff_t>(heap->used));
    heap->used += needed;
    reference.put<std::uint64_t>(piece.offset).put<std::uint32_t>(heap->count);
    close_heap_room();
  }

  /// Marks the free space as object 0, if it is large enough for one.
  void close_heap_room() {
    Piece& piece = pieces[heap->piece];
    const std::uint64_t room = piece.bytes.size() - heap->used;
    if (room < 16) return;
    Hdf5Bytes object;
    object.zeros(8).put<std::uint64_t>(room);
    std::copy(object.bytes().begin(), object.bytes().end(),
              piece.bytes.begin() + static_cast<std::ptrdiff_t>(heap->used));
  }
  void close_heap() { heap.reset(); }

  /// Writes the names of a group's objects: a heap of texts, and a tree whose leaves contain the objects'
  /// addresses.
  std::pair<std::uint64_t, std::uint64_t> names(const std::map<std::string_view, std::uint64_t>& headers) {
    Hdf5Bytes texts;
    texts.zeros(8);  // the empty name
    std::vector<std::uint64_t> places;
    for (const auto& [name, header] : headers) {
      places.push_back(texts.size());
      texts.text(name).zeros(1).pad();
    }
    Hdf5Bytes heap_prefix;
    constexpr std::uint64_t kNoRoom = 1;
    heap_prefix.text("HEAP").zeros(4).put<std::uint64_t>(texts.size()).put(kNoRoom);
    heap_prefix.put<std::uint64_t>(end + kLocalHeapSize);
    const std::uint64_t heap_offset = place(std::move(heap_prefix.bytes()));
    place(std::move(texts.bytes()));
    return {tree(headers, places), heap_offset};
  }

  /// A node of the tree and its last name.
  struct Node {
    std::uint64_t offset;
    std::uint64_t last_name;
  };

  std::uint64_t tree(const std::map<std::string_view, std::uint64_t>& headers,
                     const std::vector<std::uint64_t>& places) {
    std::vector<Node> nodes;
    auto header = headers.begin();
    for (std::size_t begin = 0; begin < places.size(); begin += 2 * kLeafK) {
      const std::size_t count = std::min<std::size_t>(2 * kLeafK, places.size() - begin);
      Hdf5Bytes symbols;
      symbols.text("SNOD").put<std::uint8_t>(1).zeros(1).put<std::uint16_t>(count);
      for (std::size_t i = 0; i < count; ++i, ++header)
        symbols.put<std::uint64_t>(places[begin + i]).put<std::uint64_t>(header->second).zeros(24);
      symbols.zeros(kSymbolNodeSize - symbols.size());
      nodes.push_back({place(std::move(symbols.bytes())), places[begin + count - 1]});
    }
    std::uint8_t level = 0;
    do {
      nodes = tree_level(nodes, level++);
    } while (nodes.size() > 1);
    return nodes[0].offset;
  }

  std::vector<Node> tree_level(const std::vector<Node>& children, std::uint8_t level) {
    std::vector<Node> nodes;
    std::uint64_t name_before = 0;
    constexpr std::size_t kWidest = 2 * kInternalK;
    std::size_t begin = 0;
    do {
      const std::size_t count = std::min(kWidest, children.size() - begin);
      const bool is_last = begin + count == children.size();
      Hdf5Bytes node;
      node.text("TREE").put<std::uint8_t>(0).put(level).put<std::uint16_t>(count);
      node.put(begin == 0 ? kUndefined : end - kTreeNodeSize).put(is_last ? kUndefined : end + kTreeNodeSize);
      node.put(name_before);
      for (std::size_t i = begin; i < begin + count; ++i)
        node.put(children[i].offset).put(children[i].last_name);
      if (count > 0) name_before = children[begin + count - 1].last_name;
      node.zeros(kTreeNodeSize - node.size());
      nodes.push_back({place(std::move(node.bytes())), name_before});
      begin += count;
    } while (begin < children.size());
    return nodes;
  }

  std::deque<Piece> pieces;
  std::uint64_t end = 0;
  std::optional<Heap> heap;
};

Hdf5Writer::Hdf5Writer(const Hdf5Content& content) : layout_(std::make_unique<Layout>(content)) {}
Hdf5Writer::~Hdf5Writer() = default;

std::uint64_t Hdf5Writer::size_bytes() const { return layout_->end; }

void Hdf5Writer::write(const ByteSink& sink) const {
  std::uint64_t position = 0;
  const std::vector<std::byte> padding(8);
  const auto give = [&](std::span<const std::byte> bytes) {
    if (bytes.empty()) return;
    sink(bytes);
    position += bytes.size();
  };
  for (const Layout::Piece& piece : layout_->pieces) {
    give(std::span(padding).first(static_cast<std::size_t>(piece.offset - position)));
    give(piece.bytes);
    give(piece.view);
  }
  give(std::span(padding).first(static_cast<std::size_t>(layout_->end - position)));
}

}  // namespace cornu::inline v0::io
