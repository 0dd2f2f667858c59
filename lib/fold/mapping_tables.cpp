// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/mapping_tables.hpp"

#include "model/definition_table.hpp"

#include <algorithm>

namespace tracefold {

void MappingTables::add(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type != static_cast<u8>(DefinitionType::MappingTable)) continue;
        const auto values = batch.values(head);
        if (values[0] >= kMappingKinds) continue;
        std::shared_ptr<Table>& shared = tables_[values[0]];
        if (shared.use_count() != 1)
            shared = shared ? std::make_shared<Table>(*shared) : std::make_shared<Table>();
        Table& table = *shared;
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

void MappingTables::share(const MappingTables& other) {
    for (std::size_t kind = 0; kind < kMappingKinds; ++kind) {
        const std::shared_ptr<Table>& known = other.tables_[kind];
        if (tables_[kind] && known && *tables_[kind] == *known) tables_[kind] = known;
    }
}

const MappingTables::Table& MappingTables::empty_table() {
    static const Table empty;
    return empty;
}

ReferenceCode MappingTables::encode(FieldKind kind, u64 raw) const {
    const u64 global_id = global(kind, raw);
    const bool has_code = global_id >> 63U == 0;  // a table may map to the undefined id
    const bool leads_back = has_code && table(kind).to_raw.at(global_id) == raw;
    return leads_back ? global_id << 1U : (raw << 1U) | 1U;
}

}  // namespace tracefold
