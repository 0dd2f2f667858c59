// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "inspect/page/static_row.hpp"
#include "questions/timeline/view_messages.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// The timeline of a page without a server, as it fits: whole rows call by call where there is
/// room; else columns over the whole run, and call by call what the program begins with, some steps
/// in its middle and its end.
class StaticTimeline {
  public:
    /// `room`: bytes; that of process 0 counts. Threads of process 0 read the rows, and those of
    /// all processes the messages of parts. Precondition: the view has found its end.
    StaticTimeline(Communicator& comm, TraceView& view, std::size_t room, u32 threads);

    /// The members of the JSON object "timeline" (docs/internals/page.md). Cost: unwinds the rows,
    /// twice where lanes have no room. Collective; complete on process 0; throws the same
    /// Error(corrupt) on all.
    std::string text();

    /// What is not kept, in words; empty if all is.
    [[nodiscard]] std::string says() const;
    [[nodiscard]] bool is_exact() const { return coarse_ + missing_ == 0; }
    [[nodiscard]] TickWindow whole() const { return whole_; }

  private:
    struct Part {
        TickWindow window;
        std::string rows;  ///< JSON objects
        std::vector<u32> kept;

        /// What others need to read its messages.
        static void each_field(auto& self, auto& visit) { visit(self.window, self.kept); }
    };

    void plan();
    [[nodiscard]] u64 calls_of_rows() const;
    void place_parts(std::size_t boxes_of_row);
    void add_part(const Lane& lane, u64 first, u64 last);
    /// What can be known of a row while others are put.
    struct RowAhead {
        std::shared_ptr<const Lane> lane;
        std::optional<RowCalls> whole;  ///< only if it may have room
        std::optional<PackedColumns> columns;
        std::optional<RowCalls> parts;
    };

    [[nodiscard]] std::size_t room_of(u32 row) const;
    [[nodiscard]] bool may_be_whole(const Lane& lane, std::size_t room) const;
    [[nodiscard]] std::vector<TickWindow> part_windows() const;
    RowAhead read_row(u32 row);
    void put_rows();
    void put_row(u32 row, RowAhead ahead);
    bool put_whole(u32 row, const RowAhead& ahead, std::size_t room);
    void put_part_calls(u32 row, RowAhead& ahead, std::size_t room);
    void put_columns(u32 row, const RowAhead& ahead);
    std::vector<ViewMessages> messages_of_parts();
    void take_messages(const std::vector<ViewMessages>& messages);
    std::string put_all();
    void put_parts(std::string& text) const;
    void put_steps(std::string& text);

    Communicator& comm_;
    TraceView& view_;
    std::atomic<std::size_t> room_;  ///< rows take theirs while others are read
    std::size_t messages_room_ = 0;
    u32 threads_;
    AnswerNames names_;
    KeptFacts facts_;
    KeptRows rows_;
    TickWindow whole_;
    std::size_t columns_ = 64;
    std::size_t columns_room_ = 0;  ///< of room_ before; 0: rows should all fit call by call
    std::size_t fewest_columns_ = ~std::size_t{0};
    std::vector<Part> parts_;  ///< the first is the whole run; rows that are in it are in no other
    std::string coarse_rows_;
    std::string messages_;
    u32 exact_ = 0;
    u32 coarse_ = 0;
    u32 missing_ = 0;
    bool all_messages_ = true;
};

}  // namespace tracefold
