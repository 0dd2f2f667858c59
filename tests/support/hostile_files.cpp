// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// hostile_files FOLDER: writes folded files that are right in every byte, checksums included, and
// whose loops no program ever ran: nested too deeply, or claiming more than any trace has.
// hostile_files FILE COPY: writes the same file with all sections as they are without compression.
#include "file/archive_codec.hpp"
#include "file/section_coder.hpp"
#include "file/structure_codec.hpp"
#include "file/timing_model_codec.hpp"
#include "file/trace_file.hpp"
#include "fold/column_families.hpp"
#include "model/definition_table.hpp"
#include "support/made_trace.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>

namespace tracefold::testing {
namespace {

/// What a file says of the events, and of everything else.
struct Claims {
    Structure events;
    Structure local_definitions;
    FoldedDefinitions definitions;
    ArchiveHead head;
};

using Change = std::function<void(Claims&)>;

u32 add_column(Structure& structure, Column column) {
    structure.columns.push_back(std::move(column));
    return static_cast<u32>(structure.columns.size() - 1);
}

u32 add_constant(Structure& structure, u64 value) {
    Column column;
    column.start = value;
    return add_column(structure, column);
}

Assignment use_column(u32 column) {
    Assignment assignment;
    assignment.columns = {column};
    return assignment;
}

/// Loops around the call of "work", which all locations make once.
class Nest {
  public:
    explicit Nest(Structure& structure)
        : structure_(structure),
          pattern_(structure.patterns[structure.scripts[0].pattern]),
          work_(pattern_.leaf_count - 2) {}

    /// Another loop around all that is nested already, which it has `times` in its body, and the
    /// call once more if `beside`.
    void add_level(u32 times, bool beside = false) {
        const u32 inner = pattern_.loops.empty() ? work_ : top();
        pattern_.loops.emplace_back(times, inner);
        if (beside) pattern_.loops.back().push_back(work_);
    }
    /// All loops iterate as the column of this number says, or once.
    void finish(u32 trips = kNone) {
        pattern_.root[work_] = top();
        structure_.scripts[0].pattern = static_cast<u32>(structure_.patterns.size());
        std::vector<Assignment>& counts = structure_.script_counts[0];
        counts.resize(pattern_.leaf_count);
        counts.resize(pattern_.node_count(), trips == kNone ? Assignment{} : use_column(trips));
        structure_.patterns.push_back(std::move(pattern_));
    }

  private:
    [[nodiscard]] u32 top() const { return static_cast<u32>(pattern_.node_count() - 1); }

