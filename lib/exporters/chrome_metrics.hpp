// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "trace/trace_file.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Names of the values that metric records hold.
class ChromeMetrics {
  public:
    /// Cost: one pass over the definitions.
    explicit ChromeMetrics(TraceFile& file);

    /// Calls sink(name as a JSON string, value) for each value of a Metric record.
    template <class Sink>
    void for_each(const RecordBatch& batch, const RecordBatch::Head& head,
                  const MappingTables& tables, const Sink& sink) const {
        const std::span<const u64> fields = batch.values(head);
        if (fields.size() < 2 || fields.size() != 2 + 2 * fields[1]) return;
        const std::vector<std::string>& names =
            names_of(tables.global(FieldKind::metric, fields[0]));
        for (std::size_t i = 0; i < fields[1] && i < names.size(); ++i) {
            sink(names[i], value_of(fields[2 + i], fields[2 + fields[1] + i]));
        }
    }

  private:
    void add(const RecordBatch& batch, const RecordBatch::Head& head,
             const DefinitionIndex& definitions);
    [[nodiscard]] const std::vector<std::string>& names_of(u64 metric) const;
    static double value_of(u64 type, u64 bits);

    std::unordered_map<u64, std::string> members_;               ///< as JSON strings
    std::unordered_map<u64, std::vector<std::string>> classes_;  ///< names of their members
    std::unordered_map<u64, u64> class_of_instance_;
    std::vector<std::string> none_;
};

}  // namespace tracefold
