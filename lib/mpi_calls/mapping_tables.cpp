// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/mapping_tables.hpp"

#include "model/definition_table.hpp"

namespace tracefold {

namespace {

u64 find_or(const std::unordered_map<u64, u64>& map, u64 key, u64 otherwise) {
    const auto found = map.find(key);
    return found == map.end() ? otherwise : found->second;
}

}  // namespace

void MappingTables::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::MappingTable)) continue;
        const auto values = batch.values(head);
        if (values[0] >= tables_.size()) continue;
        Table& table = tables_[values[0]];
        const u64 size = values[2];
        for (u64 i = 0; i < size; ++i) {
            const u64 raw = values[3 + i];
            const u64 global_id = values[3 + size + i];
            table.to_global[raw] = global_id;
            const auto [entry, fresh] = table.to_raw.emplace(global_id, raw);
            if (!fresh && raw < entry->second) entry->second = raw;
        }
    }
}

u64 MappingTables::global(FieldKind kind, u64 raw) const {
    return find_or(tables_[static_cast<std::size_t>(mapping_type(kind))].to_global, raw, raw);
}

u64 MappingTables::raw_of(FieldKind kind, u64 global_id) const {
    return find_or(tables_[static_cast<std::size_t>(mapping_type(kind))].to_raw, global_id,
                   global_id);
}

ReferenceCode MappingTables::encode(FieldKind kind, u64 raw) const {
    const u64 global_id = global(kind, raw);
    return raw_of(kind, global_id) == raw ? global_id << 1U : (raw << 1U) | 1U;
}

u64 MappingTables::decode(FieldKind kind, ReferenceCode code) const {
    return (code & 1U) != 0 ? code >> 1U : raw_of(kind, code >> 1U);
}

}  // namespace tracefold
