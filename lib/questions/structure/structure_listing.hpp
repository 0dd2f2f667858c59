// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/call_names.hpp"
#include "file/trace_file.hpp"
#include "fold/column_cursor.hpp"
#include "fold/structure_index.hpp"
#include "model/participants.hpp"
#include "model/structure.hpp"
#include "questions/structure/detail/value_summary.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// A place of a pattern: one item of a body.
struct PatternPlace {
    u32 body = kNone;  ///< loop; kNone: root
    u32 item = 0;      ///< index into the body

    auto operator<=>(const PatternPlace&) const = default;
};

/// The places of each node of a pattern, ascending. Cost: the size of the pattern.
std::vector<std::vector<PatternPlace>> places_of_nodes(const Pattern& pattern);

/// Assigns the visits and executions of a node to its places. A place in a body counts once, even
/// if the body has several places itself.
class NodePlaces {
  public:
    /// `places`: of all nodes of the pattern. Cost: places of the node and of its enclosing loops.
    NodePlaces(const Pattern& pattern, const std::vector<std::vector<PatternPlace>>& places,
               u32 node);

    /// Loops that enclose the places, ascending: their counts determine the order of the places.
    [[nodiscard]] const std::vector<u32>& loops() const { return loops_; }

    /// The place (index into the node's places) of each visit, from the counts of loops(). This
    /// object must outlive the cursor.
    [[nodiscard]] ColumnCursor visits(std::vector<ColumnCursor> loop_counts) const;
    /// The place of each execution, from all counts. This object must outlive the cursor.
    [[nodiscard]] ColumnCursor executions(std::vector<ColumnCursor> loop_counts,
                                          ColumnCursor own_counts) const;

  private:
    void find_loops(const Pattern& pattern, const std::vector<std::vector<PatternPlace>>& places,
                    u32 node);
    [[nodiscard]] u32 item_of_loop(u32 loop) const;
    std::vector<u32>& body_of(u32 loop);
    [[nodiscard]] NodeCounts counts(std::vector<ColumnCursor> loop_counts) const;

    std::vector<u32> loops_;
    /// One leaf for each place within the enclosing loops.
    Pattern pattern_;
};

class ListingSource;
}  // namespace tracefold

namespace tracefold {

/// The meaning of an argument's numbers.
enum class ValueRole : u8 {
    number,
    signed_number,
    bytes,
    peer_offset,  ///< peer rank - own rank
    peer_modulo,  ///< peer rank - own rank modulo the communicator size
    peer_xor,     ///< peer rank XOR own rank
    peer_rank,    ///< peer rank
    label,        ///< a named value, see ListedVariant::labels
    opaque,       ///< ids without meaning: only their number counts
};

/// Role of a peer's number, by PeerEncoding.
inline constexpr std::array<ValueRole, kPeerEncodings> kPeerRoles = {
    ValueRole::peer_offset, ValueRole::peer_modulo, ValueRole::peer_xor, ValueRole::peer_rank};

/// The encoding of numbers with this role; none if they are not peers.
constexpr std::optional<PeerEncoding> peer_encoding(ValueRole role) {
    const auto found = std::ranges::find(kPeerRoles, role);
    if (found == kPeerRoles.end()) return std::nullopt;
    return static_cast<PeerEncoding>(found - kPeerRoles.begin());
}

/// Participants that share the values of an argument or count.
struct ListedVariant {
    ParticipantList participants;  ///< locations
    ValueSummary values;
    std::vector<std::string> labels;  ///< one per values.values, for the role `label`
    u64 fingerprint = 0;              ///< hash of the folded numbers: equal for equal sequences
};

struct ListedArgument {
    std::string name;  ///< field name; "payload" and "residual" of collectives
    u32 slot = 0;      ///< of the symbol
    ValueRole role = ValueRole::number;
    std::vector<ListedVariant> variants;  ///< by first participant; not empty
    /// Peers as positions in a grid of all ranks, one per value of any variant: "(x+1 mod 8, y)".
    /// Empty if they are no functions of the own position; see list_functions().
    std::vector<std::string> places;
    /// Of a payload, by variant: the contributions if the calls used MPI_IN_PLACE; empty if the
    /// sizes exclude it.
    std::vector<ValueSummary> in_place = {};
    bool must_be_in_place = false;  ///< the sizes exclude the contributions of `variants`
};

struct ListedRecord {
    std::string name;  ///< OTF2 name; "Completions": completed requests
    std::vector<ListedArgument> arguments;
};

/// A node of a pattern: a leaf with its records, or a loop with its body; over all its places.
struct ListedNode {
    std::optional<CallKind> kind;       ///< of a leaf
    std::string name;                   ///< of the region or record
    std::vector<ListedVariant> counts;  ///< run length or trip count
    u64 executions = 0;                 ///< by all participants
    u64 visits = 0;                     ///< times the node is reached
    u32 symbol = kNone;                 ///< of a leaf
    std::vector<ListedRecord> records;
    std::vector<u32> body;   ///< of a loop: nodes
    bool is_pooled = false;  ///< places not separated: too expensive

