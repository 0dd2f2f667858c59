// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/gaps.hpp"

#include "common/json_document.hpp"

namespace tracefold {

void print_gaps(const RecordingGaps& gaps, GapScope scope, Console& console) {
    for (const std::string& sentence : gap_sentences(gaps, scope)) {
        console.out() << "  " << sentence << '\n';
    }
    const std::string drift = scope == GapScope::events ? drift_sentence(gaps) : "";
    if (!drift.empty()) console.out() << "  " << drift << '\n';
}

void warn_of_gaps(const RecordingGaps& gaps, GapScope scope, Console& console) {
    for (const std::string& sentence : gap_sentences(gaps, scope)) console.warning(sentence);
}

void add_drift(JsonWriter& json, const RecordingGaps& gaps) {
    if (!drift_sentence(gaps).empty()) json.member("clock_drift", gaps.clock_drift);
}

void add_gaps(JsonWriter& json, const RecordingGaps& gaps, GapScope scope) {
    if (scope == GapScope::events) add_drift(json, gaps);
    const std::vector<std::string> sentences = gap_sentences(gaps, scope);
    if (sentences.empty()) return;
    json.key("left_out").begin_object().member("of", gaps.processes);
    write_list("no_events", gaps.without_events.members(), json);
    if (scope == GapScope::mpi) write_list("no_mpi", gaps.without_mpi.members(), json);
    json.member("threads", gaps.silent_threads);
    write_list("sentences", sentences, json).end_object();
}

}  // namespace tracefold
