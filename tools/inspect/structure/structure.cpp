// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/structure/structure.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/text.hpp"
#include "file/call_names.hpp"
#include "file/location_blocks.hpp"
#include "inspect/command.hpp"
#include "inspect/structure/findings.hpp"
#include "questions/structure/structure_diff.hpp"
#include "questions/structure/structure_listing.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct StructureArguments {
    TraceInput input;
    RankList ranks;
    ListingLimits limits;
    std::optional<u64> top;
    bool times = false;
    bool lines = false;

    /// Sets the limits of --all.
    void show_all() {
        limits.width = 0;
        limits.repeats = true;
        top = 0;
    }
};

/// Without --top, no further scripts are begun after this many lines.
constexpr u64 kEnoughLines = 150;
/// Scripts with more lines are shown as differences to others if possible.
constexpr u64 kScreen = 50;
/// Limit of scripts shown as differences.
constexpr u64 kMostInShort = 12;

/// One run of the command.
class StructureCommand {
  public:
    StructureCommand(const StructureArguments& arguments, TraceFile& file,
                     std::optional<CallTimes> times, Console& console)
        : arguments_(arguments),
          file_(file),
          console_(console),
          names_(file.definitions()),
          selected_(select_locations(arguments.ranks, names_, file.location_count())),
          source_(file),
          times_(std::move(times)) {}

    void print() {
        if (finds()) print_findings(summarise(), names_, console_);
        for_each_script(source_, selected_, [&](u32 number, const ParticipantList& who) {
            if (is_shown()) {
                print(script_text(number, who));
            } else {
                leave_out(who);
            }
        });
        print_left_out();
    }

    void print_json() {
        JsonWriter json = begin_json("structure");
        const TickRate rate = file_.definitions().tick_rate();
        json.key("scripts").begin_array();
        const ListingLimits& limits = arguments_.limits;
        const DocumentPart part{limits.depth, limits.depth == 0 || limits.repeats};
        const u64 most = arguments_.top.value_or(0);
        u64 left_out = 0;
        for_each_script(source_, selected_, [&](u32 number, const ParticipantList& who) {
            if (most != 0 && shown_ == most) {
                ++left_out;
                return;
            }
            ++shown_;
            const ListedScript script = list_complete_script(source_, number, who);
            write_script(script, names_, line_times_of(script), rate, part, json);
        });
        json.end_array();
        if (left_out != 0) json.member("scripts_left_out", left_out);
        json.end_object();
    }

    /// The text as an object: titles and lines of all groups of ranks, also of similar ones.
    void print_lines_json() {
        JsonWriter json = begin_json("structure_lines");
        const TickRate rate = file_.definitions().tick_rate();
        json.key("groups").begin_array();
        for_each_script(source_, selected_, [&](u32 number, const ParticipantList& who) {
            if (!is_shown()) return leave_out(who);
            const ScriptText script = script_text(number, who);
            json.begin_object();
            write_participants(who, names_, json);
            json.member("calls", script.calls);
            if (const auto difference = introduce(script)) json.member("difference", *difference);
            if (times_) json.member("seconds", rate.seconds(script.ticks));
            write_objects("lines", script.lines, json, [&](const ScriptText::Line& line) {
                const std::size_t indent = line.text.find_first_not_of(' ');
                json.member("level", indent / 2).member("name", line.name);
                json.member("text", line.text.substr(indent));
                if (times_) json.member("seconds", rate.seconds(line.ticks));
            }).end_object();
        });
        json.end_array();
        if (left_out_ != 0) json.member("left_out", left_out_text());
        json.end_object();
    }

  private:
    /// Begins a document with the file and, of the whole program, the findings.
    JsonWriter begin_json(std::string_view schema) {
        JsonWriter json = begin_document(console_, schema);
        json.member("file", arguments_.input.path);
        if (finds()) {
            json.key("findings");
            write_findings(summarise(), names_, json);
        }
        return json;
    }

    /// Findings describe the whole program only.
    [[nodiscard]] bool finds() const { return arguments_.ranks.selects_all(); }
    Findings summarise() {
        FoundSteps own(file_, StepLevels::two);
        const OpenTrace* opened = arguments_.input.opened;
        return tracefold::summarise(file_, source_, opened != nullptr ? opened->steps : own,
                                    times_ ? &*times_ : nullptr);
    }
    std::optional<LineTimes> line_times_of(const ListedScript& script) {
        if (!times_) return std::nullopt;
        return line_times(script, *times_, source_.counts());
    }

