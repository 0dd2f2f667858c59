// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/peer_encoding.hpp"

#include <vector>

namespace tracefold {

/// Finds out which columns of peers belong to one communicator, so that their values may be written
/// in another encoding. Cost: O(1) per peer, a few compares while the communicator stays the same.
class PeerTracker {
  public:
    /// A column received a relative peer; `view()` is what the raw communicator or window `scope`
    /// looks like from here.
    template <class View>
    void note(u32 column, u64 relative, u64 scope, const View& view) {
        if (column >= views_.size()) {
            views_.resize(column + 1);
            scopes_.resize(column + 1, kNoScope);
        }
        PeerView& known = views_[column];
        if (scopes_[column] != scope) take(known, scopes_[column], scope, view());
        known.usable = known.usable && relative + known.rank < known.size;
    }

    /// By column; columns without peers are not usable.
    [[nodiscard]] const std::vector<PeerView>& views() const { return views_; }

  private:
    static constexpr u64 kNoScope = ~u64{0};

    static void take(PeerView& known, u64& known_scope, u64 scope, const RankView& view) {
        if (known_scope == kNoScope) {
            known = {view.rank, view.size, true};
        } else {
            known.usable = known.usable && known.rank == view.rank && known.size == view.size;
        }
        known_scope = scope;
    }

    std::vector<PeerView> views_;
    std::vector<u64> scopes_;  ///< by column: raw id of the last communicator or window
};

}  // namespace tracefold
