// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tables.hpp"

#include "base/text_stream.hpp"
#include "common/output_format.hpp"
#include "file/location_blocks.hpp"
#include "file/program_names.hpp"
#include "inspect/explain/explain.hpp"
#include "mpi/check.hpp"
#include "questions/frames/detail/frame.hpp"
#include "questions/matrix/traffic_matrix.hpp"
#include "questions/messages/messages.hpp"
#include "questions/profile/profile_table.hpp"
#include "questions/stats/statistics_table.hpp"
#include "questions/structure/structure_document.hpp"
#include "questions/structure/structure_listing.hpp"

#include <optional>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace tracefold::python {

namespace {

namespace py = pybind11;

/// What fill(file, sink) puts, as a table that can be read again and again.
template <class Fill>
Batches kept_table(const std::shared_ptr<OpenTrace>& trace, const Fill& fill) {
    TableFrames table;
    trace->use([&](TraceFile& file) { fill(file, table); });
    return kept_batches(std::move(table));
}

/// The choice of this name; names(choice) tells it. Throws Error(usage).
template <class Choice, class Names>
Choice find_choice(const std::string& name, std::initializer_list<Choice> all,
                   std::string_view what, const Names& names) {
    std::string known;
    for (const Choice choice : all) {
        const std::string_view other = names(choice);
        if (other == name) return choice;
        known.append(known.empty() ? "'" : ", '").append(other).append("'");
    }
    throw Error(ErrorKind::usage, "{} cannot be '{}'; it is one of {}", what, name, known);
}

TrafficKind traffic_kind(const std::string& kind) {
    using Kind = TrafficKind;
    return find_choice(kind, {Kind::point_to_point, Kind::one_sided, Kind::collective}, "kind",
                       [](Kind it) -> std::string_view {
                           return it == Kind::point_to_point ? "p2p"
                                  : it == Kind::one_sided    ? "rma"
                                                             : "collective";
                       });
}

GroupBy group_by(const std::string& by) {
    return find_choice(
        by, {GroupBy::rank, GroupBy::node, GroupBy::rank_class}, "by",
        [](GroupBy it) -> std::string_view {
            return it == GroupBy::rank ? "rank" : it == GroupBy::node ? "node" : "class";
        });
}

TrafficMatrix matrix_of(TraceFile& file, const Part& part, const std::string& kind,
                        const std::string& by) {
    const TrafficKind traffic = traffic_kind(kind);
    const GroupBy groups = group_by(by);
    const ParticipantNames names(file.definitions());
    ExecutionCounts counts(file.index());
    return traffic_matrix(file, counts, rank_groups(file, names, groups), part.locations(file),
                          traffic);
}

py::tuple cell_of(const TrafficMatrix::Cell& cell) {
    return py::make_tuple(cell.calls, cell.bytes);
}

RowRequest::By row_kind(const std::string& by) {
    using By = RowRequest::By;
    return find_choice(by, {By::call, By::path, By::loop}, "by", [](By it) -> std::string_view {
        return it == By::call ? "call" : it == By::path ? "path" : "loop";
    });
}

SampleScope scope_of(const std::string& over) {
    return find_choice(over, {SampleScope::calls, SampleScope::ranks, SampleScope::iterations},
                       "over", scope_name);
}

Quantity quantity_of(const std::string& metric, const TraceFile& file) {
    const Quantity quantity = find_choice(
        metric,
        {Quantity::calls, Quantity::time, Quantity::sent, Quantity::received, Quantity::read,
         Quantity::written, Quantity::self_samples, Quantity::total_samples},
        "metric", quantity_name);
    // As the command line does without --metric.
    const bool untimed = file.summary().timing == TimingLevel::none;
    return quantity == Quantity::time && untimed ? Quantity::sent : quantity;
}

std::string joined(const std::vector<std::string>& patterns) {
    std::string text;
    for (const std::string& pattern : patterns) text += (text.empty() ? "" : ", ") + pattern;
    return text;
}

std::vector<bool> selected_of(TraceFile& file, const Part& part) {
    return part.ranks.empty() ? std::vector<bool>() : part.locations(file);
}

/// Names of both lists are wanted.
std::function<bool(const std::string&)> matcher(const Part& part,
                                                const std::vector<std::string>& more) {
    auto filter = std::make_shared<NameFilter>(part.names());
    for (const std::string& pattern : more) filter->add(pattern);
    return [filter](const std::string& name) { return filter->matches(name); };
}

void put_histogram(TraceFile& file, const Part& part, const Sampling& sampling, TableSink& table) {
    constexpr u32 kMostColumns = 1000;
    DistributionRequest request;
    request.over = sampling.over_time ? SampleScope::iterations : scope_of(sampling.over);
    request.quantity = quantity_of(sampling.metric, file);
    request.bins = sampling.bins;
    request.columns = sampling.over_time ? kMostColumns : 0;
    request.samples.rows.matches = matcher(part, sampling.histogram);
    request.samples.rows.together = joined(sampling.histogram);
    request.samples.selected = selected_of(file, part);
    request.samples.loop = sampling.loop;
    request.samples.iterations = request.over == SampleScope::iterations;
    SerialCommunicator alone;
    put_distribution(collect_distribution(alone, file, request), table);
}

/// "regions=solve*" and the like.
SignatureRequest signature_of(const std::string& by) {
    using Kind = SignatureKind;
    SignatureRequest request;
    const std::size_t equals = by.find('=');
    request.kind =
        find_choice(by.substr(0, equals),
                    {Kind::events, Kind::calls, Kind::script, Kind::arguments, Kind::regions}, "by",
                    signature_name);
    if (equals == std::string::npos) return request;
    if (request.kind != Kind::regions) {
        throw Error(ErrorKind::usage, "only 'regions' takes a pattern, not '{}'", by);
    }
    auto filter = std::make_shared<NameFilter>();
    filter->add(by.substr(equals + 1));
    request.matches = [filter](const std::string& name) { return filter->matches(name); };
    return request;
}

ProfileGroups profile_groups(const std::string& by) {
    using Groups = ProfileGroups;
    return find_choice(by, {Groups::none, Groups::node, Groups::rank, Groups::location}, "by",
                       [](Groups it) -> std::string_view {
                           return it == Groups::none   ? ""
                                  : it == Groups::node ? "node"
                                  : it == Groups::rank ? "rank"
                                                       : "location";
                       });
}

}  // namespace

