// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/input_kind.hpp"
#include "common/run_tool.hpp"
#include "compress/compress.hpp"

int main(int argc, char** argv) {
    using namespace tracefold;
    const std::unique_ptr<Communicator> comm = join_world("trace_compress", argc, argv);
    CompressArguments arguments;
    ToolSpec spec;
    spec.name = "trace_compress";
    spec.description =
        "Folds an OTF2 archive into one small file, which can be queried and restored.";
    spec.examples = {{"trace_compress run/traces.otf2 -o run.tfold", "in one process"},
                     {"mpirun -n 4 trace_compress run/traces.otf2 -o run.tfold",
                      "in four processes, with the same result"},
                     {"trace_compress --timing none run -o run.tfold", "order of events only"},
                     {"trace_compress --estimate run", "estimate the size"}};
    spec.versions = format_versions();
    spec.setup = [&arguments](CLI::App& app) { add_options(app, arguments); };
    run_together(*comm, spec, [&](Console& console, const CommonOptions& common) {
        return run_compress(*comm, arguments, console, common, "tracefold " TRACEFOLD_VERSION);
    });
    return run_tool(argc, argv, spec);
}
