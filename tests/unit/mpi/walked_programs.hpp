// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/matching/matching_simulation.hpp"
#include "support/communicator_set.hpp"
#include "support/definition_builder.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

// Programs of several ranks, built by hand and walked side by side.
namespace tracefold {

/// A call built by hand.
struct Call {
    MpiFunction function;
    std::vector<Action> actions;
};
using Program = std::vector<Call>;
using Parts = std::vector<ReplayPatch::Part>;

inline Action message(Action::Kind kind, u32 peer, u32 tag, u64 bytes, u64 request = kNoRequest) {
    Action action;
    action.kind = kind;
    action.envelope = {0, peer, tag, bytes};
    action.request = request;
    return action;
}

inline Call send(u32 to, u32 tag, u64 bytes = 8) {
    return {MpiFunction::Send, {message(Action::Kind::send, to, tag, bytes)}};
}
inline Call receive(u32 from, u32 tag, u64 bytes = 8) {
    return {MpiFunction::Recv, {message(Action::Kind::receive, from, tag, bytes)}};
}
inline Call matched_receive() { return {MpiFunction::Mrecv, {}}; }

inline Call post_receive(u32 from, u32 tag, u64 request) {
    return {MpiFunction::Irecv, {message(Action::Kind::post_receive, from, tag, 8, request)}};
}
inline Call post_unknown(u64 request) {
    Action action;
    action.kind = Action::Kind::post_receive;
    action.known = false;
    action.request = request;
    return {MpiFunction::Irecv, {action}};
}
inline Call wait_receive(u32 from, u32 tag, u64 request) {
    return {MpiFunction::Wait, {message(Action::Kind::complete_receive, from, tag, 8, request)}};
}

inline Call collective(MpiFunction function, u32 root, u64 sent, u64 received, u64 comm = 0) {
    Action action;
    action.kind = Action::Kind::collective;
    // Whatever is no collective makes communicators.
    const auto kind = collective_kind(function).value_or(CollectiveKind::create_handle);
    action.part = {comm, kind, root, sent, received};
    return {function, {action}};
}
inline Call barrier(u64 comm = 0) { return collective(MpiFunction::Barrier, kNone, 0, 0, comm); }
inline Call create(u64 comm) {
    Action action;
    action.kind = Action::Kind::create_comm;
    action.part.comm = comm;
    return {MpiFunction::Comm_create_group, {action}};
}
inline Call finalize() { return {MpiFunction::Finalize, {}}; }

/// Programs of all ranks on the definitions of a builder.
class MatchingSimulationTest : public ::testing::Test {
  protected:
    /// Adds a location of a rank.
    void add(u32 rank, const Program& program) { programs_.push_back({rank, program}); }

    CheckResult check(bool surplus = false) {
        const DefinitionIndex index = builder_.index();
        const auto all = communicator_set(index, builder_);
        std::vector<CommunicatorTable> tables;
        for (u32 rank = 0; rank < kRanks; ++rank) tables.emplace_back(all, rank);
        MatchingSimulation walk(index, tables);
        if (!windows_.empty()) walk.cut(windows_);
        if (surplus) walk.count_surplus(walkers());
        walk.walk(walkers());
        return walk.report();
    }

    static u64 count(const CheckResult& result, FindingKind kind) {
        const Finding* finding = result.find(kind);
        return finding == nullptr ? 0 : finding->count;
    }

    /// Call before check(): takes a part of every location's calls.
    void cut(std::vector<LocationWindow> windows) { windows_ = std::move(windows); }

    static constexpr u32 kRanks = 3;
    DefinitionBuilder builder_{kRanks};

  private:
    [[nodiscard]] std::vector<MatchingSimulation::Walker> walkers() const {
        std::vector<MatchingSimulation::Walker> list;
        for (u32 i = 0; i < programs_.size(); ++i) {
            const Program& program = programs_[i].second;
            auto next = std::make_shared<std::size_t>(0);
            list.push_back({programs_[i].first, i, [&program, next](MpiCall& mpi_call) {
                                if (*next == program.size()) return false;
                                const Call& call = program[*next];
                                mpi_call = {};
                                mpi_call.function = call.function;
                                mpi_call.family = find_mpi_function(name_of(call.function))->family;
                                mpi_call.index = (*next)++;
                                mpi_call.actions = call.actions;
                                return true;
                            }});
        }
        return list;
    }

    std::vector<std::pair<u32, Program>> programs_;
    std::vector<LocationWindow> windows_;
};

}  // namespace tracefold
