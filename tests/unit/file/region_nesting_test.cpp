// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/region_nesting.hpp"

#include "file/call_reader.hpp"
#include "model/record_kinds.hpp"
#include "support/made_traces.hpp"
#include "support/test_directory.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;
using Names = std::vector<std::string>;

class RegionNestingTest : public ::testing::Test {
  protected:
    void enter(const std::string& name, u32 thread = 0) {
        trace_.record(0, thread, EventType::Enter, {trace_.region(name)});
    }
    void leave(const std::string& name, u32 thread = 0) {
        trace_.record(0, thread, EventType::Leave, {trace_.region(name)});
    }
    void go_on(u64 task, u32 thread = 0, u64 creator = 0) {
        trace_.record(0, thread, EventType::ThreadTaskSwitch, {0, creator, task});
    }
    void complete(u64 task, u32 thread = 0, u64 creator = 0) {
        trace_.record(0, thread, EventType::ThreadTaskComplete, {0, creator, task});
    }

    TraceFile& file() {
        if (!file_) {
            const std::string path = (directory_ / "trace.tfold").string();
            trace_.fold(path);
            file_ = std::make_unique<TraceFile>(path);
        }
        return *file_;
    }

    /// The regions that the Leaves of a thread end, "" for none.
    Names ended(u32 thread = 0) {
        Names names;
        CallReader calls(file(), thread);
        while (calls.next()) {
            for (std::size_t i = 0; i < calls.records().size(); ++i) {
                if (!is_leave(calls.records()[i].type)) continue;
                const u64 region = calls.region(i).id;
                names.push_back(region == kNoRegion ? ""
                                                    : file().definitions().region_name(region));
            }
        }
        return names;
    }

    MadeTrace trace_{{.ranks = 1, .threads = 2}};

  private:
    TestDirectory directory_;
    std::unique_ptr<TraceFile> file_;
};

TEST_F(RegionNestingTest, LocationsThatNestAreNotFollowed) {
    enter("main");
    for (int i = 0; i < 20; ++i) trace_.call(0, "solve");
    leave("main");
    EXPECT_EQ(file().nesting().of(0), nullptr);
    EXPECT_TRUE(file().nesting().counts().empty());
}

TEST_F(RegionNestingTest, RecursionNests) {
    for (int i = 0; i < 100; ++i) enter("fib");
    for (int i = 0; i < 100; ++i) leave("fib");
    EXPECT_EQ(file().nesting().of(0), nullptr);
}

TEST_F(RegionNestingTest, LeavesThatBalanceEndTheInnermostRegion) {
    for (int i = 0; i < 10; ++i) {
        enter("boot");
        enter("io");
        leave("solve");  // renamed while it ran
        leave("boot");
    }
    Names wanted;
    for (int i = 0; i < 10; ++i) wanted.insert(wanted.end(), {"io", "boot"});
    EXPECT_EQ(ended(), wanted);
    const NestingCounts counts = file().nesting().counts();
    EXPECT_EQ(counts.leaves, 20U);
    EXPECT_EQ(counts.other, 10U);
    EXPECT_EQ(counts.outside, 0U);
}

TEST_F(RegionNestingTest, InterleavedRegionsEndByPosition) {
    enter("a");
    enter("b");
    leave("a");
    leave("b");
    EXPECT_EQ(ended(), (Names{"b", "a"}));
    EXPECT_EQ(file().nesting().of(0)->rule, LeaveRule::position);
}

TEST_F(RegionNestingTest, LeavesBeforeTheFirstEnterDoNotCount) {
    leave("main");
    enter("boot");
    leave("solve");
    EXPECT_EQ(ended(), (Names{"", "boot"}));
    EXPECT_EQ(file().nesting().counts().outside, 1U);
}

TEST_F(RegionNestingTest, AMissingLeaveIsFoundByName) {
    enter("main");
    enter("lost");
    leave("main");
    EXPECT_EQ(ended(), (Names{"main"}));
    EXPECT_EQ(file().nesting().of(0)->rule, LeaveRule::name_or_position);
}

TEST_F(RegionNestingTest, AKilledRunStillRenames) {
    enter("main");
    enter("boot");
    leave("solve");
    enter("io");
    EXPECT_EQ(ended(), (Names{"boot"}));
}

TEST_F(RegionNestingTest, TheLateLeaveOfARegionEndsNoOther) {
    enter("main");
    enter("a");
    enter("b");
    leave("a");
    leave("b");
    enter("open");
    EXPECT_EQ(ended(), (Names{"a", ""}));
}

