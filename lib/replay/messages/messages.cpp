// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/messages/messages.hpp"

#include "base/mpi.hpp"
#include "replay/proof/watched.hpp"

#include <vector>

namespace tracefold {

void TakenMessages::put(u64 id, MPI_Message message, u64 bytes) {
    const std::lock_guard guard(mutex_);
    messages_[id] = {message, bytes};
}

std::optional<MPI_Message> TakenMessages::get(u64 id) {
    const std::lock_guard guard(mutex_);
    const auto found = messages_.find(id);
    if (found == messages_.end()) return std::nullopt;
    const MPI_Message message = found->second.handle;
    messages_.erase(found);
    return message;
}

void TakenMessages::receive_rest() {
    std::vector<char> data;
    for (auto& [id, message] : messages_) {
        data.resize(message.bytes);
        check_mpi(watched::Mrecv(data.data(), static_cast<int>(message.bytes), MPI_BYTE,
                                 &message.handle, MPI_STATUS_IGNORE),
                  "MPI_Mrecv");
    }
    messages_.clear();
}

}  // namespace tracefold
