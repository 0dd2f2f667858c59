// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/listing_source.hpp"

#include "model/definition_table.hpp"
#include "mpi_calls/field_codec.hpp"

#include <algorithm>
#include <iterator>

namespace tracefold {

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