    Structure& structure_;
    Pattern pattern_;
    u32 work_;
};

constexpr u32 kDoublings = 36;  ///< of the loops of files that claim very many calls

/// The file says that each location has so many records.
void expect_events(Claims& claims, u64 events) {
    claims.events.facts[0] = add_constant(claims.events, events);
}

/// Each call has two records, MPI_Send one more, and there are three besides "work".
constexpr u64 events_with(u64 calls) { return 2 * (calls + 3) + 1; }

/// So many loops, one in the other.
void nest(Claims& claims, u32 levels, u32 times, u64 trips) {
    Nest nest(claims.events);
    for (u32 level = 0; level < levels; ++level) nest.add_level(times);
    nest.finish(add_constant(claims.events, trips));
}

Change nested(u32 levels, u32 times, u64 trips) {
    return [=](Claims& claims) { nest(claims, levels, times, trips); };
}

/// Loops that double the calls, and a file of an archive of that size which expects them all.
Change doubled(u32 levels, u64 archive_bytes) {
    return [=](Claims& claims) {
        nest(claims, levels, 1, 2);
        expect_events(claims, events_with(u64{1} << levels));
        claims.head.summary.archive_bytes = archive_bytes;
    };
}

Change deep(u32 levels) {
    return [=](Claims& claims) {
        Nest nest(claims.events);
        for (u32 level = 0; level < levels; ++level) nest.add_level(1, true);
        nest.finish();
        expect_events(claims, events_with(levels + 1));
    };
}

/// As often as two counts say whose sum is 1 modulo 2^64.
void wrap(Claims& claims) {
    Nest nest(claims.events);
    nest.add_level(1);
    nest.add_level(2);
    nest.finish();
    Column counts;
    counts.form = Column::Form::list;
    counts.values = {u64{1} << 63U, (u64{1} << 63U) + 1};
    const std::size_t inner = claims.events.script_counts[0].size() - 2;
    claims.events.script_counts[0][inner] = use_column(add_column(claims.events, counts));
}

/// Each of the two locations comes so often, with rising numbers.
Change repeated_definition(u64 times) {
    return [times](Claims& claims) {
        Structure& structure = claims.definitions.structure;
        const std::vector<u32>& symbols = structure.scripts[0].symbols;
        const auto leaf = std::ranges::find_if(symbols, [&](u32 symbol) {
            return structure.symbols[symbol].elements[0].type ==
                   static_cast<u8>(DefinitionType::Location);
        });
        Column rising;
        rising.form = Column::Form::progression;
        rising.stride = 1;
        const u32 column = add_column(structure, rising);
        for (Assignment& slot : structure.slots[*leaf]) slot = use_column(column);
        structure.script_counts[0][static_cast<std::size_t>(leaf - symbols.begin())] =
            use_column(add_constant(structure, times));
        claims.head.archive.global_definition_count += 2 * (times - 1);
    };
}

/// MPI_Send, which is called once, has the arguments of two calls.
void surplus_argument(Claims& claims) {
    Structure& structure = claims.events;
    Column numbers;
    numbers.form = Column::Form::folded;
    numbers.pattern = static_cast<u32>(structure.patterns.size());
    structure.patterns.push_back({2, {}, {0, 1}});
    numbers.alphabet = add_constant(structure, 0);
    const u32 column = add_column(structure, numbers);
    for (std::vector<Assignment>& slots : structure.slots) {
        for (Assignment& slot : slots) slot = use_column(column);
    }
}

std::string packed(const Claims& claims, const ContainerReader& source, const Section& section) {
    switch (section.kind) {
        case SectionKind::archive:
            return encode_archive(claims.head);
        case SectionKind::definitions:
            return encode_definitions(claims.definitions.structure, claims.definitions.text);
        case SectionKind::local_definitions:
            return encode_structure(claims.local_definitions);
        case SectionKind::structure:
            return encode_structure(claims.events);
        case SectionKind::durations:
            if (section.coding != Coding::context_mixing) return source.content(section);
            return encode_durations(
                unpack_durations(source.stored(section), section, source.path(), claims.events));
        default:
            return source.content(section);
    }
}

void write(const std::string& path, const ContainerReader& source, const Claims& claims) {
    AtomicFile file(path);
    ContainerWriter writer(file, 1);
    for (const Section& section : source.sections()) {
        const std::string content = packed(claims, source, section);
        writer.add(section.kind, section.index, {content, content.size(), Coding::plain});
    }
    writer.finish();
    file.commit();
}

Claims claims_of(const ContainerReader& file) {
    Claims claims;
    claims.head = decode_archive(file.content(SectionKind::archive), file.path());
    const u64 locations = claims.head.archive.location_count;
    const auto structure = [&](SectionKind kind) {
        const Section& section = file.section(kind);
        return unpack_structure(file.stored(section), section, file.path(), locations);
    };
    claims.events = structure(SectionKind::structure);
    claims.local_definitions = structure(SectionKind::local_definitions);
    const Section& definitions = file.section(SectionKind::definitions);
    claims.definitions.structure = unpack_definitions(file.stored(definitions), definitions,
                                                      file.path(), claims.definitions.text);
    return claims;
}

using WorkRecords = std::vector<MadeTrace::Event>;

void copy_plain(const std::string& path, const std::string& copy) {
    const ContainerReader source(path);
    write(copy, source, claims_of(source));
}

/// "work" has these records.
void make_base(const std::string& path, const char* name = "work", WorkRecords records = {}) {
    MadeTrace trace({.ranks = 2});
    const auto both = [&trace](const char* function) {
        for (const u32 rank : {0U, 1U}) trace.call(rank, function);
    };
    both("MPI_Init");
    for (const u64 other : {1, 0}) {
        trace.call(1 - static_cast<u32>(other), "MPI_Send",
                   {{EventType::MpiSend, {other, 0, 5, 64}}});
    }
    for (const u32 rank : {0U, 1U}) {
        trace.record(rank, 0, EventType::Enter, {trace.region(name)});
        for (const MadeTrace::Event& event : records)
            trace.record(rank, 0, event.type, event.fields);
        trace.record(rank, 0, EventType::Leave, {trace.region(name)});
    }
    both("MPI_Finalize");
    std::filesystem::remove(path);
    trace.fold(path, TimingLevel::none);
}

void write_changed(const std::string& base, const std::filesystem::path& folder,
                   const std::string& name, const Change& change) {
    const ContainerReader source(base);
    Claims claims = claims_of(source);
    change(claims);
    write((folder / (name + ".tfold")).string(), source, claims);
}

void make_all(const std::filesystem::path& folder) {
    const std::vector<std::pair<std::string, Change>> changes = {
        {"sound", [](Claims&) {}},
        {"deep", deep(20'000)},
        {"deep_sound", deep(200)},
        {"doubling", nested(30, 1, 2)},
        {"doubling_deep", nested(200, 1, 2)},
        {"doubling_expected", doubled(30, 1'000)},
        {"doubling_far", doubled(60, 0)},
        {"shared", nested(30, 2, 1)},
        {"shared_deep", nested(200, 2, 1)},
        {"wrapped", wrap},
        {"definitions", repeated_definition(u64{1} << 23U)},
        {"surplus", surplus_argument},
        {"none_expected", [](Claims& claims) { expect_events(claims, 0); }},
    };
    const std::string base = (folder / "base.tfold").string();
    make_base(base);
    for (const auto& [name, change] : changes) write_changed(base, folder, name, change);
}

/// Sound files of very many calls of one kind each.
void make_endless(const std::filesystem::path& folder) {
    const std::string base = (folder / "base.tfold").string();
    struct Kind {
        std::string name;
        const char* function;
        std::vector<MadeTrace::Event> records;
    };
    const std::vector<Kind> kinds = {
        {"functions", "work", {}},
        {"sends", "MPI_Ssend", {{EventType::MpiSend, {1, 0, 5, 64}}}},
        {"isends", "MPI_Isend", {{EventType::MpiIsend, {1, 0, 5, 64, 7}}}},
        {"irecvs", "MPI_Irecv", {{EventType::MpiIrecvRequest, {7}}}},
        {"receives", "MPI_Recv", {{EventType::MpiRecv, {1, 0, 5, 64}}}},
        {"enters", "work", {{EventType::Enter, {0}}}},
        {"leaves", "work", {{EventType::Leave, {0}}}},
        {"barriers",
         "MPI_Barrier",
         {{EventType::MpiCollectiveBegin, {}}, {EventType::MpiCollectiveEnd, {0, 0, kNone, 0, 0}}}},
    };
    for (const Kind& kind : kinds) {
        make_base(base, kind.function, kind.records);
        const u64 records = kind.records.size() + 2;
        write_changed(base, folder, "endless_" + kind.name, [&](Claims& claims) {
            nest(claims, kDoublings, 1, 2);
            const u64 calls = u64{1} << kDoublings;
            expect_events(claims, records * calls + 7);
        });
    }
}

}  // namespace
}  // namespace tracefold::testing

int main(int argc, char** argv) {
    try {
        if (argc == 3) {
            tracefold::testing::copy_plain(argv[1], argv[2]);
            return 0;
        }
        if (argc != 2) throw std::invalid_argument("usage: hostile_files FOLDER | FILE COPY");
        tracefold::testing::make_all(argv[1]);
        tracefold::testing::make_endless(argv[1]);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
