// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/message_exchange.hpp"

#include <algorithm>
#include <thread>

namespace tracefold {

namespace {

constexpr std::size_t kMostInFlight = std::size_t{16} << 20U;

}  // namespace

MessageExchange::MessageExchange(Communicator& comm, Handler handler)
    : comm_(comm), handler_(std::move(handler)), partners_(static_cast<std::size_t>(comm.size())) {
    for (int other = 0; other < comm_.size(); ++other) {
        if (other == comm_.rank()) continue;
        partners_[static_cast<std::size_t>(other)].receive = comm_.start_receive(other);
    }
}

void MessageExchange::start(int to, std::string bytes) {
    const std::size_t size = bytes.size();
    in_flight_ += size;
    sends_.push_back({comm_.start_send(to, std::move(bytes)), size});
}

void MessageExchange::send(int to, std::string bytes) {
    start(to, std::move(bytes));
    while (in_flight_ > kMostInFlight) wait_a_little();
}

bool MessageExchange::receive_some() {
    bool any = false;
    for (int from = 0; from < comm_.size(); ++from) {
        Partner& partner = partners_[static_cast<std::size_t>(from)];
        while (partner.receive && partner.receive->test()) {
            any = true;
            const std::string bytes = partner.receive->take();
            partner.receive.reset();
            // Nothing at all is the end.
            if (bytes.empty()) break;
            partner.receive = comm_.start_receive(from);
            handler_(from, bytes);
        }
    }
    return any;
}

bool MessageExchange::complete_sends() {
    bool any = false;
    for (; !sends_.empty() && sends_.front().message->test(); sends_.pop_front()) {
        in_flight_ -= sends_.front().size;
        any = true;
    }
    return any;
}

void MessageExchange::progress() {
    receive_some();
    complete_sends();
}

void MessageExchange::wait_a_little() {
    const bool received = receive_some();
    if (!complete_sends() && !received) std::this_thread::yield();
}

void MessageExchange::finish() {
    for (int other = 0; other < comm_.size(); ++other) {
        if (other != comm_.rank()) start(other, {});
    }
    const auto all_ended = [this] {
        return std::all_of(partners_.begin(), partners_.end(),
                           [](const Partner& partner) { return partner.receive == nullptr; });
    };
    while (!sends_.empty() || !all_ended()) wait_a_little();
}

}  // namespace tracefold
