// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/check_report.hpp"

#include "common/losses.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "file/location_blocks.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>

namespace tracefold {

namespace {

void print_facts(const CheckResult& result, Console& console) {
    Table facts({{""}, {"", kSentence}});
    facts.add_row({"ranks", std::to_string(result.ranks)});
    facts.add_row({"locations with MPI", std::to_string(result.locations)});
    facts.add_row({"calls", format_count(result.calls)});
    facts.add_row({"messages", format_count(result.messages) + ", " + format_size(result.bytes)});
    facts.add_row({"collective operations", format_count(result.collectives)});
    facts.print(console, 2);
}

bool hinders(FindingKind kind, CheckChoice choice) {
    const bool chosen = (choice.skip_unsupported && can_be_skipped(kind)) ||
                        (choice.neighbours && kind == FindingKind::neighbour);
    return finding_info(kind).hinders && !chosen;
}

bool can_be_replayed(const CheckResult& result, CheckChoice choice) {
    return std::ranges::none_of(result.findings, [choice](const Finding& finding) {
        return hinders(finding.kind, choice);
    });
}

/// The calls that the parts belong to, each once.
void write_parts(std::string_view key, const std::vector<ReplayPatch::Part>& list,
                 JsonWriter& json) {
    std::vector<u64> calls;
    for (const ReplayPatch::Part& part : list) {
        if (calls.empty() || calls.back() != part.index) calls.push_back(part.index);
    }
    write_list(key, calls, json);
}

void write_communicators(const ReplayPatch& patch, JsonWriter& json) {
    write_objects("creations", patch.creations, json, [&](const ReplayPatch::Creation& creation) {
        json.member("call", creation.index);
        if (creation.made != kNone) json.member("communicator", creation.made);
        if (creation.parent != creation.made) json.member("parent", creation.parent);
    });
    write_objects("frees", patch.frees, json, [&](const ReplayPatch::Free& free) {
        json.member("call", free.index).member("communicator", free.comm);
    });
    write_list("early_communicators", patch.early_communicators, json);
}

/// Collectives without a record are too many to list; findings have their numbers.
void write_inference(ReplayPatch patch, JsonWriter& json) {
    patch.collectives.clear();
    if (patch.empty()) return;
    json.begin_object().member("location", patch.location);
    if (patch.pairs) json.member("pairs_requests", true);
    write_communicators(patch, json);
    write_objects("renames", patch.renames, json, [&](const ReplayPatch::Rename& rename) {
        json.member("call", rename.index).member("from", rename.from).member("to", rename.to);
    });
    write_objects("receives", patch.receives, json, [&](const ReplayPatch::Receive& receive) {
        json.member("call", receive.index);
        if (receive.envelope.comm != kNone) {
            json.member("communicator", receive.envelope.comm)
                .member("from", receive.envelope.peer)
                .member("tag", receive.envelope.tag)
                .member("bytes", receive.envelope.bytes);
        }
    });
    write_parts("left_out", patch.left_out, json);
    write_parts("unposted", patch.unposted, json);
    write_list("unreceived", patch.unreceived, json);
    json.end_object();
}

}  // namespace

void print_finding(const Finding& finding, CheckChoice choice, Console& console) {
    const FindingInfo& info = finding_info(finding.kind);
    const bool bad = hinders(finding.kind, choice);
    console.text() << console.paint(bad ? Style::error : Style::warning, info.name) << ": ";
    if (finding.kind == FindingKind::no_mpi) {
        console.text() << info.what << '\n';
    } else {
        console.text() << finding.count << " " << info.what << "; " << info.done << '\n';
    }
    for (const std::string& example : finding.examples) {
        console.text() << "  " << printable(example) << '\n';
    }
    if (finding.examples.size() == Finding::kExamples && finding.count > Finding::kExamples) {
        console.text() << "  ...\n";
    }
}

void write_finding(const Finding& finding, CheckChoice choice, JsonWriter& json) {
    const FindingInfo& info = finding_info(finding.kind);
    json.begin_object()
        .member("kind", info.name)
        .member("count", finding.count)
        .member("hinders", hinders(finding.kind, choice))
        .member("what", info.what)
        .member("treatment", info.done);
    write_list("examples", finding.examples, json).end_object();
}

namespace {

void print_check(TraceFile& file, const std::string& path, const CheckResult& result,
                 CheckChoice choice, Console& console) {
    console.text() << console.paint(Style::bold, path) << '\n';
    print_facts(result, console);
    print_nesting(file.nesting().counts(), console);
    print_losses(file.summary().losses, false, console);
    for (const Finding& finding : result.findings) print_finding(finding, choice, console);
    for (const auto& [name, count] : result.unsupported) {
        console.text() << "unsupported call: " << printable(name) << ", " << count << " times ("
                       << why_not_issued(name) << ")\n";
    }
    for (const auto& [name, count] : result.not_issued) {
        console.text() << "not issued by a replay: " << count << ' ' << printable(name) << " ("
                       << why_not_issued(name) << ")\n";
    }
    const bool good = can_be_replayed(result, choice);
    const bool is_whole = result.find(FindingKind::unrecorded_message) == nullptr;
    console.text() << console.paint(good ? Style::good : Style::error,
                                    !good      ? "cannot be replayed as recorded"
                                    : is_whole ? "can be replayed"
                                               : "can be replayed without the calls that left no "
                                                 "record of their communication")
                   << '\n';
}

/// Why calls are not issued, by name.
std::map<std::string_view, std::string_view> reasons(const CheckResult& result) {
    std::map<std::string_view, std::string_view> all;
    for (const auto* calls : {&result.unsupported, &result.not_issued}) {
        for (const auto& [name, count] : *calls) all[name] = why_not_issued(name);
    }
    return all;
}

void print_check_json(TraceFile& file, const std::string& path, const CheckResult& result,
                      CheckChoice choice, Console& console) {
    JsonWriter json = begin_document(console, "check");
    json.member("file", path)
        .member("can_be_replayed", can_be_replayed(result, choice))
        .member("ranks", result.ranks)
        .member("locations", result.locations)
        .member("calls", result.calls)
        .member("messages", result.messages)
        .key("message_bytes")
        .bytes(result.bytes)
        .member("collectives", result.collectives)
        .member("threads", result.threads);
    write_losses(file.summary().losses, json);
    write_nesting(file.nesting().counts(), json);
    json.key("unsupported").begin_object();
    for (const auto& [name, count] : result.unsupported) json.member(name, count);
    json.end_object().key("not_issued").begin_object();
    for (const auto& [name, count] : result.not_issued) json.member(name, count);
    json.end_object().key("reasons").begin_object();
    for (const auto& [name, reason] : reasons(result)) json.member(name, reason);
    json.end_object();
    json.key("findings").begin_array();
    for (const Finding& finding : result.findings) write_finding(finding, choice, json);
    json.end_array();
    json.key("inferences").begin_array();
    for (const ReplayPatch& patch : result.patches) write_inference(patch, json);
    json.end_array().end_object();
}

/// One thread matches messages while the others read the file. Damage is reported first.
CheckResult check_all(TraceFile& file, u32 threads) {
    std::exception_ptr failure;
    CheckResult result;
    const auto match = [&] {
        try {
            result = check_replay(file);
        } catch (...) {
            failure = std::current_exception();
        }
    };
    check_contents(file, useful_threads(file.definitions().locations(), threads), match);
    if (failure) std::rethrow_exception(failure);
    return result;
}

}  // namespace

ExitCode run_check(TraceFile& file, const TraceInput& input, CheckChoice choice, CheckOutput output,
                   Console& console) {
    const CheckResult result = check_all(file, input.threads);
    const bool good = can_be_replayed(result, choice);
    if (good && output == CheckOutput::hindrances) return exit_ok;
    if (console.json()) {
        print_check_json(file, input.path, result, choice, console);
    } else {
        print_check(file, input.path, result, choice, console);
    }
    return good ? exit_ok : exit_mismatch;
}

ExitCode run_check(const TraceInput& input, CheckChoice choice, Console& console) {
    const std::unique_ptr<FoldedInput> opened = input.open(console);
    return run_check(opened->file(), input, choice, CheckOutput::always, console);
}

}  // namespace tracefold
