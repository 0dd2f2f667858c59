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

/// A trace that is open already, for commands that run on it one after another or side by side.
struct OpenTrace {
    std::shared_ptr<TraceFile> file;
    FoundSteps& steps;
};

/// A trace that a tool reads, as it stands on the command line: a folded file, or an OTF2 archive
/// that is folded for the time being.
struct TraceInput {
    std::string path;
    bool drop_unknown = false;
    /// Effort of folding an archive; kThorough where it matters how large the result is.
    int level = 1;
    static constexpr int kThorough = 19;  ///< as trace_compress by default
    u32 threads = 0;                      ///< that work on it; 0: as many as pay
    const OpenTrace* opened = nullptr;    ///< read instead; `path` is then only its name

    /// Adds the argument FILE and --drop-unknown; `this` must outlive APP.
    void add_options(CLI::App& app);

    /// Adds --threads; `does`: what they do, "read locations". `this` must outlive APP.
    void add_threads(CLI::App& app, const std::string& does);

    /// Of this process: several of a job have one thread each.
    [[nodiscard]] u32 threads_of(const Communicator& comm) const {
        return comm.size() == 1 ? threads : 1;
    }

    /// A file that is made of it, and worked on by as many threads.
    [[nodiscard]] TraceInput made(const std::string& other) const {
        return {.path = other, .threads = threads};
    }

    /// The last part of its path, for titles.
    [[nodiscard]] std::string name() const;

    /// Opens it on all processes together, and warns of records that an archive lost. Throws
    /// the same Error on all: usage if --drop-unknown has nothing to do, else as FoldedInput.
    [[nodiscard]] std::unique_ptr<FoldedInput> open(Communicator& comm, Console& console) const;
    /// Opens it on this process alone.
    [[nodiscard]] std::unique_ptr<FoldedInput> open(Console& console) const;
};

/// The argument NAME, a folded file or an archive; PATH must outlive APP.
CLI::Option* add_trace_argument(CLI::App& app, const std::string& name, std::string& path);

/// --drop-unknown, of all tools that read archives; DROP must outlive APP.
CLI::Option* add_drop_unknown_option(CLI::App& app, bool& drop);

/// Opens several traces on this process, which share --drop-unknown: one archive among them is
/// enough for it.
std::vector<std::unique_ptr<FoldedInput>> open_all(const std::vector<TraceInput>& inputs,
                                                   Console& console);

/// Warns unless an archive tells how long a tick of its clock is.
void warn_about_clock(bool knows_tick_rate, const std::string& path, Console& console);
/// Warns, unless there are none, of records that were lost by --drop-unknown.
void warn_about_dropped_unknown(u64 records, Console& console);

}  // namespace tracefold
