// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/record_batch.hpp"
#include "otf2/archive_writer.hpp"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Nodes of one kind, named PREFIX00000, PREFIX00001, ... through all kinds.
struct NodeType {
    std::string prefix;
    u64 nodes = 1;
    u64 processes = 1;  ///< on each node
};

/// The definitions that Score-P writes for an MPI program: one location per rank, all MPI functions
/// of its default groups, world and self communicators, process topology.
class GeneratedDefinitions {
  public:
    static constexpr u64 kWorld = 0;      ///< a communicator, as local definitions number it
    static constexpr u64 kSelf = 1;       ///< another one
    static constexpr u64 kProcessId = 2;  ///< an attribute

    /// `events` gives the number of events of a rank; `grid` names the sizes of a Cartesian
    /// topology, none if it is empty. `command` is the program's command line.
    GeneratedDefinitions(std::vector<NodeType> machine, std::vector<std::string> command,
                         std::vector<u64> grid, std::function<u64(u64 rank)> events);

    [[nodiscard]] u64 ranks() const { return ranks_; }
    [[nodiscard]] u64 region(const std::string& name) const { return regions_.at(name); }
    [[nodiscard]] const std::vector<u64>& command() const { return command_strings_; }

    /// Writes all global definitions. `length` is that of the trace in ticks.
    void write(ArchiveWriter& writer, u64 length);
    /// Mapping tables and clock offsets of a rank.
    void write_local(ArchiveWriter& writer, u64 rank, u64 length);

  private:
    void write_strings();
    void write_machine();
    void write_locations();
    void write_regions();
    void write_communicators();
    void write_topologies();
    void write_coordinates(u64 topology, const std::vector<u64>& sizes);
    u64 string(std::string_view text);
    void add(u8 type, std::initializer_list<u64> values);
    void add_group(u64 id, u64 name, u64 type, u64 paradigm, u64 members);
    void flush_if_full();

    std::vector<NodeType> machine_;
    std::vector<std::string> command_;
    std::vector<u64> grid_;
    std::function<u64(u64)> events_;
    u64 ranks_ = 0;
    ArchiveWriter* writer_ = nullptr;
    RecordBatch batch_;
    std::unordered_map<std::string, u64> strings_;  ///< those that are used again
    std::unordered_map<std::string, u64> regions_;
    std::vector<u64> command_strings_;
    std::vector<u64> rank_strings_;
    std::vector<u64> node_strings_;
    u64 next_string_ = 0;
    u64 first_shared_string_ = 0;  ///< the string after the command line
};

/// What the anchor of a generated archive says.
ArchiveInfo generated_archive(bool large);

}  // namespace tracefold
