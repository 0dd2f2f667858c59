// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/file_uses.hpp"

#include "support/communicator_set.hpp"
#include "support/definition_builder.hpp"

#include <deque>
#include <memory>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using F = MpiFunction;

/// Two processes that open files together.
class FileUsesTest : public ::testing::Test {
  protected:
    FileUsesTest()
        : first_(builder_.file_handle(0, builder_.world())),
          second_(builder_.file_handle(1, builder_.world())) {}

    void start() {
        index_ = std::make_unique<DefinitionIndex>(builder_.index());
        files_.add(*index_, builder_.records());
        set_ = communicator_set(*index_, builder_);
        for (u32 rank = 0; rank < 2; ++rank)
            uses_.emplace_back(files_, tables_.emplace_back(set_, rank));
    }
    void call(u32 rank, F function, EventType type, u64 handle) {
        Action action;
        action.type = type;
        action.fields[0] = handle;
        add(rank, function, {&action, 1});
    }
    void open(u32 rank, u64 handle) { call(rank, F::File_open, EventType::IoCreateHandle, handle); }
    void close(u32 rank, u64 handle) {
        call(rank, F::File_close, EventType::IoDestroyHandle, handle);
    }
    void bare(u32 rank, F function) { add(rank, function, {}); }

    /// Whether calls without a record are issued.
    bool agrees(u64 handle) {
        std::vector<FileUses*> all;
        for (FileUses& uses : uses_) all.push_back(&uses);
        (void)FileUses::agree(files_, all, [](std::vector<u64>& /*values*/, bool /*sum*/) {});
        return uses_.front().find(handle)->bare;
    }

    DefinitionBuilder builder_{2};
    u64 first_;
    u64 second_;
    std::unique_ptr<DefinitionIndex> index_;
    FileTable files_;
    std::shared_ptr<const CommunicatorSet> set_;
    std::deque<CommunicatorTable> tables_;
    std::deque<FileUses> uses_;

  private:
    void add(u32 rank, F function, std::span<const Action> actions) {
        MpiCall call;
        call.function = function;
        call.family = CallFamily::file;
        call.actions = actions;
        (void)uses_[rank].add(call, 0);
    }
};

TEST_F(FileUsesTest, HandlesAgreeWhateverHappensOnOthers) {
    start();
    for (const u32 rank : {0U, 1U}) open(rank, first_);
    bare(0, F::File_sync);
    for (const u32 rank : {0U, 1U}) close(rank, first_);
    for (const u32 rank : {0U, 1U}) {
        open(rank, second_);
        bare(rank, F::File_set_view);
        close(rank, second_);
    }
    EXPECT_FALSE(agrees(first_));
    EXPECT_TRUE(agrees(second_));
    EXPECT_EQ(uses_[0].find(first_)->functions, (std::map<F, u64>{{F::File_sync, 1}}));
}

TEST_F(FileUsesTest, PlacesAmongCollectiveCallsCount) {
    start();
    for (const u32 rank : {0U, 1U}) open(rank, first_);
    bare(0, F::File_sync);
    for (const u32 rank : {0U, 1U}) {
        call(rank, F::File_write_all, EventType::IoOperationBegin, first_);
    }
    bare(1, F::File_sync);
    EXPECT_FALSE(agrees(first_));
}

TEST_F(FileUsesTest, AfterACloseTheFileUsedBeforeIsMeant) {
    start();
    for (const u32 rank : {0U, 1U}) {
        open(rank, first_);
        open(rank, second_);
        close(rank, second_);
        bare(rank, F::File_set_size);
    }
    EXPECT_TRUE(agrees(first_));
    EXPECT_EQ(uses_[1].find(first_)->functions.size(), 1U);
    EXPECT_TRUE(uses_[1].find(second_)->functions.empty());
}

}  // namespace
}  // namespace tracefold
