// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/matrix/matrix.hpp"

#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "inspect/svg.hpp"
#include "mpi/unrecorded_calls.hpp"
#include "questions/matrix/traffic_matrix.hpp"

#include <algorithm>
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

std::string unrecorded_of(const MatrixArguments& arguments, TraceFile& file) {
    if (arguments.kind == TrafficKind::one_sided) return {};
    return unrecorded_sentence(find_unrecorded_calls(file));
}

/// Reports the kinds of communication that exist if the requested one does not.
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
    const bool is_recorded = unrecorded_of(arguments, file).empty();
    console.warning(fmt::format("there is no {}{} communication{}", is_recorded ? "" : "recorded ",
                                traffic_name(arguments.kind), advice));
}

/// Name of the rows: "rank", and without MPI "PE" or "process".
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
                recording_gaps(file),
                unrecorded_of(arguments, file)};
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
        if (!view.unrecorded.empty()) console.warning(view.unrecorded);
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
    if (!view.unrecorded.empty()) json.member("unrecorded", view.unrecorded);
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
    CLI::App* matrix = app.add_subcommand(
        "matrix", "Communication matrix: calls and bytes by sender and receiver");
    arguments->input.add_options(*matrix);
    add_choice<Metric>(*matrix, "--metric", arguments->metric,
                       {{"bytes", Metric::bytes}, {"calls", Metric::calls}}, "Quantity to show");
    add_choice<GroupBy>(*matrix, "--by", arguments->by, kMatrixBy, "Group ranks");
    add_choice<TrafficKind>(*matrix, "--kind", arguments->kind, kKinds, "Type of communication");
    add_ranks_option(*matrix, arguments->ranks);
    arguments->format.add_options(*matrix, true);
    return {matrix,
            on_rank_zero([arguments](Console& console) { return run_matrix(*arguments, console); }),
            &arguments->input};
}

namespace {

constexpr std::size_t kMostPairs = 10;
constexpr std::size_t kLeastMatrixCells = 8;
constexpr std::size_t kLongestCellLabel = 24;

std::string short_label(const std::string& label) {
    const std::string text = printable(label);
    return text.size() <= kLongestCellLabel ? text : text.substr(0, kLongestCellLabel - 3) + "...";
}

class MatrixPrinter {
  public:
    MatrixPrinter(const MatrixView& view, Console& console)
        : view_(view), matrix_(view.matrix), console_(console) {}

    void run() {
        console_.text() << console_.paint(Style::bold, view_.title.file) << "  " << view_.title.what
                        << ", " << matrix_.rows.size() << " x " << matrix_.columns.size() << " by "
                        << view_.title.by << '\n';
        totals();
        if (!matrix_.cells.empty()) {
            map();
            busiest();
        }
        print_gaps(view_.gaps, GapScope::counts, console_);
        if (!view_.unrecorded.empty()) console_.text() << "  " << view_.unrecorded << '\n';
    }

  private:
    void totals() {
        Table table({{""}, {"", kSentence}});
        const auto both = [](const TrafficMatrix::Cell& cell) {
            return format_count(cell.calls) + " calls, " + format_size(cell.bytes);
        };
        table.add_row({"sent", both(matrix_.total)});
        if (matrix_.received.calls != 0) table.add_row({"received", both(matrix_.received)});
        if (matrix_.unknown.calls != 0) table.add_row({"to unknown", both(matrix_.unknown)});
        const u64 pairs = static_cast<u64>(matrix_.rows.size()) * matrix_.columns.size();
        table.add_row(
            {"pairs", std::to_string(matrix_.cells.size()) + " of " + std::to_string(pairs)});
        table.print(console_, 2);
    }

