// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/execution_counts.hpp"

#include "core/error.hpp"
#include "core/wide_integer.hpp"

#include <algorithm>

namespace tracefold {

namespace {

[[noreturn]] void no_value() {
    throw Error(ErrorKind::corrupt, "a location has no column for one of its arguments");
}

[[noreturn]] void too_many(u32 location, u64 expected) {
    throw Error(ErrorKind::corrupt, "location {} should have {} records, but unwinds to more",
                location, expected);
}

}  // namespace

ExecutionCounts::ExecutionCounts(StructureIndex& index)
    : ExecutionCounts(index, Stream::events,
                      [&index](u32 location) { return index.facts(location).events; }) {}

ExecutionCounts::ExecutionCounts(StructureIndex& index, Stream stream, const Expected& expected)
    : index_(index),
      structure_(index.structure()),
      values_(index.source()),
      scripts_(structure_.scripts.size()),
      group_of_(structure_.location_count, 0),
      symbol_members_(structure_.symbols.size()),
      symbol_calls_(structure_.symbols.size(), 0) {
    find_members(stream);
    for (u32 script = 0; script < scripts_.size(); ++script) count_script(script, expected);
}

void ExecutionCounts::find_members(Stream stream) {
    for (u32 location = 0; location < structure_.location_count; ++location) {
        const u32 script = index_.script(stream, location);
        script_of_.push_back(script);
        if (script != kNone) scripts_[script].members.push_back(location);
    }
    for (u32 script = 0; script < scripts_.size(); ++script) {
        const std::vector<u32>& symbols = structure_.scripts[script].symbols;
        const std::vector<u32>& members = scripts_[script].members;
        for (u32 leaf = 0; leaf < symbols.size(); ++leaf) {
            scripts_[script].leaf_of_symbol.emplace(symbols[leaf], leaf);
            std::vector<u32>& all = symbol_members_[symbols[leaf]];
            all.insert(all.end(), members.begin(), members.end());
        }
    }
    for (std::vector<u32>& members : symbol_members_) std::sort(members.begin(), members.end());
}

void ExecutionCounts::count_script(u32 script, const Expected& expected) {
    std::vector<const std::vector<u64>*> differing;
    const std::vector<u32>& members = scripts_[script].members;
    for (const Assignment& assignment : structure_.script_counts[script]) {
        if (assignment.by_participant == kNone) continue;
        differing.push_back(&unwound(assignment.by_participant, members.size()));
    }
    std::map<std::vector<u64>, u32> groups;
    std::vector<u64> sizes;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const u64 records = expected(members[i]);
        std::vector<u64> key{records};
        for (const std::vector<u64>* values : differing) key.push_back((*values)[i]);
        const auto [found, fresh] = groups.emplace(std::move(key), groups.size());
        group_of_[members[i]] = found->second;
        if (fresh) {
            sizes.push_back(0);
            add_group(script, members[i], records);
        }
        ++sizes[found->second];
    }
    const std::vector<u32>& symbols = structure_.scripts[script].symbols;
    for (std::size_t g = 0; g < sizes.size(); ++g) {
        for (std::size_t leaf = 0; leaf < symbols.size(); ++leaf) {
            symbol_calls_[symbols[leaf]] += sizes[g] * scripts_[script].groups[g].executions[leaf];
        }
    }
}

void ExecutionCounts::add_group(u32 script, u32 location, u64 limit) {
    if (limit > kMostRecords) {
        throw Error(ErrorKind::corrupt, "location {} has {} records, more than any trace has",
                    location, limit);
    }
    const Pattern& pattern = structure_.patterns[structure_.scripts[script].pattern];
    const auto total = [&](u32 node, u64 visits) {
        Use use =
            choose(structure_.script_counts[script][node], scripts_[script].members, location);
        if (use.column != kNone) return values_.total_count(use.column, visits, limit);
        const std::optional<u64> all = ValueRun{use.value, 0, visits}.total(limit);
        if (!all) too_many(location, limit);
        return *all;
    };
    Group group;
    group.executions = ColumnValues::executions(pattern, total, limit, &group.visits);
    if (makes_more(script, group, limit)) too_many(location, limit);
    scripts_[script].groups.push_back(std::move(group));
}

bool ExecutionCounts::makes_more(u32 script, const Group& group, u64 limit) const {
    const std::vector<u32>& symbols = structure_.scripts[script].symbols;
    u128 records = 0;
    for (std::size_t leaf = 0; leaf < symbols.size(); ++leaf) {
        const std::vector<Element>& elements = structure_.symbols[symbols[leaf]].elements;
        const auto sure = std::ranges::count_if(
            elements, [](const Element& element) { return element.type != kCompletions; });
        // Completions of any number of requests are one element; no call is without records.
        records += u128{group.executions[leaf]} * std::max<u64>(1, static_cast<u64>(sure));
    }
    return records > limit;
}

u64 ExecutionCounts::calls(u32 symbol, u32 location) const {
    const auto& leaves = scripts_[script_of_[location]].leaf_of_symbol;
    const auto leaf = leaves.find(symbol);
    return leaf == leaves.end() ? 0 : executions(location, leaf->second);
}

ExecutionCounts::Use ExecutionCounts::slot(u32 symbol, u32 slot, u32 location) {
    Use use = choose(structure_.slots[symbol][slot], symbol_members_[symbol], location);
    use.size = calls(symbol, location);
    return use;
}

ExecutionCounts::Use ExecutionCounts::count(u32 location, u32 node) {
    const u32 script = script_of_[location];
    Use use = choose(structure_.script_counts[script][node], scripts_[script].members, location);
    use.size = visits(location, node);
    return use;
}

ExecutionCounts::Use ExecutionCounts::choose(const Assignment& assignment,
                                             const std::vector<u32>& members, u32 location) {
    if (assignment.is_always_one()) return {kNone, 1, 0};
    if (assignment.by_participant == kNone) return {assignment.columns[0], 0, 0};
    const auto place = std::lower_bound(members.begin(), members.end(), location);
    if (place == members.end() || *place != location) no_value();
    const auto position = static_cast<std::size_t>(place - members.begin());
    const u64 value = unwound(assignment.by_participant, members.size())[position];
    if (assignment.columns.empty()) return {kNone, value, 0};
    if (value >= assignment.columns.size()) no_value();
    return {assignment.columns[value], 0, 0};
}

const std::vector<u64>& ExecutionCounts::unwound(u32 column, std::size_t size) {
    std::vector<u64>& values = unwound_[column];
    if (values.size() < size) values = unwind(index_.source(), column, size);
    return values;
}

void ExecutionCounts::visit(const Use& use, const ColumnValues::Sink& sink) {
    if (use.column != kNone) {
        values_.visit(use.column, use.size, sink);
    } else if (use.size != 0) {
        sink({use.value, 0, use.size});
    }
}

u64 ExecutionCounts::sum(const Use& use) {
    return use.column == kNone ? use.value * use.size : values_.sum(use.column, use.size);
}

}  // namespace tracefold
