// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "fold/mapping_tables.hpp"
#include "model/record_fields.hpp"

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The semantics of metric values (OTF2_MetricMode).
enum class MetricMode : u8 {
    accumulated,  ///< a counter since the start: its increments matter
    absolute,     ///< the state at a point in time
    relative,     ///< the amount since the previous value
};

std::string_view metric_mode_name(MetricMode mode);

/// The time that a metric value refers to (OTF2_MetricTiming).
enum class MetricTiming : u8 {
    start,  ///< since the start of the measurement
    point,  ///< the time of its record
    last,   ///< since the previous value
    next,   ///< until the next value
};

/// A metric definition: a counter, a measured or a computed quantity.
struct MetricMember {
    std::string name;
    std::string unit;  ///< of values multiplied by scale()
    MetricMode mode = MetricMode::absolute;
    ValueType type{};
    u64 base = 1;  ///< 0: 2, 1: 10
    i64 exponent = 0;
    MetricTiming timing{};

    [[nodiscard]] double scale() const;
    /// True if an absolute value holds since the previous one, not from now on.
    [[nodiscard]] bool holds_before() const { return timing == MetricTiming::last; }
};

/// The metrics of a trace, and their values in records. Cost: one pass over the definitions.
class MetricCatalogue {
  public:
    explicit MetricCatalogue(TraceFile& file);

    /// In definition order.
    [[nodiscard]] const std::vector<MetricMember>& members() const { return members_; }
    [[nodiscard]] bool empty() const { return members_.empty(); }

    /// Calls sink(index in members(), ValueType, bits) for each value of a Metric record with these
    /// fields. Skips values without a definition.
    template <class Sink>
    void for_each(std::span<const u64> fields, const MappingTables& tables,
                  const Sink& sink) const {
        if (fields.size() < 2 || fields.size() != 2 + 2 * fields[1]) return;
        const std::vector<u32>& members = members_of(tables.global(FieldKind::metric, fields[0]));
        for (std::size_t i = 0; i < fields[1] && i < members.size(); ++i) {
            if (members[i] == kNone) continue;
            sink(members[i], static_cast<ValueType>(fields[2 + i]), fields[2 + fields[1] + i]);
        }
    }

  private:
    void add(u8 type, std::span<const u64> fields, const DefinitionIndex& definitions);
    [[nodiscard]] const std::vector<u32>& members_of(u64 metric) const;

    std::vector<MetricMember> members_;
    std::unordered_map<u64, u32> places_;                ///< id -> index
    std::unordered_map<u64, std::vector<u32>> classes_;  ///< class -> indices of its members
    std::unordered_map<u64, u64> class_of_instance_;
    std::vector<u32> none_;
};

/// Converts a metric value for plots; large ones lose digits.
double metric_number(ValueType type, u64 bits);

}  // namespace tracefold
