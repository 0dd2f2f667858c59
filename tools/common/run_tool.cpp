// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/run_tool.hpp"

#include "base/memory.hpp"
#include "base/publication.hpp"
#include "base/temporary.hpp"
#include "base/world.hpp"
#include "common/bounded_json.hpp"
#include "common/command_line.hpp"
#include "common/console.hpp"
#include "common/interruption.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tracefold {

namespace {

std::string version_text(const ToolSpec& spec) {
    std::string text =
        spec.name + " " + TRACEFOLD_VERSION + "\ntracefold library " + TRACEFOLD_VERSION;
    for (const auto& [part, version] : spec.versions)
        text.append("\n").append(part).append(" ").append(version);
    return text;
}

void prepare(CLI::App& app, const ToolSpec& spec, CommonOptions& common) {
    app.formatter(help_formatter());
    app.footer(examples_text(spec.examples));
    app.fallthrough();
    app.option_defaults()->always_capture_default();
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_version_flag("--version", version_text(spec), "Print versions and exit");
    if (spec.setup) spec.setup(app);
    add_common_options(app, common, spec.shared);
}

// A full disk is detected only on the final flush.
void check_output(std::ostream& out) {
    if (!out.flush() && out.rdbuf() != nullptr)
        throw Error(ErrorKind::io, "cannot write to standard output");
}

std::string sentence_of(const std::filesystem::filesystem_error& error) {
    std::error_code missing;
    (void)std::filesystem::current_path(missing);
    if (missing) return "the current folder no longer exists; change to another one";
    return "cannot use " + error.path1().string() + ": " + error.code().message();
}

// Converts the current exception to a message. Precondition: called from a handler.
ExitCode report_current_exception(Console& console) {
    Interruption::begin_reason();
    try {
        throw;
    } catch (const Error& error) {
        console.error(error.what());
        return exit_code(error.kind());
    } catch (const UnknownWord& error) {
        console.error(error.what() + (error.advice().empty() ? "" : "; " + error.advice()));
        return exit_usage;
    } catch (const CLI::Error& error) {
        console.error(error.what());
        return exit_usage;
    } catch (const std::filesystem::filesystem_error& error) {
        console.error(sentence_of(error));
    } catch (const std::bad_alloc&) {
        console.error("not enough memory");
    } catch (const std::exception& error) {
        console.error(std::string("unexpected failure: ") + error.what());
    } catch (...) {
        console.error("unexpected failure");
    }
    return exit_failure;
}

// Ends the other ranks of the job as well.
ExitCode report_failure(Console& console, const ToolSpec& spec) {
    const ExitCode code = report_current_exception(console);
    if (spec.on_failure) spec.on_failure(code);
    return code;
}

// The parser reports help and version as exceptions.
int print_and_leave(const CLI::App& app, const CLI::Success& request, Console& console) {
    try {
        if (dynamic_cast<const CLI::CallForVersion*>(&request) != nullptr)
            console.out() << request.what() << '\n';
        else
            console.text() << app.help();
        check_output(console.out());
        return exit_ok;
    } catch (...) {
        return report_current_exception(console);
    }
}

bool goes_to_pager(const ToolSpec& spec, const CommonOptions& common, const ToolStreams& streams) {
    const bool wanted = spec.shared.pager && spec.rank == 0 && !common.no_pager;
    return wanted && streams.start_pager && spec.prints_much() && streams.start_pager();
}

int run_checked(const CLI::App& app, const ToolSpec& spec, const CommonOptions& common,
                Console& console, const std::function<void()>& finish_output) {
    try {
        for (const std::string& line : resolved_options(app)) console.detail(line);
        Publication publication;
        const ExitCode code = spec.run(console, common);
        for (const std::filesystem::path& input : replaced_inputs()) {
            console.warning(input.string() +
                            " was replaced while it was read: this is about the file before");
        }
        finish_output();
        if (code == exit_ok || code == exit_mismatch) publication.publish();
        return code;
    } catch (...) {
        return report_failure(console, spec);
    }
}

// Prevents opened files from becoming standard output. If it was closed, printing fails.
void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        const int flags = stream == STDIN_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", flags) != stream) return;
    }
}

// Other threads may be printing: only functions without stream locks are allowed.
void say_at_end(const ToolSpec& spec, const Terminal& terminal, const InterruptedEnd& interrupted) {
    const bool has_siblings = launched_by_mpirun();
    if (has_siblings && !interrupted.forwarded) forward_to_siblings(interrupted.signal);
    const std::string line = (terminal.err_is_terminal && terminal.can_erase ? "\r\x1b[K" : "") +
                             spec.name + ": " + interrupted.sentence + "\n";
    const bool tells = spec.rank == 0 && !interrupted.sentence.empty();
    if (tells) (void)!::write(STDERR_FILENO, line.data(), line.size());
    Pager::wait();
    // A launcher kills all processes as soon as one ends: leave them time to remove files.
    if (has_siblings) std::this_thread::sleep_for(std::chrono::seconds(1));
}

/// To MPI, each process of another library's launcher is the only one.
bool is_one_of_many_alone(const Launch& launch, const Communicator& comm) {
    return comm.size() == 1 && launch.size > 1 && launch.rank != 0;
}

}  // namespace

