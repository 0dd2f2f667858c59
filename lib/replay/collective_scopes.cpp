// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/collective_scopes.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <string>

namespace tracefold {

const CollectiveScope& CollectiveScopes::add(u64 comm) {
    const CommunicatorView* view = table_.find(comm);
    if (view == nullptr) {
        throw Error(ErrorKind::corrupt, "a collective takes place on communicator " +
                                            std::to_string(comm) +
                                            ", which its process is no member of");
    }
    const auto me = std::find(view->members.begin(), view->members.end(), table_.world_rank());
    const auto size = static_cast<u32>(view->members.size());
    const auto partners = view->inter ? static_cast<u32>(view->remote.size()) : size;
    return scopes_[comm] = {static_cast<u32>(me - view->members.begin()), size, partners,
                            view->inter};
}

}  // namespace tracefold
