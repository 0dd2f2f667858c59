// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/suggest.hpp"
#include "inspect/graph/graph.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

void parse_signature(const std::string& text, SignatureParts& parts) {
    const std::vector<std::pair<std::string, bool*>> words{
        {"peer", &parts.peer}, {"size", &parts.size}, {"comm", &parts.comm},
        {"tag", &parts.tag},   {"path", &parts.path}, {"context", &parts.context},
        {"site", &parts.site}};
    for (const auto& [word, part] : words) *part = false;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string item = text.substr(begin, end - begin);
        begin = end + 1;
        const auto known = std::find_if(words.begin(), words.end(),
                                        [&item](const auto& word) { return word.first == item; });
        if (known != words.end()) {
            *known->second = true;
        } else if (item != "call") {
            throw UnknownWord(item,
                              {"call", "peer", "size", "comm", "tag", "path", "context", "site"});
        }
    }
}

}  // namespace tracefold
