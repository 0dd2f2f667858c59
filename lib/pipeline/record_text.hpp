// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "pipeline/definition_names.hpp"

#include <span>
#include <string>
#include <unordered_map>

namespace tracefold {

/// A time in seconds with nine decimals. Ticks that are earlier than the start give a negative
/// time.
std::string seconds_text(u64 ticks, u64 start, u64 ticks_per_second);

/// The fields of a location's records as " name=value ...": ids as the names of what they stand
/// for, enumerators as OTF2's names, arrays with commas. Values with blanks are quoted. Everything
/// must outlive this object.
class RecordText {
  public:
    RecordText(const DefinitionIndex& definitions, const DefinitionNames& names,
               const MappingTables& tables)
        : definitions_(definitions), names_(names), tables_(tables) {}

    /// Appends the first `field_count` fields of a record of this type.
    void append_fields(u8 type, std::span<const u64> values, u8 field_count, std::string& out);
    void append_attributes(std::span<const Attribute> attributes, std::string& out);

    /// The name of what a location calls `raw`. Remembered, since few ids are asked for often.
    const std::string& label(FieldKind kind, u64 raw);

  private:
    void append_value(const RecordInfo& info, const Field& field, u64 value, std::string& out);
    void append_typed(u8 type, u64 value, std::string& out);

    const DefinitionIndex& definitions_;
    const DefinitionNames& names_;
    const MappingTables& tables_;
    std::unordered_map<u64, std::string> labels_[kMappingKinds];
};

}  // namespace tracefold
