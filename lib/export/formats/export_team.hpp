// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json_writer.hpp"
#include "base/ordered_parts.hpp"
#include "base/types.hpp"
#include "export/export_format.hpp"
#include "model/event_table.hpp"
#include "mpi/rank_stream.hpp"

#include <array>
#include <charconv>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Kept by every format with regions.
inline constexpr std::initializer_list<EventType> kRegionRecords = {
    EventType::Enter, EventType::Leave, EventType::CallingContextEnter,
    EventType::CallingContextLeave};

/// Kept by every format with messages.
inline constexpr std::initializer_list<EventType> kPointToPointRecords = {
    EventType::MpiSend,         EventType::MpiIsend, EventType::MpiIsendComplete,
    EventType::MpiIrecvRequest, EventType::MpiRecv,  EventType::MpiIrecv,
    EventType::MpiProbe,        EventType::MpiMrecv, EventType::MpiImrecvRequest,
    EventType::MpiImrecv};

/// Counts the kept records of each type. All formats show the begin and end of a program.
class RecordCoverage {
  public:
    RecordCoverage() { add_all({EventType::ProgramBegin, EventType::ProgramEnd}); }

    void add(EventType type, u64 records = 1) { counts_[static_cast<u8>(type)] += records; }
    /// Keeps every record of these types.
    void add_all(std::initializer_list<EventType> types) {
        for (const EventType type : types) counts_[static_cast<u8>(type)] = kAll;
    }
    /// Keeps the records of MPI calls that every format with messages and collectives keeps.
    void add_communication() {
        add_all(kPointToPointRecords);
        add_all({EventType::MpiRequestTest, EventType::MpiRequestCancelled,
                 EventType::MpiCollectiveBegin, EventType::MpiCollectiveEnd,
                 EventType::NonBlockingCollectiveRequest, EventType::NonBlockingCollectiveComplete,
                 EventType::CommCreate, EventType::CommDestroy, EventType::RmaCollectiveBegin,
                 EventType::RmaCollectiveEnd});
    }
    /// Keeps Enter and Leave of calls.
    void add_calls(u64 calls) {
        add(EventType::Enter, calls);
        add(EventType::Leave, calls);
    }
    /// Adds the counts of another part of the trace.
    void add(const RecordCoverage& other) {
        for (std::size_t type = 0; type < kEventTypes; ++type) {
            const bool all = counts_[type] == kAll || other.counts_[type] == kAll;
            counts_[type] = all ? kAll : counts_[type] + other.counts_[type];
        }
    }
    void add_every() { counts_.fill(kAll); }
    [[nodiscard]] u64 of(std::size_t type) const { return counts_[type]; }

  private:
    static constexpr u64 kAll = ~u64{0};

    std::array<u64, kEventTypes> counts_{};
};

/// Buffered text output. Memory: a fixed buffer.
class TextOut {
  public:
    TextOut(const TextOut&) = delete;
    TextOut& operator=(const TextOut&) = delete;
    TextOut& operator=(TextOut&&) = delete;
    virtual ~TextOut() = default;

    TextOut& operator<<(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= kBuffer) flush();
        return *this;
    }
    TextOut& operator<<(const char* text) { return *this << std::string_view(text); }
    TextOut& operator<<(const std::string& text) { return *this << std::string_view(text); }
    TextOut& operator<<(char character) {
        buffer_ += character;
        return *this;
    }
    template <std::integral Number>
    TextOut& operator<<(Number number) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view(digits.data(), end - digits.data());
    }
    TextOut& operator<<(double number) {
        std::array<char, 32> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view(digits.data(), end - digits.data());
    }
    /// As a JSON string.
    TextOut& quote(std::string_view text) {
        append_json_string(text, buffer_);
        return *this;
    }

    /// Bytes written so far.
    [[nodiscard]] u64 size() const { return passed_ + buffer_.size(); }

  protected:
    TextOut() { buffer_.reserve(kBuffer + kBuffer / 4); }
    TextOut(TextOut&&) = default;

    void flush() {
        put(buffer_);
        passed_ += buffer_.size();
        buffer_.clear();
    }

  private:
    static constexpr std::size_t kBuffer = 1U << 16U;

    virtual void put(std::string_view bytes) = 0;

    std::string buffer_;
    u64 passed_ = 0;
};

