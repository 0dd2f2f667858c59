// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/replay_program.hpp"
#include "replay/collectives/collectives.hpp"
#include "replay/proof/observation.hpp"

namespace tracefold::testing {
namespace {

/// Neighbourhood collectives in a ring of all processes: a Cartesian one, or a graph.
class ReplayNeighboursTest : public ReplayObjectsTest,
                             public ::testing::WithParamInterface<MpiFunction> {
  protected:
    void SetUp() override {
        ring_ = builder_.comm(all(), builder_.world());
        if (GetParam() == MpiFunction::Cart_create) builder_.cart(ring_, {{size(), true}});
        start();
        neighbours_.emplace(*communicators_, inferences_, amounts_, buffers_);
    }

    /// Makes the ring, and calls `functions` on it.
    void replay(const std::vector<MpiFunction>& functions) {
        Call made(GetParam(), {comm_action(Action::Kind::create_comm, ring_),
                               comm_action(Action::Kind::collective, builder_.world())});
        neighbours_->prepare(made.get());
        for (const MpiFunction function : functions) {
            neighbours_->prepare(Call(function, {}).get());
        }
        neighbours_->agree(MPI_COMM_WORLD);
        buffers_.allocate();
        communicators_->create(made.get(), requests_);
        neighbours_->note(made.get());
        observation_.start();
        for (const MpiFunction function : functions) {
            neighbours_->execute(Call(function, {}).get());
        }
        neighbours_->complete();
        observation_.stop();
    }

    u64 ring_ = kNone;
    Amounts amounts_{1.0};
    Buffers buffers_;
    std::optional<Neighbours> neighbours_;
    Observation observation_;
};

TEST_P(ReplayNeighboursTest, AllOfThemAreIssued) {
    using enum MpiFunction;
    const std::vector<MpiFunction> functions = {
        Neighbor_allgather, Neighbor_allgatherv, Neighbor_alltoall,   Neighbor_alltoallv,
        Neighbor_alltoallw, Ineighbor_allgather, Ineighbor_alltoallv, Ineighbor_allgatherv,
        Ineighbor_alltoall, Ineighbor_alltoallw};
    neighbours_->choose(100);
    replay(functions);
    EXPECT_EQ(inferences_.of(Inference::neighbour_guessed), functions.size());
    std::vector<MpiFunction> issued = observation_.calls();
    ASSERT_FALSE(issued.empty());
    EXPECT_EQ(issued.back(), Waitall);
    issued.pop_back();
    EXPECT_EQ(issued, functions);
}

TEST_P(ReplayNeighboursTest, MembersThatDisagreeLeaveThemOut) {
    using enum MpiFunction;
    neighbours_->choose(8);
    replay({me() == 0 ? Neighbor_allgather : Neighbor_alltoall});
    EXPECT_EQ(inferences_.of(Inference::neighbour_left_out), size() > 1 ? 1U : 0U);
}

TEST_P(ReplayNeighboursTest, WithoutACommunicatorForThemTheyAreLeftOut) {
    neighbours_->choose(8);
    neighbours_->agree(MPI_COMM_WORLD);
    neighbours_->execute(Call(MpiFunction::Neighbor_alltoall, {}).get());
    EXPECT_EQ(inferences_.of(Inference::neighbour_left_out), 1U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ReplayNeighboursTest,
                         ::testing::Values(MpiFunction::Cart_create,
                                           MpiFunction::Dist_graph_create_adjacent),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

}  // namespace
}  // namespace tracefold::testing
