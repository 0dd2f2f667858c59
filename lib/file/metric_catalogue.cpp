// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/metric_catalogue.hpp"

#include "model/definition_table.hpp"

#include <array>
#include <cmath>

namespace tracefold {

namespace {

constexpr u64 kModeMask = 15;    // OTF2_METRIC_VALUE_MASK
constexpr u64 kTimingShift = 4;  // OTF2_METRIC_TIMING_MASK
constexpr u64 kTimingMask = 15;

MetricMode mode_of(u64 bits) {
    switch (bits & kModeMask) {
        case 0:
            return MetricMode::accumulated;
        case 2:
            return MetricMode::relative;
        default:
            return MetricMode::absolute;
    }
}

}  // namespace

std::string_view metric_mode_name(MetricMode mode) {
    constexpr std::array<std::string_view, 3> kNames = {"accumulated", "absolute", "relative"};
    return kNames[static_cast<std::size_t>(mode)];
}

double MetricMember::scale() const {
    return std::pow(base == 0 ? 2.0 : 10.0, static_cast<double>(exponent));
}

MetricCatalogue::MetricCatalogue(TraceFile& file) {
    for_each_record(*file.global_definitions(), [&](const auto& head, auto fields) {
        add(head.type, fields, file.definitions());
    });
}

void MetricCatalogue::add(u8 type, std::span<const u64> fields,
                          const DefinitionIndex& definitions) {
    switch (static_cast<DefinitionType>(type)) {
        case DefinitionType::MetricMember:
            places_[fields[0]] = static_cast<u32>(members_.size());
            members_.push_back(
                {definitions.string(fields[1]), definitions.string(fields[8]), mode_of(fields[4]),
                 static_cast<ValueType>(fields[5]), fields[6], static_cast<i64>(fields[7]),
                 static_cast<MetricTiming>(fields[4] >> kTimingShift & kTimingMask)});
            break;
        case DefinitionType::MetricClass:
            for (std::size_t i = 0; i < fields[1]; ++i) {
                const auto member = places_.find(fields[2 + i]);
                classes_[fields[0]].push_back(member == places_.end() ? kNone : member->second);
            }
            break;
        case DefinitionType::MetricInstance:
            class_of_instance_[fields[0]] = fields[1];
            break;
        default:
            break;
    }
}

const std::vector<u32>& MetricCatalogue::members_of(u64 metric) const {
    const auto instance = class_of_instance_.find(metric);
    const auto found =
        classes_.find(instance == class_of_instance_.end() ? metric : instance->second);
    return found == classes_.end() ? none_ : found->second;
}

double metric_number(ValueType type, u64 bits) {
    if (is_real(type)) return real_value(type, bits);
    return is_signed(type) ? static_cast<double>(static_cast<i64>(bits))
                           : static_cast<double>(bits);
}

}  // namespace tracefold
