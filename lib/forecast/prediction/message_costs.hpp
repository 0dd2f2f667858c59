// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/hash.hpp"
#include "base/types.hpp"
#include "forecast/network.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace tracefold {

/// Costs on the paths to many moments. A moment is reached from an earlier one at a cost; common
/// parts of paths are stored once. Steps are appended; tidy() discards unreachable ones and sums
/// those between branches: memory is linear in the moments and the kinds of costs, not in the path
/// lengths. Cost of a step: amortised O(1).
class PathHistory {
  public:
    /// A moment; kNone: the beginning.
    using Ref = u32;

    struct Cost {
        u64 key = 0;  ///< of what is paid for
        i64 time = 0;
    };

    /// Adds the moment at `cost` after `before`.
    Ref add(Ref before, const Cost& cost) {
        if (cost.time == 0) return before;
        steps_.push_back({cost, before});
        return static_cast<Ref>(steps_.size() - 1);
    }

    /// Whether tidy() pays off.
    [[nodiscard]] bool is_untidy() const { return steps_.size() >= tidy_at_; }
    /// Keeps only these moments and renumbers them. Cost: linear in the steps.
    void tidy(std::span<Ref* const> moments);

    /// Appends the costs of both paths since their last common moment. Cost: the steps since then.
    void since_common(Ref a, Ref b, std::vector<Cost>& of_a, std::vector<Cost>& of_b) const;

    /// All costs up to a moment, by ascending key.
    [[nodiscard]] std::vector<Cost> costs(Ref moment) const;

    /// Number of stored steps.
    [[nodiscard]] std::size_t size() const { return steps_.size(); }

  private:
    static constexpr std::size_t kFewSteps = std::size_t{1} << 13U;

    struct Step {
        Cost cost;
        Ref before = kNone;  ///< an earlier moment
    };
    enum class Use : u8 {
        none,
        passed,  ///< one successor, no moment
        kept,    ///< a moment or a branch
    };

    static void sum_up(std::vector<Cost>& costs);
    void note_uses(std::span<Ref* const> moments);

    std::vector<Step> steps_;
    std::size_t tidy_at_ = kFewSteps;
    // Used by tidy().
    std::vector<Step> tidied_;
    std::vector<Use> uses_;     ///< by step
    std::vector<Ref> renamed_;  ///< by stored step
    std::vector<Cost> costs_;   ///< between two stored steps
};

/// Kinds of time.
enum class CostKind : u8 {
    computation,  ///< as recorded, or sped up
    recorded,     ///< calls outside of the model, as recorded
    latency,      ///< L
    overhead,     ///< o, and O per byte
    gap,          ///< g
    bytes,        ///< G per byte
};
inline constexpr std::size_t kCostKinds = 6;

/// A part of the critical path.
struct PathCost {
    u32 rank = 0;
    u32 node = kNone;  ///< of the call tree; kNone: outside of all regions
    CostKind kind{};
    i64 time = 0;  ///< picoseconds
};

/// The kind of cost as a number, for path steps.
constexpr u64 key_of(u32 rank, u32 node, CostKind kind) {
    return (u64{rank} << 36U) | (u64{node} << 4U) | static_cast<u64>(kind);
}
constexpr u64 without_rank(u64 key) { return key & ((u64{1} << 36U) - 1); }
constexpr PathCost cost_of(const PathHistory::Cost& cost) {
    return {static_cast<u32>(cost.key >> 36U), static_cast<u32>(cost.key >> 4U),
            static_cast<CostKind>(cost.key & 15U), cost.time};
}

/// Simulators charge bytes after the first one.
constexpr u64 charged_bytes(u64 bytes) { return bytes == 0 ? 0 : bytes - 1; }

/// Costs of a message in one scenario, in picoseconds.
struct MessageCosts {
    i64 latency = 0;
    i64 overhead = 0;
    i64 gap = 0;
    i64 wire = 0;              ///< G x bytes
    i64 copy = 0;              ///< O x bytes
    bool wire_counts = false;  ///< the adapter, not the processor, determines the receive time

    /// Processing time of the receiver.
    [[nodiscard]] i64 processing() const { return overhead + std::max(wire, copy); }
};

MessageCosts costs_of(const LinkParameters& link, u64 bytes);

/// Caches message costs in all scenarios by size.
class CostTable {
  public:
    /// By scenario and level.
    explicit CostTable(std::vector<std::vector<LinkParameters>> links);

    /// By scenario; valid until the next call.
    std::span<const MessageCosts> of(u32 level, u64 bytes) {
        const std::size_t entry = entry_of(level, bytes);
        const Key& key = keys_[entry];
        if (!key.is_known || key.bytes != bytes || key.level != level) {
            work_out(entry, level, bytes);
        }
        return {costs_.data() + entry * links_.size(), links_.size()};
    }

  private:
    static constexpr int kEntryBits = 8;
    static constexpr std::size_t kEntries = std::size_t{1} << kEntryBits;

    struct Key {
        u64 bytes = 0;
        u32 level = 0;
        bool is_known = false;
    };

    static std::size_t entry_of(u32 level, u64 bytes) {
        return (8 * bytes + level) * kGolden >> (64 - kEntryBits);
    }
    void work_out(std::size_t entry, u32 level, u64 bytes);

    std::vector<std::vector<LinkParameters>> links_;  ///< by scenario and level
    std::vector<Key> keys_;
    std::vector<MessageCosts> costs_;  ///< by entry and scenario
};

/// Waiting time that a rank's time of one kind caused on others (docs/howto/predict.md).
struct DelayCost {
    u32 rank = 0;
    u32 node = kNone;
    CostKind kind{};
    double direct = 0;      ///< picoseconds that receivers of its own messages waited
    double propagated = 0;  ///< picoseconds that others waited indirectly
};

/// Delay costs (Boehme, Geimer, Wolf, Arnold: ICPP 2010): a rank waits because another rank's path
/// from their last common moment took longer. The excess of that path, by call path, is the delay;
/// the waiting time is distributed over it. Memory: one entry per cause. Cost of a wait: the parts
/// of both paths since that moment.
class DelayCosts {
  public:
    struct Wait {
        u32 sender = kNone;  ///< of the awaited message; kNone: unknown
        i64 time = 0;        ///< picoseconds, above 0
    };

    /// `late` and `waiting`: costs of both paths.
    void add(const Wait& wait, std::span<const PathHistory::Cost> late,
             std::span<const PathHistory::Cost> waiting);

    /// Picoseconds over all waits.
    [[nodiscard]] i64 waited() const { return waited_; }
    /// By rank, call path and kind.
    [[nodiscard]] std::vector<DelayCost> costs() const;

  private:
    struct Shares {
        double direct = 0;
        double propagated = 0;
    };
    struct Excess {
        i64 late = 0;
        i64 waiting = 0;

        [[nodiscard]] double more() const {
            return late > waiting ? static_cast<double>(late - waiting) : 0;
        }
    };

    i64 waited_ = 0;
    std::map<u64, Shares> shares_;       ///< by cost key
    std::map<u64, Excess> differences_;  ///< of the current wait, by call path and kind
};

}  // namespace tracefold
