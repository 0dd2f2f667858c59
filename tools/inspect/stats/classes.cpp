// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/stats/classes.hpp"

#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "inspect/stats/stats.hpp"
#include "questions/stats/row_tree.hpp"

#include <algorithm>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr u32 kMostClassColumns = 1000;
constexpr std::string_view kRegions = "regions";

struct ClassesArguments {
    WorldInput input;
    RankList ranks;
    SignatureKind kind = SignatureKind::calls;
    std::string by = "calls";
    NameFilter regions;
    NameFilter names;
    std::vector<std::string> patterns;  ///< of names
    std::vector<std::string> histogram;
    HistogramOptions options;
    bool per_iteration = false;
    OutputFormat format;
};

/// "script", "regions", "regions=solve*".
void parse_by(const std::string& text, ClassesArguments& arguments) {
    arguments.by = text;
    if (text.rfind(std::string(kRegions) + "=", 0) == 0) {
        arguments.kind = SignatureKind::regions;
        arguments.regions.add(text.substr(kRegions.size() + 1));
        return;
    }
    for (const SignatureKind kind :
         {SignatureKind::events, SignatureKind::calls, SignatureKind::script,
          SignatureKind::arguments, SignatureKind::regions}) {
        if (signature_name(kind) != text) continue;
        arguments.kind = kind;
        return;
    }
    throw UnknownWord(text, {"events", "calls", "script", "arguments", "regions[=PATTERN]"});
}

/// Of all MPI calls, or the selected ones.
SampleRequest sample_request(const ClassesArguments& arguments, const std::string& what,
                             const std::vector<bool>& selected) {
    SampleRequest request;
    request.selected = selected;
    request.loop = arguments.options.loop;
    request.rows.together = what;
    request.rows.only_mpi = arguments.patterns.empty();
    request.rows.matches = matching(arguments.names);
    return request;
}

ClassRequest class_request(const ClassesArguments& arguments, const std::vector<bool>& selected) {
    ClassRequest request;
    request.signature.kind = arguments.kind;
    request.signature.matches = matching(arguments.regions);
    request.selected = selected;
    request.columns = arguments.per_iteration ? kMostClassColumns : 0;
    request.loop = arguments.options.loop;
    return request;
}

/// Complete on process 0. Filters cache results, so each thread has its own copy.
ClassesView make_view(const ClassesArguments& arguments, TraceFile& file, Communicator& comm,
                      FoundSteps& steps) {
    const ParticipantNames names(file.definitions());
    std::vector<bool> selected;
    if (!arguments.ranks.selects_all()) {
        selected = select_locations(arguments.ranks, names, file.location_count());
    }
    const int fanout = arguments.input.fanout;
    const std::string what = arguments.patterns.empty() ? "MPI calls" : joined(arguments.patterns);
    SampleRequest samples = sample_request(arguments, what, selected);
    samples.steps = &steps;
    ClassRequest request = class_request(arguments, selected);
    request.steps = &steps;
    ClassesView view;
    static_cast<ClassFigures&>(view) = collect_figures(comm, file, request, samples, fanout);
    view.file = arguments.input.path;
    view.by = arguments.by;
    view.what = what;
    if (!arguments.histogram.empty()) {
        DistributionRequest distribution = arguments.options.request(file);
        samples.iterations = distribution.over == SampleScope::iterations;
        keep_apart(view.classes, file.location_count(), samples.rows);
        distribution.samples = std::move(samples);
        view.distribution = collect_distribution(comm, file, distribution, fanout);
    }
    return view;
}

void write_classes_svg(const ClassesView& view, std::ostream& out) {
    write_distribution_svg(*view.distribution, {view.file, view.what}, out);
}

void check(const ClassesArguments& arguments, const Console& console) {
    arguments.format.check(console);
    const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, what); };
    const bool histogram = !arguments.histogram.empty();
    if (!histogram && arguments.format.svg) refuse("--svg needs --histogram");
    if (histogram && arguments.format.csv && arguments.per_iteration) {
        refuse("--csv prints a histogram or iterations, not both");
    }
}

