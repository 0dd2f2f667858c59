// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/json_writer.hpp"
#include "query/metric_catalogue.hpp"

#include <string>
#include <vector>

namespace tracefold::inline exporters {

/// Names of the values that metric records hold, as JSON strings.
class ChromeMetrics {
  public:
    /// Cost: one pass over the definitions.
    explicit ChromeMetrics(TraceFile& file) : catalogue_(file) {
        for (const MetricMember& member : catalogue_.members()) {
            append_json_string(member.name, names_.emplace_back());
        }
    }

    /// Calls sink(name, value) for each value of a Metric record.
    template <class Sink>
    void for_each(const RecordSpan& batch, const RecordBatch::Head& head,
                  const MappingTables& tables, const Sink& sink) const {
        catalogue_.for_each(batch.values(head), tables, [&](u32 member, ValueType type, u64 bits) {
            sink(names_[member], metric_number(type, bits));
        });
    }

  private:
    MetricCatalogue catalogue_;
    std::vector<std::string> names_;
};

}  // namespace tracefold::inline exporters
