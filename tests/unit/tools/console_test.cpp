// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/console.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class ConsoleTest : public ::testing::Test {
  protected:
    Console console(ConsoleSettings settings, Terminal terminal = {}) {
        settings.tool = "trace_test";
        return {out_, err_, terminal, settings};
    }

    static ConsoleSettings with_verbosity(int verbosity) {
        ConsoleSettings settings;
        settings.verbosity = verbosity;
        return settings;
    }

    static ConsoleSettings on_rank(int rank) {
        ConsoleSettings settings;
        settings.rank = rank;
        return settings;
    }

    static Terminal screen(unsigned width = 80) {
        Terminal terminal;
        terminal.out_is_terminal = true;
        terminal.err_is_terminal = true;
        terminal.width = width;
        terminal.err_width = width;
        return terminal;
    }

    static void say_everything(Console& console) {
        console.out() << "result\n";
        console.summary("summary");
        console.warning("careful");
        console.error("broken");
        console.detail("detail");
    }

    std::ostringstream out_;
    std::ostringstream err_;
};

TEST_F(ConsoleTest, SaysResultsSummaryWarningsAndErrorsByDefault) {
    auto normal = console({});
    say_everything(normal);
    EXPECT_EQ(out_.str(), "result\nsummary\n");
    EXPECT_EQ(err_.str(), "trace_test: warning: careful\ntrace_test: error: broken\n");
}

TEST_F(ConsoleTest, TextFitsTheTerminalAndDataDoesNot) {
    const std::string line = "  one two three four five six seven";
    {
        auto narrow = console({}, screen(20));
        EXPECT_EQ(narrow.columns(), 20U);
        narrow.text() << "  one two "
                      << "three four five six seven\nno end";
        narrow.out() << '\n' << line << '\n';
    }
    EXPECT_EQ(out_.str(), "  one two three four\n      five six seven\nno end\n" + line + '\n');
    out_.str("");
    ConsoleSettings wide;
    wide.wide = true;
    console(wide, screen(20)).text() << line << '\n';
    EXPECT_EQ(out_.str(), line + '\n');
    console(on_rank(1), screen(20)).text() << line << '\n';
    EXPECT_EQ(out_.str(), line + '\n');
}

TEST_F(ConsoleTest, QuietLeavesResultsAndErrors) {
    auto quiet = console(with_verbosity(-1));
    say_everything(quiet);
    EXPECT_EQ(out_.str(), "result\n");
    EXPECT_EQ(err_.str(), "trace_test: error: broken\n");
}

TEST_F(ConsoleTest, VerboseSaysDetails) {
    auto verbose = console(with_verbosity(1));
    verbose.detail("a");
    EXPECT_EQ(err_.str(), "a\n");
}

TEST_F(ConsoleTest, JsonKeepsTheSummaryOffTheResult) {
    ConsoleSettings settings;
    settings.json = true;
    auto json = console(settings);
    json.out() << "{}\n";
    json.summary("done");
    EXPECT_EQ(out_.str(), "{}\n");
}

TEST_F(ConsoleTest, OtherRanksOnlyReportErrors) {
    auto other = console(on_rank(17));
    say_everything(other);
    EXPECT_EQ(out_.str(), "");
    EXPECT_EQ(err_.str(), "[rank 17] trace_test: error: broken\n");
    EXPECT_FALSE(other.progress_wanted());
}

TEST_F(ConsoleTest, ColorsOnlyWhereTheyAreWelcome) {
    EXPECT_EQ(console({}).paint(Style::good, "x"), "x");
    EXPECT_EQ(console({}, screen()).paint(Style::good, "x"), "\x1b[32mx\x1b[0m");
    EXPECT_EQ(console({}, screen()).paint(Style::plain, "x"), "x");
    Terminal plain = screen();
    plain.colors_wanted = false;
    EXPECT_EQ(console({}, plain).paint(Style::good, "x"), "x");
}

TEST_F(ConsoleTest, ColorOptionOverridesDetection) {
    ConsoleSettings always;
    always.color = When::always;
    EXPECT_NE(console(always).paint(Style::error, "x"), "x");
    ConsoleSettings never;
    never.color = When::never;
    EXPECT_EQ(console(never, screen()).paint(Style::error, "x"), "x");
}

TEST_F(ConsoleTest, StatusIsErasedBeforeOtherMessages) {
    auto shown = console({}, screen());
    shown.show_status("50 %");
    EXPECT_EQ(err_.str(), "\r\x1b[K50 %");
    err_.str("");
    shown.error("x");
    EXPECT_EQ(err_.str().substr(0, 4), "\r\x1b[K");
    err_.str("");
    shown.clear_status();
    EXPECT_EQ(err_.str(), "") << "nothing is left to erase";
}

TEST_F(ConsoleTest, StatusFitsTheTerminal) {
    auto narrow = console({}, screen(20));
    narrow.show_status(std::string(50, 'x'));
    EXPECT_EQ(err_.str(), "\r\x1b[K" + std::string(19, 'x'));
}

TEST_F(ConsoleTest, StatusNeedsATerminalOrTheOption) {
    auto pipe = console({});
    pipe.show_status("50 %");
    EXPECT_EQ(err_.str(), "");
    ConsoleSettings forced;
    forced.progress = When::always;
    auto log = console(forced);
    log.show_status("50 %");
    EXPECT_EQ(err_.str(), "50 %\n");
    ConsoleSettings off;
    off.progress = When::never;
    EXPECT_FALSE(console(off, screen()).progress_wanted());
}

TEST_F(ConsoleTest, JsonIsPrettyOnATerminalOnly) {
    EXPECT_EQ(console({}).json_layout(), JsonLayout::one_line);
    EXPECT_EQ(console({}, screen()).json_layout(), JsonLayout::pretty);
}

}  // namespace
}  // namespace tracefold
