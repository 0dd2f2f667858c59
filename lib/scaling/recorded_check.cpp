// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/recorded_check.hpp"

#include "model/symbol.hpp"

#include <algorithm>

namespace tracefold::inline scaling {

namespace {

using Argument = CallType::Argument;

/// The first argument of one call that differs; of equal counts all values are there.
const Argument* different_argument(const CallType& kind, const u64* made, const u64* recorded,
                                   const FitOptions& options, bool any_order) {
    SlotValues slot_values;
    for (const Argument& argument : kind.arguments) {
        const std::size_t count = slot_values.count(argument.shape, recorded);
        const bool is_free = (any_order && argument.late && argument.shape != SlotShape::count) ||
                             (options.is_free && options.is_free(kind, argument));
        if (!is_free && !std::equal(made, made + count, recorded)) return &argument;
        made += count;
        recorded += count;
    }
    return nullptr;
}

}  // namespace

std::optional<std::string> first_difference(const CallSequence& made, const CallSequence& recorded,
                                            const CallTypes& kinds, const FitOptions& options,
                                            bool any_order) {
    const std::size_t common = std::min(made.calls.size(), recorded.calls.size());
    for (std::size_t i = 0; i < common; ++i) {
        const CallType& kind = kinds[recorded.calls[i]];
        if (made.calls[i] != recorded.calls[i]) return kind.name + ", how often it comes";
        const Argument* argument =
            different_argument(kind, made.values.data() + made.first[i],
                               recorded.values.data() + recorded.first[i], options, any_order);
        if (argument != nullptr) return kind.name + ", " + argument->name;
    }
    if (made.calls.size() == recorded.calls.size()) return std::nullopt;
    const std::vector<u32>& more = made.calls.size() > common ? made.calls : recorded.calls;
    return kinds[more[common]].name + ", how often it comes";
}

}  // namespace tracefold::inline scaling
