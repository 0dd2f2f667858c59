// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/folded_input.hpp"
#include "common/console.hpp"

#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {
class FoundSteps;
}

namespace tracefold {

/// An open trace, shared by several commands.
struct OpenTrace {
    std::shared_ptr<TraceFile> file;
    FoundSteps& steps;
};

/// A trace argument of a tool: a folded file, or an OTF2 archive that is folded temporarily.
struct TraceInput {
    std::string path;
    bool drop_unknown = false;
    /// Level for folding an archive; kThorough if the size of the result matters.
    int level = 1;
    static constexpr int kThorough = 19;  ///< trace_compress's default
    u32 threads = 0;                      ///< 0: automatic
    const OpenTrace* opened = nullptr;    ///< used instead; `path` is then only its name

    /// Adds the argument FILE and --drop-unknown; `this` must outlive APP.
    void add_options(CLI::App& app);

    /// Adds --threads; `does`: their work, "read locations". `this` must outlive APP.
    void add_threads(CLI::App& app, const std::string& does);

    /// Threads of this process: one each in a job of several processes.
    [[nodiscard]] u32 threads_of(const Communicator& comm) const {
        return comm.size() == 1 ? threads : 1;
    }

    /// Another file made from this input, with the same number of threads.
    [[nodiscard]] TraceInput made(const std::string& other) const {
        return {.path = other, .threads = threads};
    }

    /// The file name, for titles.
    [[nodiscard]] std::string name() const;

    /// Opens the trace on all processes and warns about records that an archive lost. Throws the
    /// same Error on all: usage if --drop-unknown has no effect, else as FoldedInput.
    [[nodiscard]] std::unique_ptr<FoldedInput> open(Communicator& comm, Console& console) const;
    /// Opens the trace on this process alone.
    [[nodiscard]] std::unique_ptr<FoldedInput> open(Console& console) const;
};

/// Adds the argument NAME, a folded file or an archive; PATH must outlive APP.
CLI::Option* add_trace_argument(CLI::App& app, const std::string& name, std::string& path);

/// Adds --drop-unknown, for all tools that read archives; DROP must outlive APP.
CLI::Option* add_drop_unknown_option(CLI::App& app, bool& drop);

/// Opens several traces on this process. --drop-unknown requires one archive among them.
std::vector<std::unique_ptr<FoldedInput>> open_all(const std::vector<TraceInput>& inputs,
                                                   Console& console);

/// Warns if an archive lacks the clock resolution.
void warn_about_clock(bool knows_tick_rate, const std::string& path, Console& console);
/// Warns about records lost by --drop-unknown, if any.
void warn_about_dropped_unknown(u64 records, Console& console);

}  // namespace tracefold
