// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "convert/options.hpp"

#include "base/error.hpp"
#include "common/command_line.hpp"
#include "common/common_options.hpp"
#include "common/text.hpp"

#include <filesystem>

namespace tracefold {

namespace {

constexpr std::size_t kIndent = 8;

std::vector<ConvertTarget> make_targets() {
    std::vector<ConvertTarget> targets = {
        {ConvertTarget::Kind::otf2, nullptr, "otf2",
         "OTF2 archive, for Vampir, Scalasca and others", "everything",
         "times that are not in the file", ""},
        {ConvertTarget::Kind::text, nullptr, "text", "Text, one line per call, for people and grep",
         "every event with its time", "definitions, except names that events refer to", ".txt"},
        {ConvertTarget::Kind::tfold, nullptr, "tfold",
         "A folded file, of a part or with --anonymize",
         "everything except replaced names and records outside the part",
         "files that came with the archive", ".tfold"}};
    for (const ExportFormat& format : export_formats()) {
        targets.push_back({ConvertTarget::Kind::exporter, &format, format.name, format.title,
                           format.keeps, format.drops, format.suffix});
    }
    return targets;
}

}  // namespace

const std::vector<ConvertTarget>& convert_targets() {
    static const std::vector<ConvertTarget> targets = make_targets();
    return targets;
}

const ConvertTarget& target_of_output(const std::string& output) {
    if (output.empty()) throw Error(ErrorKind::usage, "--to or --output is required");
    const std::string ending = std::filesystem::path(output).extension().string();
    std::vector<std::string> endings;
    for (const ConvertTarget& target : convert_targets()) {
        if (target.suffix.empty()) continue;
        if (ending == target.suffix) return target;
        endings.emplace_back(target.suffix);
    }
    std::string advice = suggestion(ending, endings);
    if (advice.empty()) advice = "name the format with --to";
    throw Error(ErrorKind::usage, "{} has none of the suffixes {}; {}", output,
                CLI::detail::join(endings, " "), advice);
}

std::string describe_targets() {
    std::string text;
    for (const ConvertTarget& target : convert_targets()) {
        std::string name(target.name);
        name.resize(std::max(name.size() + 1, kIndent), ' ');
        const auto add = [&text](const std::string& begin, std::string_view rest) {
            constexpr std::size_t kWidth = 80;
            text += wrap_line(begin + std::string(rest), kWidth) + "\n";
        };
        const std::string indent(kIndent, ' ');
        add(name, target.title);
        add(indent + "keeps: ", target.keeps);
        add(indent + "drops: ", target.drops);
    }
    text.pop_back();
    return text;
}

namespace {

void add_target(CLI::App& app, ConvertArguments& arguments) {
    std::vector<std::string> words;
    for (const ConvertTarget& target : convert_targets()) words.emplace_back(target.name);
    words.emplace_back("help");
    const auto assign = [&arguments, words](const std::string& text) {
        // Exits the parser as --version does: with a text to print.
        if (text == "help") throw CLI::CallForVersion(describe_targets(), 0);
        const std::vector<ConvertTarget>& targets = convert_targets();
        const auto found = std::ranges::find(targets, text, &ConvertTarget::name);
        if (found == targets.end()) throw UnknownWord(text, words);
        arguments.target = &*found;
    };
    app.add_option_function<std::string>(
           "--to", assign,
           "Output format; help lists all with their losses (default: by the suffix of the output)")
        ->type_name(CLI::detail::join(words, "|"));
}

CLI::Option* add_collectives(CLI::App& app, ConvertArguments& arguments) {
    std::vector<std::pair<std::string, CollectiveAlgorithm>> choices;
    for (const std::string_view word : algorithm_words()) {
        choices.emplace_back(word, static_cast<CollectiveAlgorithm>(choices.size()));
    }
    return add_choice<CollectiveAlgorithm>(
        app, "--collectives", arguments.options.collectives, choices,
        "ti, goal, dim, dumpi, chakra: message algorithm of collectives that the format lacks");
}

/// Options of some formats only.
void add_settings(CLI::App& app, ConvertArguments& arguments) {
    ExportOptions& options = arguments.options;
    arguments.settings = {
        add_choice<SizeSource>(app, "--sizes", options.sizes,
                               {{"recorded", SizeSource::recorded}, {"sender", SizeSource::sender}},
                               "ti, goal, c, dim, dumpi, chakra: size of messages whose two sides "
                               "recorded different ones; recorded refuses them"),
        add_collectives(app, arguments),
        app.add_option("--flops-per-ns", options.flops_per_ns,
                       "ti: flops per nanosecond of computation")
            ->type_name("NUMBER")
            ->check(CLI::PositiveNumber),
        app.add_flag("--platform-template", options.platform_template,
                     "ti, chakra: also describe a machine for the simulator"),
        app.add_flag(
            "--collective-nodes", options.collective_nodes,
            "chakra: make nodes of all collectives, not only of those that ASTRA-sim simulates"),
        app.add_option("--calc-unit", options.calc_unit_ns,
                       "goal: nanoseconds per unit of computation")
            ->type_name("NUMBER")
            ->check(CLI::PositiveNumber),
        app.add_flag_callback(
            "--no-exact-bytes", [&arguments] { arguments.restored = RestoredFiles::same_records; },
            "otf2: accept files with the same records but other bytes, as another release of "
            "libotf2 or another processor writes them"),
        app.add_flag("--allow-left-out", arguments.allow_left_out,
                     "c: calls that the program lacks do not fail the conversion"),
        app.add_flag("--pipit", options.pipit,
                     "csv: also write events.csv in the columns of Pipit")};
}

void parse_kinds(std::string_view list, RecordKindSet& kinds) {
    while (true) {
        const std::size_t comma = list.find(',');
        const std::string_view word = list.substr(0, comma);
        const std::optional<RecordKind> kind = find_record_kind(word);
        if (!kind) {
            std::vector<std::string> words;
            for (std::size_t i = 0; i < kRecordKinds; ++i) {
                words.emplace_back(name_of(static_cast<RecordKind>(i)));
            }
            throw UnknownWord(std::string(word), words);
        }
        kinds.set(static_cast<std::size_t>(*kind));
        if (comma == std::string_view::npos) return;
        list.remove_prefix(comma + 1);
    }
}

void add_part(CLI::App& app, PartArguments& part) {
    part.add_options(app);
    const std::vector<const CLI::Option*> others = {
        add_names_option(app, "--calls", part.calls, "Only calls of these names"),
        app.add_option_function<std::string>(
               "--drop", [&part](const std::string& text) { parse_kinds(text, part.drop); },
               "Leave out records of these kinds, as in metrics,regions,attributes")
            ->type_name("KINDS"),
        app.add_flag("--closed", part.closed,
                     "Leave out messages and collectives with a partner outside the part, as "
                     "simulators require")};
    part.options.insert(part.options.end(), others.begin(), others.end());
}

}  // namespace

void add_options(CLI::App& app, ConvertArguments& arguments) {
    arguments.input.add_options(app);
    arguments.input.add_threads(app, "write locations");
    add_target(app, arguments);
    app.add_option(
           "-o,--output", arguments.output,
           "File or folder to write (default: name of FILE with the suffix of the format, in the "
           "current folder; text goes to standard output)")
        ->type_name("PATH");
    add_part(app, arguments.part);
    arguments.clocks.add_options(app);
    add_settings(app, arguments);
    app.add_flag("--strict", arguments.strict,
                 "Exit with code 3 if the format cannot hold the whole trace");
    auto* const anonymize =
        app.add_flag("--anonymize", arguments.anonymize,
                     "Replace the names of hosts, files, functions etc. with neutral ones");
    app.add_flag("--dry-run", arguments.dry_run,
                 "List the replacements of --anonymize; write nothing")
        ->needs(anonymize);
    app.add_option("--mapping", arguments.mapping,
                   "Write the names that --anonymize replaced to FILE, readable by its owner only")
        ->type_name("FILE")
        ->needs(anonymize);
}

}  // namespace tracefold
