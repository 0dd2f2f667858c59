// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/repeated_operations.hpp"

namespace tracefold {

namespace {

/// Moves what an operation waits for.
void move_slots(NetworkOperation& operation, const std::vector<u32>& from, std::vector<u32>& to) {
    if (operation.kind != NetworkOperation::Kind::wait) return;
    const auto first = from.begin() + operation.first;
    operation.first = static_cast<u32>(to.size());
    to.insert(to.end(), first, first + operation.count);
}

}  // namespace

void RepeatedOperations::append(std::size_t place, u32 node, NetworkOperations& out) const {
    for (std::size_t i = place == 0 ? 0 : ends_[place - 1]; i < ends_[place]; ++i) {
        NetworkOperation& operation = out.list.emplace_back(operations_[i]);
        operation.node = node;
        move_slots(operation, slots_, out.slots);
    }
}

void RepeatedOperations::begin(const RepeatedCall& call, bool at_rest) {
    if (call.iteration != iteration_ || call.place != ends_.size()) forget();
    if (call.iteration == 0 || call.place != 0 || !at_rest) return;
    iteration_ = call.iteration;
    ends_.clear();
    operations_.clear();
    slots_.clear();
}

void RepeatedOperations::end(const RepeatedCall& call, bool is_plain, bool at_rest,
                             const NetworkOperations& out) {
    if (iteration_ == 0) return;
    if (!is_plain) return forget();
    for (std::size_t i = first_; i < out.list.size(); ++i) {
        move_slots(operations_.emplace_back(out.list[i]), out.slots, slots_);
    }
    ends_.push_back(operations_.size());
    if (ends_.size() < call.calls) return;
    is_known_ = at_rest;
    if (!is_known_) forget();
}

}  // namespace tracefold
