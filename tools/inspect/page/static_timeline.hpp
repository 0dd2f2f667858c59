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

/// The timeline of a static page within a size limit: complete calls of a row if they fit; else
/// columns over the whole run, and calls at the begin of the program, in some middle steps and at
/// the end.
class StaticTimeline {
  public:
    /// `room`: bytes; process 0's value counts. Threads of process 0 read the rows, threads of all
    /// processes the messages of parts. Precondition: the view has found its end.
    StaticTimeline(Communicator& comm, TraceView& view, std::size_t room, u32 threads);

    /// The members of the JSON object "timeline" (docs/internals/page.md). Cost: unwinds the rows,
    /// twice if lanes do not fit. Collective; complete on process 0; throws the same Error(corrupt)
    /// on all.
    std::string text();

    /// Describes the omissions; empty without any.
    [[nodiscard]] std::string says() const;
    [[nodiscard]] bool is_exact() const { return coarse_ + missing_ == 0; }
    [[nodiscard]] TickWindow whole() const { return whole_; }

  private:
    struct Part {
        TickWindow window;
        std::string rows;  ///< JSON objects
        std::vector<u32> kept;

        /// Fields that other processes need to read its messages.
        static void each_field(auto& self, auto& visit) { visit(self.window, self.kept); }
    };

    void plan();
    [[nodiscard]] u64 calls_of_rows() const;
    void place_parts(std::size_t boxes_of_row);
    void add_part(const Lane& lane, u64 first, u64 last);
    /// Data of a row that can be read ahead of writing.
    struct RowAhead {
        std::shared_ptr<const Lane> lane;
        std::optional<RowCalls> whole;  ///< only if it may fit
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
    std::atomic<std::size_t> room_;  ///< reduced by written rows while others are read
    std::size_t messages_room_ = 0;
    u32 threads_;
    AnswerNames names_;
    KeptFacts facts_;
    KeptRows rows_;
    TickWindow whole_;
    std::size_t columns_ = 64;
    std::size_t columns_room_ = 0;  ///< reserved for columns; 0: all calls of all rows may fit
    std::size_t fewest_columns_ = ~std::size_t{0};
    std::vector<Part> parts_;  ///< the first is the whole run; its rows are in no other part
    std::string coarse_rows_;
    std::string messages_;
    u32 exact_ = 0;
    u32 coarse_ = 0;
    u32 missing_ = 0;
    bool all_messages_ = true;
};

}  // namespace tracefold
