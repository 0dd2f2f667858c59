// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/chrome_metrics.hpp"

#include "core/json_text.hpp"
#include "model/definition_table.hpp"

#include <bit>

namespace tracefold {

namespace {

// OTF2_Type
constexpr u64 kInt64 = 8;
constexpr u64 kDouble = 10;

}  // namespace

ChromeMetrics::ChromeMetrics(TraceFile& file) {
    drain(*file.global_definitions(), [&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) add(batch, head, file.definitions());
    });
}

void ChromeMetrics::add(const RecordBatch& batch, const RecordBatch::Head& head,
                        const DefinitionIndex& definitions) {
    const std::span<const u64> fields = batch.values(head);
    switch (static_cast<DefinitionType>(head.type)) {
        case DefinitionType::MetricMember:
            append_json_string(definitions.string(fields[1]), members_[fields[0]]);
            break;
        case DefinitionType::MetricClass:
            for (std::size_t i = 0; i < fields[1]; ++i) {
                const auto member = members_.find(fields[2 + i]);
                classes_[fields[0]].push_back(member == members_.end() ? "\"metric\""
                                                                       : member->second);
            }
            break;
        case DefinitionType::MetricInstance:
            class_of_instance_[fields[0]] = fields[1];
            break;
        default:
            break;
    }
}

const std::vector<std::string>& ChromeMetrics::names_of(u64 metric) const {
    const auto instance = class_of_instance_.find(metric);
    const auto found =
        classes_.find(instance == class_of_instance_.end() ? metric : instance->second);
    return found == classes_.end() ? none_ : found->second;
}

double ChromeMetrics::value_of(u64 type, u64 bits) {
    if (type == kDouble) return std::bit_cast<double>(bits);
    if (type == kInt64) return static_cast<double>(std::bit_cast<i64>(bits));
    return static_cast<double>(bits);
}

}  // namespace tracefold
