// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_builder.hpp"
#include "fold/column_cursor.hpp"
#include "replay/mpi_call.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What was found out about the collective calls without a record of one location, call by call:
/// folded while it is added. Memory: the folded size.
class InferredCollectives {
  public:
    /// `action` is the next one, with its part.
    void add(const Action& action);
    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// All of it as bytes, for a Cursor. Call once.
    std::string pack();

    /// Gives it back, call by call.
    class Cursor {
      public:
        /// Of what pack() made; empty: nothing. Throws Error(corrupt).
        explicit Cursor(const std::string& bytes);
        /// Completes the parts of those of a call's actions that had no record, and takes away what
        /// no communicator's members all call. For every call in order. Does nothing after the last
        /// one that was added.
        void apply(std::vector<Action>& actions);

      private:
        struct Columns {
            std::vector<Pattern> patterns;
            std::vector<Column> columns;
        };
        void explain(Action& action);

        std::unique_ptr<Columns> columns_;
        std::vector<ColumnCursor> cursors_;
        std::unordered_map<u64, CollectivePart> posted_;  ///< by request
        u64 left_ = 0;
    };

  private:
    static constexpr std::size_t kColumns = 5;

    ColumnBuilder columns_[kColumns];  ///< communicator, root, sent, received, facts
    u64 count_ = 0;
};

}  // namespace tracefold
