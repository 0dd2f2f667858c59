// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/proxy/call_translator.hpp"
#include "export/proxy/proxy_call_reader.hpp"
#include "export/proxy/runtime_text.hpp"
#include "fold/column_builder.hpp"
#include "fold/structure_pool.hpp"
#include "model/structure.hpp"

#include <array>
#include <map>
#include <vector>

namespace tracefold {

/// A place in a program: a call, possibly repeated, or a loop. Assignments are over ranks.
struct ProxyPlace {
    u32 item = 0;      ///< in the pattern
    Assignment count;  ///< repetitions or trips; 0: skipped on this rank
    /// In the order of the function's arguments; a list has two: its lengths and its values.
    std::vector<Assignment> arguments;
    u64 executions = 0;  ///< of a call, over all ranks
    u64 ticks = 0;       ///< of computation before the calls
};

/// The program of some ranks.
struct ProxyScript {
    Pattern pattern;
    std::vector<ProxyFunction> functions;  ///< by leaf
    std::vector<u32> ranks;                ///< rising
    std::vector<ProxyPlace> places;        ///< see PlaceNumbers
};

/// The input of write_proxy(): the calls of all ranks as loops, with the arguments of each place
/// folded in time and over the ranks.
struct ProxyModel {
    u32 ranks = 0;
    u32 communicators = 0;      ///< maximum of a rank at a time
    u64 persistent = 0;         ///< maximum number of requests of a rank
    u64 windows = 0;            ///< maximum of a rank at a time
    u64 files = 0;              ///< open ones, too
    u64 file_numbers = 0;       ///< definitions of files
    u64 largest = 0;            ///< bytes of a message
    u64 calls = 0;              ///< issued, over all ranks
    u64 read_calls = 0;         ///< of the trace
    u64 sizes_of_senders = 0;   ///< receives of another size than recorded
    u64 fingerprint = 0;        ///< of the issued calls, see CallFingerprint
    u64 trace_fingerprint = 0;  ///< replay_fingerprint()
    u64 checksum = 0;           ///< of the file
    TickRate rate;
    bool starts_threads = false;
    bool has_times = false;
    StructurePool pool;                ///< of all patterns and columns
    std::size_t scripts_of_ranks = 0;  ///< distinct ones before the union
    std::vector<ProxyScript> scripts;
    CallCounts left_out;
    CallCounts inferred;               ///< arguments of calls, or whole receives
    std::map<EventType, u64> records;  ///< of one-sided communication and MPI-IO, translated
    CallCounts local;                  ///< calls without other processes: part of the computation
};

/// Equality of calls when the calls of a rank are folded.
enum class SameCalls : u8 {
    by_function,
    by_tag,  ///< messages of one function with different tags differ
};

/// Folds the calls of all ranks, merges similar ranks, and collects the arguments of all ranks at
/// each place. Memory: the folded program of all ranks. Cost: reads the calls twice, about 1 us
/// each. Throws Error: corrupt; unsupported if the program would be too long for a compiler.
ProxyModel build_proxy_model(ProxyCallReader& calls, SameCalls same);

/// Folds one rank's calls at one place: their count, and each argument. Peers in all encodings.
class PlaceColumns {
  public:
    explicit PlaceColumns(std::string_view arguments = {});

    void push_count(u64 count) { columns_.front().push(count); }
    void push_arguments(const ProxyCall& call);
    /// Adds the columns to the pool: the count, then the arguments; kNone for empty ones. Call
    /// once.
    std::vector<u32> finish(StructurePool& pool);

  private:
    std::string_view arguments_;
    std::vector<ColumnBuilder> columns_;
};

/// Merges the columns of all ranks of a script at one place.
class PlaceVariants {
  public:
    /// `position`: index of the rank in the script, rising.
    void add(u32 position, const std::vector<u32>& columns);
    /// Fills in count and arguments.
    void finish(std::string_view arguments, StructurePool& pool, ProxyPlace& place) const;

  private:
    /// The column of each rank, kNone if it has none; one number per rank.
    using Use = std::vector<u32>;

    static Use completed(Use use, StructurePool& pool);
    static Assignment assign(const Use& sparse, StructurePool& pool);
    [[nodiscard]] Assignment assign_peers(std::size_t first, StructurePool& pool) const;

    std::vector<Use> uses_;  ///< by column of PlaceColumns
};

}  // namespace tracefold
