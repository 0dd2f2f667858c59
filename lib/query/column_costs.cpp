// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/column_costs.hpp"

#include "context_mixing/section_coder.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "mpi_calls/completion_kinds.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tracefold {

namespace {

/// Of a run of completions, as files number it.
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

/// The field that a slot of a record without attributes and arrays is; null if it has those.
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