Batches messages_table(const std::shared_ptr<OpenTrace>& trace, const Part& part, std::size_t top) {
    return kept_table(trace, [&](TraceFile& file, TableSink& table) {
        FoundSteps steps(file);
        put_messages(file, find_messages(file, {part.selection(file), top}, steps), table);
    });
}

Batches matrix_table(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                     const std::string& kind, const std::string& by) {
    return kept_table(trace, [&](TraceFile& file, TableSink& table) {
        put_matrix(matrix_of(file, part, kind, by), table);
    });
}

py::dict matrix_parts(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                      const std::string& kind, const std::string& by) {
    const TrafficMatrix matrix =
        trace->use([&](TraceFile& file) { return matrix_of(file, part, kind, by); });
    const py::ssize_t size = static_cast<py::ssize_t>(matrix.cells.size());
    py::array_t<u64> cells({size, py::ssize_t{4}});
    auto rows = cells.mutable_unchecked<2>();
    py::ssize_t i = 0;
    for (const auto& [place, cell] : matrix.cells) {
        rows(i, 0) = place.row;
        rows(i, 1) = place.column;
        rows(i, 2) = cell.calls;
        rows(i, 3) = cell.bytes;
        ++i;
    }
    py::dict parts;
    parts["rows"] = py::cast(matrix.rows);
    parts["columns"] = py::cast(matrix.columns);
    parts["cells"] = cells;
    parts["total"] = cell_of(matrix.total);
    parts["received"] = cell_of(matrix.received);
    parts["unknown"] = cell_of(matrix.unknown);
    return parts;
}

Batches sizes_table(const std::shared_ptr<OpenTrace>& trace, const Part& part, bool exact) {
    return kept_table(trace, [&](TraceFile& file, TableSink& table) {
        ExecutionCounts counts(file.index());
        put_sizes(message_sizes(file, counts, part.locations(file), exact), exact, table);
    });
}

Batches statistics_table(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                         const Sampling& sampling) {
    return kept_table(trace, [&](TraceFile& file, TableSink& table) {
        if (!sampling.histogram.empty()) return put_histogram(file, part, sampling, table);
        SampleRequest request;
        request.rows.by = row_kind(sampling.by);
        request.rows.matches = matcher(part, {});
        request.selected = selected_of(file, part);
        request.loop = sampling.loop;
        request.iterations = keeps_every_time(file.summary().timing) ||
                             scope_of(sampling.over) == SampleScope::iterations ||
                             sampling.loop != 0;
        SerialCommunicator alone;
        put_statistics(collect_statistics(alone, file, request), table);
    });
}

