// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/recorded_check.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// The values of one call; they have the same counts, or differ there.
bool have_same_values(const CallType& kind, const u64* made, const u64* recorded,
                      const FitOptions& options, bool any_order) {
    u64 repeat = 1;
    for (const CallType::Argument& argument : kind.arguments) {
        const u64 count = argument.shape == SlotShape::each ? repeat : 1;
        if (argument.shape == SlotShape::count) repeat = *recorded;
        const bool is_free = (any_order && argument.late && argument.shape != SlotShape::count) ||
                             (options.is_free && options.is_free(kind, argument));
        if (!is_free && !std::equal(made, made + count, recorded)) return false;
        made += count;
        recorded += count;
    }
    return true;
}

}  // namespace

bool are_the_same(const CallSequence& made, const CallSequence& recorded, const CallTypes& kinds,
                  const FitOptions& options, bool any_order) {
    if (made.calls != recorded.calls || made.first != recorded.first) return false;
    if (made.values.size() != recorded.values.size()) return false;
    for (std::size_t i = 0; i < made.calls.size(); ++i) {
        if (!have_same_values(kinds[made.calls[i]], made.values.data() + made.first[i],
                              recorded.values.data() + recorded.first[i], options, any_order)) {
            return false;
        }
    }
    return true;
}

}  // namespace tracefold
