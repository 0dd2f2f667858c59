// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "names/definition_names.hpp"

#include "model/definition_table.hpp"

namespace tracefold {

namespace {

/// A metric's name leads to its members' and these to strings; more is a definition that names
/// itself.
constexpr int kMaxDepth = 4;

/// The fields that name a definition which has no string of its own.
constexpr bool names_by_reference(DefinitionType type, FieldKind kind) {
    switch (type) {
        case DefinitionType::CallingContext:
            return kind == FieldKind::region;
        case DefinitionType::IoHandle:
            return kind == FieldKind::io_file;
        case DefinitionType::MetricClass:
            return kind == FieldKind::metric_member;
        case DefinitionType::MetricInstance:
            return kind == FieldKind::metric;
        case DefinitionType::SourceCodeLocation:
            return kind == FieldKind::string;
        default:
            return false;
    }
}

}  // namespace

void DefinitionNames::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) add_record(batch, head);
}

void DefinitionNames::add_record(const RecordBatch& batch, const RecordBatch::Head& head) {
    const auto type = static_cast<DefinitionType>(head.type);
    const RecordInfo& info = definition_info(type);
    if (type == DefinitionType::String || info.field_count < 2) return;
    if (info.fields[0].name != "self" && type != DefinitionType::Paradigm) return;
    const auto values = batch.values(head);
    std::vector<Reference> names;
    u64 repeat = 0;
    std::size_t position = 1;
    for (u8 i = 1; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        const bool named = field.name == "name" && field.kind == FieldKind::string;
        for (u64 k = field.array ? repeat : 1; k > 0; --k) {
            const u64 value = values[position++];
            if (field.kind == FieldKind::count) repeat = value;
            if (named || names_by_reference(type, field.kind)) names.push_back({field.kind, value});
        }
    }
    if (!names.empty()) {
        definitions_[static_cast<u8>(info.fields[0].kind)][values[0]] = std::move(names);
    }
}

std::string DefinitionNames::name(FieldKind kind, u64 id) const { return name_at(kind, id, 0); }

std::string DefinitionNames::name_at(FieldKind kind, u64 id, int depth) const {
    if (kind == FieldKind::string) return strings_.string(id);
    const auto definitions = definitions_.find(static_cast<u8>(kind));
    if (depth == kMaxDepth || definitions == definitions_.end()) return {};
    const auto found = definitions->second.find(id);
    if (found == definitions->second.end()) return {};
    std::string text;
    for (const Reference& reference : found->second) {
        // A handle has a name or else a file; the members of a metric are all named.
        if (!text.empty() && kind != FieldKind::metric) break;
        const std::string part = name_at(reference.kind, reference.id, depth + 1);
        if (!text.empty() && !part.empty()) text += ",";
        text += part;
    }
    return text;
}

std::string DefinitionNames::label(FieldKind kind, u64 id) const {
    std::string text = name(kind, id);
    return text.empty() ? std::string("#").append(std::to_string(id)) : text;
}

}  // namespace tracefold
