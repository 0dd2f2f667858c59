// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/run_tool.hpp"

#include "base/file.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <new>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class RunToolTest : public ::testing::Test {
  protected:
    RunToolTest() {
        spec_.name = "trace_test";
        spec_.description = "Tests the frame of all tools.";
        spec_.examples = {{"trace_test run.otf2", "does it"}};
        spec_.versions = {{"file format", "1.0"}, {"OTF2", "3.0.2"}};
        spec_.setup = [this](CLI::App& app) {
            app.add_option("ARCHIVE", archive_, "What to read")->required();
            app.add_option("--level", level_, "Effort");
        };
        spec_.run = [this](Console&, const CommonOptions& common) {
            ++runs_;
            common_ = common;
            return exit_ok;
        };
    }

    int run(const std::vector<std::string>& arguments) {
        out_.str("");
        err_.str("");
        return run_tool(arguments, spec_, {out_, err_, Terminal{}});
    }

    template <typename Exception>
    void throw_from_run(const Exception& exception) {
        spec_.run = [exception](Console&, const CommonOptions&) -> ExitCode { throw exception; };
    }

    ToolSpec spec_;
    std::string archive_;
    int level_ = 3;
    int runs_ = 0;
    CommonOptions common_;
    std::ostringstream out_;
    std::ostringstream err_;

    /// Takes nothing.
    struct NoRoom : std::streambuf {
    } no_room_;
};

TEST_F(RunToolTest, RunsSilentlyWithValidArguments) {
    EXPECT_EQ(run({"run.otf2", "--level", "7"}), 0);
    EXPECT_EQ(archive_, "run.otf2");
    EXPECT_EQ(level_, 7);
    EXPECT_EQ(runs_, 1);
    EXPECT_EQ(out_.str() + err_.str(), "");
}

TEST_F(RunToolTest, FillsTheCommonOptions) {
    ASSERT_EQ(run({"-f", "-vv", "--json", "--no-progress", "--color", "never", "run.otf2"}), 0);
    EXPECT_TRUE(common_.force);
    EXPECT_TRUE(common_.json);
    EXPECT_EQ(common_.verbosity, 2);
    EXPECT_EQ(common_.progress, When::never);
    EXPECT_EQ(common_.color, When::never);
}

TEST_F(RunToolTest, CommonOptionsHaveDefaults) {
    ASSERT_EQ(run({"run.otf2"}), 0);
    EXPECT_FALSE(common_.force || common_.json || common_.quiet);
    EXPECT_EQ(common_.verbosity, 0);
    EXPECT_EQ(common_.progress, When::automatic);
    EXPECT_EQ(common_.color, When::automatic);
}

TEST_F(RunToolTest, LeavesOutSharedOptionsThatAToolDoesNotHave) {
    spec_.shared.force = false;
    EXPECT_EQ(run({"-f", "run.otf2"}), 2);
    EXPECT_NE(err_.str().find("unknown option -f"), std::string::npos);
}

TEST_F(RunToolTest, HelpEndsWithExamplesAndSucceeds) {
    EXPECT_EQ(run({"--help"}), 0);
    EXPECT_EQ(runs_, 0);
    EXPECT_EQ(err_.str(), "");
    EXPECT_NE(out_.str().find("Usage: trace_test"), std::string::npos);
    EXPECT_NE(out_.str().find("--color auto|always|never"), std::string::npos);
    EXPECT_NE(out_.str().find("Effort (default: 3)\n"), std::string::npos);
    const std::string end = "Examples:\n  trace_test run.otf2\n      does it\n";
    ASSERT_GT(out_.str().size(), end.size());
    EXPECT_EQ(out_.str().substr(out_.str().size() - end.size()), end);
}

TEST_F(RunToolTest, VersionNamesEveryPart) {
    EXPECT_EQ(run({"--version"}), 0);
    EXPECT_EQ(out_.str().find("trace_test "), 0U);
    EXPECT_NE(out_.str().find("\ntracefold library "), std::string::npos);
    EXPECT_NE(out_.str().find("\nfile format 1.0\nOTF2 3.0.2\n"), std::string::npos);
}

