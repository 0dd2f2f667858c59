// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "model/record_fields.hpp"

#include <array>
#include <unordered_map>
#include <vector>

namespace tracefold::inline query {

/// The mapping tables of all locations at once, for those ids that columns hold as they were
/// recorded (communicators, windows, handles, metrics, ...; not those with a ReferenceCode).
/// Locations in a row for which an id means the same take one entry.
class LocalIds {
  public:
    /// Takes the mapping tables among a location's local definitions. Locations rise from call to
    /// call.
    void add(u32 location, const RecordBatch& local_definitions);

    /// The global id; ids without an entry are global ones.
    [[nodiscard]] u64 global(FieldKind kind, u64 raw, u32 location) const;

  private:
    struct Run {
        u32 first;
        u32 last;
        u64 global;
    };
    using Table = std::unordered_map<u64, std::vector<Run>>;  ///< by raw id

    std::array<Table, kMappingKinds> tables_;
};

}  // namespace tracefold::inline query
