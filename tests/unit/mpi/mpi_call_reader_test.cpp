// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/mpi_call_reader.hpp"

#include "file/record_source.hpp"
#include "support/sample_file.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

class MpiCallReaderTest : public ::testing::TestWithParam<const char*> {};

/// Record types that an operation must show, one action each.
bool is_shown(EventType type) {
    switch (type) {
        case EventType::MpiCollectiveBegin:
        case EventType::RmaCollectiveBegin:
            return false;
        default:
            break;
    }
    return (type >= EventType::MpiSend && type <= EventType::MpiCollectiveEnd) ||
           (type >= EventType::RmaWinCreate && type <= EventType::RmaOpCompleteRemote) ||
           (type >= EventType::IoCreateHandle && type <= EventType::IoTryLock) ||
           type >= EventType::NonBlockingCollectiveRequest;
}

TEST_P(MpiCallReaderTest, ShowsEveryRecordOfMpi) {
    SampleFile file(GetParam());
    std::map<EventType, u64> wanted;
    std::map<EventType, u64> shown;
    for (u32 location = 0; location < file->location_count(); ++location) {
        drain(*file->events(location), [&wanted](const RecordBatch& batch) {
            for (const auto& head : batch.heads()) {
                const auto type = static_cast<EventType>(head.type);
                if (is_shown(type)) ++wanted[type];
            }
        });
    }
    for (u32 rank = 0; rank < file->definitions().world_size(); ++rank) {
        for (const u32 location : mpi_locations(*file, rank)) {
            MpiCallReader program(*file, location);
            for (MpiCall call; program.next(call);) {
                for (const Action& action : call.actions) {
                    if (!action.unrecorded) ++shown[action.type];
                }
            }
        }
    }
    EXPECT_EQ(shown, wanted);
    // TAU names collectives, but says nothing about them.
    EXPECT_EQ(wanted.empty(), std::string(GetParam()) == "tau-colls-4");
}

TEST_P(MpiCallReaderTest, PostsWhatCompletes) {
    SampleFile file(GetParam());
    for (u32 location = 0; location < file->location_count(); ++location) {
        std::map<u64, Action> posted;
        MpiCallReader program(*file, location);
        for (MpiCall call; program.next(call);) {
            for (const Action& action : call.actions) {
                if (action.kind == Action::Kind::post_receive && action.known) {
                    posted[action.request] = action;
                } else if (action.kind == Action::Kind::complete_receive) {
                    ASSERT_EQ(posted.at(action.request).envelope, action.envelope);
                    posted.erase(action.request);
                }
            }
        }
        EXPECT_TRUE(posted.empty());
    }
}

TEST_P(MpiCallReaderTest, NumbersCallsThatFollowEachOtherInTime) {
    SampleFile file(GetParam(), TimingLevel::exact);
    for (u32 location = 0; location < file->location_count(); ++location) {
        MpiCallReader program(*file, location);
        u64 calls = 0;
        u64 time = 0;
        for (MpiCall call; program.next(call);) {
            ASSERT_EQ(call.index, calls++);
            ASSERT_LE(time, call.begin);
            ASSERT_LE(call.begin, call.end);
            for (const Action& action : call.actions) {
                ASSERT_LE(call.begin, action.time);
                ASSERT_LE(action.time, call.end);
            }
            time = call.end;
        }
    }
}

/// Everything but the actions, which are compared by themselves.
auto facts(const MpiCall& call) {
    return std::tuple(call.function, call.family, call.region, call.index, call.begin, call.end);
}

TEST_P(MpiCallReaderTest, RememberedLoopsAreTheSameCalls) {
    SampleFile file(GetParam(), TimingLevel::exact);
    for (const Times times : {Times(Times::read), Times(Times::skip), Times(Times::sample, 3)}) {
        for (u32 location = 0; location < file->location_count(); ++location) {
            MpiCallReader plain(*file, location, times);
            MpiCallReader remembering(*file, location, times);
            remembering.remember_loops();
            MpiCall wanted;
            MpiCall call;
            while (plain.next(wanted)) {
                ASSERT_TRUE(remembering.next(call));
                ASSERT_EQ(facts(call), facts(wanted));
                ASSERT_TRUE(std::ranges::equal(call.actions, wanted.actions)) << wanted.index;
            }
            EXPECT_FALSE(remembering.next(call));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, MpiCallReaderTest,
                         ::testing::Values("micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4",
                                           "micro-rma-4", "micro-stencil2d9p-isend-4",
                                           "micro-user-4", "npb-lu.S-4", "tau-colls-4"),
                         sample_test_name<const char*>);

TEST(MpiCallReaderTest, ACallHoldsWhatIsNestedInIt) {
    SampleFile file("micro-mpiio-4");
    MpiCallReader program(*file, mpi_locations(*file, 0).front());
    EXPECT_EQ(program.location(), mpi_locations(*file, 0).front());
    std::map<MpiFunction, u64> calls;
    bool offset = false;
    for (MpiCall call; program.next(call);) {
        ++calls[call.function];
        for (const Action& action : call.actions) {
            if (action.type != EventType::IoOperationBegin) continue;
            EXPECT_EQ(call.family, CallFamily::file);
            offset = offset || action.offset != ~u64{0};
        }
    }
    EXPECT_EQ(calls[MpiFunction::Init], 1U);
    EXPECT_EQ(calls[MpiFunction::Finalize], 1U);
    EXPECT_GT(calls[MpiFunction::File_open], 0U);
    EXPECT_TRUE(offset);
}

}  // namespace
}  // namespace tracefold
