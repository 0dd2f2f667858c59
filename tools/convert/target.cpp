// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "convert/target.hpp"

namespace tracefold {

namespace {

constexpr std::size_t kIndent = 8;

std::vector<ConvertTarget> make_targets() {
    std::vector<ConvertTarget> targets = {
        {ConvertTarget::Kind::otf2, nullptr, "otf2",
         "OTF2 archive, for Vampir, Scalasca and others", "everything",
         "nothing, except times that the file was made without"},
        {ConvertTarget::Kind::text, nullptr, "text", "Text, one line per call, for people and grep",
         "every event with its time", "definitions, except the names of what events mention"},
        {ConvertTarget::Kind::tfold, nullptr, "tfold",
         "A folded file, of a part or with --anonymize",
         "everything but the names that are replaced, or what is not in the part",
         "files that came with the archive"}};
    for (const ExportFormat& format : export_formats()) {
        targets.push_back({ConvertTarget::Kind::exporter, &format, format.name, format.title,
                           format.keeps, format.drops});
    }
    return targets;
}

}  // namespace

const std::vector<ConvertTarget>& convert_targets() {
    static const std::vector<ConvertTarget> targets = make_targets();
    return targets;
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
