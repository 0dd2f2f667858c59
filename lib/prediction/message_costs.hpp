// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/hash.hpp"
#include "prediction/network.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace tracefold {

/// Simulators count the bytes after the first one.
constexpr u64 charged_bytes(u64 bytes) { return bytes == 0 ? 0 : bytes - 1; }

/// What a message costs in one scenario, in picoseconds.
struct MessageCosts {
    i64 latency = 0;
    i64 overhead = 0;
    i64 gap = 0;
    i64 wire = 0;              ///< G for all bytes
    i64 copy = 0;              ///< O for all bytes
    bool wire_counts = false;  ///< the receiver waits for the adapter and not for the processor

    /// Of the receiver.
    [[nodiscard]] i64 processing() const { return overhead + std::max(wire, copy); }
};

MessageCosts costs_of(const LinkParameters& link, u64 bytes);

/// The costs of a message in all scenarios; those of sizes that come again are not worked out anew.
class CostTable {
  public:
    /// By scenario.
    explicit CostTable(std::vector<std::array<LinkParameters, kLinkClasses>> links);

    /// By scenario; valid until the next call.
    std::span<const MessageCosts> of(LinkClass link, u64 bytes) {
        const std::size_t entry = entry_of(link, bytes);
        const Key& key = keys_[entry];
        if (!key.is_known || key.bytes != bytes || key.link != link) {
            work_out(entry, link, bytes);
        }
        return {costs_.data() + entry * links_.size(), links_.size()};
    }

  private:
    static constexpr int kEntryBits = 8;
    static constexpr std::size_t kEntries = std::size_t{1} << kEntryBits;

    struct Key {
        u64 bytes = 0;
        LinkClass link{};
        bool is_known = false;
    };

    static std::size_t entry_of(LinkClass link, u64 bytes) {
        return (2 * bytes + static_cast<u64>(link)) * kGolden >> (64 - kEntryBits);
    }
    void work_out(std::size_t entry, LinkClass link, u64 bytes);

    std::vector<std::array<LinkParameters, kLinkClasses>> links_;
    std::vector<Key> keys_;
    std::vector<MessageCosts> costs_;  ///< by entry and scenario
};

}  // namespace tracefold
