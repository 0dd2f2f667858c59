// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/trained_model.hpp"

#include "context_mixing/detail/trained_states.hpp"
#include "core/error.hpp"

namespace tracefold {

namespace {

const TrainedState& trained_state_of(SectionKind kind) {
    for (const TrainedState& learnt : trained_states()) {
        if (learnt.kind == kind) return learnt;
    }
    throw Error(ErrorKind::internal, "there is no model of this kind of section");
}

}  // namespace

ByteModel trained_model(SectionKind kind, std::size_t size) {
    ModelStateReader state(std::as_bytes(trained_state_of(kind).words));
    ByteModel model(size);
    model.load(state);
    return model;
}

}  // namespace tracefold
