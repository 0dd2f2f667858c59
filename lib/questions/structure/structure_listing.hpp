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

/// A place of a pattern: an item of a body.
struct PatternPlace {
    u32 body = kNone;  ///< loop; kNone: the root
    u32 item = 0;      ///< of the body

    auto operator<=>(const PatternPlace&) const = default;
};

/// For each node of a pattern, by rising place, where it stands. Cost: the size of the pattern.
std::vector<std::vector<PatternPlace>> places_of_nodes(const Pattern& pattern);

/// Which visits and executions of a node happen at which of its places. A place in a body that
/// stands at several places itself is one.
class NodePlaces {
  public:
    /// `places`: of all nodes of the pattern. Cost: the places of the node and of the loops around
    /// them.
    NodePlaces(const Pattern& pattern, const std::vector<std::vector<PatternPlace>>& places,
               u32 node);

    /// Loops around any place, by rising number: their counts say in which order places come by.
    [[nodiscard]] const std::vector<u32>& loops() const { return loops_; }

    /// The place, as an index into the node's, of each visit, from the counts of loops(). This
    /// object must outlive the cursor.
    [[nodiscard]] ColumnCursor visits(std::vector<ColumnCursor> loop_counts) const;
    /// The same of each execution, with the node's own counts.
    [[nodiscard]] ColumnCursor executions(std::vector<ColumnCursor> loop_counts,
                                          ColumnCursor own_counts) const;

  private:
    void find_loops(const Pattern& pattern, const std::vector<std::vector<PatternPlace>>& places,
                    u32 node);
    [[nodiscard]] u32 item_of_loop(u32 loop) const;
    std::vector<u32>& body_of(u32 loop);
    [[nodiscard]] NodeCounts counts(std::vector<ColumnCursor> loop_counts) const;

    std::vector<u32> loops_;
    /// A leaf for each place, in the loops around; nothing else.
    Pattern pattern_;
};

class ListingSource;
}  // namespace tracefold

namespace tracefold {

/// What the numbers of an argument are.
enum class ValueRole : u8 {
    number,
    signed_number,
    bytes,
    peer_offset,  ///< the peer's rank less the own one
    peer_modulo,  ///< the same modulo the size of the communicator
    peer_xor,     ///< the peer's rank XOR the own one
    peer_rank,    ///< the peer's rank
    label,        ///< something with a name, see ListedVariant::labels
    opaque,       ///< numbers that mean nothing by themselves; only how many differ
};

/// What a peer's number means, by PeerEncoding.
inline constexpr std::array<ValueRole, kPeerEncodings> kPeerRoles = {
    ValueRole::peer_offset, ValueRole::peer_modulo, ValueRole::peer_xor, ValueRole::peer_rank};

/// The encoding of numbers with this role; nothing if they are no peers.
constexpr std::optional<PeerEncoding> peer_encoding(ValueRole role) {
    const auto found = std::ranges::find(kPeerRoles, role);
    if (found == kPeerRoles.end()) return std::nullopt;
    return static_cast<PeerEncoding>(found - kPeerRoles.begin());
}

/// Participants for which an argument or count does the same.
struct ListedVariant {
    ParticipantList participants;  ///< locations
    ValueSummary values;
    std::vector<std::string> labels;  ///< one per values.values, where the role is `label`
    u64 fingerprint = 0;  ///< of the folded numbers: the same numbers in the same order share it
};

struct ListedArgument {
    std::string name;  ///< as the field is called; "payload" and "residual" of collectives
    u32 slot = 0;      ///< of the symbol
    ValueRole role = ValueRole::number;
    std::vector<ListedVariant> variants;  ///< by first participant; never empty
    /// Peers as places of a grid of all ranks, one for each value of any variant: "(x+1 mod 8, y)".
    /// Empty if they are no functions of the own place; see list_functions().
    std::vector<std::string> places;
};

/// One record of a call.
struct ListedRecord {
    std::string name;  ///< as OTF2 calls it; "Completions": requests that end
    std::vector<ListedArgument> arguments;
};

/// A node of a script's pattern: a leaf with its records, or a loop with its body. Its numbers are
/// those of all its places together.
struct ListedNode {
    std::optional<CallKind> kind;       ///< of a leaf
    std::string name;                   ///< of the region or record
    std::vector<ListedVariant> counts;  ///< run length or trip count
    u64 executions = 0;                 ///< by all participants
    u64 visits = 0;                     ///< how often they come by
    u32 symbol = kNone;                 ///< of a leaf
    std::vector<ListedRecord> records;
    std::vector<u32> body;   ///< nodes, for loops
    bool is_pooled = false;  ///< what its places do apart took too long to work out