    [[nodiscard]] bool is_shown() const {
        if (!arguments_.top) return lines_ < kEnoughLines && in_short_ < kMostInShort;
        return *arguments_.top == 0 || shown_ < *arguments_.top;
    }

    ScriptText script_text(u32 number, const ParticipantList& who) {
        const ListedScript script = list_complete_script(source_, number, who);
        return tracefold::script_text(script, names_, line_times_of(script), arguments_.limits,
                                      console_);
    }

    /// The difference to an earlier script if both exceed a screen; none: it is shown in full.
    std::optional<std::string> introduce(const ScriptText& script) {
        const bool fits = arguments_.top || lines_ + script.lines.size() <= kScreen;
        std::optional<std::string> difference;
        if (!fits) difference = alike_.difference(script);
        ++lines_;
        if (difference) {
            ++in_short_;
            return difference;
        }
        alike_.add(script);
        ++shown_;
        lines_ += script.lines.size();
        items_left_out_ += script.left_out;
        return std::nullopt;
    }

    void print(const ScriptText& script) {
        const std::optional<std::string> difference = introduce(script);
        print_title(script, difference ? ", " + *difference : "");
        if (difference) return;
        for (const ScriptText::Line& line : script.lines) print(line);
    }

    void print_title(const ScriptText& script, const std::string& more) {
        console_.text() << console_.paint(Style::bold, script.who) << "  "
                        << console_.paint(Style::dim, format_count(script.calls) + " calls" + more)
                        << '\n';
    }

    void print(const ScriptText::Line& line) {
        if (!times_) {
            console_.text() << line.text << '\n';
            return;
        }
        constexpr std::size_t kWidth = 8;
        const std::string padding(kWidth - std::min(kWidth, line.share.size()), ' ');
        console_.text() << padding << console_.paint(Style::dim, line.share)
                        << wrap_line(line.text, console_.columns() - kWidth) << '\n';
    }

    void leave_out(const ParticipantList& who) {
        ++left_out_;
        for (const u32 location : who.members()) left_out_locations_.push_back(location);
    }

    std::string left_out_text() {
        std::sort(left_out_locations_.begin(), left_out_locations_.end());
        return fmt::format("... and {} more: {} (--top 0 shows them)", left_out_,
                           names_.text(ParticipantList(left_out_locations_)));
    }

    void print_left_out() {
        if (left_out_ != 0) note(left_out_text());
        if (in_short_ != 0) {
            note(fmt::format("{} shown as differences (--top 0 shows them in full)",
                             in_short_ == 1 ? "1 group of ranks is"
                                            : fmt::format("{} groups of ranks are", in_short_)));
        }
        if (items_left_out_ != 0) {
            note(std::to_string(items_left_out_) +
                 " items of long bodies are omitted (--width 0 shows them)");
        }
    }

    void note(const std::string& text) {
        console_.text() << console_.paint(Style::dim, text) << '\n';
    }

    const StructureArguments& arguments_;
    TraceFile& file_;
    Console& console_;
    ParticipantNames names_;
    std::vector<bool> selected_;
    ListingSource source_;
    std::optional<CallTimes> times_;
    AlikeScripts alike_;
    u64 lines_ = 0;     ///< printed so far
    u64 shown_ = 0;     ///< scripts in full
    u64 in_short_ = 0;  ///< scripts as differences
    u64 items_left_out_ = 0;
    u64 left_out_ = 0;  ///< scripts
    std::vector<u32> left_out_locations_;
};

/// call_times_at_hand(), each process reading its locations. Collective; complete on process 0.
std::optional<CallTimes> times_at_hand(Communicator& comm, TraceFile& file, bool wanted) {
    const bool reads = wanted && keeps_every_time(file.summary().timing);
    std::optional<CallTimes> times;
    agree(comm, [&] {
        times = reads ? call_times_of(file, location_block(file.definitions().locations(),
                                                           comm.rank(), comm.size()))
                      : call_times_at_hand(file, wanted);
    });
    if (!reads) return times;
    reduce_tree(comm, *times, to_bytes<CallTimes>, [](CallTimes& all, std::string_view bytes) {
        all.add(from_bytes<CallTimes>(bytes, "the times of a process"));
    });
    return times;
}