TEST_F(RunToolTest, EveryUsageErrorIsTwo) {
    EXPECT_EQ(run({}), 2);
    EXPECT_EQ(err_.str(), "trace_test: error: ARCHIVE is missing; see trace_test --help\n");
    EXPECT_EQ(run({"a", "--level"}), 2);
    EXPECT_EQ(run({"a", "--level", "many"}), 2);
    EXPECT_EQ(run({"a", "-q", "-v"}), 2);
    EXPECT_EQ(run({"a", "--progress", "--no-progress"}), 2);
    EXPECT_EQ(run({"a", "--color", "pink"}), 2);
    EXPECT_NE(err_.str().find("'pink' is none of auto|always|never"), std::string::npos);
    EXPECT_EQ(runs_, 0);
    EXPECT_EQ(out_.str(), "");
}

TEST_F(RunToolTest, ExtraArgumentsAreErrors) {
    EXPECT_EQ(run({"a", "b"}), 2);
    EXPECT_EQ(err_.str(), "trace_test: error: unexpected argument 'b'; see trace_test --help\n");
}

TEST_F(RunToolTest, SuggestsTheNearestOption) {
    EXPECT_EQ(run({"--levle=7", "a"}), 2);
    EXPECT_EQ(err_.str(), "trace_test: error: unknown option --levle; did you mean --level?\n");
    EXPECT_EQ(run({"--zzzzzz", "a"}), 2);
    EXPECT_EQ(err_.str(), "trace_test: error: unknown option --zzzzzz; see trace_test --help\n");
}

TEST_F(RunToolTest, UnknownOptionIsNamedBeforeItsConsequences) {
    EXPECT_EQ(run({"--levle"}), 2);
    EXPECT_NE(err_.str().find("--levle"), std::string::npos) << "not: ARCHIVE is missing";
}

TEST_F(RunToolTest, VerbsTakeTheCommonOptionsToo) {
    spec_.setup = [this](CLI::App& app) {
        app.require_subcommand(1);
        app.add_subcommand("structure", "x")->add_option("FILE", archive_)->required();
        app.add_subcommand("info", "x");
    };
    EXPECT_EQ(run({"structure", "a.tfold", "--json"}), 0);
    EXPECT_TRUE(common_.json);
    EXPECT_EQ(run({"strucutre", "a.tfold"}), 2);
    EXPECT_EQ(err_.str(),
              "trace_test: error: unknown command 'strucutre'; did you mean structure?\n");
    EXPECT_EQ(run({"structure", "a.tfold", "--jsno"}), 2);
    EXPECT_NE(err_.str().find("did you mean --json?"), std::string::npos);
    EXPECT_EQ(run({"structure", "a.tfold", "b.tfold"}), 2);
    EXPECT_NE(err_.str().find("unexpected argument 'b.tfold'"), std::string::npos);
    EXPECT_EQ(run({}), 2);
    EXPECT_EQ(run({"structure", "--help"}), 0);
    EXPECT_NE(out_.str().find("FILE"), std::string::npos);
}

TEST_F(RunToolTest, AFileStandsForTheDefaultVerb) {
    bool all = false;
    std::string verb;
    spec_.default_command = "info";
    spec_.setup = [&](CLI::App& app) {
        app.require_subcommand(1);
        for (const char* name : {"structure", "info"}) {
            CLI::App* command = app.add_subcommand(name, "x");
            command->add_option("FILE", archive_)->required();
            command->add_flag("--all", all);
            command->callback([&verb, name] { verb = name; });
        }
    };
    const std::string here = std::filesystem::current_path().string();
    EXPECT_EQ(run({here, "--all"}), 0);
    EXPECT_EQ(verb + " " + archive_, "info " + here);
    EXPECT_TRUE(all);
    EXPECT_EQ(run({"--color", "never", "--all", here}), 0);
    EXPECT_EQ(run({"structure", here}), 0);
    EXPECT_EQ(verb, "structure");
    EXPECT_EQ(run({"strucutre"}), 2);
    EXPECT_EQ(err_.str(),
              "trace_test: error: unknown command 'strucutre', and no such file exists; did you "
              "mean structure? (the commands are structure, info)\n");
    EXPECT_EQ(run({"nowhere.tfold"}), 2);
    EXPECT_EQ(err_.str(),
              "trace_test: error: unknown command 'nowhere.tfold', and no such file exists; the "
              "commands are structure, info\n");
    EXPECT_EQ(run({"info", "nowhere.tfold"}), 0) << "whoever opens it says that it is not there";
    EXPECT_EQ(run({here, "--nonsense"}), 2);
    EXPECT_NE(err_.str().find("unknown option --nonsense"), std::string::npos);
}

