// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/file_table.hpp"

#include <array>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Role = FileCallsInCommon::Role;
using F = MpiFunction;

constexpr u64 kShared = 7;  ///< a file of two processes
constexpr u64 kOwn = 8;     ///< a file that each of them has for itself

/// Two processes that call functions on files; what belongs together is noted as the role and the
/// numbers of the calls of both.
class FileCallsInCommonTest : public ::testing::Test {
  protected:
    void call(u32 walker, F function, EventType type, u64 handle) {
        Action action;
        action.type = type;
        action.fields[0] = handle;
        add(walker, function, {action});
    }
    void open(u32 walker, u64 handle) {
        call(walker, F::File_open, EventType::IoCreateHandle, handle);
    }
    void close(u32 walker, u64 handle) {
        call(walker, F::File_close, EventType::IoDestroyHandle, handle);
    }
    void transfer(u32 walker, F function, u64 handle) {
        call(walker, function, EventType::IoOperationBegin, handle);
    }
    void bare(u32 walker, F function) { add(walker, function, {}); }

    struct Group {
        Role role;
        std::vector<u64> calls;  ///< 100 times the walker, plus the number of the call
        bool operator==(const Group&) const = default;
    };
    std::vector<Group> groups_;
    FileCallsInCommon calls_{
        [this](u32, u64 handle) { return handle == kShared ? &both_ : &alone_; },
        [this](Role role, const FileCallsInCommon::Places& places) {
            Group group{role, {}};
            for (const CallPlace& place : places) {
                group.calls.push_back(u64{place.walker} * 100 + place.index);
            }
            std::ranges::sort(group.calls);
            groups_.push_back(group);
        }};

  private:
    void add(u32 walker, F function, const std::vector<Action>& actions) {
        MpiCall mpi_call;
        mpi_call.function = function;
        mpi_call.family = CallFamily::file;
        mpi_call.index = next_[walker]++;
        mpi_call.actions = actions;
        calls_.add(walker, mpi_call);
    }

    std::array<u64, 2> members_{0, 1};
    CommunicatorView both_{1, kNone, members_, {}, nullptr, false, false};
    CommunicatorView alone_{2, kNone, std::span(members_).first(1), {}, nullptr, false, true};
    std::map<u32, u64> next_;
};

TEST_F(FileCallsInCommonTest, MembersMeetInTheirOrder) {
    for (u32 walker = 0; walker < 2; ++walker) {
        open(walker, kShared);
        if (walker == 1) transfer(walker, F::File_write_at, kShared);
        bare(walker, F::File_set_view);
        transfer(walker, F::File_write_at_all, kShared);
        close(walker, kShared);
        bare(walker, F::File_sync);  // of no file
    }
    calls_.finish();
    EXPECT_EQ(groups_, (std::vector<Group>{{Role::opens, {0, 100}},
                                           {Role::other, {1, 102}},
                                           {Role::other, {2, 103}},
                                           {Role::closes, {3, 104}}}));
}

TEST_F(FileCallsInCommonTest, HalvesOfASplitCallGoTogether) {
    for (u32 walker = 0; walker < 2; ++walker) {
        transfer(walker, F::File_read_all_begin, kShared);
        call(walker, F::File_read_all_end, EventType::IoOperationComplete, kShared);
        transfer(walker, F::File_write_ordered_begin, kShared);
    }
    EXPECT_EQ(groups_, (std::vector<Group>{{Role::other, {0, 1, 100, 101}}}));
    calls_.finish();
    EXPECT_EQ(groups_.back(), (Group{Role::alone, {2, 102}}));
}

TEST_F(FileCallsInCommonTest, AFileOfOneProcessIsItsOwn) {
    open(0, kOwn);
    EXPECT_EQ(groups_, (std::vector<Group>{{Role::opens, {0}}}));
    open(1, kOwn);
    EXPECT_EQ(groups_.back(), (Group{Role::opens, {100}}));
}

TEST_F(FileCallsInCommonTest, WhatDoesNotFitIsAlone) {
    for (u32 walker = 0; walker < 2; ++walker) open(walker, kShared);
    bare(0, F::File_sync);
    bare(1, F::File_set_view);
    for (u32 walker = 0; walker < 2; ++walker) transfer(walker, F::File_read_all, kShared);
    transfer(0, F::File_read_all, kShared);
    calls_.finish();
    EXPECT_EQ(groups_, (std::vector<Group>{{Role::opens, {0, 100}},
                                           {Role::alone, {1, 101}},
                                           {Role::alone, {2, 102}},
                                           {Role::alone, {3}}}));
}

}  // namespace
}  // namespace tracefold
