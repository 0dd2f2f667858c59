// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "common/interruption.hpp"
#include "common/output_format.hpp"
#include "inspect/command.hpp"
#include "inspect/page/http_server.hpp"
#include "inspect/page/page_server.hpp"
#include "inspect/page/temporary_trace.hpp"

#include <array>
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
    u64 memory = 128;
};

std::string host_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0) return "HOST";
    return name.data();
}

void tell_address(const std::string& token, int port, Console& console) {
    const std::string number = std::to_string(port);
    const std::string address = "http://127.0.0.1:" + number + "/" + token + "/";
    const std::string tunnel = "ssh -L " + number + ":127.0.0.1:" + number + " " + host_name();
    if (console.json()) {
        JsonWriter json(console.out(), JsonLayout::one_line);
        begin_document(json, "serve")
            .member("address", address)
            .member("port", port)
            .member("tunnel", tunnel)
            .end_object();
    } else {
        console.out() << address << "\nfrom another machine first: " << tunnel
                      << "\nCtrl-C ends it\n";
    }
    // Without the address nobody can use the server.
    if (!console.out().flush()) throw Error(ErrorKind::io, "cannot write to standard output");
    Interruption::begin_reason();  // a signal is how it ends
}

ExitCode run_serve(const ServeArguments& arguments, Console& console) {
    SerialCommunicator alone;
    std::vector<std::unique_ptr<TemporaryTrace>> kept;
    std::vector<ServedTrace> traces;
    for (const std::string& path : arguments.paths) {
        TraceInput input;
        input.path = path;
        input.drop_unknown = arguments.drop_unknown;
        kept.push_back(std::make_unique<TemporaryTrace>(input, alone, console));
        traces.push_back({kept.back()->input(), kept.back()->is_temporary(), kept.back()->name(),
                          nullptr, nullptr});
    }
    PageService service(std::move(traces), std::size_t{arguments.memory} << 20U);
    const std::string token = random_token();
    serve_pages(
        [&service](const std::string& path, std::map<std::string, std::string> values) {
            return service.answer(path, PageQuery(std::move(values)));
        },
        token, arguments.port, [&](int port) { tell_address(token, port, console); });
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
    serve->add_option("--port", arguments->port, "Port to listen on; 0: any free port")
        ->type_name("N")
        ->check(CLI::Range(0, 65535))
        ->capture_default_str();
    serve->add_option("--memory", arguments->memory, "Cache for views in megabytes")
        ->type_name("MB")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    return {serve,
            on_rank_zero([arguments](Console& console) { return run_serve(*arguments, console); })};
}

}  // namespace tracefold
