// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/sample_origins.hpp"

#include "file/call_reader.hpp"
#include "file/record_counts.hpp"
#include "file/trace_file.hpp"
#include "model/definition_names.hpp"

#include <map>

namespace tracefold {

SampleOrigins sample_origins(TraceFile& file, const std::vector<bool>& selected) {
    constexpr auto kSample = EventType::CallingContextSample;
    SampleOrigins result;
    if (!records_any(file.structure(), {kSample})) return result;
    std::map<u64, u64> samples;  // by generator
    for (u32 location = 0; location < selected.size(); ++location) {
        if (!selected[location] || !records_any(file, location, {kSample})) continue;
        CallReader calls(file, location, Times::skip, CallReader::Leaves::recorded);
        while (calls.next()) {
            for (const RecordBatch::Head& head : calls.records().heads()) {
                if (head.type != static_cast<u8>(kSample)) continue;
                const std::span<const u64> values = calls.records().values(head);
                const u64 context = calls.tables().global(FieldKind::calling_context, values[0]);
                ++samples[calls.tables().global(FieldKind::interrupt_generator, values[2])];
                const bool is_known = !file.definitions().regions_of_context(context).empty();
                if (!is_known) ++result.without_context;
            }
        }
    }
    DefinitionNames names(file.definitions());
    drain(*file.global_definitions(), [&](const RecordBatch& batch) { names.add(batch); });
    for (const auto& [generator, count] : samples) {
        result.generators.push_back({names.name(FieldKind::interrupt_generator, generator), count});
    }
    return result;
}

}  // namespace tracefold
