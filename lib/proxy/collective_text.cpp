// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/collective_text.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

/// How a collective is called in C. $IN is its receive buffer, $OUT what it sends unless in place,
/// n the size of the communicator, me the own rank, share and sum come from the list of counts.
struct Collective {
    std::string_view name;
    std::string_view parameters;
    std::string_view received_size;  ///< of IN; empty: it has none
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
    if (known == nullptr) throw Error(ErrorKind::internal, name + " is no collective");
    text.has_lists = known->parameters.find("counts") != std::string_view::npos;
    const bool two = known->parameters.find("counts2") != std::string_view::npos;
    const bool has_buffer = !known->received_size.empty();
    std::string& out = text.source;
    out = "\nstatic void " + name + "(" + std::string(known->parameters) + "int c) {\n";
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
    if (text.posts) {
        out += std::string("    put(r, ") + (has_buffer ? "buffer" : "NULL") + ", " +
               (text.has_lists ? "count" : "NULL") + ", 0);\n";
    }
    out += "    tally(\"MPI_" + name + "\", " + std::string(known->sent) + ", " +
           std::string(known->received) + ");\n";
    if (text.has_lists && !text.posts) out += "    free(count);\n";
    out += "}\n";
    return text;
}

}  // namespace tracefold