/// A text file, written atomically.
class TextFile final : public TextOut {
  public:
    /// See AtomicFile.
    explicit TextFile(const std::filesystem::path& path, bool force = false) : file_(path, force) {}

    /// Replaces bytes written before.
    void overwrite(u64 offset, std::string_view text) {
        flush();
        file_.write_at(offset, text);
    }
    /// Publishes the file; no writes may follow. Throws Error(io).
    void commit() {
        flush();
        file_.commit();
    }
    /// Folder for temporary files.
    [[nodiscard]] std::filesystem::path folder() const {
        return file_.temporary_path().parent_path();
    }

  private:
    void put(std::string_view bytes) override { file_.write(bytes); }

    AtomicFile file_;
};

/// The text of a part of an output.
class TextPart final : public TextOut {
  public:
    explicit TextPart(OrderedParts::Part part) : part_(part) {}

    void finish() {
        flush();
        part_.finish();
    }

  private:
    void put(std::string_view bytes) override { part_.append(bytes); }

    OrderedParts::Part part_;
};

/// A rank, or a location, written by one thread, with its outcomes.
struct ExportedPart {
    TraceFile& file;  ///< opened by the thread
    u32 number;       ///< rank or location
    const ProgressSink& progress;
    CallOutcomes outcomes;
    ExportReport report = {};
    RecordCoverage kept = {};

    /// Passes the rank's calls to a sink that keeps their communication. Throws Error(corrupt).
    void walk(const CommunicationSurvey& survey, RankSink& sink);
};

/// Writes the parts of a trace in parallel, in the threads of ExportOptions, and reports the
/// outcomes. The output does not depend on the number of threads.
class ExportTeam {
  public:
    using Work = std::function<void(ExportedPart& part)>;
    using Outs = std::vector<TextFile*>;
    /// Appends a part to each text.
    using TextWork = std::function<void(ExportedPart& part, std::vector<TextPart>& texts)>;

    /// `file` must outlive the team.
    ExportTeam(TraceFile& file, const ExportOptions& options);

    /// Writes parts 0 to `count` - 1 with their own outputs. Rethrows the lowest part's error.
    void run(u32 count, const Work& work);
    /// Calls `begin` once in each thread, and its result with the parts.
    void run_in_threads(u32 count, const std::function<Work()>& begin);
    /// Writes parts of texts, in order. Returns the bytes of each part in the first text.
    std::vector<u64> run(u32 count, const Outs& outs, const TextWork& work);
    /// Writes parts of one text.
    std::vector<u64> run(u32 count, TextFile& out,
                         const std::function<void(ExportedPart& part, TextOut& text)>& work);

    [[nodiscard]] TraceFile& file() const { return file_; }
    [[nodiscard]] u32 ranks() const { return report_.ranks; }
    /// The outcomes of all parts so far.
    [[nodiscard]] ExportReport& report() { return report_; }
    [[nodiscard]] RecordCoverage& kept() { return kept_; }
    /// Completes the report after writing: adds dropped calls and records, and `bytes` of outputs
    /// outside of parts. Cost: symbols and locations; unwinds nothing.
    ExportReport finish(u64 bytes);

  private:
    ExportedPart begin_part(u32 number) const;
    void add(const ExportedPart& part);

    TraceFile& file_;
    u32 threads_;
    ProgressSink progress_;
    std::mutex mutex_;
    ExportReport report_;
    CallOutcomes outcomes_;
    RecordCoverage kept_;
};

/// A datatype of a format, as the element of a message, and its width.
struct ElementType {
    u64 bytes = 1;
    u32 type = 0;
};

/// A message size for formats whose counts are C ints: long messages need wider elements.
struct Elements {
    u64 count = 0;
    u32 type = 0;

    static constexpr u64 kLargestCount = std::numeric_limits<int>::max();

    /// Uses the first of `types`, in rising width, that is wide enough; rounds up. Throws
    /// Error(unsupported), with the `reader`.
    static Elements of(u64 bytes, std::span<const ElementType> types, std::string_view reader) {
        for (const ElementType& type : types) {
            const u64 count = bytes / type.bytes + (bytes % type.bytes != 0 ? 1 : 0);
            if (count <= kLargestCount) return {count, type.type};
        }
        throw Error(ErrorKind::unsupported, "a message of " + std::to_string(bytes) +
                                                " bytes is longer than " + std::string(reader) +
                                                " can represent");
    }
};

}  // namespace tracefold
