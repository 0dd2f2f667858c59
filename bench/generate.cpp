// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes archives of any size with regular content, through libotf2:
//   bench_generate system --nodes N --processes P [--more-nodes N --more-processes P] -o FOLDER
//   bench_generate stencil --dims D --ranks N --steps S [--periodic] -o FOLDER
#include "generated_stencil.hpp"

#include <exception>
#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>

namespace {

using namespace tracefold;

constexpr u64 kLength = 1'000'000'000;
constexpr u64 kProcessesPerNode = 64;
constexpr u64 kLargeArchive = 1'000'000;

struct Options {
    u64 nodes = 1;
    u64 processes = 1;
    u64 more_nodes = 0;
    u64 more_processes = 0;
    u64 ranks = 1;
    u64 steps = 1;
    unsigned dimensions = 1;
    bool periodic = false;
    std::string output;
};

ArchiveWriter make_writer(const std::string& folder, u64 ranks) {
    std::filesystem::create_directories(folder);
    return ArchiveWriter(folder, generated_archive(ranks > kLargeArchive), {false});
}

/// Definitions only; no location has a file.
void write_system(const Options& options) {
    std::vector<NodeType> machine{{"nid", options.nodes, options.processes}};
    if (options.more_nodes != 0) {
        machine.push_back({"gpu", options.more_nodes, options.more_processes});
    }
    GeneratedDefinitions definitions(machine, {"/usr/bin/application"}, {},
                                     [](u64) { return u64{0}; });
    ArchiveWriter writer = make_writer(options.output, definitions.ranks());
    definitions.write(writer, kLength);
    writer.finish();
}

void write_stencil(const Options& options) {
    const GeneratedStencil stencil(options.ranks, options.dimensions, options.periodic);
    const u64 per_node = options.ranks % kProcessesPerNode == 0 ? kProcessesPerNode : options.ranks;
    GeneratedDefinitions definitions({{"nid", options.ranks / per_node, per_node}},
                                     {"/usr/bin/stencil", "-d", std::to_string(options.dimensions),
                                      "-s", std::to_string(options.steps)},
                                     stencil.grid(),
                                     [&](u64 rank) { return stencil.events(rank, options.steps); });
    ArchiveWriter writer = make_writer(options.output, options.ranks);
    definitions.write(writer, kLength);
    for (u64 rank = 0; rank < options.ranks; ++rank) {
        definitions.write_local(writer, rank, kLength);
        stencil.write(writer, definitions, rank, options.steps);
        writer.close_location(rank);
    }
    writer.finish();
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app("Writes archives with regular content.", "bench_generate");
    app.require_subcommand(1);
    CLI::App* system = app.add_subcommand("system", "definitions of a machine, no events");
    system->add_option("--nodes", options.nodes)->required();
    system->add_option("--processes", options.processes, "per node")->required();
    system->add_option("--more-nodes", options.more_nodes, "nodes of a second type");
    system->add_option("--more-processes", options.more_processes, "per node of the second type");
    CLI::App* stencil = app.add_subcommand("stencil", "a halo exchange");
    stencil->add_option("--dims", options.dimensions)->required()->check(CLI::Range(1, 3));
    stencil->add_option("--ranks", options.ranks)->required()->check(CLI::PositiveNumber);
    stencil->add_option("--steps", options.steps)->required();
    stencil->add_flag("--periodic", options.periodic);
    for (CLI::App* command : {system, stencil}) {
        command->add_option("-o,--output", options.output, "folder of the archive")->required();
    }
    CLI11_PARSE(app, argc, argv);
    if (system->parsed()) {
        write_system(options);
    } else {
        write_stencil(options);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "bench_generate: " << error.what() << '\n';
        return 1;
    }
}
