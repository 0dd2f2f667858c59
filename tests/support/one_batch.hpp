// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/record_source.hpp"

#include <utility>

namespace tracefold {

/// Records that are at hand, as a source.
class OneBatch : public RecordSource {
  public:
    explicit OneBatch(const RecordBatch& batch) : batch_(batch) {}
    bool next(RecordBatch& batch) override {
        batch = std::exchange(batch_, {});
        return !batch.empty();
    }

  private:
    RecordBatch batch_;
};

}  // namespace tracefold