std::string examples_text(const std::vector<ToolSpec::Example>& examples) {
    std::string text = examples.empty() ? "" : "Examples:";
    for (const auto& example : examples)
        text.append("\n  ").append(example.command).append("\n      ").append(example.meaning);
    return text;
}

ExitCode exit_code(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::usage:
            return exit_usage;
        case ErrorKind::mismatch:
            return exit_mismatch;
        case ErrorKind::io:
        case ErrorKind::corrupt:
        case ErrorKind::unsupported:
        case ErrorKind::internal:
            break;
    }
    return exit_failure;
}

int run_tool(const std::vector<std::string>& arguments, const ToolSpec& spec,
             const ToolStreams& streams) {
    CommonOptions common;
    CLI::App app(spec.description, spec.name);
    // Every rank parses the same command line: only rank 0 reports errors.
    std::ostream silent(nullptr);
    Console early(streams.out, spec.rank == 0 ? streams.err : silent, streams.terminal,
                  console_settings(common, spec.name, spec.rank));
    try {
        prepare(app, spec, common);
        parse_arguments(app, arguments, spec.default_command);
    } catch (const CLI::Success& request) {
        return print_and_leave(app, request, early);
    } catch (...) {
        return report_current_exception(early);
    }
    // A pager cannot show a progress line.
    if (goes_to_pager(spec, common, streams)) common.progress = When::never;
    BoundedJson bounded(common.max_size.value_or(0));
    Console console(common.max_size ? bounded.stream() : streams.out, streams.err, streams.terminal,
                    console_settings(common, spec.name, spec.rank));
    return run_checked(app, spec, common, console, [&] {
        (void)console.out();
        streams.out << bounded.text();
        check_output(streams.out);
    });
}

namespace {

const char* started_tool = "";

/// The last resort: an exception left a function that must not throw, as some of the command line
/// parser do that need memory.
[[noreturn]] void end_by_exception() noexcept {
    const char* reason = "unexpected failure";
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc&) {
        reason = "not enough memory";
    } catch (...) {
    }
    try {
        if (auto held = try_hold_temporaries()) remove_temporaries(std::move(held));
    } catch (...) {
    }
    for (const char* text : {started_tool, ": error: ", reason, "\n"})
        (void)!::write(STDERR_FILENO, text, std::strlen(text));
    ::_exit(exit_failure);
}

}  // namespace

int start_tool(const char* name, int (*run)(int argc, char** argv), int argc, char** argv) {
    started_tool = name;
    std::set_terminate(end_by_exception);
    try {
        return run(argc, argv);
    } catch (...) {
        std::ostream silent(nullptr);
        const int rank = static_cast<int>(own_launch().rank);
        Console console(std::cout, rank == 0 ? std::cerr : silent,
                        detect_terminal(process_environment()),
                        console_settings(CommonOptions(), name, rank));
        return report_current_exception(console);
    }
}

int run_tool(int argc, const char* const* argv, const ToolSpec& spec) {
    keep_freed_memory();
    occupy_standard_streams();
    // Exceeding the file size limit is an error, like a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const Terminal terminal = detect_terminal(process_environment());
    Pager pager(process_environment(), terminal);
    const ToolStreams streams = {std::cout, std::cerr, terminal,
                                 [&pager] { return pager.start(); }};
    std::optional<Interruption> interruption;
    try {
        interruption.emplace(
            [&](const InterruptedEnd& interrupted) { say_at_end(spec, terminal, interrupted); });
    } catch (...) {
        Console console(streams.out, streams.err, terminal,
                        console_settings(CommonOptions(), spec.name, spec.rank));
        return report_failure(console, spec);
    }
    const int code = run_tool(arguments, spec, streams);
    std::cout.flush();
    return code;
}

void run_alone(ToolSpec& spec) {
    spec.run = [name = spec.name, work = std::move(spec.run)](Console& console,
                                                              const CommonOptions& common) {
        const Launch& launch = own_launch();
        if (launch.size <= 1) return work(console, common);
        if (launch.rank != 0) return exit_usage;
        throw Error(ErrorKind::usage,
                    "the launcher started {} processes, but {} works in one; start it without a "
                    "launcher, or with one process",
                    launch.size, name);
    };
}

std::unique_ptr<Communicator> join_world(int& argc, char**& argv) {
    return make_world(launched_by_mpirun(), &argc, &argv);
}

void run_together(Communicator& comm, ToolSpec& spec,
                  std::function<ExitCode(Console&, const CommonOptions&)> work) {
    const auto agreed = std::make_shared<bool>(false);
    spec.rank = comm.rank();
    spec.run = [&comm, agreed, work = std::move(work)](Console& console,
                                                       const CommonOptions& common) {
        const Launch& launch = own_launch();
        try {
            refuse_foreign_launcher(launch, comm.size());
            return work(console, common);
        } catch (const Error& error) {
            *agreed = true;
            if (comm.rank() != 0 || is_one_of_many_alone(launch, comm))
                return exit_code(error.kind());
            throw;
        }
    };
    spec.on_failure = [&comm, agreed](ExitCode code) {
        if (!*agreed) comm.abort(code);
    };
}

}  // namespace tracefold
