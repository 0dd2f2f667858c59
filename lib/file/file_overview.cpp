// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/file_overview.hpp"

#include "base/error.hpp"
#include "file/call_names.hpp"
#include "file/record_counts.hpp"
#include "file/section_coder.hpp"
#include "fold/request_list.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace tracefold {

namespace {

void count_definitions(TraceFile& file, FileOverview& out) {
    out.definitions.assign(kDefinitionTypes, 0);
    for_each_record(*file.global_definitions(), [&out](const auto& head, auto values) {
        ++out.definitions[head.type];
        switch (static_cast<DefinitionType>(head.type)) {
            case DefinitionType::ClockProperties:
                out.timer_resolution = values[0];
                out.clock_offset = values[1];
                out.trace_length = values[2];
                break;
            case DefinitionType::Location:
                ++out.location_types[values[2]];
                break;
            case DefinitionType::LocationGroup:
                ++out.location_group_types[values[2]];
                break;
            default:
                break;
        }
    });
}

void add_facts(TraceFile& file, FileOverview& out) {
    out.ranks = file.definitions().world_size();
    for (u32 location = 0; location < file.location_count(); ++location) {
        const LocationFacts facts = file.index().facts(location);
        out.events += facts.events;
        out.local_definitions += facts.local_definitions;
        out.raw_unknown_request += facts.raw_unknown_request;
        out.raw_inexpressible += facts.raw_inexpressible;
    }
}

/// Counts calls by region name: some producers define a region more than once.
void count_regions(TraceFile& file, const ExecutionCounts& counts, FileOverview& out) {
    struct Tally {
        u64 calls = 0;
        ParticipantList locations;
    };
    std::unordered_map<std::string, Tally> regions;
    CallNames names(file, counts);
    const Structure& structure = file.structure();
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        if (structure.symbol_streams[symbol] != Stream::events) continue;
        const std::vector<Element>& elements = structure.symbols[symbol].elements;
        if (elements.empty() || !is_enter(elements.front().type)) continue;
        Tally& tally = regions[names.region(symbol, elements.front())];
        tally.calls += counts.calls(symbol);
        tally.locations.unite(counts.members_of_symbol(symbol));
    }
    for (auto& [name, tally] : regions) {
        out.regions.push_back({name, tally.calls, tally.locations.size()});
    }
    std::sort(out.regions.begin(), out.regions.end(), [](const auto& a, const auto& b) {
        return a.calls != b.calls ? a.calls > b.calls : a.name < b.name;
    });
}

void measure_pattern(const Pattern& pattern, FileOverview::Shape& shape) {
    std::vector<u64> depths;
    shape.longest_stretch = std::max<u64>(shape.longest_stretch, pattern.root.size());
    for (const std::vector<u32>& body : pattern.loops) {
        u64 depth = 1;
        for (const u32 item : body) {
            if (item >= pattern.leaf_count) {
                depth = std::max(depth, 1 + depths[item - pattern.leaf_count]);
            }
        }
        depths.push_back(depth);
        shape.deepest_nest = std::max(shape.deepest_nest, depth);
        shape.longest_stretch = std::max<u64>(shape.longest_stretch, body.size());
    }
    shape.loops += pattern.loops.size();
}

void measure_shape(const StructureIndex& index, FileOverview::Shape& shape) {
    const Structure& structure = index.structure();
    shape.scripts = structure.scripts.size();
    shape.symbols = structure.symbols.size();
    shape.patterns = structure.patterns.size();
    shape.columns = index.column_count();
    std::unordered_set<u32> seen;
    for (const Script& script : structure.scripts) {
        if (seen.insert(script.pattern).second) {
            measure_pattern(structure.patterns[script.pattern], shape);
        }
    }
    const auto count = [&shape](const std::vector<std::vector<Assignment>>& assignments) {
        for (const std::vector<Assignment>& of_one : assignments) {
            for (const Assignment& assignment : of_one) {
                ++shape.assignments;
                if (assignment.by_participant != kNone) ++shape.differing_assignments;
            }
        }
    };
    count(structure.script_counts);
    count(structure.slots);
}

FileOverview::Sections& sections_of(SectionKind kind, FileOverview& out) {
    for (FileOverview::Sections& sections : out.sections) {
        if (sections.kind == kind) return sections;
    }
    return out.sections.emplace_back(FileOverview::Sections{kind, 0, 0, 0});
}

void add_sections(const TraceFile& file, FileOverview& out) {
    for (const Section& section : file.container().sections()) {
        FileOverview::Sections& sum = sections_of(section.kind, out);
        ++sum.count;
        if (!section.repeated) sum.stored_bytes += section.stored_size;
        sum.content_bytes += section.content_size;
    }
    file.read_files([&out](const CarriedFile& carried) {
        out.files.push_back({carried.path, carried.content.size()});
    });
}

}  // namespace