    /// Two characters per cell if they fit: nearly square.
    void map() {
        std::size_t margin = 0;
        for (const std::string& label : matrix_.rows) {
            margin = std::max(margin, display_width(short_label(label)));
        }
        const std::size_t width =
            std::max<std::size_t>(console_.width(), margin + 4 + kLeastMatrixCells);
        const std::size_t room = width - margin - 4;
        const HeatMap map = make_heat_map(matrix_, view_.title.metric, room);
        const std::size_t wide = map.columns * 2 <= room ? 2 : 1;
        const std::string line =
            "  " + std::string(margin, ' ') + " +" + std::string(map.columns * wide, '-') + "+\n";
        console_.text() << line;
        for (std::size_t row = 0; row < map.rows; ++row) {
            std::string label = short_label(matrix_.rows[row * map.per_row]);
            label.insert(0, margin - display_width(label), ' ');
            console_.text() << "  " << label << " |";
            for (std::size_t column = 0; column < map.columns; ++column) {
                console_.text() << std::string(wide,
                                               heat_character(map.at(row, column), map.largest));
            }
            console_.text() << "|\n";
        }
        console_.text() << line << "  " << std::string(margin, ' ') << " '.' to '@': up to "
                        << metric_text(view_.title.metric, map.largest);
        if (map.per_row * map.per_column > 1) {
            console_.text() << " in " << map.per_row << " x " << map.per_column << " pairs";
        }
        console_.text() << '\n';
    }

    void busiest() {
        using Entry = std::pair<TrafficMatrix::Place, TrafficMatrix::Cell>;
        const auto key = [this](const Entry& entry) {
            return view_.title.metric == Metric::bytes
                       ? std::pair(entry.second.bytes, entry.second.calls)
                       : std::pair(entry.second.calls, entry.second.bytes);
        };
        const std::size_t shown = std::min(kMostPairs, matrix_.cells.size());
        std::vector<Entry> top(shown, Entry{});
        std::partial_sort_copy(matrix_.cells.begin(), matrix_.cells.end(), top.begin(), top.end(),
                               [&key](const Entry& a, const Entry& b) {
                                   return key(a) != key(b) ? key(a) > key(b) : a.first < b.first;
                               });
        Table table({{"busiest"}, {""}, {"calls", kRight}, {"bytes", kRight}});
        for (const auto& [place, cell] : top) {
            table.add_row({short_label(matrix_.rows[place.row]),
                           "to " + short_label(matrix_.columns[place.column]),
                           format_count(cell.calls), format_size(cell.bytes)});
        }
        table.print(console_, 2);
    }

    const MatrixView& view_;
    const TrafficMatrix& matrix_;
    Console& console_;
};

}  // namespace

void print_matrix(const MatrixView& view, Console& console) { MatrixPrinter(view, console).run(); }

namespace {

constexpr std::size_t kMostCells = 128;
constexpr std::size_t kMostLabels = 16;
constexpr double kLeft = 130;
constexpr double kMapTop = 74;
constexpr double kMapWidth = 512;
constexpr double kLegendWidth = 90;
constexpr double kPale = 0.12;  ///< of the least traffic: visible on white
constexpr std::size_t kLongestLabel = 18;

std::string label_of(const std::vector<std::string>& labels, std::size_t cell, std::size_t per) {
    std::string label = labels[cell * per];
    const std::size_t last = std::min(labels.size(), (cell + 1) * per) - 1;
    if (last != cell * per) label += "-" + labels[last];
    if (label.size() > kLongestLabel) label = label.substr(0, kLongestLabel - 3) + "...";
    return label;
}

class MatrixPicture {
  public:
    MatrixPicture(const TrafficMatrix& matrix, const HeatMapTitle& title, std::ostream& out)
        : matrix_(matrix),
          title_(title),
          map_(make_heat_map(matrix, title.metric, kMostCells)),
          cell_(kMapWidth /
                static_cast<double>(std::max<std::size_t>({map_.rows, map_.columns, 1}))),
          svg_(out, kLeft + kMapWidth + kLegendWidth, kMapTop + kMapWidth + 20) {}

    void draw() {
        titles();
        for (std::size_t row = 0; row < map_.rows; ++row) {
            for (std::size_t column = 0; column < map_.columns; ++column) cell(row, column);
        }
        labels();
        legend();
    }

  private:
    void titles() {
        svg_.text(kLeft, 18, title_.file, 14);
        std::string what(title_.what);
        what.append(title_.metric == Metric::bytes ? ", bytes" : ", calls").append(" by ");
        what.append(title_.by).append("; rows send, columns receive");
        svg_.text(kLeft, 36, what);
    }