    [[nodiscard]] bool is_loop() const { return !kind; }
};

/// What a node does at one of several places.
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
    std::vector<ListedPlace> places;  ///< by place, of nodes with several; see list_places()

    /// The node that stands there.
    [[nodiscard]] u32 node_at(const PatternPlace& place) const {
        const bool in_root = place.body == kNone;
        return (in_root ? root : nodes[leaf_count + place.body].body)[place.item];
    }
    /// Null if the node there has no other place, or is pooled.
    [[nodiscard]] const ListedPlace* find(const PatternPlace& place) const;
};

/// The nodes of a script of events for `participants`, which run it; not empty. Cost: the folded
/// size of what they use, plus participants x arguments. Throws Error(corrupt).
ListedScript list_script(ListingSource& source, u32 script, const ParticipantList& participants);

/// Adds what nodes with several places do at each of them. Cost: per node the folded size of its
/// columns where they repeat with the loops around, else the executions; a node where that takes
/// more than some seconds is marked as pooled. Throws Error(corrupt).
void list_places(ListingSource& source, u32 script, ListedScript& listed);

/// Adds the peers that are functions of the place of a rank in a grid: those of fit_displacement(),
/// and where all ranks run the script those of fit_places(). The grid is the one that tells most
/// arguments, of these the one that most peers go round, of these the first one, see grids_of().
/// Cost: per argument that differs among ranks, the grids of their number, for most of them a few
/// ranks each.
void list_functions(ListingSource& source, ListedScript& listed);

/// list_script() with places and functions. Precondition, cost, errors: as they say.
ListedScript list_complete_script(ListingSource& source, u32 script,
                                  const ParticipantList& participants);

/// Ticks of all locations together, by symbol.
struct CallTimes {
    std::vector<u64> inside;  ///< from the first record of a call to its last
    std::vector<u64> before;  ///< from the record before the call to its first
    u64 total = 0;            ///< of both, all symbols

    void add(const CallTimes& other);
    static void each_field(auto& self, auto& visit) { visit(self.inside, self.before, self.total); }
};

/// From the durations that a file keeps, or from the times of every record; nothing if it has no
/// times. Cost: the folded size, without durations that of unwinding all locations. Throws
/// Error(corrupt).
std::optional<CallTimes> call_times(TraceFile& file);

/// Those of some locations of a file that keeps_every_time(). Cost: unwinds them. Throws
/// Error(corrupt).
CallTimes call_times_of(TraceFile& file, const std::vector<u32>& locations);

/// The times of a file that keeps durations; of other files only if they are `wanted`, since they
/// have to be unfolded for it. Throws Error(usage) if the file keeps none and they are wanted.
std::optional<CallTimes> call_times_at_hand(TraceFile& file, bool wanted);

/// Where the time of a script goes, in ticks of all its participants. What a symbol takes is shared
/// out by how often it is executed: a call that stands in several places takes as long in each.
struct LineTimes {
    /// By node, each time it is come by: of a leaf the call alone, of a loop all iterations and the
    /// computation within.
    std::vector<double> per_visit;
    /// By node: how often a body is run through each time the loop is come by.
    std::vector<double> iterations;
    double total = 0;  ///< of everything that is listed, computation included
};

/// Cost: linear in the script's nodes.
LineTimes line_times(const ListedScript& script, const CallTimes& times,
                     const ExecutionCounts& counts);

}  // namespace tracefold
