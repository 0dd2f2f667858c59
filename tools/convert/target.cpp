// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "convert/target.hpp"

#include "common/suggest.hpp"
#include "core/error.hpp"

#include <filesystem>

namespace tracefold {

namespace {

constexpr std::size_t kIndent = 8;

std::vector<ConvertTarget> make_targets() {
    std::vector<ConvertTarget> targets = {
        {ConvertTarget::Kind::otf2, nullptr, "otf2",
         "OTF2 archive, for Vampir, Scalasca and others", "everything",
         "nothing, except times that the file was made without", ""},
        {ConvertTarget::Kind::text, nullptr, "text", "Text, one line per call, for people and grep",
         "every event with its time", "definitions, except the names of what events mention",
         ".txt"},
        {ConvertTarget::Kind::tfold, nullptr, "tfold",
         "A folded file, of a part or with --anonymize",
         "everything but the names that are replaced, or what is not in the part",
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
    throw Error(ErrorKind::usage, "{} ends in none of {}; {}", output,
                CLI::detail::join(endings, " "), advice);
}

std::string describe_targets() {
    std::string text;
    for (const ConvertTarget& target : convert_targets()) {
        std::string name(target.name);
        name.resize(std::max(name.size() + 1, kIndent), ' ');
        const std::string indent(kIndent, ' ');
        text += name + std::string(target.title) + "\n";
        text += indent + "keeps: " + std::string(target.keeps) + "\n";
        text += indent + "drops: " + std::string(target.drops) + "\n";
    }
    text.pop_back();
    return text;
}

}  // namespace tracefold
