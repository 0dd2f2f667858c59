// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/progress.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using std::chrono::milliseconds;

class ProgressTest : public ::testing::Test {
  protected:
    Console console(When progress, bool terminal) {
        ConsoleSettings settings;
        settings.progress = progress;
        Terminal screen;
        screen.err_is_terminal = terminal;
        return {out_, err_, screen, settings};
    }

    Progress::Clock clock() {
        return [this] { return now_; };
    }

    std::ostringstream out_;
    std::ostringstream err_;
    Progress::TimePoint now_{};
};

TEST_F(ProgressTest, ShowsShareAndRateAndErasesAtTheEnd) {
    auto screen = console(When::automatic, true);
    {
        Progress progress(screen, "folding", 2'000'000, "events", clock());
        now_ += milliseconds(500);
        progress.advance(1'000'000);
        EXPECT_EQ(err_.str(), "\r\x1b[Kfolding  50 %, 1.0 M of 2.0 M events, 2.0 M events/s");
        err_.str("");
    }
    EXPECT_EQ(err_.str(), "\r\x1b[K");
    EXPECT_EQ(out_.str(), "");
}

TEST_F(ProgressTest, IsThrottled) {
    auto screen = console(When::automatic, true);
    Progress progress(screen, "folding", 100, "events", clock());
    progress.advance(1);
    now_ += milliseconds(99);
    progress.advance(1);
    EXPECT_EQ(err_.str(), "");
    now_ += milliseconds(1);
    progress.advance(1);
    const std::string first = err_.str();
    EXPECT_NE(first, "");
    progress.advance(1);
    EXPECT_EQ(err_.str(), first);
}

TEST_F(ProgressTest, UnknownTotalHasNoShare) {
    auto screen = console(When::automatic, true);
    Progress progress(screen, "reading", 0, "records", clock());
    now_ += milliseconds(1000);
    progress.set(500);
    EXPECT_EQ(err_.str(), "\r\x1b[Kreading  500 records, 500 records/s");
}

TEST_F(ProgressTest, NeverExceedsAHundredPercent) {
    auto screen = console(When::automatic, true);
    Progress progress(screen, "folding", 10, "events", clock());
    now_ += milliseconds(1000);
    progress.set(20);
    EXPECT_NE(err_.str().find("100 %"), std::string::npos);
}

TEST_F(ProgressTest, SaysNothingInAPipe) {
    auto pipe = console(When::automatic, false);
    Progress progress(pipe, "folding", 10, "events", clock());
    now_ += milliseconds(60'000);
    progress.advance(5);
    EXPECT_EQ(err_.str(), "");
}

TEST_F(ProgressTest, WritesRareLinesIntoALogWhenAsked) {
    auto log = console(When::always, false);
    Progress progress(log, "folding", 10, "events", clock());
    now_ += milliseconds(4999);
    progress.advance(1);
    EXPECT_EQ(err_.str(), "");
    now_ += milliseconds(1);
    progress.advance(4);
    EXPECT_EQ(err_.str(), "folding  50 %, 5 of 10 events, 1 events/s\n");
}

}  // namespace
}  // namespace tracefold
