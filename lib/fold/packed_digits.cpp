// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/packed_digits.hpp"

#include "core/error.hpp"

namespace tracefold {

namespace {

constexpr u64 kPart = 64;
constexpr u64 kMost = u64{1} << 60U;

/// Digits that are one number.
struct Group {
    std::size_t begin = 0;
    std::size_t end = 0;
    u64 numbers = 1;  ///< that there can be

    [[nodiscard]] u64 parts() const {
        u64 parts = 0;
        for (u64 reached = 1; reached < numbers; reached *= kPart) ++parts;
        return parts;
    }
};

template <class Visit>
void for_each_group(std::span<const u32> sizes, const Visit& visit) {
    Group group;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] > kMost / group.numbers) {
            visit(group);
            group = {i, i, 1};
        }
        group.numbers *= sizes[i];
        group.end = i + 1;
    }
    visit(group);
}

}  // namespace

std::vector<u64> pack_digits(std::span<const u64> digits, std::span<const u32> sizes) {
    std::vector<u64> parts;
    for_each_group(sizes, [&](const Group& group) {
        u64 number = 0;
        for (std::size_t i = group.begin; i < group.end; ++i) {
            number = number * sizes[i] + digits[i];
        }
        const u64 count = group.parts();
        parts.resize(parts.size() + count);
        for (u64 k = 1; k <= count; ++k, number /= kPart) parts[parts.size() - k] = number % kPart;
    });
    return parts;
}

u64 packed_parts(std::span<const u32> sizes) {
    u64 parts = 0;
    for_each_group(sizes, [&parts](const Group& group) { parts += group.parts(); });
    return parts;
}

std::vector<u64> unpack_digits(std::span<const u64> parts, std::span<const u32> sizes) {
    std::vector<u64> digits(sizes.size());
    for_each_group(sizes, [&](const Group& group) {
        u64 number = 0;
        const u64 count = group.parts();
        for (u64 k = 0; k < count; ++k) {
            if (parts[k] >= kPart) throw Error(ErrorKind::corrupt, "a choice has a part too large");
            number = number * kPart + parts[k];
        }
        parts = parts.subspan(count);
        if (number >= group.numbers) {
            throw Error(ErrorKind::corrupt, "a choice is none of those that there are");
        }
        for (std::size_t i = group.end; i-- > group.begin; number /= sizes[i]) {
            digits[i] = number % sizes[i];
        }
    });
    return digits;
}

}  // namespace tracefold
