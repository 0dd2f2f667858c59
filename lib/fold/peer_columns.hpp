// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_pool.hpp"
#include "model/peer_encoding.hpp"

namespace tracefold::inline fold {

/// A column of relative peers in another encoding, made without unwinding it: only its values
/// change, its pattern stays. kNone where that is not possible (a progression modulo the size).
/// Precondition: view.usable. Cost: linear in the folded column.
u32 reencode_peers(StructurePool& pool, u32 column, PeerEncoding encoding, const PeerView& view);

}  // namespace tracefold::inline fold
