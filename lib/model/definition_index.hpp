// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/id_map.hpp"
#include "base/types.hpp"
#include "model/record_batch.hpp"
#include "model/record_fields.hpp"
#include "model/region_role.hpp"
#include "model/tick_rate.hpp"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

struct LocationDefinition {
    u64 id = 0;
    u64 event_count = 0;  ///< as declared; some producers are off by a few
    u32 name = 0;
    u32 group = 0;
    u32 type = 0;

    /// True for a queue of an accelerator.
    [[nodiscard]] bool is_stream() const { return type == 2; }
    /// True for a location with metric samples only.
    [[nodiscard]] bool is_metric() const { return type == 3; }
    /// True for a thread of a process, and for locations of unknown type.
    [[nodiscard]] bool is_thread() const { return !is_stream() && !is_metric(); }
};

/// Values of OTF2_GroupType and OTF2_Paradigm that identify ranks.
inline constexpr u64 kGroupLocations = 1;
inline constexpr u64 kGroupCommLocations = 4;
inline constexpr u64 kGroupCommGroup = 5;
inline constexpr u64 kGroupCommSelf = 6;
inline constexpr u64 kGroupCommLocationGroups = 7;
inline constexpr u64 kParadigmMpi = 4;

/// True for the group of all ranks of a paradigm. Its members are locations, or location groups
/// where only the process is known (from OTF2 3.2 on).
constexpr bool is_group_of_all_ranks(u64 group_type) {
    return group_type == kGroupCommLocations || group_type == kGroupCommLocationGroups;
}

/// A group definition. Members of a COMM_GROUP are ranks, which index the paradigm's group of all
/// ranks; members of the latter are ids of locations or location groups; a COMM_SELF lists none.
struct GroupDefinition {
    u64 type = 0;      ///< OTF2_GroupType
    u64 paradigm = 0;  ///< OTF2_Paradigm
    std::span<const u64> members;
};

/// A communicator definition; `remote` is group B of an intercommunicator.
struct CommunicatorDefinition {
    u64 name = 0;
    u64 group = 0;
    u64 remote = 0;
    u64 parent = kNone;
    bool inter = false;
};

/// The kind of processes of a program.
enum class ProcessKind : u8 {
    rank,   ///< MPI ranks
    pe,     ///< processing elements of OpenSHMEM, or ranks of another one-sided model
    group,  ///< location groups with threads, without rank numbers
};

/// The rank of a process in a communicator, and the number of its peers. For an intercommunicator
/// `size` is that of the remote group. An unknown communicator has rank 0 and size 0.
struct RankView {
    u32 rank = 0;
    u32 size = 0;

    bool operator==(const RankView&) const = default;
};

/// Look-ups over the global definitions for the call model and the tools: locations in definition
/// order, names, and the ranks of processes in communicators. Memory: linear in the indexed
/// definitions (strings, regions, groups, communicators, windows, locations).
class TRACEFOLD_API DefinitionIndex {
  public:
    DefinitionIndex() = default;
    DefinitionIndex(const DefinitionIndex&) = delete;
    DefinitionIndex& operator=(const DefinitionIndex&) = delete;
    DefinitionIndex(DefinitionIndex&&) = default;
    DefinitionIndex& operator=(DefinitionIndex&&) = default;
    ~DefinitionIndex() = default;

    /// Adds definitions in source order; call finish() once after the last.
    void add(const RecordBatch& batch);
    void finish();

    [[nodiscard]] const std::vector<LocationDefinition>& locations() const { return locations_; }
    /// Number of MPI ranks: members of MPI's group of all ranks; 0 without MPI.
    [[nodiscard]] u32 world_size() const { return static_cast<u32>(world_.size()); }
    /// True if ranks are location groups: any of their locations may call MPI. Otherwise a rank is
    /// the location that MPI knows, and the other locations of its group are its threads.
    [[nodiscard]] bool ranks_are_groups() const { return ranks_are_groups_; }
    /// Returns the locations of a rank as indices of locations(): first the one that MPI knows or,
    /// if ranks are groups, the first CPU thread (preferably one with events); then the others in
    /// definition order. Empty if the archive does not define them.
    [[nodiscard]] std::span<const u32> locations_of_rank(u32 rank) const {
        return std::span(locations_of_ranks_)
            .subspan(first_of_rank_[rank], first_of_rank_[rank + 1] - first_of_rank_[rank]);
    }
    /// Returns the definition behind a rank: "location 7" or "location group 3".
    [[nodiscard]] std::string definition_of_rank(u32 rank) const;
    /// Returns the world rank of the location's process; nothing if it is not an MPI process.
    [[nodiscard]] std::optional<u32> world_rank(const LocationDefinition& location) const;
    /// As world_rank(), and for a stream of an accelerator with its own location group the rank of
    /// the process that created the group.
    [[nodiscard]] std::optional<u32> owner_rank(const LocationDefinition& location) const;
    /// Returns the location group that created the location's group, such as the process of an
    /// accelerator; without a creator, the location's own group.
    [[nodiscard]] u64 process_group(const LocationDefinition& location) const;

