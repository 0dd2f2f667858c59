// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "modelled/experience.hpp"

#include "core/error.hpp"
#include "modelled/detail/learnt.hpp"

namespace tracefold {

namespace {

const Learnt& learnt_of(SectionKind kind) {
    for (const Learnt& learnt : learnt_models()) {
        if (learnt.kind == kind) return learnt;
    }
    throw Error(ErrorKind::internal, "there is no model of this kind of section");
}

}  // namespace

ByteModel experienced_model(SectionKind kind, std::size_t size) {
    ModelStateReader state(std::as_bytes(learnt_of(kind).words));
    ByteModel model(size);
    model.load(state);
    return model;
}

}  // namespace tracefold
