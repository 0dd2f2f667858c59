// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/protobuf_message.hpp"
#include "exporters/text_file.hpp"

#include <span>

namespace tracefold {

/// Collective operations by their numbers in Chakra traces (CollectiveCommType).
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
/// github.com/mlcommons/chakra): a GlobalMetadata message and Node messages, a varint with its
/// length before each. Nodes are numbered from 1 on. Appears whole or not at all. Memory: a fixed
/// buffer.
class ChakraFile {
  public:
    using NodeId = u64;
    /// What a node waits for: the data_deps of the schema.
    using Dependencies = std::span<const NodeId>;

    /// As AtomicFile.
    explicit ChakraFile(const std::filesystem::path& path);

    /// Each returns the node. `name` is the MPI function, or what the rank does.
    NodeId add_computation(std::string_view name, u64 microseconds, Dependencies after);
    NodeId add_send(std::string_view name, u32 rank, u32 peer, u32 tag, u64 bytes,
                    Dependencies after);
    NodeId add_receive(std::string_view name, u32 rank, u32 peer, u32 tag, u64 bytes,
                       Dependencies after);
    /// `group`: the number of a list of ranks; 0: all of them.
    NodeId add_collective(std::string_view name, ChakraCollective kind, u32 group, u64 bytes,
                          Dependencies after);

    void commit() { file_.commit(); }
    [[nodiscard]] u64 size() const { return file_.size(); }
    /// Nodes so far.
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

}  // namespace tracefold