    [[nodiscard]] ProcessKind process_kind() const { return process_kind_; }
    /// Number of processes: MPI ranks; without MPI the members of a one-sided model's group of all
    /// ranks; else the location groups that have a thread, in the order of their first threads.
    [[nodiscard]] u32 process_count() const { return process_count_; }
    /// Returns the process of the location; for a stream of an accelerator with its own group, the
    /// process that created the group.
    [[nodiscard]] std::optional<u32> process(const LocationDefinition& location) const;
    /// Returns "3" for a rank or processing element; else the name of the location group, with its
    /// number if the name is missing or shared.
    [[nodiscard]] std::string process_name(u32 process) const;
    /// Returns the location of member `peer` of a non-MPI communicator or window, as an index of
    /// locations(); `me` is the location of the record. kNone if the definitions do not tell.
    [[nodiscard]] u32 member_location(u64 comm, u32 me, u64 peer) const;

    [[nodiscard]] const std::string& string(u64 ref) const;
    [[nodiscard]] const std::string& region_name(u64 region) const;
    [[nodiscard]] bool has_region(u64 region) const { return regions_.contains(region); }
    [[nodiscard]] RegionRole region_role(u64 region) const;
    [[nodiscard]] bool is_mpi_region(u64 region) const { return mpi_regions_.contains(region); }
    /// True for functions of a one-sided model such as OpenSHMEM, and others with a communicating
    /// role; false for functions of MPI.
    [[nodiscard]] bool is_other_communication(u64 region) const;
    /// Classifies a region by its use of an accelerator. Cost: linear in its name.
    [[nodiscard]] AcceleratorUse accelerator_use(u64 region, bool on_stream) const;
    /// True for files opened by MPI, not by POSIX or another I/O paradigm.
    [[nodiscard]] bool is_mpi_file(u64 io_handle) const;
    [[nodiscard]] bool is_mpi_io(u64 io_paradigm) const;
    [[nodiscard]] u64 region_of_context(u64 calling_context) const;
    /// Returns the regions of a call stack, outermost first; empty if the context is not defined.
    [[nodiscard]] std::vector<u64> regions_of_context(u64 calling_context) const;
    /// The region of an enter or leave record, from the id of a region or calling context.
    [[nodiscard]] u64 region_of(FieldKind kind, u64 id) const {
        return kind == FieldKind::calling_context ? region_of_context(id) : id;
    }
    [[nodiscard]] const std::string& communicator_name(u64 comm) const;
    [[nodiscard]] const std::string& location_group_name(u64 group) const;
    [[nodiscard]] const std::string& attribute_name(u64 attribute) const;
    /// True for a metric that states the size of the enclosing collective call, by TAU's naming:
    /// "Message size for broadcast".
    [[nodiscard]] bool tells_collective_size(u64 metric) const {
        return size_metrics_.contains(metric);
    }
    /// True if such a metric is defined.
    [[nodiscard]] bool has_collective_sizes() const { return !size_metrics_.empty(); }
    /// Returns the communicator of a window; kNone if unknown.
    [[nodiscard]] u32 window_communicator(u64 window) const;
    /// False if the communicator's group belongs to another paradigm than MPI: CUDA, OpenMP, ...
    [[nodiscard]] bool is_mpi_communicator(u64 comm) const;
    /// False if the window's communicator is of another paradigm, such as of accelerator copies.
    [[nodiscard]] bool is_mpi_window(u64 window) const {
        return is_mpi_communicator(window_communicator(window));
    }
    /// Returns the MPI rank of the process of another paradigm's rank: a thread or an accelerator
    /// stream. `member` as in GroupDefinition::members of a COMM_GROUP.
    [[nodiscard]] std::optional<u32> rank_of_member(u64 paradigm, u64 member) const;

