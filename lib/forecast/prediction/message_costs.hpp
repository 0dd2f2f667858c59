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

/// What the time on the way to many moments went to. A moment is reached from an earlier one, at a
/// cost; many moments have most of their way in common, which is kept once. Steps are written one
/// after the other, and now and then tidy() throws away those that lead to no moment any more, and
/// adds up those between two branches, so that memory follows the moments and the kinds of costs,
/// not the length of the ways. Cost of a step: constant, and its share of tidying.
class PathHistory {
  public:
    /// A moment; kNone is the beginning.
    using Ref = u32;

    struct Cost {
        u64 key = 0;  ///< what it is for
        i64 time = 0;
    };

    /// The moment that is a cost after `before`.
    Ref add(Ref before, const Cost& cost) {
        if (cost.time == 0) return before;
        steps_.push_back({cost, before});
        return static_cast<Ref>(steps_.size() - 1);
    }

    /// True if there is much to tidy up.
    [[nodiscard]] bool is_untidy() const { return steps_.size() >= tidy_at_; }
    /// Keeps these moments only, and gives them other numbers. Cost: the steps.
    void tidy(std::span<Ref* const> moments);

    /// Appends the costs of both ways since the last moment that they have in common. Cost: the
    /// steps since then.
    void since_common(Ref a, Ref b, std::vector<Cost>& of_a, std::vector<Cost>& of_b) const;

    /// All costs up to a moment, by rising key.
    [[nodiscard]] std::vector<Cost> costs(Ref moment) const;

    /// Steps that are kept.
    [[nodiscard]] std::size_t size() const { return steps_.size(); }

  private:
    static constexpr std::size_t kFewSteps = std::size_t{1} << 13U;

    struct Step {
        Cost cost;
        Ref before = kNone;  ///< an earlier one
    };
    enum class Use : u8 {
        none,
        passed,  ///< one way leads on, and no moment is here
        kept,    ///< as a moment, or as a branch
    };

    static void sum_up(std::vector<Cost>& costs);
    void note_uses(std::span<Ref* const> moments);

    std::vector<Step> steps_;
    std::size_t tidy_at_ = kFewSteps;
    // While tidying up.
    std::vector<Step> tidied_;
    std::vector<Use> uses_;     ///< by step
    std::vector<Ref> renamed_;  ///< by step that is kept
    std::vector<Cost> costs_;   ///< between two of these
};

/// What time goes to.
enum class CostKind : u8 {
    computation,  ///< as recorded, or faster
    recorded,     ///< calls that the model does not know, as recorded
    latency,      ///< L
    overhead,     ///< o, and O for each byte
    gap,          ///< g
    bytes,        ///< G for each byte
};
inline constexpr std::size_t kCostKinds = 6;

/// A part of the critical path.
struct PathCost {
    u32 rank = 0;
    u32 node = kNone;  ///< of the call tree; kNone: outside of all regions
    CostKind kind{};
    i64 time = 0;  ///< picoseconds
};

/// The same as a number, for ways.
constexpr u64 key_of(u32 rank, u32 node, CostKind kind) {
    return (u64{rank} << 36U) | (u64{node} << 4U) | static_cast<u64>(kind);
}
constexpr u64 without_rank(u64 key) { return key & ((u64{1} << 36U) - 1); }
constexpr PathCost cost_of(const PathHistory::Cost& cost) {
    return {static_cast<u32>(cost.key >> 36U), static_cast<u32>(cost.key >> 4U),
            static_cast<CostKind>(cost.key & 15U), cost.time};
}

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

/// Waiting time that one way of spending time of a rank caused on others (docs/howto/predict.md).
struct DelayCost {
    u32 rank = 0;
    u32 node = kNone;
    CostKind kind{};
    double direct = 0;      ///< picoseconds that the receivers of its own messages waited
    double propagated = 0;  ///< that others waited whom the delay reached through these
};

/// Delay costs (Boehme, Geimer, Wolf, Arnold: ICPP 2010): a rank waits since another one's way from
/// the moment that both have in common took longer than its own. What that way has more of, call
/// path by call path, is the delay, which shares out the waiting time. Memory: one entry for each
/// cause. Cost of a wait: the parts of both ways since that moment.
class DelayCosts {
  public:
    struct Wait {
        u32 sender = kNone;  ///< of the message that was waited for; kNone: not known
        i64 time = 0;        ///< picoseconds, above 0
    };

    /// `late` and `waiting` are the parts of both ways.
    void add(const Wait& wait, std::span<const PathHistory::Cost> late,
             std::span<const PathHistory::Cost> waiting);

    /// Picoseconds of all waits.
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
    std::map<u64, Shares> shares_;       ///< by the key of a cost
    std::map<u64, Excess> differences_;  ///< of the wait at hand, by call path and kind
};

}  // namespace tracefold
