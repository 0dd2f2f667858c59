// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "support/definition_builder.hpp"

#include <memory>

namespace tracefold {

/// The communicators of a builder, whose index must outlive them.
inline std::shared_ptr<const CommunicatorSet> communicator_set(const DefinitionIndex& index,
                                                               const DefinitionBuilder& builder) {
    auto set = std::make_shared<CommunicatorSet>(index);
    set->add(builder.records());
    set->finish();
    return set;
}

}  // namespace tracefold
