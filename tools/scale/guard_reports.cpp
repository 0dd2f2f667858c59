// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scale/guard_reports.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/utf8.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

namespace tracefold {

namespace {

/// "+5.3 %"
std::string signed_percent(double change) {
    return std::isinf(change) ? "-" : (change < 0 ? "-" : "+") + format_percent(std::abs(change));
}

/// "2.1 to 8.5 %"
std::string interval_text(const GuardedTime& time) {
    const auto percent = [](double change) { return std::round(1000 * change) / 10 + 0.0; };
    return std::isinf(time.high)
               ? "-"
               : fmt::format("{:.1f} to {:.1f} %", percent(time.low), percent(time.high));
}

std::string detectable_text(const GuardedTime& time) {
    return std::isinf(time.detectable) ? "-" : format_percent(time.detectable);
}

std::string counted(std::size_t count, const std::string& noun) {
    return fmt::format("{} {}{}", format_count(count), noun, count == 1 ? "" : "s");
}

double mean_seconds(const std::vector<double>& runs) {
    double sum = 0;
    for (const double seconds : runs) sum += seconds;
    return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
}

bool fails(const GuardedTime& time, const GuardView& view) {
    return time.verdict == TimeVerdict::slower ||
           (view.strict && time.verdict == TimeVerdict::undecided);
}

/// Where to look for the cause: a path within the repository, and a line.
struct Place {
    std::string path = ".gitlab-ci.yml";
    u64 line = 1;
};

Place place_of(const std::string& file, u64 line) {
    std::error_code ignored;
    std::filesystem::path path = file;
    if (path.is_absolute()) path = path.lexically_relative(std::filesystem::current_path(ignored));
    path = path.lexically_normal();
    if (file.empty() || path.empty() || *path.begin() == "..") return {};
    return {path.string(), line};
}

/// One issue for GitLab: of equal fingerprints it shows one, so numbers are not part of it.
void write_issue(const std::string& kind, const std::string& where, const char* severity,
                 const std::string& sentence, const Place& place, JsonWriter& json) {
    const ContentHash hash = content_hash(kind + '\n' + where);
    json.begin_object()
        .member("description", sentence)
        .member("check_name", "trace_scale guard: " + kind)
        .member("fingerprint", fmt::format("{:016x}{:016x}", hash.high, hash.low))
        .member("severity", severity)
        .key("location")
        .begin_object()
        .member("path", place.path)
        .key("lines")
        .begin_object()
        .member("begin", place.line)
        .end_object()
        .end_object()
        .end_object();
}

/// A cell of a table in Markdown: a name as code, without what would end it.
std::string code(const std::string& name) {
    std::string text;
    for (const char c : printable(name)) {
        if (c == '|') text += '\\';
        text += c == '`' ? '\'' : c;
    }
    return "`" + text + "`";
}

/// The columns of the table of times: those of numbers come after the verdict.
constexpr std::array kNumberColumns = {"change", "90 % interval", "visible from",
                                       "share",  "before",        "now"};

std::vector<std::string> number_cells(const GuardedTime& time) {
    return {signed_percent(time.change),
            interval_text(time),
            detectable_text(time),
            format_percent(time.share),
            format_time(mean_seconds(time.baseline)),
            format_time(mean_seconds(time.current))};
}

std::string structure_line(const GuardResult& result) {
    const auto allowed = static_cast<std::size_t>(std::ranges::count_if(
        result.differences, [](const StructureDifference& it) { return it.allowed; }));
    std::string text =
        result.differences.empty() ? "equal" : counted(result.differences.size(), "difference");
    if (allowed != 0) text += fmt::format(", {} allowed", format_count(allowed));
    if (result.varying != 0)
        text += fmt::format("; {} not fixed: the baselines differ in {}",
                            counted(result.varying, "number"), result.varying == 1 ? "it" : "them");
    return text;
}

void add_case(const std::string& name, double seconds, const std::string& content,
              std::string& out) {
    out += fmt::format("    <testcase classname=\"trace_scale.guard\" name=\"{}\" time=\"{:.6f}\"",
                       markup_text(name), seconds);
    out += content.empty() ? "/>\n" : ">\n" + content + "    </testcase>\n";
}

/// The only failure of a test case, since readers show one.
std::string failure(std::string_view kind, const std::string& message, const std::string& text) {
    return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", kind,
                       markup_text(message), text);
}

}  // namespace

