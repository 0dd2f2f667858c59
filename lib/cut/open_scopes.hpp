// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/event_table.hpp"
#include "model/record_batch.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// A record that opens something and the one that closes it.
struct ScopePair {
    EventType opens;
    EventType closes;
    u8 same = 0;  ///< fields, from the first on, that they have in common
};

inline constexpr ScopePair kScopePairs[] = {
    {EventType::Enter, EventType::Leave, 1},
    {EventType::CallingContextEnter, EventType::CallingContextLeave, 1},
    {EventType::ThreadTeamBegin, EventType::ThreadTeamEnd, 1},
    {EventType::ThreadFork, EventType::ThreadJoin, 1},
    {EventType::OmpFork, EventType::OmpJoin, 0},
    {EventType::OmpAcquireLock, EventType::OmpReleaseLock, 2},
    {EventType::ThreadAcquireLock, EventType::ThreadReleaseLock, 3},
    {EventType::RmaAcquireLock, EventType::RmaReleaseLock, 3},
    {EventType::IoAcquireLock, EventType::IoReleaseLock, 2},
};

/// The pair that a type opens, or closes; null if it does not.
const ScopePair* opened_pair(u8 type);
const ScopePair* closed_pair(u8 type);

/// What is open at a place of a location: regions, thread teams, locks. Memory: these. Cost: as far
/// as what is closed lies back.
class OpenScopes {
  public:
    struct Entry {
        RecordBatch record;  ///< that opened it
        const ScopePair* pair = nullptr;
        u64 stretch = 0;    ///< of the part, in which it was opened
        bool told = false;  ///< it is open in what was written, too
    };

    void open(const ScopePair& pair, const RecordBatch& batch, const RecordBatch::Head& head,
              u64 stretch);
    /// What a record other than a Leave closes; null if it was never opened.
    Entry* find(const ScopePair& pair, std::span<const u64> values);
    /// The innermost region. Precondition: one is open.
    Entry* innermost_region();
    /// `entry`: of one of these two.
    void close(Entry* entry);

    /// In the order in which they were opened.
    [[nodiscard]] std::span<Entry> entries() { return {entries_.data(), size_}; }

  private:
    std::vector<Entry> entries_;  ///< those from size_ on lie ready to be used again
    std::size_t size_ = 0;
};

}  // namespace tracefold
