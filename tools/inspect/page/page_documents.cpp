// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_documents.hpp"

#include "inspect/command.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

namespace tracefold {

namespace {

struct DocumentCommand {
    std::string_view document;
    std::vector<std::string> arguments;
};

const std::vector<DocumentCommand>& document_commands() {
    static const std::vector<DocumentCommand> commands = {
        {"info", {"info"}},
        {"structure", {"structure", "--times"}},
        {"profile", {"profile"}},
        {"visits", {"profile", "--no-times"}},
        {"ranks", {"profile", "--by", "rank", "--metric", "time"}},
        {"efficiency", {"efficiency"}},
        {"matrix-rank", {"matrix", "--by", "rank"}},
        {"matrix-node", {"matrix", "--by", "node"}},
        {"matrix-class", {"matrix", "--by", "class"}},
        {"collective-rank", {"matrix", "--by", "rank", "--kind", "collective"}},
        {"rma-rank", {"matrix", "--by", "rank", "--kind", "rma"}},
        {"graph", {"graph", "--top", "80", "--times"}},
        {"stats", {"stats"}},
        {"sizes", {"sizes"}},
        {"metrics", {"metrics"}},
        {"accelerators", {"accelerators"}},
        {"io", {"io"}},
    };
    return commands;
}

/// Adds the commands that documents come from.
std::vector<InspectCommand> add_document_commands(CLI::App& app) {
    app.require_subcommand(1);
    return {add_info_command(app),    add_structure_command(app),
            add_matrix_command(app),  add_sizes_command(app),
            add_graph_command(app),   add_profile_command(app),
            add_stats_command(app),   add_accelerators_command(app),
            add_metrics_command(app), add_efficiency_command(app),
            add_io_command(app)};
}

std::string unavailable(const std::string& sentence) {
    std::ostringstream out;
    JsonWriter json(out);
    json.begin_object().member("unavailable", sentence).end_object();
    return std::move(out).str();
}

}  // namespace

std::string page_document(Communicator& comm, const std::vector<std::string>& arguments,
                          const std::string& path) {
    CLI::App app("A document of a page.", "trace_inspect");
    const std::vector<InspectCommand> commands = add_document_commands(app);
    // CLI11 takes what is left to read from the end.
    std::vector<std::string> words = {"--", path};
    words.insert(words.begin(), arguments.begin(), arguments.end());
    std::reverse(words.begin(), words.end());
    std::ostringstream out;
    std::ostream silent(nullptr);
    ConsoleSettings settings;
    settings.json = true;
    settings.rank = comm.rank();
    Console console(out, silent, Terminal{}, settings);
    try {
        app.parse(std::move(words));
        for (const InspectCommand& command : commands) {
            if (command.app->parsed()) command.run(console, comm);
        }
    } catch (const CLI::ParseError& error) {
        return unavailable(error.what());
    } catch (const Error& error) {
        return unavailable(error.what());
    }
    return std::move(out).str();
}

std::vector<std::string> document_command(const std::string& document, const std::string& call) {
    if (document == "histogram") return {"stats", "--histogram=" + call};
    if (document == "over-time") return {"stats", "--histogram=" + call, "--over-time"};
    const auto& commands = document_commands();
    const auto found =
        std::find_if(commands.begin(), commands.end(),
                     [&](const DocumentCommand& c) { return c.document == document; });
    return found == commands.end() ? std::vector<std::string>{} : found->arguments;
}

}  // namespace tracefold
