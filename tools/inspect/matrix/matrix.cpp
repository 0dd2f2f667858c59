// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/matrix/matrix.hpp"

#include "common/json_document.hpp"
#include "common/output_format.hpp"
#include "common/select_locations.hpp"
#include "core/csv_table.hpp"
#include "inspect/command.hpp"
#include "inspect/empty_result.hpp"
#include "inspect/gaps.hpp"
#include "tables/traffic_tables.hpp"

#include <functional>
#include <memory>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

const OptionWords<GroupBy> kMatrixBy = {
    {"rank", GroupBy::rank}, {"node", GroupBy::node}, {"class", GroupBy::rank_class}};
const OptionWords<TrafficKind> kKinds = {{"p2p", TrafficKind::point_to_point},
                                         {"rma", TrafficKind::one_sided},
                                         {"collective", TrafficKind::collective}};

struct MatrixArguments {
    TraceInput input;
    RankList ranks;
    Metric metric = Metric::bytes;
    GroupBy by = GroupBy::rank;
    TrafficKind kind = TrafficKind::point_to_point;
    OutputFormat format;
};

bool is_empty(const TrafficMatrix& matrix) {
    return matrix.total.calls + matrix.received.calls + matrix.unknown.calls == 0;
}

/// Says which kinds of communication there are instead of the one that there is none of.
void explain_emptiness(const MatrixArguments& arguments, TraceFile& file,
                       const std::function<TrafficMatrix(TrafficKind)>& matrix_of,
                       Console& console) {
    std::string others;
    for (const auto& [word, kind] : kKinds) {
        if (kind == arguments.kind || is_empty(matrix_of(kind))) continue;
        others += (others.empty() ? "--kind " : " or --kind ") + word;
    }
    const std::string advice =
        others.empty() ? ", nor any other" + without_records(file) : "; try " + others;
    console.warning(
        fmt::format("there is no {} communication{}", traffic_name(arguments.kind), advice));
}

/// What the rows are: "rank", and without MPI "PE" or "process".
std::string matrix_by(GroupBy by, const DefinitionIndex& definitions) {
    return by == GroupBy::rank ? process_word(definitions.process_kind()) : word_of(kMatrixBy, by);
}

MatrixView make_matrix(const MatrixArguments& arguments, Console& console) {
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    TraceFile& file = input->file();
    return naming_file(arguments.input.path, [&]() -> MatrixView {
        const ParticipantNames names(file.definitions());
        const std::vector<bool> selected =
            select_locations(arguments.ranks, names, file.location_count());
        ExecutionCounts counts(file.index());
        const RankGroups groups = rank_groups(file, names, arguments.by);
        const auto matrix_of = [&](TrafficKind kind) {
            return traffic_matrix(file, counts, groups, selected, kind);
        };
        TrafficMatrix matrix = matrix_of(arguments.kind);
        if (is_empty(matrix)) explain_emptiness(arguments, file, matrix_of, console);
        return {std::move(matrix),
                {arguments.input.path, traffic_name(arguments.kind),
                 matrix_by(arguments.by, file.definitions()), arguments.metric},
                recording_gaps(file)};
    });
}

ExitCode run_matrix(const MatrixArguments& arguments, Console& console) {
    arguments.format.check(console);
    const MatrixView view = make_matrix(arguments, console);
    const auto picture = [](const MatrixView& matrix, std::ostream& out) {
        write_svg(matrix.matrix, matrix.title, out);
    };
    arguments.format.show(view, console, write_matrix_json, write_matrix_csv, picture,
                          print_matrix);
    if (arguments.format.csv || arguments.format.svg) {
        warn_of_gaps(view.gaps, GapScope::counts, console);
    }
    return exit_ok;
}

void write_cell(std::string_view key, const TrafficMatrix::Cell& cell, JsonWriter& json) {
    json.key(key).begin_object();
    json.member("calls", cell.calls).key("bytes").bytes(cell.bytes).end_object();
}

}  // namespace

void write_matrix_csv(const MatrixView& view, std::ostream& out) {
    CsvTable table(out);
    put_matrix(view.matrix, table);
}

void write_matrix_json(const MatrixView& view, Console& console) {
    JsonWriter json = begin_document(console, "matrix");
    json.member("file", view.title.file)
        .member("kind", view.title.what)
        .member("by", view.title.by);
    add_gaps(json, view.gaps, GapScope::counts);
    write_cell("total", view.matrix.total, json);
    write_cell("received", view.matrix.received, json);
    write_cell("unknown", view.matrix.unknown, json);
    write_list("rows", view.matrix.rows, json);
    write_list("columns", view.matrix.columns, json);
    write_objects("cells", view.matrix.cells, json, [&](const auto& entry) {
        const auto& [place, cell] = entry;
        json.member("row", place.row)
            .member("column", place.column)
            .member("calls", cell.calls)
            .key("bytes")
            .bytes(cell.bytes);
    }).end_object();
}

InspectCommand add_matrix_command(CLI::App& app) {
    auto arguments = std::make_shared<MatrixArguments>();
    CLI::App* matrix =
        app.add_subcommand("matrix", "Who sends how much to whom, in calls and bytes");
    arguments->input.add_options(*matrix);
    add_choice<Metric>(*matrix, "--metric", arguments->metric,
                       {{"bytes", Metric::bytes}, {"calls", Metric::calls}}, "What is shown");
    add_choice<GroupBy>(*matrix, "--by", arguments->by, kMatrixBy,
                        "What ranks are put together by");
    add_choice<TrafficKind>(*matrix, "--kind", arguments->kind, kKinds, "Which communication");
    add_ranks_option(*matrix, arguments->ranks);
    arguments->format.add_options(*matrix, true);
    return {matrix,
            alone([arguments](Console& console) { return run_matrix(*arguments, console); }),
            &arguments->input};
}

}  // namespace tracefold
