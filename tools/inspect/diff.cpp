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
    DiffPrinter(ComparedTrace& a, ComparedTrace& b, Console& console)
        : a_(a), b_(b), console_(console) {}

    void print(const Difference& difference) {
        place(difference);
        const DiffLine line = line_of(difference, a_.names(), b_.names());
        std::ostream& out = console_.out();
        const std::string what = printable(line.what);
        const std::string a = printable(line.a);
        const std::string b = printable(line.b);
        switch (difference.kind) {
            case Kind::only_in_a:
                out << console_.paint(Style::error, "    - " + what + " x " + a) << '\n';
                return;
            case Kind::only_in_b:
                out << console_.paint(Style::good, "    + " + what + " x " + b) << '\n';
                return;
            case Kind::order:
                out << "    ~ " << what << ": " << line.field << " " << a << " in another order\n";
                return;
            default:
                break;
        }
        const bool iterations = line.field == "iterations";
        if (a == b) {
            out << "    ~ " << what << ": " << line.field << " " << a << " on other ranks\n";
            return;
        }
        out << "    ~ " << what << ": " << (iterations ? "" : line.field + " ") << a << " -> " << b
            << (iterations ? " iterations" : "") << '\n';
    }

  private:
    void place(const Difference& difference) {
        std::string where;
        for (const std::string& part : difference.path) {
            where.append(where.empty() ? "" : " > ").append(printable(part));
        }
        if (difference.participants != participants_) {
            console_.out() << console_.paint(Style::bold, difference.participants) << '\n';
            where_ = "?";
        }
        if (where != where_) console_.out() << "  " << (where.empty() ? "program" : where) << '\n';
        participants_ = difference.participants;
        where_ = where;
    }

    ComparedTrace& a_;
    ComparedTrace& b_;
    Console& console_;
    std::string participants_;
    std::string where_;
};

void write_difference(const Difference& difference, ComparedTrace& a, ComparedTrace& b,
                      JsonWriter& json) {
    const DiffLine line = line_of(difference, a.names(), b.names());
    json.begin_object()
        .member("kind", difference_kind(difference.kind))
        .member("participants", difference.participants);
    write_list("path", difference.path, json).member("name", line.what);
    if (!line.field.empty()) json.member("field", line.field);
    if (difference.a != nullptr) json.member("a", line.a);
    if (difference.b != nullptr) json.member("b", line.b);
    json.end_object();
}

ExitCode diff_as_text(ComparedTrace& a, ComparedTrace& b, const DiffOptions& options,
                      Console& console) {
    u64 count = 0;
    DiffPrinter printer(a, b, console);
    const OnlyIn only =
        compare_structures(a.view(), b.view(), options, [&](const Difference& difference) {
            ++count;
            printer.print(difference);
        });
    if (!only.a.empty()) console.out() << "- only in the first: " << only.a << '\n';
    if (!only.b.empty()) console.out() << "+ only in the second: " << only.b << '\n';
    const bool equal = count == 0 && only.a.empty() && only.b.empty();
    if (equal) console.summary("no differences");
    return equal ? exit_ok : exit_mismatch;
}

ExitCode diff_as_json(const DiffArguments& arguments, ComparedTrace& a, ComparedTrace& b,
                      const DiffOptions& options, Console& console) {
    JsonWriter json = begin_document(console, "diff");
    json.member("a", arguments.a).member("b", arguments.b);
    u64 count = 0;
    json.key("differences").begin_array();
    const OnlyIn only =
        compare_structures(a.view(), b.view(), options, [&](const Difference& difference) {
            ++count;
            write_difference(difference, a, b, json);
        });
    json.end_array().member("only_in_a", only.a).member("only_in_b", only.b);
    const bool equal = count == 0 && only.a.empty() && only.b.empty();
    json.member("equal", equal).end_object();
    return equal ? exit_ok : exit_mismatch;
}

ExitCode run_diff(const DiffArguments& arguments, Console& console) {
    const DiffOptions options{arguments.tolerance.value_or(0), arguments.ignored};
    const auto opened = open_all(
        {{arguments.a, arguments.drop_unknown}, {arguments.b, arguments.drop_unknown}}, console);
    const bool with_times = arguments.tolerance.has_value();
    ComparedTrace a(opened.front()->file(), arguments.a, with_times);
    ComparedTrace b(opened.back()->file(), arguments.b, with_times);
    return console.json() ? diff_as_json(arguments, a, b, options, console)
                          : diff_as_text(a, b, options, console);
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
