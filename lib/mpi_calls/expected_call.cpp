// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/expected_call.hpp"

#include <algorithm>

namespace tracefold {

namespace {

bool is_plain(const Element& element) {
    if (element.type == kCompletions || element.raw || !element.attributes.empty()) return false;
    const RecordTraits& traits = record_traits(element.type);
    return traits.role != RecordRole::uses_request && !traits.collective;
}

ExpectedRecord expected_record(const Element& element, u32 node, const MappingTables& tables) {
    const RecordTraits& traits = record_traits(element.type);
    const RecordInfo& info = event_info(element.type);
    ExpectedRecord record;
    record.detail =
        traits.context ? tables.decode(info.fields[0].kind, element.context) : element.array_count;
    record.detail_at = traits.detail;
    record.type = element.type;
    record.has_values = !traits.context || info.field_count > 1;
    record.posts = traits.posting != nullptr;
    record.node = node;
    return record;
}

}  // namespace

ExpectedCall expected_call(const SymbolTable& table, u32 node, const MappingTables& tables) {
    ExpectedCall call;
    for (u32 at = node; at != SymbolTable::kRoot; at = table.parent(at)) {
        const Element& element = table[table.element_at(at)];
        if (!is_plain(element)) return {};
        call.push_back(expected_record(element, at, tables));
    }
    std::reverse(call.begin(), call.end());
    return call;
}

}  // namespace tracefold
