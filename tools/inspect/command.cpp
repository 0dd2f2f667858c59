// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/command.hpp"

#include "common/output_format.hpp"
#include "file/program_names.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/unrecorded_calls.hpp"

#include <fmt/core.h>

namespace tracefold {

bool warn_if_nothing_matches(NameFilter& names, TraceFile& file, Console& console) {
    const std::string sentence = names.empty() ? "" : no_match_sentence(names, symbol_names(file));
    if (!sentence.empty()) console.warning(sentence);
    return !sentence.empty();
}

std::string without_records(TraceFile& file) {
    const std::string unrecorded = unrecorded_sentence(find_unrecorded_calls(file));
    if (!unrecorded.empty()) return "; " + unrecorded;
    if (!may_lack_collectives(file)) return {};
    return "; the recorder did not record the bytes of collective functions";
}

void print_gaps(const RecordingGaps& gaps, GapScope scope, Console& console) {
    for (const std::string& sentence : gap_sentences(gaps, scope)) {
        console.text() << "  " << sentence << '\n';
    }
    const std::string drift = scope == GapScope::events ? drift_sentence(gaps) : "";
    if (!drift.empty()) console.text() << "  " << drift << '\n';
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
