// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/replay_program.hpp"
#include "replay/detail/rank_replay.hpp"
#include "replay/proof/watched.hpp"

#include <functional>

namespace tracefold::testing {
namespace {

constexpr int kTag = 7;

/// Calls MPI by hand, in a ring, and compares with what a trace might say.
class ReplayProofTest : public ReplayObjectsTest {
  protected:
    void SetUp() override {
        odd_ = builder_.comm({size() - 1}, builder_.world());
        start();
        check_.emplace(*table_, "rank " + std::to_string(me()));
    }

    [[nodiscard]] int next() const { return static_cast<int>((me() + 1) % size()); }
    [[nodiscard]] int previous() const { return static_cast<int>((me() + size() - 1) % size()); }

    /// A message as the trace has it; wrong where `change` makes it so.
    [[nodiscard]] Action message(Action::Kind kind, int peer, u64 bytes) {
        Action action;
        action.kind = kind;
        action.envelope = {builder_.world(), static_cast<u32>(peer), kTag, bytes};
        action.request = 1;
        return action;
    }

    u64 differences(MpiFunction function, const std::vector<Action>& actions,
                    const std::function<void()>& calls) {
        Observation observation;
        observation.start();
        calls();
        observation.stop();
        Call call(function, actions);
        const u64 before = check_->result().differences;
        check_->compare(call.get(), observation);
        return check_->result().differences - before;
    }

