// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_names.hpp"

#include "fold/field_codec.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace tracefold {

namespace {

struct FieldName {
    std::string_view field;
    std::string_view name;
};

constexpr FieldName kFieldNames[] = {
    {"receiver", "to"},        {"sender", "from"},
    {"remote", "target"},      {"communicator", "comm"},
    {"msg_tag", "tag"},        {"msg_length", "bytes"},
    {"win", "window"},         {"collective_op", "op"},
    {"size_sent", "sent"},     {"size_received", "received"},
    {"bytes_sent", "sent"},    {"bytes_received", "received"},
    {"request_id", "request"}, {"bytes_request", "bytes"},
    {"bytes_result", "bytes"}, {"lock_type", "lock"},
};

}  // namespace

std::string_view short_field_name(std::string_view field) {
    for (const FieldName& entry : kFieldNames) {
        if (entry.field == field) return entry.name;
    }
    return field;
}

CallKind call_kind(const Symbol& symbol) {
    const std::vector<Element>& elements = symbol.elements;
    if (elements.empty()) return CallKind::record;
    const bool enters = is_enter(elements.front().type);
    if (elements.size() > 1) {
        return enters && is_leave(elements.back().type) ? CallKind::call : CallKind::record;
    }
    if (enters) return CallKind::enter;
    return is_leave(elements.front().type) ? CallKind::leave : CallKind::record;
}

std::string_view kind_name(CallKind kind) {
    constexpr std::array<std::string_view, 4> kNames = {"call", "enter", "leave", "record"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string region_text(const DefinitionIndex& definitions, u64 region) {
    const std::string& name = definitions.region_name(region);
    const bool unknown = name.empty() || (name == "?" && !definitions.has_region(region));
    return unknown ? "region " + std::to_string(region) : name;
}

u64 CallNames::global(u32 symbol, FieldKind kind, ReferenceCode code) {
    if ((code & 1U) == 0) return code >> 1U;
    // Odd codes are ids that the location's mapping table cannot map back: few producers have them.
    const u32 location = counts_.members_of_symbol(symbol).first();
    return file_.mapping_tables(location).global_of_code(kind, code);
}

std::string CallNames::name(u32 symbol) {
    const Element& first = file_.structure().symbols[symbol].elements.front();
    if (is_enter(first.type) || is_leave(first.type)) return region(symbol, first);
    return first.type == kCompletions ? "Completions" : std::string(event_info(first.type).name);
}

u64 CallNames::region_id(u32 symbol, const Element& element) {
    const FieldKind kind = event_info(element.type).fields[0].kind;
    return file_.definitions().region_of(kind, global(symbol, kind, element.context));
}

std::string CallNames::region(u32 symbol, const Element& element) {
    return region_text(file_.definitions(), region_id(symbol, element));
}

void LocalIds::add(u32 location, const RecordBatch& local_definitions) {
    for (const RecordBatch::Head& head : local_definitions.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::MappingTable)) continue;
        const auto values = local_definitions.values(head);
        if (values[0] >= tables_.size()) continue;
        const auto kind = static_cast<FieldKind>(static_cast<u64>(FieldKind::string) + values[0]);
        if (is_reference_code(kind)) continue;
        const u64 size = values[2];
        for (u64 i = 0; i < size; ++i) {
            std::vector<Run>& runs = tables_[values[0]][values[3 + i]];
            const u64 global = values[3 + size + i];
            const bool extends =
                !runs.empty() && runs.back().global == global && location - runs.back().last <= 1;
            if (extends) {
                runs.back().last = location;
            } else {
                runs.push_back({location, location, global});
            }
        }
    }
}

u64 LocalIds::global(FieldKind kind, u64 raw, u32 location) const {
    if (!is_mapped(kind)) return raw;
    const Table& table = tables_[static_cast<std::size_t>(mapping_type(kind))];
    const auto found = table.find(raw);
    if (found == table.end()) return raw;
    const std::vector<Run>& runs = found->second;
    const auto after = std::upper_bound(runs.begin(), runs.end(), location,
                                        [](u32 l, const Run& run) { return l < run.first; });
    if (after == runs.begin()) return raw;
    const Run& run = *std::prev(after);
    return location <= run.last ? run.global : raw;
}

ListingSource::ListingSource(TraceFile& file)
    : file_(file), names_(file.definitions()), counts_(file.index()), calls_(file, counts_) {
    drain(*file.global_definitions(), [this](const RecordBatch& batch) { names_.add(batch); });
    for (u32 location = 0; location < file.location_count(); ++location) {
        drain(*file.local_definitions(location),
              [&](const RecordBatch& batch) { local_ids_.add(location, batch); });
    }
}

}  // namespace tracefold