ExitCode run_classes(ClassesArguments& arguments, Console& console, Communicator& comm) {
    check(arguments, console);
    arguments.patterns.insert(arguments.patterns.end(), arguments.histogram.begin(),
                              arguments.histogram.end());
    for (const std::string& pattern : arguments.patterns) arguments.names.add(pattern);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    naming_file(arguments.input.path, [&] {
        warn_if_nothing_matches(arguments.names, input->file(), console);
        warn_if_nothing_matches(arguments.regions, input->file(), console);
        TraceFile& file = input->file();
        FoundSteps steps(file, StepLevels::one, arguments.input.threads_of(comm));
        const ClassesView view = over_threads(
            comm, file, arguments.input.threads,
            [&](Communicator& team) { return make_view(arguments, file, team, steps); });
        if (comm.rank() != 0) return;
        arguments.format.show(view, console, write_classes_json, write_classes_csv,
                              write_classes_svg, print_classes);
    });
    return exit_ok;
}

}  // namespace

InspectCommand add_classes_command(CLI::App& app) {
    auto arguments = std::make_shared<ClassesArguments>();
    CLI::App* classes = app.add_subcommand("classes", "Classes of similar ranks, with statistics");
    arguments->input.add_options(*classes);
    arguments->input.add_threads(*classes, "read locations");
    classes
        ->add_option_function<std::string>(
            "--by", [arguments](const std::string& text) { parse_by(text, *arguments); },
            "Criterion of similarity")
        ->type_name("events|calls|script|arguments|regions[=PATTERN]")
        ->default_str("calls");
    classes
        ->add_option(
            "--match", arguments->patterns,
            "Statistics of calls of this name only (default: MPI functions); may be repeated")
        ->type_name("PATTERN")
        ->take_all();
    add_histogram_option(*classes, arguments->histogram);
    arguments->options.add_options(*classes);
    classes->add_flag("--per-iteration", arguments->per_iteration,
                      "Number of classes per iteration, and ranks that change class");
    add_ranks_option(*classes, arguments->ranks);
    arguments->format.add_options(*classes, true);
    return {classes, [arguments](Console& console, Communicator& comm) {
                return run_classes(*arguments, console, comm);
            }};
}

namespace {

constexpr Quantity kAllClassQuantities[] = {
    Quantity::calls, Quantity::time,    Quantity::sent,         Quantity::received,
    Quantity::read,  Quantity::written, Quantity::self_samples, Quantity::total_samples};

void write_class(const ClassesView& view, std::size_t number, JsonWriter& json) {
    json.begin_object()
        .member("locations", view.classes.classes[number].size())
        .member("participants", view.participants[number]);
    write_list("members", view.classes.classes[number].members(), json);
    json.key("figures").begin_array();
    if (const Statistics::Row* row = view.statistics_of(number)) {
        for (const Quantity quantity : kAllClassQuantities) {
            const Moments& moments = row->figures.of(SampleScope::ranks, quantity);
            if (moments.empty()) continue;
            json.begin_object().member("metric", quantity_name(quantity));
            write_moments(moments, quantity, view.statistics.rate, json);
            json.end_object();
        }
    }
    json.end_array();
    if (const Distribution::Row* row = view.distribution_of(number)) {
        write_distribution_row(*view.distribution, *row, json.key("histogram"));
    }
    json.end_object();
}

void write_columns(const RankClasses& classes, JsonWriter& json) {
    json.key("iterations").begin_array();
    for (std::size_t i = 0; i < classes.columns.size(); ++i) {
        const auto [first, last] = iterations_of(classes, i);
        const RankClasses::Column& column = classes.columns[i];
        json.begin_object()
            .member("first", first)
            .member("last", last)
            .member("locations", column.locations)
            .member("classes", column.classes)
            .member("largest", column.largest)
            .member("changed", column.changed)
            .member("moved", column.moved)
            .end_object();
    }
    json.end_array();
}

}  // namespace

void write_classes_csv(const ClassesView& view, std::ostream& out) {
    CsvTable table(out);
    put_classes(view, table);
}

void write_classes_json(const ClassesView& view, Console& console) {
    JsonWriter json = begin_document(console, "classes");
    json.member("file", view.file)
        .member("by", view.by)
        .member("what", view.what)
        .member("locations", view.classes.locations)
        .member("reduction", view.classes.reduction());
    json.key("classes").begin_array();
    for (std::size_t i = 0; i < view.classes.classes.size(); ++i) write_class(view, i, json);
    json.end_array();
    if (view.distribution) write_bins(*view.distribution, json);
    if (!view.classes.columns.empty()) write_columns(view.classes, json);
    json.end_object();
}