ExitCode run_structure(const StructureArguments& arguments, Console& console, Communicator& comm) {
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    naming_file(arguments.input.path, [&] {
        std::optional<CallTimes> times = times_at_hand(comm, input->file(), arguments.times);
        on_first(comm, [&] {
            StructureCommand command(arguments, input->file(), std::move(times), console);
            if (console.json()) {
                arguments.lines ? command.print_lines_json() : command.print_json();
            } else {
                command.print();
            }
        });
    });
    return exit_ok;
}

}  // namespace

InspectCommand add_structure_command(CLI::App& app) {
    auto arguments = std::make_shared<StructureArguments>();
    CLI::App* structure =
        app.add_subcommand("structure", "The program as nested loops of calls with arguments");
    arguments->input.add_options(*structure);
    add_ranks_option(*structure, arguments->ranks);
    structure->add_option("--depth", arguments->limits.depth, "Levels to show; 0: all")
        ->type_name("N");
    CLI::Option* width = structure->add_option_function<u64>(
        "--width",
        [arguments](u64 most) { arguments->limits.width = arguments->limits.wide = most; },
        "Items to show of a loop body or region, those with most time or calls; 0: all (default: "
        "30 of more than 60)");
    width->type_name("N");
    CLI::Option* top =
        structure->add_option("--top", arguments->top,
                              "Groups of ranks to show; 0: all (default: as many as begin within "
                              "150 lines, similar ones as differences)");
    top->type_name("N");
    structure
        ->add_flag_callback(
            "--all", [arguments] { arguments->show_all(); },
            "Show everything, with arguments at every place of a call")
        ->excludes(width)
        ->excludes(top);
    structure->add_flag("--times", arguments->times,
                        "Share of time per line, from the times of all records");
    structure->add_flag("--lines", arguments->lines,
                        "With --json: the lines of the text instead of the whole tree");
    return {structure,
            [arguments](Console& console, Communicator& comm) {
                return run_structure(*arguments, console, comm);
            },
            &arguments->input};
}

namespace {

/// Listed names of differing lines.
constexpr std::size_t kMostDifferent = 4;

using Lines = std::vector<ScriptText::Line>;

/// Which lines of `b` also occur in `a`, in the same order.
std::vector<bool> lines_in_common(const Lines& a, const Lines& b) {
    std::vector<bool> common(b.size(), false);
    const auto same = [&](u32 i, u32 j) { return a[i].text == b[j].text; };
    const auto pairs = align(static_cast<u32>(a.size()), static_cast<u32>(b.size()), same);
    for (const auto& [i, j] : pairs) {
        if (i != kNone && j != kNone) common[j] = true;
    }
    return common;
}

/// ": MPI_Send, MPI_Recv, ..." in line order.
std::string names_of_others(const Lines& lines, const std::vector<bool>& common) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& name = lines[i].name;
        const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
        if (!common[i] && !name.empty() && is_new) names.push_back(name);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMostDifferent); ++i) {
        text.append(i == 0 ? ": " : ", ").append(names[i]);
    }
    return names.size() > kMostDifferent ? text + ", ..." : text;
}

}  // namespace

std::optional<std::string> AlikeScripts::difference(const ScriptText& script) const {
    const ScriptText* nearest = nullptr;
    std::vector<bool> most;
    std::ptrdiff_t most_lines = 0;
    for (const ScriptText& told : told_) {
        std::vector<bool> common = lines_in_common(told.lines, script.lines);
        const std::ptrdiff_t lines = std::count(common.begin(), common.end(), true);
        if (lines <= most_lines) continue;
        nearest = &told;
        most = std::move(common);
        most_lines = lines;
    }
    const std::size_t others = script.lines.size() - static_cast<std::size_t>(most_lines);
    if (nearest == nullptr || 2 * others > script.lines.size()) return std::nullopt;
    if (others == 0) {
        return fmt::format("like {}, without {} of {} lines", nearest->who,
                           nearest->lines.size() - script.lines.size(), nearest->lines.size());
    }
    return fmt::format("like {}, except {} of {} lines{}", nearest->who, others,
                       script.lines.size(), names_of_others(script.lines, most));
}

}  // namespace tracefold
