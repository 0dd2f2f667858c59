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

/// What every format that has regions keeps.
inline constexpr std::initializer_list<EventType> kRegionRecords = {
    EventType::Enter, EventType::Leave, EventType::CallingContextEnter,
    EventType::CallingContextLeave};

/// What every format that has messages keeps.
inline constexpr std::initializer_list<EventType> kPointToPointRecords = {
    EventType::MpiSend,         EventType::MpiIsend, EventType::MpiIsendComplete,
    EventType::MpiIrecvRequest, EventType::MpiRecv,  EventType::MpiIrecv,
    EventType::MpiProbe,        EventType::MpiMrecv, EventType::MpiImrecvRequest,
    EventType::MpiImrecv};

/// How many records of each type a format keeps. Where a program begins and ends, every format
/// shows.
class RecordCoverage {
  public:
    RecordCoverage() { add_all({EventType::ProgramBegin, EventType::ProgramEnd}); }

    void add(EventType type, u64 records = 1) { counts_[static_cast<u8>(type)] += records; }
    /// Every record of these types.
    void add_all(std::initializer_list<EventType> types) {
        for (const EventType type : types) counts_[static_cast<u8>(type)] = kAll;
    }
    /// What of an MPI call's records every format that has messages and collectives keeps.
    void add_communication() {
        add_all(kPointToPointRecords);
        add_all({EventType::MpiRequestTest, EventType::MpiRequestCancelled,
                 EventType::MpiCollectiveBegin, EventType::MpiCollectiveEnd,
                 EventType::NonBlockingCollectiveRequest, EventType::NonBlockingCollectiveComplete,
                 EventType::CommCreate, EventType::CommDestroy, EventType::RmaCollectiveBegin,
                 EventType::RmaCollectiveEnd});
    }
    /// Enter and Leave of calls.
    void add_calls(u64 calls) {
        add(EventType::Enter, calls);
        add(EventType::Leave, calls);
    }
    /// Those of another part of the trace.
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

/// Text that is written piece by piece. Memory: a fixed buffer.
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

/// Text of a file that appears whole or not at all.
class TextFile final : public TextOut {
  public:
    /// As AtomicFile.
    explicit TextFile(const std::filesystem::path& path, bool force = false) : file_(path, force) {}

    /// Replaces bytes that were written before.
    void overwrite(u64 offset, std::string_view text) {
        flush();
        file_.write_at(offset, text);
    }
    /// Puts the file into place; nothing may be written afterwards. Throws Error(io).
    void commit() {
        flush();
        file_.commit();
    }
    /// Where temporary files may be.
    [[nodiscard]] std::filesystem::path folder() const {
        return file_.temporary_path().parent_path();
    }

  private:
    void put(std::string_view bytes) override { file_.write(bytes); }

    AtomicFile file_;
};

/// Text of a part of an output.
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

/// A rank, or a location, that is written by one thread, and what became of it.
struct ExportedPart {
    TraceFile& file;  ///< of the thread
    u32 number;       ///< rank or location
    const ProgressSink& progress;
    CallFates fates;
    ExportReport report = {};
    RecordCoverage kept = {};

    /// Tells a sink what the calls of the rank do, of which it keeps the communication. Throws
    /// Error(corrupt).
    void walk(const CommunicationSurvey& survey, RankSink& sink);
};

/// Writes the parts of a trace side by side, in the threads of ExportOptions, and reports what
/// became of it. What is written does not depend on the number of threads.
class ExportTeam {
  public:
    using Work = std::function<void(ExportedPart& part)>;
    using Outs = std::vector<TextFile*>;
    /// Appends a part to each text.
    using TextWork = std::function<void(ExportedPart& part, std::vector<TextPart>& texts)>;

    /// `file` must outlive the team.
    ExportTeam(TraceFile& file, const ExportOptions& options);

    /// Parts with outputs of their own, from number 0 to before `count`. Throws what the lowest
    /// part that failed threw.
    void run(u32 count, const Work& work);
    /// The same, where `begin` is called once in each thread, and what it returns with the parts.
    void run_in_threads(u32 count, const std::function<Work()>& begin);
    /// Parts of texts, in their order. Returns the bytes of each part in the first text.
    std::vector<u64> run(u32 count, const Outs& outs, const TextWork& work);
    /// The same for one text.
    std::vector<u64> run(u32 count, TextFile& out,
                         const std::function<void(ExportedPart& part, TextOut& text)>& work);

    [[nodiscard]] TraceFile& file() const { return file_; }
    [[nodiscard]] u32 ranks() const { return report_.ranks; }
    /// What became of all parts so far.
    [[nodiscard]] ExportReport& report() { return report_; }
    [[nodiscard]] RecordCoverage& kept() { return kept_; }
    /// The report, once all is written: with the calls and records that are not kept, and `bytes`
    /// of outputs that are not those of parts. Cost: symbols and locations; nothing is unwound.
    ExportReport finish(u64 bytes);

  private:
    ExportedPart begin_part(u32 number) const;
    void add(const ExportedPart& part);

    TraceFile& file_;
    u32 threads_;
    ProgressSink progress_;
    std::mutex mutex_;
    ExportReport report_;
    CallFates fates_;
    RecordCoverage kept_;
};

/// An element of a message: a datatype of a format, and how wide it is.
struct ElementType {
    u64 bytes = 1;
    u32 type = 0;
};

/// Bytes as formats take them whose counts are C ints, so that long messages need wider elements.
struct Elements {
    u64 count = 0;
    u32 type = 0;

    static constexpr u64 kLargestCount = std::numeric_limits<int>::max();

    /// Of the first of `types`, in rising width, that is wide enough; rounded up. Throws
    /// Error(unsupported), which names the `reader`.
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
