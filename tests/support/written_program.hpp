// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "event_recorder.hpp"
#include "support/folded_archive.hpp"

#include <functional>
#include <string>

namespace tracefold {

/// The folded trace of a program that is written down call by call. Every record comes 100 ticks
/// after the one before; all ranks begin at once, and 300 ticks pass between MPI_Init and a first
/// barrier. Another one comes before MPI_Finalize.
class WrittenProgram {
  public:
    using Rank = std::function<void(EventRecorder& recorder, u64 rank)>;

    WrittenProgram(u64 ranks, const Rank& body, TimingLevel timing = TimingLevel::exact,
                   u64 nodes = 1)
        : folded_(write_archive((directory_ / "archive").string(), ranks, body, nodes), timing) {}

    TraceFile& operator*() { return *folded_; }
    TraceFile* operator->() { return folded_.operator->(); }

  private:
    static std::string write_archive(const std::string& archive, u64 ranks, const Rank& body,
                                     u64 nodes) {
        constexpr u64 kLength = 1'000'000'000;
        std::filesystem::create_directories(archive);
        GeneratedDefinitions definitions({{"node", nodes, ranks / nodes}}, {"/bin/program"}, {},
                                         [](u64) { return u64{100}; });
        ArchiveWriter writer(archive, generated_archive(false), {false});
        definitions.write(writer, kLength);
        for (u64 rank = 0; rank < ranks; ++rank) {
            definitions.write_local(writer, rank, kLength);
            EventRecorder recorder(writer, definitions, rank);
            recorder.begin_program();
            body(recorder, rank);
            recorder.end_program();
            writer.close_location(rank);
        }
        writer.finish();
        return archive;
    }

    TestDirectory directory_;
    FoldedArchive folded_;
};

}  // namespace tracefold
