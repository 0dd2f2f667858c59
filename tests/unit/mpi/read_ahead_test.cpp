// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/call_buffer.hpp"
#include "support/sample_file.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// What a call was when it was read.
struct Copy {
    Copy() = default;
    explicit Copy(const MpiCall& call)
        : function(call.function),
          index(call.index),
          begin(call.begin),
          end(call.end),
          actions(call.actions.begin(), call.actions.end()) {}
    bool operator==(const Copy&) const = default;

    MpiFunction function{};
    u64 index = 0;
    u64 begin = 0;
    u64 end = 0;
    std::vector<Action> actions;
};

class ReadAheadTest : public ::testing::TestWithParam<const char*> {
  protected:
    MpiCallReader reader(u32 location) {
        MpiCallReader calls(*file_, location);
        calls.infer(nullptr);
        calls.remember_loops();
        return calls;
    }
    std::vector<Copy> straight(u32 location) {
        std::vector<Copy> calls;
        MpiCallReader all = reader(location);
        for (MpiCall call; all.next(call);) calls.emplace_back(call);
        return calls;
    }

    /// Every call with what is read ahead by `fill(number of the call)` while it is handed out.
    template <class Fill>
    std::vector<Copy> read(CallBuffer& ahead, const Fill& fill) {
        std::vector<Copy> calls;
        while (ahead.next()) {
            fill(calls.size());
            calls.emplace_back(ahead.current());
        }
        EXPECT_FALSE(ahead.next());
        EXPECT_FALSE(ahead.fill());
        return calls;
    }

    SampleFile file_{GetParam(), TimingLevel::exact};
};

TEST_P(ReadAheadTest, GivesTheSameCallsHoweverFarAhead) {
    for (u32 location = 0; location < file_->location_count(); ++location) {
        const std::vector<Copy> all = straight(location);
        // Both limits are reached, and calls are larger than all the room there is.
        for (const std::size_t actions : {1U, 4U, 64U}) {
            CallBuffer ahead(16, actions);
            for (const std::size_t often : {1U, 3U, 50U}) {
                ahead.start(reader(location), true);
                EXPECT_EQ(all, read(ahead, [&](std::size_t number) {
                              for (std::size_t i = number % often; i > 0; --i) ahead.fill();
                          }));
            }
            ahead.start(reader(location), true);
            EXPECT_EQ(all, read(ahead, [&ahead](std::size_t) {
                          while (ahead.fill()) {
                          }
                      }));
        }
    }
}

TEST_P(ReadAheadTest, ReadsNothingUnlessAsked) {
    CallBuffer ahead;
    ahead.start(reader(0), false);
    EXPECT_FALSE(ahead.fill());
    EXPECT_EQ(straight(0), read(ahead, [](std::size_t) {}));
}

TEST_P(ReadAheadTest, IsBounded) {
    CallBuffer ahead(8, 1024);
    ahead.start(reader(0), true);
    std::size_t kept = 0;
    while (ahead.fill()) ++kept;
    EXPECT_EQ(kept, std::min(std::size_t{8}, straight(0).size()));
}

std::string test_name(const ::testing::TestParamInfo<const char*>& sample) {
    std::string name = sample.param;
    std::erase_if(name, [](char c) { return c == '-' || c == '.'; });
    return name;
}

INSTANTIATE_TEST_SUITE_P(Samples, ReadAheadTest,
                         ::testing::Values("micro-stencil2d9p-isend-4", "npb-lu.S-4",
                                           "micro-rma-4"),
                         test_name);

}  // namespace
}  // namespace tracefold
