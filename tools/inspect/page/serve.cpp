// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "common/interruption.hpp"
#include "common/output_format.hpp"
#include "common/text.hpp"
#include "inspect/command.hpp"
#include "inspect/page/http_server.hpp"
#include "inspect/page/list_page.hpp"
#include "inspect/page/page_server.hpp"
#include "inspect/page/temporary_trace.hpp"
#include "otf2/archive_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace tracefold {

namespace {

struct ServeArguments {
    std::vector<std::string> paths;
    bool drop_unknown = false;
    int port = 0;
    std::string socket;
    u64 memory = 128;
};

std::string host_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return "HOST";
    return name.data();
}

/// The port at the other end of a tunnel from a socket.
constexpr int kTunnelPort = 8000;

void tell_address(const std::string& token, const Listener& listener, const std::string& socket,
                  Console& console) {
    const int port = socket.empty() ? listener.port() : kTunnelPort;
    const std::string number = std::to_string(port);
    const std::string address = "http://127.0.0.1:" + number + "/" + token + "/";
    const std::string path =
        socket.empty() ? "127.0.0.1:" + number : std::filesystem::absolute(socket).string();
    const std::string tunnel = "ssh -L " + number + ":" + path + " " + host_name();
    if (console.json()) {
        JsonWriter json(console.out(), JsonLayout::one_line);
        begin_document(json, "serve").member("address", address).member("port", port);
        if (!socket.empty()) json.member("socket", path);
        json.member("tunnel", tunnel).end_object();
    } else {
        console.out() << address
                      << (socket.empty() ? "\nfrom another machine first: " : "\nfirst: ")
                      << printable(tunnel) << "\nCtrl-C ends it\n";
    }
    // Without the address nobody can use the server.
    if (!console.out().flush()) throw Error(ErrorKind::io, "cannot write to standard output");
    Interruption::begin_reason();  // a signal is how it ends
}

/// True for a folder that is not the folder of an archive.
bool is_list(const std::string& path) {
    return std::filesystem::is_directory(path) && files_in(path, ".otf2").empty();
}

/// Runs serve(answer) with the page of the traces, or of a list where one is a folder of traces.
template <class Serve>
void with_service(const ServeArguments& arguments, Console& console, const Serve& serve) {
    const std::size_t memory = std::size_t{arguments.memory} << 20U;
    const auto run = [&serve](auto& service) {
        serve([&service](const std::string& path, std::map<std::string, std::string> values) {
            return service.answer(path, PageQuery(std::move(values)));
        });
    };
    if (std::ranges::any_of(arguments.paths, is_list)) {
        ListService service(arguments.paths, memory, console);
        return run(service);
    }
    SerialCommunicator alone;
    std::vector<std::unique_ptr<TemporaryTrace>> kept;
    std::vector<ServedTrace> traces;
    for (const std::string& path : arguments.paths) {
        TraceInput input;
        input.path = path;
        input.drop_unknown = arguments.drop_unknown;
        kept.push_back(std::make_unique<TemporaryTrace>(input, alone, console));
        traces.push_back(served(*kept.back()));
    }
    PageService service(std::move(traces), memory);
    run(service);
}

ExitCode run_serve(const ServeArguments& arguments, Console& console) {
    with_service(arguments, console, [&](const PageAnswerer& answer) {
        const std::string token = random_token();
        const Listener listener =
            arguments.socket.empty() ? Listener(arguments.port) : Listener(arguments.socket);
        tell_address(token, listener, arguments.socket, console);
        serve_pages(answer, token, listener);
    });
    return exit_ok;
}

}  // namespace

InspectCommand add_serve_command(CLI::App& app) {
    auto arguments = std::make_shared<ServeArguments>();
    CLI::App* serve = app.add_subcommand(
        "serve", "Serve an interactive page of one or more traces to a browser on this machine");
    serve
        ->add_option("FILE", arguments->paths,
                     "Folded file, or OTF2 archive (anchor file or folder)")
        ->type_name("")
        ->default_str("")
        ->required();
    add_drop_unknown_option(*serve, arguments->drop_unknown);
    CLI::Option* port =
        serve->add_option("--port", arguments->port, "Port to listen on; 0: any free port")
            ->type_name("N")
            ->check(CLI::Range(0, 65535))
            ->capture_default_str();
    serve
        ->add_option("--socket", arguments->socket,
                     "Listen at a socket of this name, which only this user can open, instead of a "
                     "port")
        ->type_name("PATH")
        ->default_str("")
        ->excludes(port);
    serve->add_option("--memory", arguments->memory, "Cache for views in megabytes")
        ->type_name("MB")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    return {serve,
            on_rank_zero([arguments](Console& console) { return run_serve(*arguments, console); })};
}

}  // namespace tracefold
