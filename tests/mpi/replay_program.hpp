// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/comm_world.hpp"
#include "mpi/communicator_table.hpp"
#include "mpi/inferences.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/communicators/communicators.hpp"
#include "replay/requests/requests.hpp"
#include "support/communicator_set.hpp"
#include "support/definition_builder.hpp"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

namespace tracefold::testing {

using Ranks = std::vector<u64>;

/// A call built by hand.
struct Call {
    Call(MpiFunction function, std::vector<Action> list) : actions(std::move(list)) {
        mpi_call.function = function;
        mpi_call.family = find_mpi_function(name_of(function))->family;
    }
    [[nodiscard]] const MpiCall& get() {
        mpi_call.actions = actions;
        return mpi_call;
    }

    std::vector<Action> actions;
    MpiCall mpi_call;
};

inline Action comm_action(Action::Kind kind, u64 comm) {
    Action action;
    action.kind = kind;
    action.part.comm = comm;
    return action;
}

inline Action record(EventType type, std::initializer_list<u64> fields, u64 offset = ~u64{0}) {
    Action action;
    action.type = type;
    std::copy(fields.begin(), fields.end(), action.fields.begin());
    action.offset = offset;
    return action;
}

/// A test whose processes replay calls on objects that `builder` defines.
class ReplayObjectsTest : public ::testing::Test {
  protected:
    static u32 me() { return static_cast<u32>(test_world().rank()); }
    static u32 size() { return static_cast<u32>(test_world().size()); }
    static Ranks all() {
        Ranks ranks(size());
        std::iota(ranks.begin(), ranks.end(), u64{0});
        return ranks;
    }
    static bool in(const Ranks& ranks) {
        return std::find(ranks.begin(), ranks.end(), me()) != ranks.end();
    }

    /// After the last definition.
    void start() {
        index_ = builder_.index();
        table_.emplace(communicator_set(index_, builder_), me());
        communicators_.emplace(*table_, inferences_);
    }
    void TearDown() override {
        if (communicators_) communicators_->reset();
        test_world().barrier();
    }

    /// The call of this process; `comm` is kNone where it gets none.
    void create(MpiFunction function, u64 parent, u64 comm) {
        std::vector<Action> actions;
        if (comm != kNone) actions.push_back(comm_action(Action::Kind::create_comm, comm));
        actions.push_back(comm_action(Action::Kind::collective, parent));
        Call call(function, actions);
        communicators_->create(call.get(), requests_);
    }
    void free(u64 comm, MpiFunction function = MpiFunction::Comm_free) {
        Call call(function, {comm_action(Action::Kind::destroy_comm, comm)});
        communicators_->destroy(call.get());
    }

    DefinitionBuilder builder_{size()};
    DefinitionIndex index_;
    std::optional<CommunicatorTable> table_;
    Inferences inferences_;
    Requests requests_;
    std::optional<Communicators> communicators_;
};

}  // namespace tracefold::testing
