// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/frames/detail/frame.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

namespace tracefold::python {

/// A table that can be read any number of times: each reading makes its frames anew.
class Batches {
  public:
    using Open = std::function<std::shared_ptr<FrameSource>()>;

    explicit Batches(Open open) : open_(std::move(open)) {}
    [[nodiscard]] std::shared_ptr<FrameSource> open() const { return open_(); }

  private:
    Open open_;
};

/// A table that is complete: each reading gives the same frames.
inline Batches kept_batches(TableFrames table) {
    std::vector<ColumnInfo> columns = table.columns();
    TableFrames::Frames frames = table.take();
    return Batches([columns = std::move(columns), frames = std::move(frames)] {
        return std::make_shared<KeptFrames>(columns, frames);
    });
}

/// Adds the classes Batches, BatchReader and Batch.
void add_batches(pybind11::module_& module);

}  // namespace tracefold::python
