// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "core/export.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// A process by itself: rank 0 of 1.
class TRACEFOLD_API SerialCommunicator final : public Communicator {
  public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 1; }

    /// There is nobody to talk to: all four throw Error(internal).
    void send(int to, std::string_view bytes) override;
    std::string receive(int from) override;
    std::unique_ptr<MessageInFlight> start_send(int to, std::string bytes) override;
    std::unique_ptr<MessageInFlight> start_receive(int from) override;

    void barrier() override {}
    std::string broadcast(std::string bytes, int root) override;
    std::vector<std::string> gather(std::string_view bytes, int root) override;
    std::vector<u64> all_gather(u64 value) override { return {value}; }
    void abort(int) override {}
};

}  // namespace tracefold