Batches classes_table(const std::shared_ptr<OpenTrace>& trace, const Part& part,
                      const Sampling& sampling) {
    constexpr u32 kMostColumns = 1000;
    return kept_table(trace, [&](TraceFile& file, TableSink& table) {
        ClassRequest request;
        request.signature = signature_of(sampling.by);
        request.selected = selected_of(file, part);
        request.columns = sampling.per_iteration ? kMostColumns : 0;
        request.loop = sampling.loop;
        SampleRequest samples;
        samples.rows.together = part.match.empty() ? "MPI calls" : joined(part.match);
        samples.rows.only_mpi = part.match.empty();
        samples.rows.matches = matcher(part, {});
        samples.loop = sampling.loop;
        SerialCommunicator alone;
        put_classes(collect_figures(alone, file, request, samples), table);
    });
}

Batches profile_table(const std::shared_ptr<OpenTrace>& trace, const Part& part, u32 depth,
                      const std::string& by, bool times) {
    return kept_table(trace, [&](TraceFile& file, TableSink& table) {
        ProfileRequest request;
        request.selected = part.locations(file);
        request.times = times;
        request.by = profile_groups(by);
        request.group_depth = depth == 0 ? kNone : depth - 1;
        SerialCommunicator alone;
        const TraceProfile profile = trace_profile(alone, file, request);
        const std::vector<u32> nodes = nodes_down_to(profile, request.group_depth);
        if (by.empty()) return put_profile(profile, nodes, table);
        put_profile_by(profile, nodes, by, table);
    });
}

Batches efficiency_table(const std::shared_ptr<OpenTrace>& trace, bool focus) {
    return kept_table(trace, [focus](TraceFile& file, TableSink& table) {
        SerialCommunicator alone;
        FoundSteps steps(file);
        put_efficiency({trace_efficiency(alone, file, WaitSearch::all, 1, focus ? &steps : nullptr),
                        location_labels(file), accelerator_activity(file)},
                       table);
    });
}

std::string explanation(const std::shared_ptr<OpenTrace>& trace) {
    return trace->use([&](TraceFile& file) {
        TextStream out;
        JsonWriter json(out);
        begin_document(json, "explain");
        write_explanation({trace->path(), program_name(file), explain(file, 1)}, json);
        json.end_object();
        return std::move(out).str();
    });
}

Batches findings_table(const std::shared_ptr<OpenTrace>& trace) {
    return kept_table(trace, [](TraceFile& file, TableSink& table) {
        using Type = TableColumn::Type;
        check_contents(file);
        const CheckResult result = check_replay(file);
        table.begin({{"finding"},
                     {"count", Type::whole},
                     {"hinders", Type::whole},
                     {"what"},
                     {"treatment"},
                     {"examples"}});
        for (const Finding& finding : result.findings) {
            const FindingInfo& info = finding_info(finding.kind);
            table.text(info.name);
            table.whole(finding.count);
            table.whole(info.hinders ? 1 : 0);
            table.text(info.what);
            table.text(info.done);
            std::string examples;
            for (const std::string& example : finding.examples) {
                examples += (examples.empty() ? "" : "\n") + example;
            }
            table.text(examples);
        }
    });
}

std::string structure_text(const std::shared_ptr<OpenTrace>& trace, const Part& part, bool times,
                           std::size_t depth) {
    return trace->use([&](TraceFile& file) {
        const ParticipantNames names(file.definitions());
        ListingSource source(file);
        const std::optional<CallTimes> known = call_times_at_hand(file, times);
        TextStream text;
        JsonWriter json(text);
        json.begin_object().key("scripts").begin_array();
        const TickRate rate = file.definitions().tick_rate();
        for_each_script(source, part.locations(file), [&](u32 number, const ParticipantList& who) {
            const ListedScript script = list_complete_script(source, number, who);
            std::optional<LineTimes> lines;
            if (known) lines = line_times(script, *known, source.counts());
            write_script(script, names, lines, rate, {depth, true}, json);
        });
        json.end_array().end_object();
        return text.str();
    });
}

}  // namespace tracefold::python
