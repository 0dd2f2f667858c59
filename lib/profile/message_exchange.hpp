// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Messages between all processes, sent and received while they work: nobody waits for a message
/// that it does not need yet, and nobody keeps more than a few megabytes of messages on their way.
/// Collective: every process makes one and ends it with finish().
class MessageExchange {
  public:
    /// What is done with a message; it may send others.
    using Handler = std::function<void(int from, std::string_view bytes)>;

    /// The communicator must outlive the exchange. `handler` is called within send(), progress()
    /// and finish().
    MessageExchange(Communicator& comm, Handler handler);

    /// To another process; `bytes` are not empty. Receives in the meantime if too much is on its
    /// way. Not from within the handler.
    void send(int to, std::string bytes);

    /// Moves everything on, without waiting.
    void progress();
    /// The same; lets other programs have the processor if nothing moved.
    void wait_a_little();

    /// Tells all others that nothing more comes, and returns when they have done so, too, and all
    /// messages have arrived.
    void finish();

  private:
    struct Partner {
        std::unique_ptr<MessageInFlight> receive;  ///< null: it has finished, or is this process
    };
    struct Sent {
        std::unique_ptr<MessageInFlight> message;
        std::size_t size = 0;
    };

    bool receive_some();
    bool complete_sends();
    void start(int to, std::string bytes);

    Communicator& comm_;
    Handler handler_;
    std::vector<Partner> partners_;
    std::deque<Sent> sends_;     ///< the oldest first
    std::size_t in_flight_ = 0;  ///< bytes
};

}  // namespace tracefold
