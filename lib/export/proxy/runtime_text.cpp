// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/runtime_text.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "export/proxy/write_script.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::array kFunctions = {
#define TRACEFOLD_INFO(name, arguments) ProxyFunctionInfo{#name, arguments},
    TRACEFOLD_PROXY_CALLS(TRACEFOLD_INFO)
#undef TRACEFOLD_INFO
};

}  // namespace

const ProxyFunctionInfo& proxy_function_info(ProxyFunction function) {
    return kFunctions[static_cast<std::size_t>(function)];
}

ProxyFunction proxy_function(MpiFunction function) {
    const std::string_view name = name_of(function).substr(4);
    const auto found = std::ranges::find(kFunctions, name, &ProxyFunctionInfo::name);
    if (found == kFunctions.end()) {
        throw Error(ErrorKind::internal, "a proxy has no such function");
    }
    return static_cast<ProxyFunction>(found - kFunctions.begin());
}

/// The concatenated files of lib/export/proxy/runtime, embedded by the build.
extern const std::string_view kProxyRuntime;

namespace {

using F = ProxyFunction;
using Words = std::vector<std::string_view>;

/// The text from a line "//@ NAME...: NEED..." to the next one: C source, and its dependencies.
struct Fragment {
    Words names;  ///< the text has the first one; the others replace it
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
        // Each file begins with a comment, after a line end.
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

/// The C source of one function, and its dependencies.
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

std::string proxy_helper_text(const std::set<ProxyFunction>& functions, bool large,
                              std::set<std::string>& mpi_functions) {
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
    std::string text = shared + sources;
    constexpr std::string_view kQuoted = "\"MPI_";
    for (auto at = text.find(kQuoted); at != std::string::npos; at = text.find(kQuoted, at)) {
        const std::string name = text.substr(at + 1, text.find('"', at + 1) - at - 1);
        mpi_functions.insert(name);
        text.replace(at, name.size() + 2, "F_" + name.substr(4));
    }
    return text;
}

std::string proxy_function_table(const std::set<std::string>& mpi_functions) {
    std::string numbers = "enum { ";
    std::string table =
        "static const struct { const char *name; unsigned long long number; } "
        "functions[] = {\n";
    for (const std::string& name : mpi_functions) {
        numbers += "F_" + name.substr(4) + ", ";
        table += fmt::format("    {{\"{}\", 0x{:016x}ULL}},\n", name, checksum(name));
    }
    return c_lines(numbers + "FUNCTIONS };") + table + "    {0, 0},\n};\n";
}

namespace {

/// The C call of a collective. $IN is its receive buffer, $OUT its send buffer or MPI_IN_PLACE, n
/// the size of the communicator, me the own rank; share and sum come from the list of counts.
struct Collective {
    std::string_view name;
    std::string_view parameters;
    std::string_view received_size;  ///< of IN; empty: none
    std::string_view arguments;
    std::string_view sent;
    std::string_view received;
};

constexpr std::string_view kOut = "in_place ? MPI_IN_PLACE : out(bytes)";

constexpr std::array kCollectives = {
    Collective{"Barrier", "", "", "", "0", "0"},
    Collective{"Bcast", "ll bytes, int root, ", "bytes", "$IN, BYTES(bytes), root, ",
               "me == root ? n * bytes : 0", "bytes"},
    Collective{"Gather", "ll bytes, int root, int in_place, ", "n * bytes",
               "$OUT, BYTES(bytes), $IN, BYTES(bytes), root, ", "in_place ? 0 : bytes",
               "me == root ? (n - in_place) * bytes : 0"},
    Collective{"Scatter", "ll bytes, int root, int in_place, ", "bytes",
               "out(n * bytes), BYTES(bytes), in_place ? MPI_IN_PLACE : $IN, BYTES(bytes), root, ",
               "me == root ? (n - in_place) * bytes : 0", "in_place ? 0 : bytes"},
    Collective{"Allgather", "ll bytes, int in_place, ", "n * bytes",
               "$OUT, BYTES(bytes), $IN, BYTES(bytes), ", "(n - in_place) * bytes",
               "(n - in_place) * bytes"},
    Collective{"Alltoall", "ll bytes, int in_place, ", "n * bytes",
               "in_place ? MPI_IN_PLACE : out(n * bytes), BYTES(bytes), $IN, BYTES(bytes), ",
               "(n - in_place) * bytes", "(n - in_place) * bytes"},
    Collective{"Allreduce", "ll bytes, int in_place, ", "bytes",
               "$OUT, $IN, BYTES(bytes), MPI_BXOR, ", "(n - in_place) * bytes",
               "(n - in_place) * bytes"},
    Collective{"Reduce", "ll bytes, int root, int in_place, ", "bytes",
               "$OUT, $IN, BYTES(bytes), MPI_BXOR, root, ", "in_place ? 0 : bytes",
               "me == root ? (n - in_place) * bytes : 0"},
    Collective{"Reduce_scatter_block", "ll bytes, int in_place, ", "n * bytes",
               "in_place ? MPI_IN_PLACE : out(n * bytes), $IN, BYTES(bytes), MPI_BXOR, ",
               "(n - in_place) * bytes", "(n - in_place) * bytes"},
    Collective{"Scan", "ll bytes, int in_place, ", "bytes", "$OUT, $IN, BYTES(bytes), MPI_BXOR, ",
               "(n - me - in_place) * bytes", "(me + 1 - in_place) * bytes"},
    Collective{"Exscan", "ll bytes, int in_place, ", "bytes", "$OUT, $IN, BYTES(bytes), MPI_BXOR, ",
               "(n - me - 1) * bytes", "me * bytes"},
    Collective{"Gatherv", "ll bytes, ll m, cursor *counts, int root, ", "sum(m, count)",
               "out(bytes), BYTES(bytes), $IN, count, count + m, MPI_BYTE, root, ", "bytes",
               "sum(m, count)"},
    Collective{"Scatterv", "ll bytes, ll m, cursor *counts, int root, ", "bytes",
               "out(sum(m, count)), count, count + m, MPI_BYTE, $IN, BYTES(bytes), root, ",
               "sum(m, count)", "bytes"},
    Collective{
        "Allgatherv", "ll m, cursor *counts, int in_place, ", "sum(m, count)",
        "in_place ? MPI_IN_PLACE : out(count[me]), count[me], MPI_BYTE, $IN, count, count + m, "
        "MPI_BYTE, ",
        "(n - in_place) * (ll)count[me]", "sum(m, count) - in_place * count[me]"},
    Collective{"Alltoallv", "ll m, cursor *counts, ll k, cursor *counts2, ",
               "sum(k, count + 2 * m)",
               "out(sum(m, count)), count, count + m, MPI_BYTE, $IN, count + 2 * m, "
               "count + 2 * m + k, MPI_BYTE, ",
               "sum(m, count)", "sum(k, count + 2 * m)"},
    Collective{"Alltoallw", "ll m, cursor *counts, ll k, cursor *counts2, ",
               "sum(k, count + 2 * m)",
               "out(sum(m, count)), count, count + m, bytes_only(n), $IN, count + 2 * m, "
               "count + 2 * m + k, bytes_only(n), ",
               "sum(m, count)", "sum(k, count + 2 * m)"},
    Collective{"Reduce_scatter", "ll m, cursor *counts, int in_place, ", "sum(m, count)",
               "in_place ? MPI_IN_PLACE : out(sum(m, count)), $IN, count, MPI_BYTE, MPI_BXOR, ",
               "sum(m, count) - in_place * count[me]", "(n - in_place) * (ll)count[me]"},
};

const Collective* find_collective(std::string_view name) {
    const auto found = std::find_if(kCollectives.begin(), kCollectives.end(),
                                    [name](const Collective& one) { return one.name == name; });
    return found == kCollectives.end() ? nullptr : &*found;
}

bool mentions(const Collective& one, std::string_view word) {
    const std::string all = std::string(one.received_size) + " " + std::string(one.arguments) +
                            " " + std::string(one.sent) + " " + std::string(one.received);
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    for (auto at = all.find(word); at != std::string::npos; at = all.find(word, at + 1)) {
        const bool begins = at == 0 || !is_letter(all[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end == all.size() || !is_letter(all[end]))) return true;
    }
    return false;
}

}  // namespace

std::string replaced(std::string text, std::string_view word, std::string_view by) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size())) {
        text.replace(at, word.size(), by);
    }
    return text;
}