std::string guard_sentence(const GuardedTime& time) {
    std::string text = time.path + ": ";
    if (std::isinf(time.detectable)) {
        return text + fmt::format("{} against {}: too few to compare times",
                                  counted(time.used, "baseline"),
                                  counted(time.current.size(), "run"));
    }
    text += time.change == 0
                ? "as before"
                : format_percent(std::abs(time.change)) + (time.change < 0 ? " faster" : " slower");
    return text + fmt::format(" ({}), {} against {}; {} could have been seen", interval_text(time),
                              counted(time.used, "baseline"), counted(time.current.size(), "run"),
                              detectable_text(time));
}

std::string guard_sentence(const StructureDifference& difference) {
    const StructureDifference& it = difference;
    std::string text(structure_kind_name(it.kind));
    if (!it.place.empty()) text += " of " + it.place;
    if (it.kind == StructureKind::calls)
        text += it.baseline == 0 ? ": new" : ": missing";
    else if (it.what.empty())
        text += ": other than before";
    else
        text += fmt::format(": {} {} -> {}", it.what, it.baseline, it.current);
    if (!it.ranks.empty()) text += " on ranks " + it.ranks;
    return text + " (" + it.run + ")";
}

std::string guard_summary(const GuardView& view) {
    const GuardResult& result = view.result;
    if (result.baselines.empty()) return "no baselines to compare with";
    std::string text(guard_verdict_name(result.verdict));
    if (result.verdict == GuardVerdict::structure) {
        const auto first =
            std::ranges::find(result.differences, false, &StructureDifference::allowed);
        return text + ": " + guard_sentence(*first);
    }
    const auto verdict = result.verdict == GuardVerdict::slower   ? TimeVerdict::slower
                         : result.verdict == GuardVerdict::faster ? TimeVerdict::faster
                                                                  : TimeVerdict::undecided;
    const auto times =
        static_cast<std::size_t>(std::ranges::count(result.times, verdict, &GuardedTime::verdict));
    if (times == 0) return text;
    if (verdict == TimeVerdict::undecided)
        return text + fmt::format(": {} of {} may be slower by more than what counts", times,
                                  counted(result.times.size(), "time"));
    // The call path says more than the whole run.
    const auto last = std::ranges::max_element(result.times, {}, [&](const GuardedTime& time) {
        return std::pair(time.verdict == verdict, std::abs(time.change) * time.share *
                                                      (&time == &result.times.front() ? 0 : 1));
    });
    return text + ": " + guard_sentence(*last);
}

void GuardRules::allow(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    std::string kinds;
    for (const StructureKind it : kStructureKinds) {
        const std::string_view name = structure_kind_name(it);
        if (name == kind) {
            allowed[it].add(colon == std::string::npos ? "*" : text.substr(colon + 1));
            return;
        }
        kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", name);
    }
    throw Error(ErrorKind::usage, "a difference in structure is one of {}, not '{}'", kinds, kind);
}

GuardView judged(const Guard& guard, const GuardRules& rules) {
    auto allowed = rules.allowed;
    GuardSettings settings;
    settings.least_effect = rules.least_effect;
    settings.allows = [&allowed](StructureKind kind, const std::string& place) {
        const auto names = allowed.find(kind);
        return names != allowed.end() && names->second.matches(place);
    };
    GuardView view;
    view.result = guard.judge(settings);
    view.strict = rules.strict;
    const GuardVerdict verdict = view.result.verdict;
    view.passed = view.result.baselines.empty() || verdict < GuardVerdict::undecided ||
                  (verdict == GuardVerdict::undecided && !rules.strict);
    return view;
}

