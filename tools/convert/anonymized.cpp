// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "anonymize/anonymize.hpp"
#include "archives/scratch_folder.hpp"
#include "comm/serial.hpp"
#include "common/environment.hpp"
#include "common/json_document.hpp"
#include "convert/conversion.hpp"
#include "io/file.hpp"

#include <optional>

namespace tracefold {

namespace {

/// Names may hold anything; a line has one of each.
std::string one_line(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (c == '\n') {
            text += "\\n";
        } else if (c == '\t') {
            text += "\\t";
        } else if (c == '\\') {
            text += "\\\\";
        } else {
            text += c;
        }
    }
    return text;
}

/// A line for each name that was replaced.
std::string mapping_text(const Anonymity& anonymity) {
    std::string text;
    for (const auto& [neutral, original] : anonymity.replaced) {
        text += neutral + "\t" + one_line(original) + "\n";
    }
    return text;
}

void list(const Anonymity& anonymity, Console& console) {
    if (console.json()) {
        JsonWriter json(console.out(), console.json_layout());
        begin_document(json, "anonymity").key("replaced").begin_array();
        for (const auto& [neutral, original] : anonymity.replaced) {
            json.begin_object().member("neutral", neutral).member("original", original);
            json.end_object();
        }
        json.end_array().key("dropped_files").begin_array();
        for (const std::string& path : anonymity.dropped_files) json.value(path);
        json.end_array().end_object();
        return;
    }
    console.out() << mapping_text(anonymity);
    for (const std::string& path : anonymity.dropped_files) {
        console.out() << "-\t" << one_line(path) << '\n';
    }
}

}  // namespace

ExitCode convert_anonymized(const ConvertArguments& arguments, Console& console,
                            const CommonOptions& common) {
    const bool is_file = arguments.target->kind == ConvertTarget::Kind::tfold;
    if (arguments.output.empty() && !arguments.dry_run) {
        throw Error(ErrorKind::usage, "--anonymize needs a place for the output: -o");
    }
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    Anonymizer anonymizer(input->file());
    if (arguments.dry_run) {
        list(anonymizer.result(), console);
        return exit_ok;
    }
    refuse_input_as_output(arguments, arguments.output);
    // Opened before all others, so that none is written in vain. Nobody else may read it, at no
    // time.
    std::optional<AtomicFile> mapping;
    if (!arguments.mapping.empty()) {
        mapping.emplace(arguments.mapping, common.force, Access::owner_only);
    }
    ExitCode code = exit_ok;
    if (is_file) {
        anonymizer.write(arguments.output, common.force);
        console.summary(arguments.output + ": " +
                        std::to_string(anonymizer.result().replaced.size()) + " names replaced");
    } else {
        SerialCommunicator process;
        const ScratchFolder scratch(process, scratch_directory());
        ConvertArguments anonymous = arguments;
        anonymous.input = arguments.input.made((scratch.path() / "anonymous.tfold").string());
        anonymizer.write(anonymous.input.path, false, 1);
        code = convert_to_target(anonymous, console, common);
    }
    warn_about_dropped_files(anonymizer.result().dropped_files, console);
    if (mapping) {
        mapping->write(mapping_text(anonymizer.result()));
        mapping->commit();
    }
    return code;
}

}  // namespace tracefold
