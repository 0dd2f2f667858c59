// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"
#include "common/run_tool.hpp"
#include "convert/conversion.hpp"

namespace tracefold {

namespace {

int run(int argc, char** argv) {
    ConvertArguments arguments;
    ToolSpec spec;
    spec.name = "trace_convert";
    spec.description =
        "Unfolds a trace into an OTF2 archive, or into formats of simulators, viewers and tables.";
    spec.examples = {
        {"trace_convert run.tfold --to otf2 -o back", "the original archive"},
        {"trace_convert run.tfold --to text --ranks 0 | less", "the calls of rank 0, one per line"},
        {"trace_convert run.tfold --to tfold --anonymize -o public.tfold", "an anonymous copy"},
        {"trace_convert run.tfold -o proxy.c", "a C program that makes the same MPI calls"},
        {"trace_convert run.tfold --to ti --platform-template", "for SimGrid's smpirun -replay"},
        {"trace_convert --to help", "list all formats, with the content each keeps and drops"}};
    spec.versions = format_versions();
    spec.setup = [&arguments](CLI::App& app) { add_options(app, arguments); };
    spec.shared.pager = true;
    spec.prints_much = [&arguments] { return prints_lines(arguments); };
    spec.run = [&arguments](Console& console, const CommonOptions& common) {
        return run_convert(arguments, console, common);
    };
    run_alone(spec);
    return run_tool(argc, argv, spec);
}

}  // namespace

}  // namespace tracefold

int main(int argc, char** argv) {
    return tracefold::start_tool("trace_convert", tracefold::run, argc, argv);
}