TEST_F(RunToolTest, ANameOfAVerbIsTheVerb) {
    spec_.default_command = "info";
    spec_.setup = [this](CLI::App& app) {
        app.require_subcommand(1);
        app.add_subcommand("info", "x")->add_option("FILE", archive_)->required();
        app.add_subcommand("..", "the name of a folder");
    };
    archive_ = "";
    EXPECT_EQ(run({".."}), 0);
    EXPECT_EQ(archive_, "");
    EXPECT_EQ(run({"./.."}), 0);
    EXPECT_EQ(archive_, "./..");
}

TEST_F(RunToolTest, ErrorsDecideOnTheExitCode) {
    const std::pair<ErrorKind, int> codes[] = {
        {ErrorKind::usage, 2},       {ErrorKind::io, 1},       {ErrorKind::corrupt, 1},
        {ErrorKind::unsupported, 1}, {ErrorKind::mismatch, 3}, {ErrorKind::internal, 1}};
    for (const auto& [kind, code] : codes) {
        throw_from_run(Error(kind, "run.otf2 is no archive"));
        EXPECT_EQ(run({"a"}), code);
        EXPECT_EQ(err_.str(), "trace_test: error: run.otf2 is no archive\n");
    }
}

TEST_F(RunToolTest, ForeignExceptionsAreFailures) {
    throw_from_run(std::runtime_error("boom"));
    EXPECT_EQ(run({"a"}), 1);
    EXPECT_EQ(err_.str(), "trace_test: error: unexpected failure: boom\n");
    throw_from_run(std::bad_alloc());
    EXPECT_EQ(run({"a"}), 1);
    EXPECT_EQ(err_.str(), "trace_test: error: not enough memory\n");
    throw_from_run(42);
    EXPECT_EQ(run({"a"}), 1);
}

TEST_F(RunToolTest, PassesADifferenceOn) {
    spec_.run = [](Console&, const CommonOptions&) { return exit_mismatch; };
    EXPECT_EQ(run({"a"}), 3);
    EXPECT_EQ(err_.str(), "");
}

TEST_F(RunToolTest, FailureHookSeesTheCodeOfAFailedRunOnly) {
    int seen = -1;
    spec_.on_failure = [&seen](ExitCode code) { seen = code; };
    EXPECT_EQ(run({"--nonsense"}), 2);
    EXPECT_EQ(run({"a"}), 0);
    EXPECT_EQ(seen, -1);
    throw_from_run(Error(ErrorKind::io, "x"));
    EXPECT_EQ(run({"a"}), 1);
    EXPECT_EQ(seen, 1);
}

TEST_F(RunToolTest, OtherRanksKeepQuietAboutTheCommandLine) {
    spec_.rank = 3;
    EXPECT_EQ(run({"--help"}), 0);
    EXPECT_EQ(run({"--nonsense"}), 2);
    EXPECT_EQ(out_.str() + err_.str(), "");
    EXPECT_EQ(run({"a"}), 0);
    throw_from_run(Error(ErrorKind::io, "disk on fire"));
    EXPECT_EQ(run({"a"}), 1);
    EXPECT_EQ(err_.str(), "[rank 3] trace_test: error: disk on fire\n");
}

