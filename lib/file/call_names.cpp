// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/call_names.hpp"

#include "file/id_classes.hpp"
#include "fold/field_codec.hpp"
#include "model/event_table.hpp"

#include <algorithm>
#include <array>

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

namespace {

/// Ids whose meanings are remembered: a number for each location.
constexpr std::size_t kMostKnownIds = 64;

}  // namespace

u64 LocalIds::global(FieldKind kind, u64 raw, u32 location) {
    if (!is_mapped(kind)) return raw;
    const std::pair key{kind, raw};
    auto known = known_.find(key);
    if (known == known_.end()) {
        if (known_.size() == kMostKnownIds) known_.clear();
        known = known_.try_emplace(key).first;
        known->second.classes = local_id_classes(file_, kind, raw);
    }
    const auto [global, is_new] =
        known->second.global_of.try_emplace(known->second.classes[location], raw);
    if (is_new) *global = file_.mapping_tables(location).global(kind, raw);
    return *global;
}

ListingSource::ListingSource(TraceFile& file)
    : file_(file), local_ids_(file), counts_(file.index()), calls_(file, counts_) {}

const DefinitionNames& ListingSource::names() {
    if (!names_) {
        names_.emplace(file_.definitions());
        drain(*file_.global_definitions(),
              [this](const RecordBatch& batch) { names_->add(batch); });
    }
    return *names_;
}

}  // namespace tracefold
