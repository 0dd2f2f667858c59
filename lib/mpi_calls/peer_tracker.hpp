// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/peer_encoding.hpp"

#include <vector>

namespace tracefold {

/// Finds out which columns of peers belong to one communicator, so that their values may be written
/// in another encoding. Cost: O(1) per peer.
class PeerTracker {
  public:
    /// A column received a relative peer.
    void note(u32 column, u64 relative, const RankView& view) {
        if (column >= views_.size()) {
            views_.resize(column + 1);
            seen_.resize(column + 1, false);
        }
        PeerView& known = views_[column];
        if (!seen_[column]) {
            seen_[column] = true;
            known = {view.rank, view.size, true};
        }
        known.usable = known.usable && known.rank == view.rank && known.size == view.size &&
                       relative + view.rank < view.size;
    }

    /// By column; columns without peers are not usable.
    [[nodiscard]] const std::vector<PeerView>& views() const { return views_; }

  private:
    std::vector<PeerView> views_;
    std::vector<bool> seen_;
};

}  // namespace tracefold