TEST_F(RunToolTest, UnwritableOutputIsAFailure) {
    out_.setstate(std::ios::badbit);
    EXPECT_EQ(run_tool({"a"}, spec_, {out_, err_, Terminal{}}), 1);
    EXPECT_EQ(err_.str(), "trace_test: error: cannot write to standard output\n");
}

TEST_F(RunToolTest, HelpThatCannotBePrintedIsAFailure) {
    std::ostream full(nullptr);
    for (const char* option : {"--help", "--version"}) {
        err_.str("");
        full.rdbuf(&no_room_);
        EXPECT_EQ(run_tool({option}, spec_, {full, err_, Terminal{}}), exit_failure);
        EXPECT_EQ(err_.str(), "trace_test: error: cannot write to standard output\n");
    }
}

TEST_F(RunToolTest, OutputsAppearOnlyIfAllSucceeds) {
    const TestDirectory scratch;
    const std::string path = scratch / "out";
    ExitCode code = exit_ok;
    spec_.run = [&](Console& console, const CommonOptions&) {
        AtomicFile(path).commit();
        console.out() << "done\n";
        return code;
    };
    std::ostream full(&no_room_);
    EXPECT_EQ(run_tool({"run.otf2"}, spec_, {full, err_, Terminal{}}), exit_failure);
    EXPECT_FALSE(std::filesystem::exists(path));
    for (const ExitCode bad : {exit_failure, exit_usage}) {
        code = bad;
        EXPECT_EQ(run({"run.otf2"}), bad);
        EXPECT_EQ(scratch.entries(), 0);
    }
    code = exit_mismatch;
    EXPECT_EQ(run({"run.otf2"}), exit_mismatch);
    EXPECT_TRUE(std::filesystem::exists(path));
}

TEST_F(RunToolTest, VerbosePrintsTheResolvedOptions) {
    EXPECT_EQ(run({"a", "-v"}), 0);
    EXPECT_EQ(err_.str(), "ARCHIVE = a\nlevel = 3\nverbose = true\ncolor = auto\n");
}

TEST_F(RunToolTest, SuggestsTheNearestWordOfAnOption) {
    EXPECT_EQ(run({"a", "--color", "nevre"}), 2);
    EXPECT_EQ(err_.str(),
              "trace_test: error: 'nevre' is none of auto|always|never; did you mean never?\n");
}

TEST_F(RunToolTest, CommandsHaveTheSharedOptionsInTheirHelp) {
    spec_.setup = [](CLI::App& app) { app.add_subcommand("list", "Lists")->footer("own"); };
    EXPECT_EQ(run({"list", "--help"}), 0);
    EXPECT_NE(out_.str().find("Common options:\n"), std::string::npos);
    EXPECT_NE(out_.str().find("--color auto|always|never"), std::string::npos);
    EXPECT_NE(out_.str().find("own"), std::string::npos);
    EXPECT_EQ(run({"list", "--nonsense"}), 2);
    EXPECT_EQ(err_.str(),
              "trace_test: error: unknown option --nonsense; see trace_test list --help\n");
}

TEST_F(RunToolTest, ThePagerIsStartedForWhatIsLong) {
    int started = 0;
    const ToolStreams streams{out_, err_, Terminal{}, [&started] { return ++started > 0; }};
    spec_.shared.pager = true;
    bool much = false;
    spec_.prints_much = [&much] { return much; };
    EXPECT_EQ(run_tool({"a"}, spec_, streams), 0);
    EXPECT_EQ(started, 0);
    much = true;
    EXPECT_EQ(run_tool({"--nonsense"}, spec_, streams), 2);
    EXPECT_EQ(run_tool({"--help"}, spec_, streams), 0);
    EXPECT_EQ(run_tool({"a", "--no-pager"}, spec_, streams), 0);
    EXPECT_EQ(started, 0);
    EXPECT_EQ(run_tool({"a"}, spec_, streams), 0);
    EXPECT_EQ(started, 1);
}

}  // namespace
}  // namespace tracefold
