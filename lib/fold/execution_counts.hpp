// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_values.hpp"
#include "fold/structure_index.hpp"

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Who executes what and how often, worked out from the folded form without unwinding it.
/// Counts of a script are computed once for all participants that share them. Cost of construction:
/// the folded size plus locations x counts that differ between them. Memory: one number per symbol
/// and participant. The index must outlive this object; not for concurrent use.
class ExecutionCounts {
  public:
    /// How many records a location should have.
    using Expected = std::function<u64(u32 location)>;

    /// Of the events.
    explicit ExecutionCounts(StructureIndex& index);
    /// Throws Error(corrupt) if a location has more records of the stream than it should, or than
    /// kMostRecords; with fewer, unwinding shows it.
    ExecutionCounts(StructureIndex& index, Stream stream, const Expected& expected);

    /// Locations in rising order.
    [[nodiscard]] const std::vector<u32>& members_of_script(u32 script) const {
        return scripts_[script].members;
    }
    [[nodiscard]] const std::vector<u32>& members_of_symbol(u32 symbol) const {
        return symbol_members_[symbol];
    }

    /// How often a location passes by a node of its script, and executes it: repetitions of a leaf,
    /// iterations of a loop. Precondition: the location has records.
    [[nodiscard]] u64 visits(u32 location, u32 node) const { return group(location).visits[node]; }
    [[nodiscard]] u64 executions(u32 location, u32 node) const {
        return group(location).executions[node];
    }
    /// How often a symbol is executed: by a location that has it, by all.
    [[nodiscard]] u64 calls(u32 symbol, u32 location) const;
    [[nodiscard]] u64 calls(u32 symbol) const { return symbol_calls_[symbol]; }

    /// The numbers behind one argument or count of one location.
    struct Use {
        u32 column = kNone;  ///< kNone: constantly `value`
        u64 value = 0;
        u64 size = 0;  ///< how many there are
    };
    /// A cursor over the numbers of an argument or count.
    static ColumnCursor cursor(const FoldedSource& source, const Use& use) {
        return use.column == kNone ? ColumnCursor::constant(use.value)
                                   : ColumnCursor(source, use.column);
    }
    /// A slot of shape `one` or `count`. Precondition: the location has the symbol.
    Use slot(u32 symbol, u32 slot, u32 location);
    /// The counts of a node of the location's script.
    Use count(u32 location, u32 node);

    void visit(const Use& use, const ColumnValues::Sink& sink);
    u64 sum(const Use& use);

  private:
    /// Participants of a script whose counts are all equal.
    struct Group {
        std::vector<u64> visits;
        std::vector<u64> executions;
    };
    struct ScriptCounts {
        std::vector<u32> members;
        std::vector<Group> groups;
        std::unordered_map<u32, u32> leaf_of_symbol;
    };

    void find_members(Stream stream);
    void count_script(u32 script, const Expected& expected);
    void add_group(u32 script, u32 location, u64 limit);
    [[nodiscard]] bool makes_more(u32 script, const Group& group, u64 limit) const;
    [[nodiscard]] const Group& group(u32 location) const {
        return scripts_[script_of_[location]].groups[group_of_[location]];
    }
    Use choose(const Assignment& assignment, const std::vector<u32>& members, u32 location);
    const std::vector<u64>& unwound(u32 column, std::size_t size);

    StructureIndex& index_;
    const Structure& structure_;
    ColumnValues values_;
    std::vector<ScriptCounts> scripts_;
    std::vector<u32> script_of_;  ///< [location]
    std::vector<u32> group_of_;   ///< [location]
    std::vector<std::vector<u32>> symbol_members_;
    std::vector<u64> symbol_calls_;
    std::unordered_map<u32, std::vector<u64>> unwound_;
};

}  // namespace tracefold
