// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/graph/graph_format.hpp"

#include "common/suggest.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <filesystem>

namespace tracefold {

const std::vector<std::pair<std::string, GraphFormat>>& graph_formats() {
    static const std::vector<std::pair<std::string, GraphFormat>> formats = {
        {"dot", GraphFormat::dot}, {"graphml", GraphFormat::graphml}, {"json", GraphFormat::json},
        {"svg", GraphFormat::svg}, {"png", GraphFormat::png},         {"pdf", GraphFormat::pdf},
        {"ps", GraphFormat::ps},   {"eps", GraphFormat::eps}};
    return formats;
}

const std::string& name_of(GraphFormat format) {
    return graph_formats()[static_cast<std::size_t>(format)].first;
}

GraphFormat format_of_file(const std::string& path) {
    if (path == "-") return GraphFormat::dot;
    const std::string ending = std::filesystem::path(path).extension().string();
    std::vector<std::string> endings;
    for (const auto& [word, format] : graph_formats()) {
        if (ending == "." + word) return format;
        endings.push_back("." + word);
    }
    if (ending == ".gv") return GraphFormat::dot;
    std::string advice = suggestion(ending, endings);
    if (advice.empty()) advice = "choose one with --format";
    throw Error(ErrorKind::usage, "{} ends in none of {}; {}", path,
                CLI::detail::join(endings, " "), advice);
}

}  // namespace tracefold
