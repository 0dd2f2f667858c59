// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "anonymize/neutral_names.hpp"

#include "model/definition_table.hpp"
#include "names/vocabulary.hpp"

namespace tracefold {

namespace {

/// What a string names, by the definition that mentions it and the field there.
std::string role_of(DefinitionType type, std::string_view field) {
    if (field == "source_file" || field == "file") return "file";
    if (field == "description") return "description";
    if (field == "class_name") return "class";
    if (field == "unit") return "unit";
    switch (type) {
        case DefinitionType::Region:
            return "function";
        case DefinitionType::SystemTreeNode:
            return "host";
        case DefinitionType::LocationGroup:
            return "process";
        case DefinitionType::Location:
            return "location";
        case DefinitionType::Group:
            return "group";
        case DefinitionType::Comm:
        case DefinitionType::InterComm:
            return "communicator";
        case DefinitionType::RmaWin:
            return "window";
        case DefinitionType::MetricMember:
            return "metric";
        case DefinitionType::Attribute:
            return "attribute";
        case DefinitionType::Parameter:
            return "parameter";
        case DefinitionType::IoRegularFile:
        case DefinitionType::IoDirectory:
        case DefinitionType::IoHandle:
            return "file";
        case DefinitionType::CartTopology:
        case DefinitionType::CartDimension:
            return "topology";
        case DefinitionType::Paradigm:
        case DefinitionType::IoParadigm:
            return "paradigm";
        default:
            return "property";
    }
}

}  // namespace

void NeutralNames::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::String)) {
            note_roles(batch, head);
            continue;
        }
        const auto values = batch.values(head);
        strings_.emplace_back(values[0], batch.text(head, values[1]));
        originals_.insert(strings_.back().second);
    }
}

void NeutralNames::note_roles(const RecordBatch& batch, const RecordBatch::Head& head) {
    const auto type = static_cast<DefinitionType>(head.type);
    const RecordInfo& info = definition_info(type);
    const auto values = batch.values(head);
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        for (u64 k = field.array ? repeat : 1; k > 0; --k) {
            const u64 value = values[position++];
            if (field.kind == FieldKind::count) repeat = value;
            if (field.kind == FieldKind::string) note_role(value, role_of(type, field.name));
        }
    }
}

void NeutralNames::next_ids() {
    for (auto& [id, text] : strings_) {
        const auto role = roles_.find(id);
        named_.push_back({std::move(text), role == roles_.end() ? "string" : role->second});
    }
    strings_.clear();
    roles_.clear();
}

void NeutralNames::finish() {
    next_ids();
    for (const auto& [text, role] : named_) of(text, role);
    named_.clear();
}

const std::string& NeutralNames::of(const std::string& original) const {
    const auto known = neutral_.find(original);
    return known == neutral_.end() ? original : known->second;
}

const std::string& NeutralNames::of(const std::string& original, const std::string& role) {
    const auto known = neutral_.find(original);
    if (known != neutral_.end()) return known->second;
    return is_vocabulary(original) ? original : replace(original, role);
}

/// No neutral name is the original one of something else.
const std::string& NeutralNames::replace(const std::string& original, const std::string& role) {
    std::string neutral;
    do {
        neutral = role + "_" + std::to_string(++counts_[role]);
    } while (originals_.contains(neutral));
    all_.push_back({neutral, original});
    return neutral_[original] = neutral;
}

RecordBatch NeutralNames::renamed(const RecordBatch& batch) const {
    RecordBatch result;
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::String)) {
            result.append(batch, head);
            continue;
        }
        const auto values = batch.values(head);
        result.begin(head.type, head.time);
        result.push(values[0]);
        result.push_text(of(std::string(batch.text(head, values[1]))));
    }
    return result;
}

}  // namespace tracefold
