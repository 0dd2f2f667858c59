// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/repeated_calls.hpp"

#include "support/sample_file.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Calls of a location that were read and that came again.
struct Walk {
    u64 read = 0;
    u64 repeated = 0;
};

/// Every symbol is a call without actions.
Walk walk(TraceFile& file, u32 location) {
    CallReader stream(file, location);
    RepeatedCalls repeated(stream);
    Walk walk;
    MpiCall call;
    while (true) {
        while (repeated.are_left()) {
            repeated.next(call);
            ++walk.repeated;
        }
        if (repeated.at_turn()) continue;
        if (!stream.next()) return walk;
        repeated.note_symbol();
        const u64 last = repeated.place_of(stream.records().size() - 1);
        repeated.note_call(call, {repeated.place_of(0), last}, {}, {});
        ++walk.read;
    }
}

u64 symbols(TraceFile& file, u32 location) {
    CallReader stream(file, location);
    u64 count = 0;
    while (stream.next()) ++count;
    return count;
}

TEST(RepeatedCallsTest, MostOfARegularProgramIsReadOnce) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::exact);
    for (u32 location = 0; location < file->location_count(); ++location) {
        const Walk found = walk(*file, location);
        EXPECT_EQ(found.read + found.repeated, symbols(*file, location));
        EXPECT_GT(found.repeated, 2 * found.read);
    }
}

TEST(RepeatedCallsTest, MessagesOfAnySourceAreReadOneByOne) {
    SampleFile file("micro-anysrc-4", TimingLevel::exact);
    const Walk found = walk(*file, 0);
    EXPECT_EQ(found.read + found.repeated, symbols(*file, 0));
    EXPECT_GT(found.read, found.repeated);
}

}  // namespace
}  // namespace tracefold
