// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_format.hpp"
#include "exporters/kept_records.hpp"
#include "exporters/text_file.hpp"
#include "schedules/call_fates.hpp"
#include "schedules/rank_sink.hpp"

#include <functional>
#include <mutex>
#include <vector>

namespace tracefold {

/// A rank, or a location, that is written by one thread, and what became of it.
struct ExportedPart {
    TraceFile& file;  ///< of the thread
    u32 number;       ///< rank or location
    const ProgressSink& progress;
    CallFates fates;
    ExportReport report = {};
    KeptRecords kept = {};

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
    [[nodiscard]] KeptRecords& kept() { return kept_; }
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
    KeptRecords kept_;
};

}  // namespace tracefold
