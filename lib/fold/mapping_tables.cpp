// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/mapping_tables.hpp"

#include "model/definition_table.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Bounds the memory of sparse keys.
constexpr u64 kNearKeys = 1024;
constexpr u64 kNearKeysPerEntry = 4;

}  // namespace

void IdMap::reserve(u64 entries) {
    const u64 near = std::max(kNearKeys, entries * kNearKeysPerEntry);
    if (near > near_limit_) near_limit_ = near;
}

void IdMap::set(u64 key, u64 value) {
    if (key >= near_limit_ || value == kAbsent) {
        far_[key] = value;
        if (key < near_.size()) near_[key] = kAbsent;
        return;
    }
    if (key >= near_.size()) near_.resize(key + 1, kAbsent);
    near_[key] = value;
}

std::optional<u64> IdMap::find(u64 key) const {
    if (key < near_.size() && near_[key] != kAbsent) return near_[key];
    const auto found = far_.find(key);
    if (found == far_.end()) return std::nullopt;
    return found->second;
}

void MappingTables::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::MappingTable)) continue;
        const auto values = batch.values(head);
        if (values[0] >= kMappingKinds) continue;
        if (tables_.use_count() != 1) tables_ = std::make_shared<Tables>(*tables_);
        Table& table = (*tables_)[values[0]];
        const u64 size = values[2];
        table.to_global.reserve(size);
        table.to_raw.reserve(size);
        for (u64 i = 0; i < size; ++i) {
            const u64 raw = values[3 + i];
            const u64 global_id = values[3 + size + i];
            table.to_global.set(raw, global_id);
            const std::optional<u64> known = table.to_raw.find(global_id);
            if (!known || raw < *known) table.to_raw.set(global_id, raw);
        }
    }
}

ReferenceCode MappingTables::encode(FieldKind kind, u64 raw) const {
    const u64 global_id = global(kind, raw);
    const bool has_code = global_id >> 63U == 0;  // a table may map to the undefined id
    const bool leads_back = has_code && table(kind).to_raw.at(global_id) == raw;
    return leads_back ? global_id << 1U : (raw << 1U) | 1U;
}

}  // namespace tracefold
