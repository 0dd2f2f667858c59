// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/mapping_tables.hpp"
#include "model/record_batch.hpp"
#include "transform/cut_request.hpp"

#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// An operation of one or more records: a message's send or receive, a collective, one-sided or
/// file operation. Its number is the index of its first record among the location's operation
/// records.
struct TracedOperation {
    enum class Kind : u8 { send, receive, collective, posted_collective, one_sided, io };

    static constexpr u32 kNoPlace = ~u32{0};

    Kind kind = Kind::send;
    Side begun = Side::inside;  ///< of its first record
    u64 number = 0;
    /// Data of the caller.
    u32 channel = kNoPlace;
    u64 entry = 0;
};

/// Assigns the records of a location to operations. Memory: outstanding operations.
class OperationTracker {
  public:
    enum class Role : u8 {
        none,     ///< of no operation, or of one without a recorded begin
        foreign,  ///< completes a request of another location, or of none
        whole,    ///< the only record
        begins,
        goes_on,
        ends,
        cancels,
    };
    struct Step {
        Role role = Role::none;
        TracedOperation* operation = nullptr;  ///< valid until the next call
        u64 id = 0;                            ///< for foreign records: the argument of take()
    };

    /// `tables`: of the location; must outlive the tracker.
    explicit OperationTracker(const MappingTables& tables) : tables_(tables) {}

    /// Number of the last operation record.
    [[nodiscard]] u64 record() const { return number_; }

    /// Call for every event of the location, in order.
    Step next(const RecordBatch& batch, const RecordBatch::Head& head, Side side);

    /// Ends an operation by a foreign record, with the id of its step.
    std::optional<TracedOperation> take(TracedOperation::Kind kind, u64 id);

  private:
    using Kind = TracedOperation::Kind;
    using Open = std::unordered_map<u64, TracedOperation>;

    Step whole(Kind kind, Side side);
    Step begin(Open& open, u64 id, Kind kind, Side side);
    Step end(Open& open, u64 id);
    static Step look(Open& open, u64 id);
    Step complete(Open& open, u64 id, Kind kind, Side side);
    Step request(u64 id, bool cancels);
    Step receive_message(u64 message, Side side);
    Step post_message(u64 message, u64 request, Side side);
    Step complete_message(u64 request, Side side);
    Step begin_collective(std::vector<TracedOperation>& open, Side side);
    Step end_collective(std::vector<TracedOperation>& open, Side side);

    const MappingTables& tables_;
    u64 count_ = 0;   ///< operation records
    u64 number_ = 0;  ///< of the last one
    TracedOperation ended_;
    Open sends_;
    Open receives_;                                 ///< by request, or by probed message
    std::unordered_map<u64, u64> posted_messages_;  ///< by request: id in receives_
    Open collectives_;
    Open one_sided_;
    Open io_;
    std::vector<TracedOperation> in_collective_;
    std::vector<TracedOperation> in_window_collective_;
};

/// A set of mostly consecutive numbers. Memory: the ranges.
class NumberSet {
  public:
    void add(u64 number) {
        auto after = rows_.upper_bound(number);
        if (after != rows_.begin()) {
            const auto before = std::prev(after);
            if (number < before->second) return;
            if (number == before->second) {
                ++before->second;
                if (after != rows_.end() && after->first == before->second) {
                    before->second = after->second;
                    rows_.erase(after);
                }
                return;
            }
        }
        if (after != rows_.end() && after->first == number + 1) {
            const u64 end = after->second;
            rows_.erase(after);
            rows_.emplace(number, end);
        } else {
            rows_.emplace(number, number + 1);
        }
    }

    [[nodiscard]] bool contains(u64 number) const {
        const auto after = rows_.upper_bound(number);
        return after != rows_.begin() && number < std::prev(after)->second;
    }

  private:
    std::map<u64, u64> rows_;  ///< first number to the end of its range
};

}  // namespace tracefold