void print_guard_text(const GuardView& view, Console& console) {
    const GuardResult& result = view.result;
    std::ostream& out = console.text();
    out << counted(result.baselines.size(), "baseline") << ", "
        << counted(result.runs.size(), "new run") << ", " << counted(result.ranks, "rank") << '\n';
    if (!result.baselines.empty()) {
        out << "structure: " << structure_line(result) << '\n';
        for (const StructureDifference& it : result.differences) {
            out << "  " << (it.allowed ? "allowed: " : "") << printable(guard_sentence(it)) << '\n';
        }
        for (const auto& [now, before] : result.renamed)
            out << "renamed: " << printable(before) << " -> " << printable(now) << '\n';
    }
    if (result.has_common)
        out << fmt::format("most call paths share {} (machine or compiler), left out of theirs\n",
                           signed_percent(result.common));
    if (!result.times.empty()) {
        std::vector<Table::Column> columns = {{"verdict"}};
        constexpr std::array kDispensable = {0U, 1U, 0U, 2U, 3U, 3U};
        for (std::size_t i = 0; i < kNumberColumns.size(); ++i)
            columns.push_back({kNumberColumns[i], kRight, kDispensable[i]});
        columns.push_back({"call path"});
        Table table(columns);
        for (const GuardedTime& time : result.times) {
            std::vector<std::string> row = number_cells(time);
            row.insert(row.begin(), std::string(time_verdict_name(time.verdict)));
            row.push_back(time.path);
            table.add_row(row);
        }
        table.print(console);
    }
    for (const auto& file : view.update.added) out << "new baseline: " << printable(file) << '\n';
    for (const auto& file : view.update.removed) out << "removed: " << printable(file) << '\n';
    console.summary(printable(guard_summary(view)));
}

void print_guard_json(const GuardView& view, Console& console) {
    JsonWriter json = begin_document(console, "guard");
    write_guard(view, json);
    json.end_object();
}

void write_guard(const GuardView& view, JsonWriter& json) {
    const GuardResult& result = view.result;
    json.member("verdict",
                result.baselines.empty() ? "no baselines" : guard_verdict_name(result.verdict))
        .member("passed", view.passed)
        .member("summary", guard_summary(view))
        .member("ranks", result.ranks)
        .member("timing", timing_name(result.timing));
    write_list("baselines", result.baselines, json);
    write_list("runs", result.runs, json);
    write_objects("differences", result.differences, json, [&](const StructureDifference& it) {
        json.member("kind", structure_kind_name(it.kind)).member("place", it.place);
        if (!it.what.empty()) {
            json.member("what", it.what).key("baseline").bytes(it.baseline);
            json.key("current").bytes(it.current);
        }
        if (!it.ranks.empty()) json.member("ranks", it.ranks);
        json.member("run", it.run).member("allowed", it.allowed);
    });
    json.member("varying", result.varying);
    write_objects("renamed", result.renamed, json, [&](const auto& names) {
        json.member("baseline", names.second).member("run", names.first);
    });
    if (result.has_common) json.member("common_change", result.common);
    write_objects("times", result.times, json, [&](const GuardedTime& time) {
        json.member("path", time.path)
            .member("verdict", time_verdict_name(time.verdict))
            .member("share", time.share);
        write_list("baseline_seconds", time.baseline, json);
        write_list("seconds", time.current, json);
        json.member("baselines_used", time.used).member("change", time.change);
        if (std::isinf(time.detectable)) return;
        write_list("interval_90", std::array{time.low, time.high}, json);
        json.member("detectable", time.detectable)
            .member("p", time.p)
            .member("test", time.by_ranks ? "ranks" : "t");
    });
    write_list("added", view.update.added, json);
    write_list("removed", view.update.removed, json);
}