CollectiveText proxy_collective_text(ProxyFunction function) {
    const std::string name(proxy_function_info(function).name);
    const Collective* known = find_collective(name);
    CollectiveText text;
    text.posts = known == nullptr;
    if (text.posts) {
        const std::string capital = std::string(1, static_cast<char>(name[1] - 'a' + 'A'));
        known = find_collective(capital + name.substr(2));
    }
    if (known == nullptr) throw Error(ErrorKind::internal, name + " is not a collective");
    text.has_lists = known->parameters.find("counts") != std::string_view::npos;
    const bool two = known->parameters.find("counts2") != std::string_view::npos;
    const bool has_buffer = !known->received_size.empty();
    std::string& out = text.source;
    out =
        "\nstatic void " + name + "(" + std::string(known->parameters) + "int c) {\n    begin();\n";
    if (mentions(*known, "n") || mentions(*known, "me")) {
        std::string line = "    int ";
        if (mentions(*known, "n")) line += "n = comm[c].size";
        if (mentions(*known, "me"))
            line += (line.size() > 8 ? ", me" : "me") + std::string(" = comm[c].rank");
        out += line + ";\n";
    }
    if (text.has_lists) {
        out += std::string("    int *count = layout(m, counts, ") +
               (two ? "k, counts2" : "0, NULL") + ");\n";
    }
    const std::string size(known->received_size);
    if (text.posts) out += "    MPI_Request r;\n";
    if (text.posts && has_buffer) out += "    char *buffer = malloc(" + size + " + 1);\n";
    std::string arguments = replaced(std::string(known->arguments), "$OUT", kOut);
    arguments = replaced(arguments, "$IN", text.posts ? "buffer" : "in(" + size + ")");
    out += "    MPI_" + name + "(" + arguments + "comm[c].handle" + (text.posts ? ", &r" : "") +
           ");\n";
    const bool is_rooted = known->parameters.find("root") != std::string_view::npos;
    if (text.posts) {
        out += std::string("    put(r, ") + (has_buffer ? "buffer" : "NULL") + ", " +
               (text.has_lists ? "count" : "NULL") + ", COLLECTED);\n";
    }
    out += "    collective(\"MPI_" + name + "\", " +
           (text.posts ? "POST_COLLECTIVE, " : "COLLECTIVE, ") +
           (is_rooted ? "root, " : "NO_ROOT, ") + std::string(known->sent) + ", " +
           std::string(known->received) + ", c);\n";
    if (text.has_lists && !text.posts) out += "    free(count);\n";
    out += "}\n";
    return text;
}

}  // namespace tracefold
