// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "listing/call_sink.hpp"
#include "model/record_batch.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "names/definition_names.hpp"

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

namespace tracefold {

/// The fields of a location's records in readable terms: ids as the names of what they stand for,
/// enumerators as OTF2's names. Everything must outlive this object.
class RecordText {
  public:
    /// From a time of the location to ticks since the start of the trace.
    using Clock = std::function<u64(u64 ticks)>;

    RecordText(const DefinitionIndex& definitions, const DefinitionNames& names,
               const MappingTables& tables, Clock clock)
        : definitions_(definitions), names_(names), tables_(tables), clock_(std::move(clock)) {}

    /// Passes the first `field_count` fields of a record of this type.
    void pass_fields(u8 type, std::span<const u64> values, u8 field_count, CallSink& sink);
    void pass_attributes(std::span<const Attribute> attributes, CallSink& sink);

    /// The name of what a location calls `raw`. Remembered, since few ids are asked for often.
    const std::string& label(FieldKind kind, u64 raw);

  private:
    void pass_value(const RecordInfo& info, const Field& field, u64 value, CallSink& sink);
    void pass_typed(u8 type, u64 value, CallSink& sink);

    const DefinitionIndex& definitions_;
    const DefinitionNames& names_;
    const MappingTables& tables_;
    Clock clock_;
    std::unordered_map<u64, std::string> labels_[kMappingKinds];
};

}  // namespace tracefold
