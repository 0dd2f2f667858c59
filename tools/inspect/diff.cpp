// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/output_format.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "inspect/diff_lines.hpp"

#include <memory>
#include <optional>

namespace tracefold {

namespace {

using Kind = Difference::Kind;
using MergedEntry = MergedDifferences::Entry;

struct DiffArguments {
    std::string a;
    std::string b;
    bool drop_unknown = false;
    std::optional<double> tolerance;
    std::vector<std::string> ignored;
};

/// Prints differences, grouped by place.
class DiffPrinter {
  public:
    DiffPrinter(const ParticipantNames& names, Console& console)
        : names_(names), console_(console) {}

    void print(const MergedEntry& difference) {
        place(difference);
        const DiffLine& line = difference.line;
        const std::string end =
            difference.places > 1 ? fmt::format(" (in {} places)\n", difference.places) : "\n";
        std::ostream& out = console_.text();
        const std::string what = printable(line.what);
        const std::string a = printable(line.a);
        const std::string b = printable(line.b);
        switch (difference.kind) {
            case Kind::only_in_a:
                out << console_.paint(Style::error, "    - " + what + " x " + a) << end;
                return;
            case Kind::only_in_b:
                out << console_.paint(Style::good, "    + " + what + " x " + b) << end;
                return;
            case Kind::order:
                out << "    ~ " << what << ": " << line.field << " " << a << " in another order"
                    << end;
                return;
            default:
                break;
        }
        const bool iterations = line.field == "iterations";
        if (a == b) {
            out << "    ~ " << what << ": " << line.field << " " << a << " on other ranks" << end;
            return;
        }
        out << "    ~ " << what << ": " << (iterations ? "" : line.field + " ") << a << " -> " << b
            << (iterations ? " iterations" : "") << end;
    }

  private:
    void place(const MergedEntry& difference) {
        std::string where;
        for (const std::string& part : difference.path) {
            where.append(where.empty() ? "" : " > ").append(printable(part));
        }
        if (difference.participants != participants_) {
            console_.text() << console_.paint(Style::bold, names_.text(difference.participants))
                            << '\n';
            where_ = "?";
        }
        if (where != where_) console_.text() << "  " << (where.empty() ? "program" : where) << '\n';
        participants_ = difference.participants;
        where_ = where;
    }

    const ParticipantNames& names_;
    Console& console_;
    ParticipantList participants_;
    std::string where_;
};

void write_difference(const MergedEntry& difference, const ParticipantNames& names,
                      JsonWriter& json) {
    const DiffLine& line = difference.line;
    json.member("kind", difference_kind(difference.kind))
        .member("participants", names.text(difference.participants));
    write_list("path", difference.path, json).member("name", line.what);
    if (!line.field.empty()) json.member("field", line.field);
    if (difference.kind != Kind::only_in_b) json.member("a", line.a);
    if (difference.kind != Kind::only_in_a) json.member("b", line.b);
    json.member("places", difference.places);
}

ExitCode run_diff(const DiffArguments& arguments, Console& console) {
    const DiffOptions options{arguments.tolerance.value_or(0), arguments.ignored};
    const auto opened = open_all(
        {{arguments.a, arguments.drop_unknown}, {arguments.b, arguments.drop_unknown}}, console);
    const bool with_times = arguments.tolerance.has_value();
    ComparedTrace a(opened.front()->file(), arguments.a, with_times);
    ComparedTrace b(opened.back()->file(), arguments.b, with_times);
    MergedDifferences merged;
    const OnlyIn only = compare_structures(
        a.view(), b.view(), options,
        [&](const Difference& difference) { merged.add(difference, a.names(), b.names()); });
    const std::vector<MergedEntry> differences = merged.grouped();
    const bool equal = differences.empty() && only.a.empty() && only.b.empty();
    const ExitCode code = equal ? exit_ok : exit_mismatch;
    if (console.json()) {
        JsonWriter json = begin_document(console, "diff");
        json.member("a", arguments.a).member("b", arguments.b);
        write_objects("differences", differences, json,
                      [&](const MergedEntry& it) { write_difference(it, a.names(), json); });
        json.member("only_in_a", only.a).member("only_in_b", only.b);
        json.member("equal", equal).end_object();
        return code;
    }
    DiffPrinter printer(a.names(), console);
    for (const MergedEntry& difference : differences) printer.print(difference);
    if (!only.a.empty()) console.text() << "- only in the first: " << only.a << '\n';
    if (!only.b.empty()) console.text() << "+ only in the second: " << only.b << '\n';
    if (equal) console.summary("no differences");
    return code;
}

}  // namespace

InspectCommand add_diff_command(CLI::App& app) {
    auto arguments = std::make_shared<DiffArguments>();
    CLI::App* diff =
        app.add_subcommand("diff", "Compare two traces: calls, counts, arguments, times");
    add_trace_argument(*diff, "A", arguments->a);
    add_trace_argument(*diff, "B", arguments->b);
    add_drop_unknown_option(*diff, arguments->drop_unknown);
    diff->add_option("--tolerance", arguments->tolerance,
                     "Compare times as well: relative difference to ignore")
        ->check(CLI::Range(0.0, 1.0))
        ->type_name("R");
    diff->add_option("--ignore", arguments->ignored, "Ignore this argument, as in ProcessId")
        ->type_name("NAME")
        ->take_all()
        ->allow_extra_args(false);
    return {diff,
            on_rank_zero([arguments](Console& console) { return run_diff(*arguments, console); })};
}

}  // namespace tracefold