    void cell(std::size_t row, std::size_t column) {
        const u64 value = map_.at(row, column);
        if (value == 0) return;
        const double share = static_cast<double>(value) / static_cast<double>(map_.largest);
        const std::string tip = label_of(matrix_.rows, row, map_.per_row) + " to " +
                                label_of(matrix_.columns, column, map_.per_column) + ": " +
                                metric_text(title_.metric, value);
        svg_.rectangle(kLeft + static_cast<double>(column) * cell_,
                       kMapTop + static_cast<double>(row) * cell_, cell_, cell_,
                       heat_color(kPale + (1 - kPale) * share), tip);
    }

    void labels() {
        const auto step = [](std::size_t cells) { return (cells + kMostLabels - 1) / kMostLabels; };
        for (std::size_t row = 0; row < map_.rows; row += step(map_.rows)) {
            svg_.text(kLeft - 6, kMapTop + (static_cast<double>(row) + 0.5) * cell_ + 4,
                      label_of(matrix_.rows, row, map_.per_row), 11, Anchor::end);
        }
        for (std::size_t column = 0; column < map_.columns; column += step(map_.columns)) {
            // Two heights: long adjacent labels do not overlap.
            const bool high = column / step(map_.columns) % 2 == 1;
            svg_.text(kLeft + (static_cast<double>(column) + 0.5) * cell_,
                      kMapTop - (high ? 18 : 6), label_of(matrix_.columns, column, map_.per_column),
                      9, Anchor::middle);
        }
    }

    void legend() {
        constexpr int kSteps = 8;
        constexpr double kHeight = 16;
        const double x = kLeft + kMapWidth + 12;
        for (int i = 0; i <= kSteps; ++i) {
            const double share = static_cast<double>(i) / kSteps;
            svg_.rectangle(x, kMapTop + i * kHeight, 14, kHeight,
                           i == 0 ? "#ffffff" : heat_color(kPale + (1 - kPale) * share));
            const auto value = static_cast<u64>(share * static_cast<double>(map_.largest));
            if (i % 2 == 0) {
                svg_.text(x + 20, kMapTop + i * kHeight + 12, metric_text(title_.metric, value));
            }
        }
    }

    const TrafficMatrix& matrix_;
    const HeatMapTitle& title_;
    HeatMap map_;
    double cell_;
    SvgWriter svg_;
};

}  // namespace

void write_svg(const TrafficMatrix& matrix, const HeatMapTitle& title, std::ostream& out) {
    MatrixPicture(matrix, title, out).draw();
}

namespace {

std::size_t groups_per_cell(std::size_t groups, std::size_t most) {
    return std::max<std::size_t>(1, (groups + most - 1) / most);
}

}  // namespace

std::string metric_text(Metric metric, u64 value) {
    return metric == Metric::bytes ? format_size(value) : format_count(value);
}

char heat_character(u64 value, u64 largest) {
    static constexpr std::string_view kShades = " .:-=+*#%@";
    if (value == 0) return kShades.front();
    const double share = static_cast<double>(value) / static_cast<double>(largest);
    const auto step = static_cast<std::size_t>(share * 9.0);
    return kShades[std::clamp<std::size_t>(step, 1, 9)];
}

HeatMap make_heat_map(const TrafficMatrix& matrix, Metric metric, std::size_t most) {
    HeatMap map;
    map.per_row = groups_per_cell(matrix.rows.size(), most);
    map.per_column = groups_per_cell(matrix.columns.size(), most);
    map.rows = (matrix.rows.size() + map.per_row - 1) / map.per_row;
    map.columns = (matrix.columns.size() + map.per_column - 1) / map.per_column;
    map.cells.resize(map.rows * map.columns);
    for (const auto& [place, cell] : matrix.cells) {
        u64& sum = map.cells[place.row / map.per_row * map.columns + place.column / map.per_column];
        add_saturated(sum, metric == Metric::bytes ? cell.bytes : cell.calls);
        map.largest = std::max(map.largest, sum);
    }
    return map;
}

}  // namespace tracefold
