// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/runtime_text.hpp"

#include "core/error.hpp"
#include "proxy/collective_text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace tracefold {

/// The files of lib/proxy/runtime one after the other, embedded when the library is built.
extern const std::string_view kProxyRuntime;

namespace {

using F = ProxyFunction;
using Words = std::vector<std::string_view>;

/// What follows a line "//@ NAME...: NEED...", up to the next one: C source, and what it needs.
struct Fragment {
    Words names;  ///< the text is that of the first one, which the others replace
    Words needs;  ///< names of fragments of shared.c
    std::string_view text;
};

constexpr std::string_view kMark = "\n//@ ";

Words words_of(std::string_view line) {
    Words words;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(' '), line.size());
        if (end > 0) words.push_back(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return words;
}

Fragment fragment_of(std::string_view part) {
    const std::size_t line = part.find('\n');
    const std::string_view head = part.substr(0, line);
    const std::size_t colon = std::min(head.find(':'), head.size());
    const std::size_t end = part.find_last_not_of('\n') + 1;
    return {words_of(head.substr(0, colon)),
            words_of(head.substr(std::min(colon + 1, head.size()))),
            part.substr(line + 1, end - line)};
}

std::vector<Fragment> all_fragments() {
    std::vector<Fragment> fragments;
    std::size_t at = kProxyRuntime.find(kMark);
    while (at != std::string_view::npos) {
        const std::size_t begin = at + kMark.size();
        at = kProxyRuntime.find(kMark, begin);
        // Each file begins with a comment of its own, after the end of a line.
        const std::size_t next_file = kProxyRuntime.find("\n/* SPDX", begin);
        const std::size_t end = next_file < at ? next_file + 1 : at;
        fragments.push_back(fragment_of(kProxyRuntime.substr(begin, end - begin)));
    }
    return fragments;
}

const std::vector<Fragment>& fragments() {
    static const std::vector<Fragment> all = all_fragments();
    return all;
}

const Fragment& find_fragment(std::string_view name) {
    const auto has_name = [name](const Fragment& one) {
        return std::ranges::find(one.names, name) != one.names.end();
    };
    const auto found = std::ranges::find_if(fragments(), has_name);
    if (found == fragments().end()) {
        throw Error(ErrorKind::internal, "no C source for " + std::string(name));
    }
    return *found;
}

/// The C source of one function, and what it needs.
struct FunctionText {
    std::string source;
    Words needs;
};

FunctionText text_of_collective(F function) {
    CollectiveText text = proxy_collective_text(function);
    Words needs = {"buffers"};
    if (text.posts) needs.emplace_back("requests");
    if (text.has_lists) needs.emplace_back("layout");
    if (function == F::Alltoallw || function == F::Ialltoallw) needs.emplace_back("types");
    return {std::move(text.source), std::move(needs)};
}

FunctionText text_of(F function) {
    if (function >= F::Barrier && function < F::Comm_dup) return text_of_collective(function);
    const std::string_view name = proxy_function_info(function).name;
    const Fragment& fragment = find_fragment(name);
    return {"\n" + replaced(std::string(fragment.text), fragment.names.front(), name),
            fragment.needs};
}

}  // namespace

std::string_view proxy_core_text() { return find_fragment("core").text; }

std::string_view proxy_main_text() { return find_fragment("main").text; }

std::string proxy_helper_text(const std::set<ProxyFunction>& functions, bool large) {
    std::set<std::string_view> needs = {large ? "large_bytes" : "bytes"};
    std::string sources;
    for (const ProxyFunction function : functions) {
        const FunctionText text = text_of(function);
        sources += text.source;
        needs.insert(text.needs.begin(), text.needs.end());
    }
    std::string shared;
    for (const Fragment& fragment : fragments()) {
        if (needs.contains(fragment.names.front())) shared.append("\n").append(fragment.text);
    }
    return shared + sources;
}

}  // namespace tracefold