namespace {

constexpr std::size_t kLongestParticipants = 60;

std::string shortened(const std::string& text) {
    if (text.size() <= kLongestParticipants) return text;
    return text.substr(0, kLongestParticipants - 3) + "...";
}

class ClassesPrinter {
  public:
    ClassesPrinter(const ClassesView& view, Console& console) : view_(view), console_(console) {}

    void run() {
        const RankClasses& classes = view_.classes;
        console_.text() << console_.paint(Style::bold, view_.file) << "  by " << printable(view_.by)
                        << ": " << classes.classes.size() << " classes of " << classes.locations
                        << " locations, " << fmt::format("{:.1f}", classes.reduction())
                        << " locations per class\n";
        print_table();
        if (view_.distribution) {
            print_distribution(*view_.distribution, {view_.file, view_.what}, console_);
        }
        if (!classes.columns.empty()) print_iterations();
    }

  private:
    void print_table() {
        console_.text() << "  " << printable(view_.what) << " per class, over ranks\n";
        Table table({{"class"},
                     {"locations", kRight},
                     {"members"},
                     {"calls", kRight},
                     {"sent", kRight, 3},
                     {"received", kRight, 3},
                     {"time", kRight},
                     {"mean", kRight},
                     {"deviation", kRight, 4},
                     {"min", kRight, 2},
                     {"max", kRight}});
        for (std::size_t i = 0; i < view_.classes.classes.size(); ++i) {
            std::vector<std::string> cells = {std::to_string(i),
                                              format_count(view_.classes.classes[i].size()),
                                              shortened(view_.participants[i])};
            for (std::string& text : figures(i)) cells.push_back(std::move(text));
            table.add_row(cells);
        }
        table.print(console_, 2);
    }

    [[nodiscard]] std::vector<std::string> figures(std::size_t number) const {
        const Statistics::Row* row = view_.statistics_of(number);
        if (row == nullptr) return std::vector<std::string>(8, "-");
        const auto text = [&](Quantity quantity, double value) {
            return quantity_text(quantity, value, view_.statistics.rate);
        };
        const auto sum = [&](Quantity quantity) {
            const Moments& moments = row->figures.of(SampleScope::ranks, quantity);
            return moments.empty() ? std::string("-") : text(quantity, moments.real_sum());
        };
        std::vector<std::string> cells = {format_count(row->figures.calls()), sum(Quantity::sent),
                                          sum(Quantity::received), sum(Quantity::time)};
        const Moments& times = row->figures.of(SampleScope::ranks, Quantity::time);
        for (const double value :
             {times.mean(), times.deviation(), static_cast<double>(times.min()),
              static_cast<double>(times.max())}) {
            cells.push_back(times.empty() ? "-" : text(Quantity::time, value));
        }
        return cells;
    }

    /// Consecutive columns without changes share a line.
    void print_iterations() {
        const RankClasses& classes = view_.classes;
        Table table({{"iterations"},
                     {"locations", kRight},
                     {"classes", kRight},
                     {"largest", kRight},
                     {"changed", kRight},
                     {"moved", kRight}});
        for (std::size_t begin = 0; begin < classes.columns.size();) {
            const RankClasses::Column& column = classes.columns[begin];
            std::size_t end = begin + 1;
            while (end < classes.columns.size() && classes.columns[end] == column) ++end;
            const u64 first = begin * classes.per_column;
            const u64 last = std::min(classes.iterations, end * classes.per_column) - 1;
            const std::string which =
                std::to_string(first) + (first == last ? "" : "-" + std::to_string(last));
            table.add_row({which, format_count(column.locations), format_count(column.classes),
                           format_count(column.largest), format_count(column.changed),
                           format_count(column.moved)});
            begin = end;
        }
        if (classes.per_column > 1) {
            console_.text() << "  " << classes.per_column << " iterations are taken together\n";
        }
        table.print(console_, 2);
    }

    const ClassesView& view_;
    Console& console_;
};

}  // namespace

void print_classes(const ClassesView& view, Console& console) {
    ClassesPrinter(view, console).run();
}

}  // namespace tracefold