    void exchange() {
        char in[64] = {};
        const char out[64] = {};
        watched::Sendrecv(out, 10, MPI_INT, next(), kTag, in, 64, MPI_BYTE, previous(), kTag,
                          MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    u64 odd_ = kNone;
    std::optional<CallCheck> check_;
};

TEST_F(ReplayProofTest, EqualMessagesHaveNoDifference) {
    EXPECT_EQ(differences(MpiFunction::Sendrecv,
                          {message(Action::Kind::send, next(), 40),
                           message(Action::Kind::receive, previous(), 40)},
                          [this] { exchange(); }),
              0U);
    EXPECT_EQ(check_->result().parts, 2U);
    EXPECT_TRUE(check_->result().substitutes.empty());
}

TEST_F(ReplayProofTest, EveryFieldOfAMessageCounts) {
    const auto with = [this](const std::function<void(Envelope&)>& change) {
        std::vector<Action> actions = {message(Action::Kind::send, next(), 40),
                                       message(Action::Kind::receive, previous(), 40)};
        change(actions[0].envelope);
        const u64 of_send = differences(MpiFunction::Sendrecv, actions, [this] { exchange(); });
        actions = {message(Action::Kind::send, next(), 40),
                   message(Action::Kind::receive, previous(), 40)};
        change(actions[1].envelope);
        return of_send + differences(MpiFunction::Sendrecv, actions, [this] { exchange(); });
    };
    EXPECT_EQ(with([](Envelope& envelope) { envelope.bytes = 41; }), 2U);
    EXPECT_EQ(with([](Envelope& envelope) { envelope.tag = 8; }), 2U);
    EXPECT_EQ(with([](Envelope& envelope) { envelope.peer += 1; }), 2U);
    if (size() > 1) {
        EXPECT_EQ(with([this](Envelope& envelope) { envelope.comm = odd_; }), 2U);
    }
    EXPECT_EQ(check_->result().first.size(), std::size_t{CallCheck::kFirst});
}

TEST_F(ReplayProofTest, FingerprintsTellCallsApart) {
    const auto fingerprint = [this](int tag, u64 location) {
        CallCheck check(*table_, "");
        Observation observation;
        observation.start();
        char in[4] = {};
        const char out[4] = {};
        watched::Sendrecv(out, 4, MPI_BYTE, next(), tag, in, 4, MPI_BYTE, previous(), tag,
                          MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        observation.stop();
        Action sent = message(Action::Kind::send, next(), 4);
        Action received = message(Action::Kind::receive, previous(), 4);
        sent.envelope.tag = received.envelope.tag = static_cast<u32>(tag);
        Call call(MpiFunction::Sendrecv, {sent, received});
        check.compare(call.get(), observation);
        return check.fingerprint().value(0, location);
    };
    EXPECT_EQ(fingerprint(3, 0), fingerprint(3, 0));
    EXPECT_NE(fingerprint(3, 0), fingerprint(4, 0));
    EXPECT_NE(fingerprint(3, 0), fingerprint(3, 1));
}

TEST_F(ReplayProofTest, MissingAndFurtherMessagesAreDifferences) {
    EXPECT_EQ(differences(MpiFunction::Sendrecv, {message(Action::Kind::send, next(), 40)},
                          [this] { exchange(); }),
              1U);
    EXPECT_EQ(differences(MpiFunction::Send, {message(Action::Kind::send, next(), 40)}, [] {}), 1U);
}

TEST_F(ReplayProofTest, CompletionsAreComparedByTheirStatuses) {
    const auto receive = [this](u64 bytes) {
        return differences(
            MpiFunction::Waitall,
            {message(Action::Kind::complete_send, 0, 0),
             message(Action::Kind::complete_receive, previous(), bytes)},
            [this] {
                char in[8] = {};
                const char out[8] = {};
                MPI_Request requests[2];
                PMPI_Isend(out, 8, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &requests[0]);
                PMPI_Irecv(in, 8, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &requests[1]);
                watched::Waitall(2, requests, MPI_STATUSES_IGNORE);
            });
    };
    EXPECT_EQ(receive(8), 0U);
    EXPECT_EQ(receive(9), 1U);
}

TEST_F(ReplayProofTest, PersistentRequestsAreSeenWhenTheyStart) {
    const auto started = [this](u64 bytes) {
        return differences(
            MpiFunction::Startall,
            {message(Action::Kind::send, next(), bytes),
             message(Action::Kind::post_receive, previous(), bytes)},
            [this] {
                char in[8] = {};
                const char out[8] = {};
                MPI_Request requests[2];
                watched::Send_init(out, 8, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &requests[0]);
                watched::Recv_init(in, 8, MPI_BYTE, previous(), kTag, MPI_COMM_WORLD, &requests[1]);
                watched::Startall(2, requests);
                PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
                watched::Request_free(&requests[0]);
                watched::Request_free(&requests[1]);
            });
    };
    EXPECT_EQ(started(8), 0U);
    EXPECT_EQ(started(4), 1U);
}

TEST_F(ReplayProofTest, ReceivesOfUnknownArgumentsMatchNothing) {
    const auto posted = [this](MPI_Comm comm, int count) {
        Action action;
        action.kind = Action::Kind::post_receive;
        action.known = false;
        return differences(MpiFunction::Irecv, {action}, [comm, count] {
            char in[8] = {};
            MPI_Request request = MPI_REQUEST_NULL;
            watched::Irecv(in, count, MPI_BYTE, 0, kTag, comm, &request);
            PMPI_Cancel(&request);
            PMPI_Wait(&request, MPI_STATUS_IGNORE);
        });
    };
    EXPECT_EQ(posted(MPI_COMM_SELF, 0), 0U);
    EXPECT_EQ(posted(MPI_COMM_SELF, 8), 1U);
    if (size() > 1) {
        EXPECT_EQ(posted(MPI_COMM_WORLD, 0), 1U);
    }
}

TEST_F(ReplayProofTest, ProbesAndWhatTheyFoundAreCompared) {
    const auto differs = [this](MpiFunction function, u64 bytes,
                                const std::function<void()>& calls) {
        Observation observation;
        observation.start();
        calls();
        observation.stop();
        Call call(function, {});
        call.mpi_call.inferred = {builder_.world(), static_cast<u32>(previous()), kTag, bytes};
        const u64 before = check_->result().differences;
        check_->compare(call.get(), observation);
        return check_->result().differences - before;
    };
    const char out[8] = {};
    char in[8] = {};
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Message message = MPI_MESSAGE_NULL;
    PMPI_Isend(out, 8, MPI_BYTE, next(), kTag, MPI_COMM_WORLD, &sent);
    EXPECT_EQ(differs(MpiFunction::Mprobe, 8,
                      [&] {
                          watched::Mprobe(previous(), kTag, MPI_COMM_WORLD, &message,
                                          MPI_STATUS_IGNORE);
                      }),
              0U);
    EXPECT_EQ(differs(MpiFunction::Mrecv, 7,
                      [&] { watched::Mrecv(in, 8, MPI_BYTE, &message, MPI_STATUS_IGNORE); }),
              1U);
    EXPECT_EQ(differs(MpiFunction::Mrecv, 8, [] {}), 1U);
    PMPI_Wait(&sent, MPI_STATUS_IGNORE);
}

TEST_F(ReplayProofTest, SizesOfCollectivesAreThoseOfTheTrace) {
    const auto reduce = [this](u64 bytes) {
        Action action;
        action.kind = Action::Kind::collective;
        action.part = {builder_.world(), CollectiveKind::allreduce, kNone, bytes * size(),
                       bytes * size()};
        return differences(MpiFunction::Allreduce, {action}, [] {
            const u64 out[2] = {1, 2};
            u64 in[2] = {};
            watched::Allreduce(out, in, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        });
    };
    EXPECT_EQ(reduce(16), 0U);
    EXPECT_EQ(reduce(8), 1U);
}

TEST_F(ReplayProofTest, SubstitutesAreNamed) {
    EXPECT_EQ(differences(MpiFunction::Waitany, {},
                          [] {
                              MPI_Request none = MPI_REQUEST_NULL;
                              watched::Waitall(1, &none, MPI_STATUSES_IGNORE);
                          }),
              0U);
    const std::pair<std::string, std::string> names{"MPI_Waitany", "MPI_Waitall"};
    EXPECT_EQ(check_->result().substitutes.at(names), 1U);
}

TEST_F(ReplayProofTest, ResultsOfAllProcessesAreAddedUp) {
    differences(MpiFunction::Send, {message(Action::Kind::send, next(), 1)}, [] {});
    const ProofResult all = gather_proof(test_world(), check_->result());
    if (me() != 0) return;
    EXPECT_EQ(all.calls, size());
    EXPECT_EQ(all.differences, size());
    EXPECT_EQ(all.first.size(), std::min<std::size_t>(size(), CallCheck::kFirst));
    EXPECT_EQ(all.substitutes.begin()->second, size());
}

}  // namespace
}  // namespace tracefold::testing