    [[nodiscard]] bool is_loop() const { return !kind; }
};

/// A node at one of several places.
struct ListedPlace {
    PatternPlace place;
    std::vector<ListedVariant> counts;
    std::vector<ListedRecord> records;
};

/// A script in readable terms, for some of its participants.
struct ListedScript {
    ParticipantList participants;  ///< locations
    std::vector<ListedNode> nodes;
    std::vector<u32> root;
    u32 leaf_count = 0;               ///< nodes before the first loop
    std::vector<ListedPlace> places;  ///< of nodes with several places, see list_places()

    [[nodiscard]] u32 node_at(const PatternPlace& place) const {
        const bool in_root = place.body == kNone;
        return (in_root ? root : nodes[leaf_count + place.body].body)[place.item];
    }
    /// Null if the node has a single place or is pooled.
    [[nodiscard]] const ListedPlace* find(const PatternPlace& place) const;
};

/// Lists the nodes of a script of events for `participants`, a non-empty subset of its own. Cost:
/// folded size of their columns, plus participants x arguments. Throws Error(corrupt).
ListedScript list_script(ListingSource& source, u32 script, const ParticipantList& participants);

/// Adds the values of nodes with several places at each place. Cost per node: folded size of its
/// columns if they repeat with the enclosing loops, else its executions; nodes above some seconds
/// are marked as pooled. Throws Error(corrupt).
void list_places(ListingSource& source, u32 script, ListedScript& listed);

/// Adds peers that are functions of a rank's grid position: those of fit_displacement(), and of
/// fit_places() if all ranks run the script. Chooses the grid that explains most arguments, then
/// the grid with most wrap-arounds, then the first one of grids_of(). Cost: per argument that
/// differs among ranks, all grids of the rank count; most grids need only a few ranks.
void list_functions(ListingSource& source, ListedScript& listed);

/// list_script() with places and functions: their preconditions, cost and errors apply.
ListedScript list_complete_script(ListingSource& source, u32 script,
                                  const ParticipantList& participants);

/// Ticks by symbol, summed over all locations.
struct CallTimes {
    std::vector<u64> inside;  ///< from the first record of a call to the last
    std::vector<u64> before;  ///< from the preceding record to the first of the call
    u64 total = 0;            ///< inside + before, all symbols

    void add(const CallTimes& other);
    static void each_field(auto& self, auto& visit) { visit(self.inside, self.before, self.total); }
};

/// The call times from stored durations or from the times of all records; none if the file has no
/// times. Cost: folded size with durations, else unwinds all locations. Throws Error(corrupt).
std::optional<CallTimes> call_times(TraceFile& file);

/// The call times of some locations of a file that keeps_every_time(). Cost: unwinds the locations.
/// Throws Error(corrupt).
CallTimes call_times_of(TraceFile& file, const std::vector<u32>& locations);

/// The call times of a file with stored durations; of other files only if `wanted`, since this
/// unfolds them. Throws Error(usage) if they are wanted and the file has no times.
std::optional<CallTimes> call_times_at_hand(TraceFile& file, bool wanted);

/// The time of a script by node, in ticks over all participants. A symbol's time is distributed by
/// number of executions: a call takes the same time at each of its places.
struct LineTimes {
    /// By node, per visit: call time of a leaf; time of a loop, including computation.
    std::vector<double> per_visit;
    /// By node: iterations per visit of a loop.
    std::vector<double> iterations;
    double total = 0;  ///< of all listed nodes, including computation
};

/// Distributes call times over the nodes. Cost: linear in the script's nodes.
LineTimes line_times(const ListedScript& script, const CallTimes& times,
                     const ExecutionCounts& counts);

}  // namespace tracefold