std::string guard_junit(const GuardView& view) {
    const GuardResult& result = view.result;
    std::string cases;
    std::size_t failures = 0;
    std::size_t skipped = 0;
    double seconds = 0;
    std::string structure;
    for (const StructureDifference& it : result.differences)
        structure += it.allowed ? "" : markup_text(guard_sentence(it)) + '\n';
    if (!structure.empty()) {
        structure = failure("structure", guard_summary(view), structure);
        failures = 1;
    }
    add_case("structure", 0, structure, cases);
    for (const GuardedTime& time : result.times) {
        const std::string sentence = guard_sentence(time);
        std::string content;
        if (fails(time, view)) {
            content = failure(time_verdict_name(time.verdict), sentence, markup_text(sentence));
            ++failures;
        } else if (time.verdict == TimeVerdict::undecided) {
            content = fmt::format("      <skipped message=\"{}\"/>\n", markup_text(sentence));
            ++skipped;
        }
        // The first one is the whole run.
        if (seconds == 0) seconds = mean_seconds(time.current);
        add_case(time.path, mean_seconds(time.current), content, cases);
    }
    const std::string counts = fmt::format(
        "name=\"trace_scale guard\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
        "time=\"{:.6f}\"",
        result.times.size() + 1, failures, skipped, seconds);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite {}>\n{}"
        "  </testsuite>\n</testsuites>\n",
        counts, counts, cases);
}

std::string guard_code_quality(const GuardView& view) {
    std::ostringstream out;
    JsonWriter json(out, JsonLayout::pretty);
    json.begin_array();
    for (const StructureDifference& it : view.result.differences) {
        if (it.allowed) continue;
        write_issue(std::string(structure_kind_name(it.kind)), it.place + '\n' + it.what,
                    "critical", guard_sentence(it), place_of(it.file, it.line), json);
    }
    for (const GuardedTime& time : view.result.times) {
        if (!fails(time, view)) continue;
        const bool slower = time.verdict == TimeVerdict::slower;
        write_issue(std::string(time_verdict_name(time.verdict)), time.path,
                    slower ? "major" : "minor", guard_sentence(time),
                    place_of(time.file, time.line), json);
    }
    json.end_array();
    return out.str();
}

std::string guard_markdown(const GuardView& view) {
    const GuardResult& result = view.result;
    std::string text =
        fmt::format("## trace_scale guard: {}\n\n{}\n\n", view.passed ? "passed" : "failed",
                    printable(guard_summary(view)));
    text += fmt::format("{}, {}, {}\n", counted(result.baselines.size(), "baseline"),
                        counted(result.runs.size(), "new run"), counted(result.ranks, "rank"));
    if (result.baselines.empty()) return text;
    text += "\nStructure: " + structure_line(result) + "\n";
    for (const StructureDifference& it : result.differences)
        text += fmt::format("{}- {}{}\n", &it == &result.differences.front() ? "\n" : "",
                            it.allowed ? "allowed: " : "", code(guard_sentence(it)));
    for (const auto& [now, before] : result.renamed)
        text += fmt::format("\nRenamed: {} is now {}\n", code(before), code(now));
    if (result.has_common)
        text +=
            fmt::format("\nMost call paths share {} (machine or compiler), left out of theirs.\n",
                        signed_percent(result.common));
    if (result.times.empty()) return text;
    text += fmt::format("\n| verdict | {} | call path |\n|---|{}---|\n",
                        CLI::detail::join(kNumberColumns, " | "), "---:|---:|---:|---:|---:|---:|");
    for (const GuardedTime& time : result.times) {
        const char* bold = fails(time, view) ? "**" : "";
        text += fmt::format("| {0}{1}{0} | {2} | {3} |\n", bold, time_verdict_name(time.verdict),
                            CLI::detail::join(number_cells(time), " | "), code(time.path));
    }
    return text;
}

}  // namespace tracefold
