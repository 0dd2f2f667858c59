// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/signature.hpp"

#include "support/made_trace.hpp"
#include "support/test_directory.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using testing::MadeTrace;

struct Ring {
    u32 ranks = 4;
    u64 steps = 10;
    u64 bytes = 1000;
    std::string function = "solve";
    bool reduces = true;
};

/// A program that computes, sends to the next rank, receives from the one before, and reduces.
StructureSignature signature_of(const Ring& ring) {
    TestDirectory directory;
    MadeTrace trace({.ranks = ring.ranks});
    for (u32 rank = 0; rank < ring.ranks; ++rank) {
        trace.call(rank, "MPI_Init");
        for (u64 step = 0; step < ring.steps; ++step) {
            const u64 next = (rank + 1) % ring.ranks;
            const u64 before = (rank + ring.ranks - 1) % ring.ranks;
            trace.call(rank, ring.function);
            trace.call(rank, "MPI_Send", {{EventType::MpiSend, {next, 0, 7, ring.bytes}}});
            trace.call(rank, "MPI_Recv", {{EventType::MpiRecv, {before, 0, 7, ring.bytes}}});
            if (!ring.reduces) continue;
            trace.call(rank, "MPI_Barrier",
                       {{EventType::MpiCollectiveBegin, {}},
                        {EventType::MpiCollectiveEnd, {0, 0, ~u64{0}, 0, 0}}});
        }
        trace.call(rank, "MPI_Finalize");
    }
    const std::string path = (directory / "made.tfold").string();
    trace.fold(path, TimingLevel::none);
    TraceFile file(path);
    return structure_signature(file);
}

TEST(SignatureTest, RanksStepsAndNamesOfFunctionsDoNotMatter) {
    const StructureSignature ring = signature_of({});
    EXPECT_FALSE(ring.communication.empty());
    EXPECT_FALSE(ring.loops.empty());
    EXPECT_EQ(distance(ring, signature_of({.function = "compute"})), 0);
    EXPECT_LT(distance(ring, signature_of({.ranks = 16})), 0.05);
    EXPECT_LT(distance(ring, signature_of({.steps = 200})), 0.25);
}

TEST(SignatureTest, SizesMatterLessThanOperations) {
    const StructureSignature ring = signature_of({});
    const double larger = distance(ring, signature_of({.bytes = 100'000}));
    const double without = distance(ring, signature_of({.reduces = false}));
    EXPECT_GT(larger, 0);
    EXPECT_GT(without, larger);
    EXPECT_LT(without, 1);
}

StructureSignature set_of(std::initializer_list<StructureSignature::Feature> features) {
    return {features, features};
}

TEST(SignatureTest, DistanceIsTheWeightedJaccardDistance) {
    const StructureSignature a = set_of({{1, 4}, {2, 6}});
    const StructureSignature b = set_of({{2, 3}, {3, 2}});
    EXPECT_DOUBLE_EQ(distance(a, b), 1 - 3.0 / 12);
    EXPECT_DOUBLE_EQ(distance(b, a), distance(a, b));
    EXPECT_DOUBLE_EQ(distance(a, a), 0);
    EXPECT_DOUBLE_EQ(distance(a, {}), 1);
    EXPECT_DOUBLE_EQ(distance({}, {}), 0);
}

TEST(SignatureTest, FullSetsAreSamples) {
    // Of the larger set only the smaller half of the hashes is known.
    StructureSignature full;
    StructureSignature small;
    for (u32 i = 0; i < StructureSignature::kMostFeatures; ++i) full.loops.push_back({2 * i, 1});
    for (u32 i = 0; i < 100; ++i) small.loops.push_back({20 * i, 1});
    const double common = 26.0 / StructureSignature::kMostFeatures;
    EXPECT_DOUBLE_EQ(distance(full, small), 1 - (1 + common) / 2);
}

}  // namespace
}  // namespace tracefold
