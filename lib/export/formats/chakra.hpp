// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "export/formats/export_team.hpp"
#include "mpi/exchange.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tracefold {

/// Writes the fields of a message in the wire format of Protocol Buffers (protobuf.dev,
/// "Encoding"): a varint with the number and the kind of a field, and its value. Cost: amortised
/// constant per byte; messages reuse the buffer.
class ProtobufMessage {
  public:
    void clear() { bytes_.clear(); }
    /// Valid until the next non-const call.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    /// uint32, uint64, bool, an enumerator, or a non-negative int32 or int64.
    void put_number(u32 field, u64 value) {
        put_key(field, kVarint);
        put_varint(value);
    }
    /// string, bytes, or another message.
    void put_text(u32 field, std::string_view text) {
        put_key(field, kLengthDelimited);
        put_delimited(text);
    }
    /// A repeated field of numbers; omitted if empty.
    void put_numbers(u32 field, std::span<const u64> values) {
        if (values.empty()) return;
        u64 length = 0;
        for (const u64 value : values) length += varint_bytes(value);
        put_key(field, kLengthDelimited);
        put_varint(length);
        for (const u64 value : values) put_varint(value);
    }
    /// Bytes after their length: a message in a file of several.
    void put_delimited(std::string_view bytes) {
        put_varint(bytes.size());
        bytes_ += bytes;
    }

  private:
    static constexpr u32 kVarint = 0;
    static constexpr u32 kLengthDelimited = 2;

    void put_key(u32 field, u32 kind) { put_varint(u64{field} << 3U | kind); }

    // Like ByteWriter's, which gives its buffer away with each message.
    void put_varint(u64 value) {
        for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
        bytes_ += static_cast<char>(value);
    }
    static u64 varint_bytes(u64 value) {
        u64 bytes = 1;
        for (; value >= 0x80; value >>= 7U) ++bytes;
        return bytes;
    }

    std::string bytes_;
};

/// Collective operations as numbered in Chakra traces (CollectiveCommType).
enum class ChakraCollective : u8 {
    all_reduce = 0,
    reduce = 1,
    all_gather = 2,
    gather = 3,
    scatter = 4,
    broadcast = 5,
    all_to_all = 6,
    reduce_scatter = 7,
    reduce_scatter_block = 8,
    barrier = 9,
};

/// The execution trace of one rank in the schema of MLCommons Chakra 1.0.0 (et_def.proto of
/// github.com/mlcommons/chakra): a GlobalMetadata message and Node messages, each after a varint
/// with its length. Nodes are numbered from 1. Written atomically. Memory: a fixed buffer.
class ChakraFile {
  public:
    using NodeId = u64;
    /// Predecessors of a node: the data_deps of the schema.
    using Dependencies = std::span<const NodeId>;

    /// See AtomicFile.
    explicit ChakraFile(const std::filesystem::path& path);

    /// Each returns the node. `name`: the MPI function, or the activity.
    NodeId add_computation(std::string_view name, u64 microseconds, Dependencies after);
    NodeId add_send(std::string_view name, u32 rank, u32 peer, u32 tag, u64 bytes,
                    Dependencies after);
    NodeId add_receive(std::string_view name, u32 rank, u32 peer, u32 tag, u64 bytes,
                       Dependencies after);
    /// `group`: the number of a list of ranks; 0: all ranks.
    NodeId add_collective(std::string_view name, ChakraCollective kind, u32 group, u64 bytes,
                          Dependencies after);

    void commit() { file_.commit(); }
    [[nodiscard]] u64 size() const { return file_.size(); }
    /// Number of nodes so far.
    [[nodiscard]] u64 nodes() const { return last_; }

  private:
    NodeId add_transfer(std::string_view name, u32 type, u32 source, u32 destination, u32 tag,
                        u64 bytes, Dependencies after);
    void begin_node(std::string_view name, u32 type, Dependencies after);
    NodeId end_node();
    void put_processor();
    void put_attribute(std::string_view name, u32 value_field, u64 value);
    void put_attribute(std::string_view name, std::string_view value);
    void write(const ProtobufMessage& message);

    TextFile file_;
    ProtobufMessage node_;
    ProtobufMessage attribute_;
    ProtobufMessage delimited_;
    NodeId last_ = 0;
};

/// A collective operation as a node of one member.
struct ChakraCollectiveNode {
    ChakraCollective kind = ChakraCollective::barrier;
    u64 bytes = 0;      ///< the contribution; of all_reduce and reduce_scatter the whole vector
    bool exact = true;  ///< the node has the root and the shares of all members, if there are any
};

/// Nullopt if messages have to replace it. Nodes cover the operations that ASTRA-sim simulates,
/// with equal shares of at least one byte; with `all_types` all types of the schema.
std::optional<ChakraCollectiveNode> chakra_collective(const Exchange& exchange, u32 member,
                                                      bool all_types);

}  // namespace tracefold