TEST_F(RegionNestingTest, ALeaveTooManyIsIgnored) {
    enter("main");
    leave("never");
    leave("main");
    EXPECT_EQ(ended(), (Names{"", "main"}));
    EXPECT_EQ(file().nesting().of(0)->rule, LeaveRule::name);
    EXPECT_EQ(file().nesting().counts().other, 1U);
}

TEST_F(RegionNestingTest, AnMpiCallIsNotLeftFromOutside) {
    enter("main");
    enter("MPI_Send");
    leave("main");
    leave("MPI_Send");
    enter("open");
    EXPECT_EQ(ended(), (Names{"", "MPI_Send"}));
}

TEST_F(RegionNestingTest, TasksHaveStacksOfTheirOwn) {
    enter("main");
    go_on(1);
    enter("one");
    go_on(2);
    enter("two");
    go_on(1);
    leave("one");
    complete(1);
    go_on(0);
    leave("main");
    go_on(2);
    leave("two");
    complete(2);
    EXPECT_EQ(ended(), (Names{"one", "main", "two"}));
    EXPECT_TRUE(file().nesting().counts().empty());
}

TEST_F(RegionNestingTest, AfterACompletionTheInterruptedTaskGoesOn) {
    enter("main");
    go_on(1);
    enter("one");
    go_on(2);
    enter("two");
    leave("two");
    complete(2);
    leave("one");
    complete(1);
    leave("main");
    EXPECT_EQ(ended(), (Names{"two", "one", "main"}));
}

TEST_F(RegionNestingTest, TasksOfOtherCreatorsAreOthers) {
    enter("main");
    go_on(1, 0, 0);
    enter("one");
    go_on(1, 0, 1);
    enter("two");
    go_on(1, 0, 0);
    leave("one");
    go_on(1, 0, 1);
    leave("two");
    go_on(0);
    leave("main");
    EXPECT_EQ(ended(), (Names{"one", "two", "main"}));
    EXPECT_TRUE(file().nesting().counts().empty());
}

TEST_F(RegionNestingTest, AnExplicitTaskMayHaveNumberZero) {
    trace_.record(0, 0, EventType::ThreadTaskCreate, {0, 0, 0});
    enter("main");
    go_on(0);
    enter("task");
    go_on(0, 0, 1);  // the implicit one
    leave("main");
    go_on(0);
    leave("task");
    EXPECT_EQ(ended(), (Names{"main", "task"}));
}

TEST_F(RegionNestingTest, TasksOfOldRecordersHaveOneNumber) {
    const auto go_on_old = [this](u64 task) {
        trace_.record(0, 0, EventType::OmpTaskSwitch, {task});
    };
    trace_.record(0, 0, EventType::OmpTaskCreate, {7});
    enter("main");
    go_on_old(7);
    enter("task");
    go_on_old(3);  // numbered, too, but never created
    leave("main");
    go_on_old(7);
    leave("task");
    EXPECT_EQ(ended(), (Names{"main", "task"}));
}

TEST_F(RegionNestingTest, ATaskTakesItsStackToAnotherThread) {
    for (u64 task = 1; task <= 5; ++task) {
        go_on(task, 1);
        enter("task", 1);
        enter("inner", 1);
        go_on(0, 1, 1);
        go_on(task, 0);
        leave("other name", 0);
        go_on(0, 0);
        go_on(task, 1);
        leave("task", 1);
        complete(task, 1);
    }
    EXPECT_EQ(ended(0), (Names{"inner", "inner", "inner", "inner", "inner"}));
    EXPECT_EQ(ended(1), (Names{"task", "task", "task", "task", "task"}));
    EXPECT_EQ(file().nesting().counts().other, 5U);
}

TEST_F(RegionNestingTest, AtOneTimeATaskIsSuspendedBeforeItGoesOn) {
    trace_.at(10);
    go_on(1, 1);
    enter("task", 1);
    trace_.at(20);
    go_on(0, 1, 1);
    trace_.at(20);
    go_on(1, 0);
    leave("task", 0);
    EXPECT_EQ(ended(0), (Names{"task"}));
    EXPECT_TRUE(file().nesting().counts().empty());
}

TEST_F(RegionNestingTest, UnfinishedTasksAreKnown) {
    go_on(1);
    enter("task");
    go_on(0);
    const RegionNesting::Location* const location = file().nesting().of(0);
    ASSERT_NE(location, nullptr);
    ASSERT_EQ(location->unfinished.size(), 1U);
    EXPECT_EQ(location->unfinished.front().size(), 1U);
}

}  // namespace
}  // namespace tracefold