    /// The only intracommunicator of several processes, or of the only process; else kNone.
    [[nodiscard]] u64 only_communicator() const { return only_communicator_; }

    /// Returns null if the communicator is not defined.
    [[nodiscard]] const CommunicatorDefinition* communicator(u64 comm) const;
    [[nodiscard]] const GroupDefinition* group(u64 group) const;

    /// Returns the view of the process with world rank `me` on a (global) communicator.
    [[nodiscard]] RankView view(u64 comm, u32 me) const;

    [[nodiscard]] TickRate tick_rate() const { return TickRate(timer_resolution_); }
    /// False if the archive declares 0 ticks per second: a tick then counts as a nanosecond.
    [[nodiscard]] bool knows_tick_rate() const { return timer_resolution_ != 0; }
    [[nodiscard]] u64 clock_offset() const { return clock_offset_; }

  private:
    void add_record(const RecordBatch& batch, const RecordBatch::Head& head);
    [[nodiscard]] const std::string& name_in(const IdMap& names, u64 key) const;
    void find_ranks_of_groups();
    void find_locations_of_ranks();
    void find_processes();
    void number_members(const GroupDefinition& all);
    void name_processes();
    [[nodiscard]] u32 location_of_member(const GroupDefinition& group, u64 member) const;
    [[nodiscard]] bool is_process_paradigm(u64 paradigm) const;
    void find_only_communicator();
    void find_size_metrics();
    [[nodiscard]] std::size_t first_location(u32 rank) const;
    [[nodiscard]] static std::optional<u32> rank_in(const GroupDefinition& group, u32 me);

    std::deque<std::string> strings_;  ///< in order of definition
    IdMap string_numbers_;
    IdMap regions_;
    std::unordered_set<u64> mpi_regions_;
    struct RegionKind {
        RegionRole role;
        u64 paradigm;
    };
    std::unordered_map<u64, RegionKind> region_kinds_;
    std::unordered_set<u64> accelerator_paradigms_;  ///< of class accelerator
    std::unordered_set<u64> process_paradigms_;      ///< of class process
    IdMap io_paradigms_;                             ///< by identification
    IdMap io_handles_;                               ///< handle -> paradigm
    IdMap attributes_;
    IdMap location_groups_;
    IdMap creators_;  ///< location group -> its creator
    struct Context {
        u64 region = 0;
        u64 parent = 0;
    };
    std::unordered_map<u64, Context> contexts_;
    std::set<std::vector<u64>> member_lists_;  ///< equal ones once
    std::unordered_map<u64, GroupDefinition> groups_;
    std::unordered_map<u64, CommunicatorDefinition> communicators_;
    std::unordered_map<u64, u32> windows_;
    IdMap metric_members_;
    std::unordered_map<u64, u64> metric_classes_;  ///< class -> first member
    std::unordered_set<u64> size_metrics_;
    u64 only_communicator_ = kNone;
    std::vector<LocationDefinition> locations_;
    std::span<const u64> world_;          ///< rank -> id of its location or group
    bool ranks_are_groups_ = false;       ///< members of world_ are location groups
    IdMap rank_of_group_;                 ///< location group -> world rank
    std::map<u64, u64> all_of_paradigm_;  ///< paradigm -> group of all ranks, except MPI's
    ProcessKind process_kind_ = ProcessKind::rank;
    u32 process_count_ = 0;
    IdMap process_of_group_;           ///< without MPI: location group -> process
    std::vector<u64> process_groups_;  ///< process -> location group
    std::vector<std::string> process_names_;
    /// Where there are groups of all ranks but MPI's: by id, and the first one of each group.
    IdMap location_numbers_;
    IdMap group_locations_;
    std::vector<u32> locations_of_ranks_;  ///< rank by rank
    std::vector<u32> first_of_rank_;  ///< the first of each in locations_of_ranks_, and the end
    u64 timer_resolution_ = 1;
    u64 clock_offset_ = 0;
};

}  // namespace tracefold
