// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "prediction/repeated_operations.hpp"

namespace tracefold {

void RepeatedOperations::append(const RepeatedCall& call, u32 node, NetworkOperations& out) const {
    const Call& known = calls_[call.place];
    for (std::size_t i = known.begin; i < known.end; ++i) {
        NetworkOperation& operation = out.list.emplace_back(operations_[i]);
        operation.node = node;
        if (operation.kind != NetworkOperation::Kind::wait) continue;
        const auto first = slots_.begin() + operation.first;
        operation.first = static_cast<u32>(out.slots.size());
        out.slots.insert(out.slots.end(), first, first + operation.count);
    }
}

void RepeatedOperations::begin(const RepeatedCall& call, bool at_rest) {
    uses_slots_ = false;
    if (is_known_ && call.iteration == iteration_) return;
    if (call.place != calls_.size() || call.iteration != iteration_) forget();
    if (call.iteration == 0 || call.place != 0 || !at_rest) return;
    iteration_ = call.iteration;
    is_known_ = false;
    calls_.clear();
    operations_.clear();
    slots_.clear();
}

void RepeatedOperations::end(const RepeatedCall& call, bool is_plain, bool at_rest,
                             const NetworkOperations& out) {
    if (iteration_ == 0 || is_known_) return;
    // What is not known takes slots that others have by then.
    if (!is_plain && uses_slots_) return forget();
    const std::size_t begin = operations_.size();
    for (std::size_t i = first_; is_plain && i < out.list.size(); ++i) {
        NetworkOperation& operation = operations_.emplace_back(out.list[i]);
        if (operation.kind != NetworkOperation::Kind::wait) continue;
        const auto first = out.slots.begin() + operation.first;
        operation.first = static_cast<u32>(slots_.size());
        slots_.insert(slots_.end(), first, first + operation.count);
    }
    calls_.push_back({begin, operations_.size(), is_plain});
    if (calls_.size() < call.calls) return;
    is_known_ = at_rest;
    if (!is_known_) forget();
}

}  // namespace tracefold
