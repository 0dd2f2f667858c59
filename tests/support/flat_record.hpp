// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_table.hpp"
#include "model/record_batch.hpp"

#include <string>
#include <vector>

namespace tracefold::testing {

/// A record on its own, to compare what came in batches of different sizes.
struct FlatRecord {
    u8 type = 0;
    u64 time = 0;
    std::vector<u64> values;
    std::vector<Attribute> attributes;
    std::string text;

    bool operator==(const FlatRecord&) const = default;
};

inline void flatten(const RecordBatch& batch, bool definitions, std::vector<FlatRecord>& records) {
    for (const RecordBatch::Head& head : batch.heads()) {
        const auto values = batch.values(head);
        const auto attributes = batch.attributes(head);
        FlatRecord record{head.type,
                          head.time,
                          {values.begin(), values.end()},
                          {attributes.begin(), attributes.end()},
                          ""};
        if (definitions && head.type == static_cast<u8>(DefinitionType::String)) {
            record.text = batch.text(head, values[1]);
        }
        records.push_back(std::move(record));
    }
}

inline std::vector<FlatRecord> flat(const RecordBatch& batch, bool definitions) {
    std::vector<FlatRecord> records;
    flatten(batch, definitions, records);
    return records;
}

/// Where two lists differ first, or "".
inline std::string difference(const std::vector<FlatRecord>& expected,
                              const std::vector<FlatRecord>& found) {
    for (std::size_t i = 0; i < std::min(expected.size(), found.size()); ++i) {
        if (expected[i] == found[i]) continue;
        return "record " + std::to_string(i) + " of type " + std::to_string(expected[i].type);
    }
    if (expected.size() == found.size()) return "";
    return std::to_string(found.size()) + " instead of " + std::to_string(expected.size());
}

}  // namespace tracefold::testing
