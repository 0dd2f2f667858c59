// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/quiescent_cuts.hpp"

#include "mpi/steps/step_search.hpp"

#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Kind = Operation::Kind;

/// Operations of ranks, each a call of its own; at rest behind each unless said otherwise.
class Ranks {
  public:
    explicit Ranks(u32 count) {
        all_.ranks.resize(count);
        for (u32 rank = 0; rank < count; ++rank) all_.ranks[rank].location = rank;
        all_.communicators.emplace_back();
        for (u32 rank = 0; rank < count; ++rank) all_.communicators[0].push_back(rank);
    }
    Ranks& send(u32 rank, u32 to, bool at_rest = true) {
        return add(rank, Kind::send, channel(rank, to), at_rest);
    }
    Ranks& receive(u32 rank, u32 from, bool at_rest = true) {
        return add(rank, Kind::receive, channel(from, rank), at_rest);
    }
    Ranks& collective(u32 rank) { return add(rank, Kind::collective, 0, true); }
    [[nodiscard]] const Operations& all() const { return all_; }

  private:
    u32 channel(u32 sender, u32 receiver) {
        const auto [known, fresh] =
            channels_.try_emplace({sender, receiver}, static_cast<u32>(all_.channels.size()));
        if (fresh) all_.channels.push_back({sender, receiver});
        return known->second;
    }
    Ranks& add(u32 rank, Kind kind, u32 channel, bool at_rest) {
        std::vector<Operation>& operations = all_.ranks[rank].operations;
        const auto call = static_cast<u32>(operations.size());
        operations.push_back({call, channel, 0, 0, kind, 0, at_rest});
        all_.ranks[rank].calls = call + 1U;
        return *this;
    }

    Operations all_;
    std::map<std::pair<u32, u32>, u32> channels_;
};

std::vector<Cut> cuts_of(const Operations& all, u32 reference,
                         Direction direction = Direction::forward) {
    std::vector<Cut> found;
    const Counterparts counterparts(all, 2);
    const RestPlaces rests(all, 2);
    QuiescentCuts cuts(rests, counterparts, reference, direction);
    while (cuts.next()) found.push_back(cuts.places());
    found.push_back(cuts.places());
    return found;
}

/// Three ranks in a row; who is in the middle exchanges with both, so that one exchange holds all.
TEST(QuiescentCutsTest, AnExchangeIsNotDivided) {
    Ranks ranks(3);
    for (int step = 0; step < 2; ++step) {
        ranks.send(0, 1, false).receive(0, 1);
        ranks.send(1, 0, false).send(1, 2, false).receive(1, 0, false).receive(1, 2);
        ranks.send(2, 1, false).receive(2, 1);
    }
    EXPECT_EQ(cuts_of(ranks.all(), 0), (std::vector<Cut>{{2, 4, 2}, {4, 8, 4}, {4, 8, 4}}));
}

/// A message down a row: each rank may have gone on with what does not concern the others.
TEST(QuiescentCutsTest, APipelineIsDividedBetweenItsMessages) {
    Ranks ranks(3);
    for (int row = 0; row < 2; ++row) {
        ranks.send(0, 1).receive(1, 0).send(1, 2).receive(2, 1);
    }
    EXPECT_EQ(cuts_of(ranks.all(), 0), (std::vector<Cut>{{1, 1, 0}, {2, 3, 1}, {2, 4, 2}}));
}

/// From the end on each cut holds as much as it can.
TEST(QuiescentCutsTest, BackwardTheGreatestCutsAreFound) {
    Ranks ranks(3);
    for (int row = 0; row < 2; ++row) {
        ranks.send(0, 1).receive(1, 0).send(1, 2).receive(2, 1);
    }
    ranks.collective(0).collective(1).collective(2);
    EXPECT_EQ(cuts_of(ranks.all(), 0, Direction::backward),
              (std::vector<Cut>{{2, 4, 2}, {1, 2, 1}, {0, 0, 0}, {0, 0, 0}}));
}

/// What is kept of a walk tells all of it again, the place behind the last cut included.
TEST(QuiescentCutsTest, ASequenceHasTheCutsOfTheWalk) {
    Ranks ranks(3);
    for (int row = 0; row < 3; ++row) {
        ranks.send(0, 1).receive(1, 0).send(1, 2, row == 1).receive(2, 1);
    }
    ranks.collective(0).collective(1).collective(2).send(2, 1);
    for (const Direction direction : {Direction::forward, Direction::backward}) {
        const std::vector<Cut> cuts = cuts_of(ranks.all(), 0, direction);
        const CutSequence sequence(RestPlaces(ranks.all()), Counterparts(ranks.all()), 0,
                                   direction);
        ASSERT_EQ(sequence.places().size() + 1, cuts.size());
        CutSequence::Walk walk(sequence);
        for (std::size_t i = 0; i < cuts.size(); ++i) {
            walk.next();
            EXPECT_EQ(walk.cut(), cuts[i]);
            if (i < sequence.places().size()) {
                EXPECT_EQ(sequence.places()[i], cuts[i][0]);
            }
        }
        walk.next();
        EXPECT_EQ(walk.cut(), cuts.back());
        EXPECT_EQ(walk.passed(), cuts.size());
    }
}

TEST(QuiescentCutsTest, CollectivesAreNotDivided) {
    Ranks ranks(2);
    ranks.send(0, 1).collective(0).receive(1, 0).collective(1);
    EXPECT_EQ(cuts_of(ranks.all(), 1), (std::vector<Cut>{{1, 1}, {2, 2}, {2, 2}}));
}

/// A message that nobody receives, and a receive without a message.
TEST(QuiescentCutsTest, NobodyWaitsForWhatIsNotThere) {
    Ranks ranks(2);
    ranks.send(0, 1).send(0, 1).receive(1, 0).receive(0, 1);
    EXPECT_EQ(cuts_of(ranks.all(), 0), (std::vector<Cut>{{1, 1}, {2, 1}, {3, 1}, {3, 1}}));
}

/// Matched receives may have no record: the n-th receive that has one is not of the n-th message.
TEST(QuiescentCutsTest, ChannelsWithoutHalfTheirReceivesTellNothing) {
    Ranks ranks(2);
    for (int step = 0; step < 3; ++step) {
        ranks.send(0, 1).send(0, 1).collective(0);
        ranks.receive(1, 0).collective(1);
    }
    const std::vector<Cut> cuts = cuts_of(ranks.all(), 0);
    EXPECT_EQ(cuts[2], (Cut{3, 2}));
    EXPECT_EQ(cuts[5], (Cut{6, 4}));
}

/// In the pipeline the last rank ends a step where it has what belongs to it.
TEST(StepAlignmentTest, RanksBeginTheirStepsAlike) {
    Ranks ranks(3);
    for (u32 rank = 0; rank < 3; ++rank) ranks.collective(rank);
    for (int step = 0; step < 4; ++step) {
        ranks.send(0, 1).receive(1, 0).send(1, 2).receive(2, 1).send(2, 0).receive(0, 2);
    }
    const Operations& all = ranks.all();
    const std::vector<Cut> least = {{1, 1, 1}, {3, 3, 3}, {5, 5, 5}, {7, 7, 7}, {9, 9, 9}};
    const Counterparts counterparts(all);
    EXPECT_EQ(align_steps(all, counterparts, least, least), least);
    EXPECT_EQ(align_steps(all, counterparts, least, least, 3), least);
}

}  // namespace
}  // namespace tracefold