FileOverview file_overview(TraceFile& file) {
    FileOverview out;
    try {
        out.file_bytes = file.container().file_size();
        count_definitions(file, out);
        add_facts(file, out);
        ExecutionCounts counts(file.index());
        out.records = record_counts(file.structure(), counts);
        count_regions(file, counts, out);
        measure_shape(file.index(), out.shape);
        add_sections(file, out);
    } catch (const Error& error) {
        throw error.in(file.container().path());
    }
    return out;
}

namespace {

/// The type of a run of completions in files.
constexpr u8 kRunOfCompletions = kCompletions & 0x7FU;

std::string_view form_of(FieldRole role) {
    switch (role) {
        case FieldRole::pattern_mention:
        case FieldRole::leaf_count:
        case FieldRole::loop_count:
        case FieldRole::item_count:
        case FieldRole::item:
        case FieldRole::item_run:
            return "patterns";
        case FieldRole::list_size:
        case FieldRole::value:
        case FieldRole::step:
            return "lists";
        case FieldRole::run_value:
        case FieldRole::run_length:
            return "runs";
        case FieldRole::alphabet:
        case FieldRole::letter:
        case FieldRole::letter_step:
            return "alphabets";
        case FieldRole::constant:
        case FieldRole::progression:
        case FieldRole::start:
            return "constants";
        case FieldRole::class_count:
        case FieldRole::family_count:
        case FieldRole::family_gap:
        case FieldRole::family_size:
            return "classes";
        case FieldRole::text:
        case FieldRole::text_size:
            return "text";
        default:
            return "heads";
    }
}

const RecordInfo& info_of(SectionKind section, u8 type) {
    return section == SectionKind::structure ? event_info(type) : definition_info(type);
}

/// Returns the field of a slot of a record without attributes and arrays; null for others.
const Field* field_of(const RecordInfo& info, std::size_t slot, FieldKind kind) {
    if (slot >= info.field_count || info.fields[slot].kind != kind) return nullptr;
    return &info.fields[slot];
}

std::string slot_name(SectionKind section, const FieldKey& key) {
    const u32 place = key.place - kSlotParts;
    const auto type = static_cast<u8>(place / kSlotPlaces);
    std::size_t slot = place % kSlotPlaces;
    if (section == SectionKind::structure && type == kRunOfCompletions) {
        return slot == 0 ? "completions number" : "completions distance";
    }
    const RecordInfo& info = info_of(section, type);
    const auto kind = static_cast<FieldKind>((key.part - kSlotParts) / 2);
    const bool late = (key.part - kSlotParts) % 2 != 0;
    const PostingKind* const posting = late ? posting_kind(type) : nullptr;
    if (posting != nullptr) slot -= std::min<std::size_t>(slot, info.field_count);
    const RecordInfo& whose =
        posting != nullptr ? event_info(static_cast<u8>(posting->completion)) : info;
    const Field* const field = field_of(whose, slot, kind);
    return std::string(info.name) + " " +
           std::string(field != nullptr ? field->name : std::string_view("values"));
}

std::string place_name(SectionKind section, const FieldKey& key) {
    if (key.role == FieldRole::text || key.role == FieldRole::text_size) return "strings";
    switch (key.place) {
        case static_cast<u16>(StructurePart::symbols):
            return "symbols";
        case static_cast<u16>(StructurePart::scripts):
            return "scripts";
        case static_cast<u16>(StructurePart::counts):
            return "counts of scripts";
        default:
            return slot_name(section, key);
    }
}

}  // namespace

std::vector<ColumnCost> column_costs(const TraceFile& file) {
    std::map<std::tuple<SectionKind, std::string, std::string_view>, FieldCost> sums;
    for (const SectionKind kind :
         {SectionKind::definitions, SectionKind::local_definitions, SectionKind::structure}) {
        const Section& section = file.container().section(kind);
        const FieldCosts costs =
            section_costs(file.container().stored(section), section,
                          file.container().describe(section), file.archive().location_count);
        for (const auto& [key, cost] : costs) {
            sums[{kind, place_name(kind, key), form_of(key.role)}] += cost;
        }
    }
    std::vector<ColumnCost> all;
    for (const auto& [key, cost] : sums) {
        const auto& [section, where, form] = key;
        all.push_back({section, where, std::string(form), cost.numbers, cost.content_bytes,
                       cost.stored_bytes});
    }
    std::stable_sort(all.begin(), all.end(), [](const ColumnCost& a, const ColumnCost& b) {
        return a.stored_bytes > b.stored_bytes;
    });
    return all;
}

}  // namespace tracefold
