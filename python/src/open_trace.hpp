// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/folded_input.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "questions/frames/detail/frame.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <pybind11/pybind11.h>

namespace tracefold::python {

/// Lets other Python threads run while `work` does, if this thread holds the interpreter's lock;
/// the frames of an Arrow stream may be asked for by threads that do not.
template <class Work>
decltype(auto) without_gil(const Work& work) {
    std::optional<pybind11::gil_scoped_release> released;
    if (PyGILState_Check() != 0) released.emplace();
    return work();
}

/// Throws what Python's handler of a signal such as that of Ctrl-C raises. Any thread may call it
/// without the interpreter's lock; only Python's main thread handles signals.
void check_signals();

/// A folded file, or an archive that was folded for the time being. One thread at a time works on
/// it; the others wait.
class OpenTrace {
  public:
    /// Throws Error: io, corrupt, unsupported, usage.
    OpenTrace(std::string path, const FoldedInputOptions& options);

    /// Runs work(TraceFile&) with the trace for itself, without the interpreter's lock. Errors name
    /// the file.
    template <class Work>
    auto use(const Work& work) {
        return without_gil([&] {
            const std::lock_guard alone(mutex_);
            const Cancellable until_signal(check_signals);
            try {
                return work(input_->file());
            } catch (const Error& error) {
                if (error.kind() == ErrorKind::usage) throw;
                const bool named = std::string_view(error.what()).find(path_) != std::string::npos;
                if (named) throw;
                throw error.in(path_);
            }
        });
    }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] bool was_folded() const { return input_->was_folded(); }
    /// The trace itself, for what is known since it was opened and never changes.
    [[nodiscard]] TraceFile& file() { return input_->file(); }

  private:
    std::string path_;
    std::mutex mutex_;
    SerialCommunicator comm_;
    std::unique_ptr<FoldedInput> input_;
};

/// Frames of a trace, which stays open as long as they are read.
class TraceFrames : public FrameSource {
  public:
    TraceFrames(std::shared_ptr<OpenTrace> trace, std::unique_ptr<FrameSource> source)
        : trace_(std::move(trace)), source_(std::move(source)) {}

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override {
        return source_->columns();
    }
    std::shared_ptr<const Frame> next() override {
        return trace_->use([this](TraceFile&) { return source_->next(); });
    }

  private:
    std::shared_ptr<OpenTrace> trace_;
    std::unique_ptr<FrameSource> source_;
};

}  // namespace tracefold::python
