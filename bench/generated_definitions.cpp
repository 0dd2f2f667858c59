// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "generated_definitions.hpp"

#include "file/record_source.hpp"
#include "model/definition_index.hpp"
#include "model/definition_table.hpp"
#include "model/dictionary.hpp"

#include <numeric>
#include <utility>

namespace tracefold {

namespace {

// Enumerators of OTF2.
constexpr u64 kParadigmUser = 0;
constexpr u64 kParadigmMeasurement = 7;
constexpr u64 kTypeString = 11;
constexpr u64 kTypeUint64 = 4;
constexpr u64 kRoleArtificial = 31;
constexpr u64 kUndefined = 0xFFFFFFFF;

constexpr u64 kGlobalWorld = 1;
constexpr u64 kGlobalSelf = 2;

constexpr u64 kResolution = 1'000'000'000;
constexpr u64 kStart = 1'000'000'000;

constexpr u8 id(DefinitionType type) { return static_cast<u8>(type); }

std::string padded(u64 number) {
    const std::string digits = std::to_string(number);
    return std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
}

/// The MPI functions that Score-P defines by default, in its order: they stand in a row.
std::vector<Dictionary::Entry> mpi_functions() {
    std::vector<Dictionary::Entry> functions;
    for (const Dictionary::Entry& entry : Dictionary::built_in().entries()) {
        const bool mpi = entry.text.substr(0, 4) == "MPI_";
        if (!mpi && !functions.empty()) break;
        if (mpi) functions.push_back(entry);
        if (entry.text == "MPI_Win_wait") break;
    }
    return functions;
}

}  // namespace

ArchiveInfo generated_archive(bool large) {
    ArchiveInfo info;
    info.name = "traces";
    info.version = {3, 0, 3};
    info.event_chunk_size = u64{1} << 20U;
    info.definition_chunk_size = u64{1} << (large ? 24U : 22U);
    info.creator = "Score-P 8.4";
    for (const char* key : {"MPI_COMMUNICATION_COMPLETE", "THREAD_FORK_JOIN_EVENT_COMPLETE",
                            "THREAD_CREATE_WAIT_EVENT_COMPLETE", "THREAD_LOCK_EVENT_COMPLETE"}) {
        info.properties.emplace_back(std::string("OTF2::") + key, "true");
    }
    info.properties.emplace_back("OTF2::PTHREAD_LOCATION_REUSED", "false");
    return info;
}

GeneratedDefinitions::GeneratedDefinitions(std::vector<NodeType> machine,
                                           std::vector<std::string> command, std::vector<u64> grid,
                                           std::function<u64(u64)> events)
    : machine_(std::move(machine)),
      command_(std::move(command)),
      grid_(std::move(grid)),
      events_(std::move(events)) {
    for (const NodeType& type : machine_) ranks_ += type.nodes * type.processes;
    const auto functions = mpi_functions();
    for (std::size_t i = 0; i < functions.size(); ++i) {
        regions_.emplace(functions[i].text, i + 3);
    }
}

u64 GeneratedDefinitions::string(std::string_view text) {
    batch_.begin(id(DefinitionType::String));
    batch_.push(next_string_);
    batch_.push_text(text);
    flush_if_full();
    return next_string_++;
}

void GeneratedDefinitions::add(u8 type, std::initializer_list<u64> values) {
    batch_.begin(type);
    for (const u64 value : values) batch_.push(value);
    flush_if_full();
}

void GeneratedDefinitions::flush_if_full() {
    if (batch_.size() < kBatchRecords) return;
    writer_->write_global_definitions(batch_);
    batch_.clear();
}

void GeneratedDefinitions::write(ArchiveWriter& writer, u64 length) {
    writer_ = &writer;
    add(id(DefinitionType::ClockProperties), {kResolution, kStart, length, ~u64{0}});
    write_strings();
    const auto name = [this](const char* text) { return strings_.at(text); };
    add(id(DefinitionType::Paradigm), {kParadigmMpi, name("MPI"), 0});
    add(id(DefinitionType::ParadigmProperty), {kParadigmMpi, 0, kTypeString, name("Comm ${id}")});
    add(id(DefinitionType::ParadigmProperty), {kParadigmMpi, 1, kTypeString, name("Win ${id}")});
    add(id(DefinitionType::IoParadigm), {0, name("MPI-IO"), name("MPI I/O"), 1, 0, 0});
    write_machine();
    write_locations();
    write_regions();
    write_communicators();
    write_topologies();
    writer.write_global_definitions(batch_);
    batch_.clear();
}

void GeneratedDefinitions::write_strings() {
    const auto keep = [this](const std::string& text) { strings_[text] = string(text); };
    for (const char* text : {"", "machine", "cluster", "platform", "node"}) keep(text);
    std::vector<std::string> nodes;
    for (const NodeType& type : machine_) {
        for (u64 i = 0; i < type.nodes; ++i) nodes.push_back(type.prefix + padded(nodes.size()));
    }
    node_strings_.push_back(string(nodes[0]));
    std::string line;
    for (const std::string& word : command_) line += (line.empty() ? "" : " ") + word;
    for (const std::string& text :
         {std::string("MEASUREMENT OFF"), std::string("TRACE BUFFER FLUSH"), line,
          command_[0].substr(command_[0].rfind('/') + 1), std::string("Source code location"),
          std::string("SOURCE_CODE_LOCATION"), std::string("Master thread"),
          std::string("Absolute read/write offset within a file."), std::string("Offset"),
          std::string("Process identifier"), std::string("ProcessId"),
          std::string("Thread identifier"), std::string("ThreadId"), std::string("MPI"),
          std::string("Comm ${id}"), std::string("Win ${id}")}) {
        keep(text);
    }
    for (const Dictionary::Entry& function : mpi_functions()) keep(std::string(function.text));
    for (const char* text : {"MPI-IO", "MPI I/O"}) keep(text);
    for (const std::string& word : command_) command_strings_.push_back(string(word));
    first_shared_string_ = next_string_;
    for (const char* text : {"MPI_COMM_WORLD", "MPI_COMM_SELF"}) keep(text);
    rank_strings_.push_back(string("MPI Rank 0"));
    for (const char* text :
         {"PROCESSXTHREADS_GROUP_LOCATIONS", "PROCESSXTHREADS_GROUP",
          "Process x Threads CPU Locations", "Process", "Thread", "Process x Thread"}) {
        keep(text);
    }
    if (!grid_.empty()) {
        keep("grid");
        for (std::size_t i = 0; i < grid_.size(); ++i) keep("dimension " + std::to_string(i));
    }
    u64 node = 0;
    for (const NodeType& type : machine_) {
        for (u64 i = 0; i < type.nodes; ++i, ++node) {
            if (node != 0) node_strings_.push_back(string(nodes[node]));
            for (u64 p = 0; p < type.processes; ++p) {
                if (node == 0 && p == 0) continue;
                rank_strings_.push_back(string("MPI Rank " + std::to_string(rank_strings_.size())));
            }
        }
    }
}

void GeneratedDefinitions::write_machine() {
    const u64 linux_name = strings_.at("cluster");
    add(id(DefinitionType::SystemTreeNode), {0, linux_name, strings_.at("machine"), kUndefined});
    add(id(DefinitionType::SystemTreeNodeDomain), {0, 0});
    add(id(DefinitionType::SystemTreeNodeProperty),
        {0, strings_.at("platform"), kTypeString, linux_name});
    for (u64 node = 0; node < node_strings_.size(); ++node) {
        add(id(DefinitionType::SystemTreeNode),
            {node + 1, node_strings_[node], strings_.at("node"), 0});
        add(id(DefinitionType::SystemTreeNodeDomain), {node + 1, 1});
    }
}

void GeneratedDefinitions::write_locations() {
    u64 node = 0;
    u64 rank = 0;
    for (const NodeType& type : machine_) {
        for (u64 i = 0; i < type.nodes; ++i) {
            ++node;
            for (u64 p = 0; p < type.processes; ++p, ++rank) {
                add(id(DefinitionType::LocationGroup),
                    {rank, rank_strings_[rank], 1, node, kUndefined});
            }
        }
    }
    const u64 name = strings_.at("Master thread");
    for (u64 r = 0; r < ranks_; ++r) {
        add(id(DefinitionType::Location), {r, name, 1, events_(r), r});
    }
}

void GeneratedDefinitions::write_regions() {
    const auto region = [this](u64 self, u64 name, u64 canonical, u64 role, u64 paradigm,
                               u64 file) {
        add(id(DefinitionType::Region), {self, name, canonical, 0, role, paradigm, 0, file, 0, 0});
    };
    const u64 off = strings_.at("MEASUREMENT OFF");
    const u64 flush = strings_.at("TRACE BUFFER FLUSH");
    region(0, off, off, kRoleArtificial, kParadigmUser, kUndefined);
    region(1, flush, flush, kRoleArtificial, kParadigmMeasurement, kUndefined);
    region(2, flush + 2, flush + 1, kRoleArtificial, kParadigmMeasurement, kUndefined);
    for (const Dictionary::Entry& function : mpi_functions()) {
        const std::string text(function.text);
        const u64 name = strings_.at(text);
        region(regions_.at(text), name, name, function.role, kParadigmMpi, strings_.at("MPI"));
    }
}

void GeneratedDefinitions::add_group(u64 self, u64 name, u64 type, u64 paradigm, u64 members) {
    batch_.begin(id(DefinitionType::Group));
    for (const u64 value : {self, name, type, paradigm, u64{0}, members}) batch_.push(value);
    for (u64 member = 0; member < members; ++member) batch_.push(member);
    flush_if_full();
}

void GeneratedDefinitions::write_communicators() {
    add_group(0, 0, kGroupCommLocations, kParadigmMpi, ranks_);
    add_group(1, strings_.at("PROCESSXTHREADS_GROUP_LOCATIONS"), kGroupCommLocations,
              kParadigmMeasurement, ranks_);
    add_group(2, strings_.at("PROCESSXTHREADS_GROUP"), kGroupCommGroup, kParadigmMeasurement,
              ranks_);
    add_group(3, 0, kGroupCommSelf, kParadigmMpi, 0);
    add_group(4, 0, kGroupCommGroup, kParadigmMpi, ranks_);
    const u64 process = strings_.at("Process x Threads CPU Locations");
    add(id(DefinitionType::Comm), {0, process, 2, kUndefined, 0});
    add(id(DefinitionType::Comm), {kGlobalWorld, strings_.at("MPI_COMM_WORLD"), 4, kUndefined, 1});
    add(id(DefinitionType::Comm), {kGlobalSelf, strings_.at("MPI_COMM_SELF"), 3, kUndefined, 1});
    const char* attributes[][2] = {{"SOURCE_CODE_LOCATION", "Source code location"},
                                   {"Offset", "Absolute read/write offset within a file."},
                                   {"ProcessId", "Process identifier"},
                                   {"ThreadId", "Thread identifier"}};
    for (u64 i = 0; i < 4; ++i) {
        add(id(DefinitionType::Attribute),
            {i, strings_.at(attributes[i][0]), strings_.at(attributes[i][1]), kTypeUint64});
    }
}

void GeneratedDefinitions::write_topologies() {
    add(id(DefinitionType::CartDimension), {0, strings_.at("Process"), ranks_, 0});
    add(id(DefinitionType::CartDimension), {1, strings_.at("Thread"), 1, 0});
    for (std::size_t i = 0; i < grid_.size(); ++i) {
        const u64 name = strings_.at("dimension " + std::to_string(i));
        add(id(DefinitionType::CartDimension), {2 + i, name, grid_[i], 0});
    }
    add(id(DefinitionType::CartTopology), {0, strings_.at("Process x Thread"), 0, 2, 0, 1});
    if (!grid_.empty()) {
        batch_.begin(id(DefinitionType::CartTopology));
        for (const u64 value : {u64{1}, strings_.at("grid"), kGlobalWorld, u64{grid_.size()}}) {
            batch_.push(value);
        }
        for (std::size_t i = 0; i < grid_.size(); ++i) batch_.push(2 + i);
    }
    write_coordinates(0, {ranks_, 1});
    if (!grid_.empty()) write_coordinates(1, grid_);
}

/// The first dimension varies fastest, as for the ranks of the generated programs.
void GeneratedDefinitions::write_coordinates(u64 topology, const std::vector<u64>& sizes) {
    for (u64 rank = 0; rank < ranks_; ++rank) {
        batch_.begin(id(DefinitionType::CartCoordinate));
        for (const u64 value : {topology, rank, u64{sizes.size()}}) batch_.push(value);
        u64 rest = rank;
        for (const u64 size : sizes) {
            batch_.push(rest % size);
            rest /= size;
        }
        flush_if_full();
    }
}

void GeneratedDefinitions::write_local(ArchiveWriter& writer, u64 rank, u64 length) {
    RecordBatch batch;
    const auto table = [&batch](u64 type, u64 mode, const std::vector<u64>& locals,
                                const std::vector<u64>& globals) {
        batch.begin(id(DefinitionType::MappingTable));
        for (const u64 value : {type, mode, u64{locals.size()}}) batch.push(value);
        for (const u64 value : locals) batch.push(value);
        for (const u64 value : globals) batch.push(value);
    };
    table(6, 0, {0, 1, 2}, {kGlobalWorld, kGlobalSelf, 0});
    if (rank != 0) {
        std::vector<u64> locals(8);
        std::iota(locals.begin(), locals.end(), first_shared_string_);
        std::vector<u64> globals(8);
        std::iota(globals.begin(), globals.end(), first_shared_string_ + 1);
        globals[0] = first_shared_string_;
        globals[1] = rank_strings_[rank];
        table(0, 1, locals, globals);
        table(2, 0, {0}, {rank});
        table(14, 0, {0}, {rank});
    }
    for (const u64 time : {kStart, kStart + length}) {
        batch.begin(id(DefinitionType::ClockOffset));
        for (const u64 value : {time, u64{0}, u64{0}}) batch.push(value);
    }
    writer.write_local_definitions(rank, batch);
}

}  // namespace tracefold
