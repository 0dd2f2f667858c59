// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_table.hpp"
#include "model/record_batch.hpp"

#include <initializer_list>
#include <string_view>

namespace tracefold {

/// Writes definition records one after the other; strings are numbered from 0.
class DefinitionWriter {
  public:
    /// Precondition: strings among the values were written before.
    void add(DefinitionType type, std::initializer_list<u64> values) {
        batch_.begin(static_cast<u8>(type));
        for (const u64 value : values) batch_.push(value);
    }
    u64 string(std::string_view text) {
        add(DefinitionType::String, {strings_});
        batch_.push_text(text);
        return strings_++;
    }

    RecordBatch& batch() { return batch_; }
    [[nodiscard]] const RecordBatch& batch() const { return batch_; }

  private:
    RecordBatch batch_;
    u64 strings_ = 0;
};

}  // namespace tracefold
