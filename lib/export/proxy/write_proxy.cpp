// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/write_proxy.hpp"

#include "export/proxy/proxy_model.hpp"
#include "export/proxy/runtime_text.hpp"
#include "export/proxy/write_script.hpp"
#include "mpi/call_fingerprint.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr u64 kLargestInt = 0x7fffffff;
constexpr u64 kAttached = u64{64} << 20U;

std::set<ProxyFunction> functions_of(const ProxyModel& model) {
    std::set<ProxyFunction> functions;
    for (const ProxyScript& script : model.scripts) {
        for (const ProxyPlace& place : script.places) {
            if (place.item < script.functions.size()) {
                functions.insert(script.functions[place.item]);
            }
        }
    }
    return functions;
}

bool is_buffered(ProxyFunction function) {
    return function == ProxyFunction::Bsend || function == ProxyFunction::Ibsend ||
           function == ProxyFunction::Bsend_init;
}

/// Replaces characters that could end a comment or a string, or continue its line.
std::string plain_text(std::string text) {
    for (char& c : text) {
        if (c == '*' || c == '"' || c == '\\' || c == '?' || c < ' ' || c > '~') c = '_';
    }
    return text;
}

std::string head(const ProxyModel& model, const std::string& name, const TableWriter& tables,
                 const std::set<std::string>& mpi_functions) {
    const std::string ranks = std::to_string(model.ranks);
    std::string text =
        "/* Proxy application of " + plain_text(name) + ": " + ranks +
        " ranks, made by tracefold.\n *\n *     mpicc -O2 proxy.c -o proxy && mpirun -n " + ranks +
        " ./proxy\n *\n * --help lists the options of the program.\n";
    if (!model.has_times) text += " * The trace had no times, so there is no computation.\n";
    for (const auto& [left_out, calls] : model.left_out) {
        text += fmt::format(" * Left out: {}, {} calls.\n", plain_text(left_out), calls);
    }
    text += fmt::format(
        " */\n#define RANKS {}\n#define COMMUNICATORS {}\n#define DEPTH {}\n#define COLUMNS {}\n",
        ranks, model.communicators, tables.depth(), tables.texts().size());
    text += fmt::format(
        "#define PERSISTENT {}\n#define WINDOWS {}\n#define FILES {}\n#define FILE_NUMBERS "
        "{}\n#define HAS_TIMES {}\n#define TRACE_NAME \"{}\"\n#define TRACE "
        "\"{}\"\n#define FINGERPRINT 0x{}ULL\n#define TRACE_FINGERPRINT 0x{}ULL\n",
        model.persistent + 1, model.windows + 1, model.files + 1, model.file_numbers + 1,
        model.has_times ? 1 : 0, plain_text(name), fingerprint_text(model.checksum),
        fingerprint_text(model.fingerprint), fingerprint_text(model.trace_fingerprint));
    text += proxy_function_table(mpi_functions);
    text += "static const struct { const char *name; long long calls; } left_out[] = {\n";
    for (const auto& [left_out, calls] : model.left_out) {
        text += fmt::format("    {{\"{}\", {}}},\n", plain_text(left_out), calls);
    }
    return text + "    {0, 0},\n};\n";
}

std::string start_and_finish(const ProxyModel& model, const std::set<ProxyFunction>& functions,
                             const std::string& helpers) {
    std::string start = model.starts_threads
                            ? "MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &(int){0})"
                            : "MPI_Init(&argc, &argv)";
    if (std::ranges::any_of(functions, is_buffered)) {
        const u64 bytes = std::min(std::max(kAttached, 4 * model.largest), kLargestInt);
        start += fmt::format("; PMPI_Buffer_attach(malloc({}), {})", bytes, bytes);
    }
    std::string finish;
    for (const std::string name :
         {"end_requests(", "end_persistent(", "end_probes(", "end_windows(", "end_files("}) {
        if (helpers.find("void " + name) != std::string::npos) finish += name + "), ";
    }
    return "#define START " + start + "\n#define FINISH " + finish + "end_communicators()\n";
}

}  // namespace

std::string write_proxy(const ProxyModel& model, const std::string& name) {
    const std::set<ProxyFunction> functions = functions_of(model);
    TableWriter tables(model.pool);
    std::string program;
    std::string script_tables;
    std::string parts;
    for (std::size_t i = 0; i < model.scripts.size(); ++i) {
        ScriptWriter script(model, i, tables);
        program += script.functions();
        script_tables += script.script_tables();
        parts += "    " + script.entry() + ",\n";
    }
    std::set<std::string> mpi_functions;
    const std::string helpers =
        proxy_helper_text(functions, model.largest > kLargestInt, mpi_functions);
    std::string text = head(model, name, tables, mpi_functions);
    text += proxy_core_text();
    text += helpers;
    text +=
        program + "\n" + tables.table() +
        "static const char *column_text(int column) { return columns[column]; }\n"
        "/* Columns of each argument; \"3: 5 8\": one of 5, 8, ... as column 3 says for each rank; "
        "\"3:\": its number. */\n" +
        script_tables;
    text +=
        "\ntypedef struct part {\n    const int *ranks; /* start, stride, count; ... */\n"
        "    const char *const *arguments;\n    int n;\n    void (*run)(void);\n} part;\n"
        "static const part parts[] = {\n" +
        parts + "    {0, 0, 0, 0},\n};\n";
    text += start_and_finish(model, functions, helpers);
    text.append("\n").append(proxy_main_text());
    return text;
}

Proxy make_proxy(TraceFile& file, const std::function<void(u64)>& progress, SizeSource sizes) {
    ProxyCallReader calls(file, progress, sizes);
    FingerprintRequest request;
    request.skip_unsupported = true;
    const u64 fingerprint = replay_fingerprint(file, request);
    const auto make = [&](SameCalls same) {
        Proxy proxy{build_proxy_model(calls, same), {}};
        proxy.model.sizes_of_senders = calls.sizes_of_senders();
        proxy.model.trace_fingerprint = fingerprint;
        proxy.source = write_proxy(proxy.model, file.archive().name);
        return proxy;
    };
    Proxy by_function = make(SameCalls::by_function);
    if (by_function.model.scripts_of_ranks <= 1) return by_function;
    Proxy by_tag = make(SameCalls::by_tag);
    const auto lines = [](const Proxy& proxy) { return std::ranges::count(proxy.source, '\n'); };
    return lines(by_tag) < lines(by_function) ? std::move(by_tag) : std::move(by_function);
}

}  // namespace tracefold
