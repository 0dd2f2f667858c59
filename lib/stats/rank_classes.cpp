// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/rank_classes.hpp"

#include "format/participants_codec.hpp"
#include "stats/over_processes.hpp"
#include "stats/sampler.hpp"

#include <algorithm>
#include <map>
#include <memory>

namespace tracefold {

namespace {

using Column = RankClasses::Column;

/// Sets of locations by what they share, as bytes.
using ClassTable = std::map<std::string, ParticipantList>;

/// Unites the sets of all processes on process 0. Collective.
void reduce(Communicator& comm, ClassTable& table, int fanout) {
    const auto serialise = [](const ClassTable& mine) {
        ByteWriter out;
        out.put_varint(mine.size());
        for (const auto& [key, locations] : mine) {
            out.put_text(key);
            put_participants(out, locations);
        }
        return out.take();
    };
    const auto merge_bytes = [](ClassTable& mine, std::string_view bytes) {
        ByteReader in(bytes, "classes of another process");
        for (u64 left = in.get_count(2); left > 0; --left) {
            const std::string key(in.get_text());
            mine[key].unite(get_participants(in));
        }
        in.expect_end();
    };
    reduce_tree(comm, table, serialise, merge_bytes, fanout);
}

/// Locations with the same signatures in all columns.
struct Sequence {
    std::vector<ContentHash> signatures;
    u64 locations = 0;
};

/// Compares the classes of neighbouring columns.
class ColumnCounter {
  public:
    explicit ColumnCounter(std::vector<Sequence> sequences)
        : sequences_(std::move(sequences)), companions_(sequences_.size()) {}

    std::vector<Column> run() {
        std::size_t columns = 0;
        for (const Sequence& sequence : sequences_) {
            columns = std::max(columns, sequence.signatures.size());
        }
        std::vector<Column> result;
        for (std::size_t column = 0; column < columns; ++column) result.push_back(count(column));
        return result;
    }

  private:
    Column count(std::size_t column) {
        std::map<ContentHash, std::vector<u64>> members;  ///< sequences
        for (std::size_t i = 0; i < sequences_.size(); ++i) {
            if (column < sequences_[i].signatures.size()) {
                members[sequences_[i].signatures[column]].push_back(i);
            }
        }
        Column result;
        result.classes = members.size();
        for (const auto& [signature, sequences] : members) add(column, sequences, result);
        return result;
    }

    void add(std::size_t column, const std::vector<u64>& sequences, Column& result) {
        ByteWriter names;
        u64 size = 0;
        for (const u64 i : sequences) {
            names.put_varint(i);
            size += sequences_[i].locations;
        }
        const ContentHash company = content_hash(names.bytes());
        result.locations += size;
        result.largest = std::max(result.largest, size);
        for (const u64 i : sequences) {
            const Sequence& sequence = sequences_[i];
            const bool first = column == 0;
            if (!first && sequence.signatures[column] != sequence.signatures[column - 1]) {
                result.changed += sequence.locations;
            }
            if (!first && companions_[i] != company) result.moved += sequence.locations;
            companions_[i] = company;
        }
    }

    std::vector<Sequence> sequences_;
    std::vector<ContentHash> companions_;  ///< by sequence, in the column before
};

class ClassCollector {
  public:
    ClassCollector(Communicator& comm, TraceFile& file, const ClassRequest& request, int fanout)
        : comm_(comm),
          file_(file),
          request_(request),
          fanout_(fanout),
          source_(file),
          symbols_(file, source_.calls(), request_.signature),
          steps_(file),
          iterations_(file, source_, request.steps == nullptr ? steps_ : *request.steps,
                      request.loop),
          locations_(selected_block(file, request.selected, comm.rank(), comm.size())) {}

    RankClasses run() {
        group();
        if (request_.columns != 0) look_at_iterations();
        return std::move(result_);
    }

  private:
    void group() {
        ClassTable table;
        agree(comm_, [&] {
            for (const u32 location : locations_) {
                const ContentHash signature =
                    location_signature(file_, source_.counts(), symbols_, location);
                table[sequence_key({signature})].add(location);
            }
        });
        reduce(comm_, table, fanout_);
        ByteWriter out;
        if (comm_.rank() == 0) write_classes(table, out);
        const std::string bytes = comm_.broadcast(out.take(), 0);
        ByteReader in(bytes, "classes of all processes");
        for (u64 left = in.get_count(1); left > 0; --left) {
            result_.classes.push_back(get_participants(in));
            result_.locations += result_.classes.back().size();
        }
    }

    static void write_classes(const ClassTable& table, ByteWriter& out) {
        std::vector<const ParticipantList*> classes;
        for (const auto& [key, locations] : table) classes.push_back(&locations);
        std::sort(classes.begin(), classes.end(),
                  [](const auto* a, const auto* b) { return a->first() < b->first(); });
        out.put_varint(classes.size());
        for (const ParticipantList* locations : classes) put_participants(out, *locations);
    }

    void look_at_iterations() {
        result_.iterations = most_iterations(comm_, iterations_, locations_);
        result_.per_column =
            std::max<u64>(1, (result_.iterations + request_.columns - 1) / request_.columns);
        ClassTable table;
        agree(comm_, [&] {
            for (const u32 location : locations_) {
                const std::vector<ContentHash> sequence = iteration_signatures(
                    file_, symbols_, location, iterations_.of(location), result_.per_column);
                if (!sequence.empty()) table[sequence_key(sequence)].add(location);
            }
        });
        reduce(comm_, table, fanout_);
        if (comm_.rank() == 0) count_columns(table);
    }

    void count_columns(const ClassTable& table) {
        std::vector<Sequence> sequences;
        for (const auto& [key, locations] : table) {
            sequences.push_back({sequence_of(key), locations.size()});
        }
        result_.columns = ColumnCounter(std::move(sequences)).run();
    }

    Communicator& comm_;
    TraceFile& file_;
    ClassRequest request_;
    int fanout_;
    ListingSource source_;
    SymbolSignatures symbols_;
    FoundSteps steps_;
    Iterations iterations_;
    std::vector<u32> locations_;
    RankClasses result_;
};

}  // namespace

RankClasses collect_classes(Communicator& comm, TraceFile& file, const ClassRequest& request,
                            int fanout) {
    return ClassCollector(comm, file, request, fanout).run();
}

void keep_apart(const RankClasses& classes, u32 location_count, RowRequest& rows) {
    const auto class_of = std::make_shared<std::vector<u32>>(location_count, kNone);
    for (u32 number = 0; number < classes.classes.size(); ++number) {
        for (const u32 location : classes.classes[number].members()) {
            class_of->at(location) = number;
        }
    }
    rows.group = [class_of](RowTree& tree, u32 location) {
        return tree.child(RowTree::kRoot, RankClasses::label(class_of->at(location)), false);
    };
}

}  // namespace tracefold
