// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// What exact timing costs by itself: bench_ticks ARCHIVE [repetitions] encodes and decodes the
// ticks of all locations and prints bits and nanoseconds of processor time per record, the smallest
// of the repetitions.
#include "file/format/timing_codec.hpp"
#include "fold/call_encoder.hpp"
#include "model/definition_table.hpp"
#include "otf2/archive_reader.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace tracefold;
using Deltas = std::vector<CallBatch::Delta>;

DefinitionIndex definitions_of(ArchiveReader& reader) {
    DefinitionIndex definitions;
    reader.read_global_definitions([&](const RecordBatch& batch) { definitions.add(batch); });
    definitions.finish();
    return definitions;
}

Deltas deltas_of(ArchiveReader& reader, const DefinitionIndex& definitions,
                 const LocationDefinition& location) {
    MappingTables tables;
    if (reader.has_local_definitions(location.id)) {
        reader.read_local_definitions(location.id,
                                      [&](const RecordBatch& batch) { tables.add(batch); });
    }
    CallEncoder encoder(definitions, tables, location, true);
    CallBatch calls;
    if (reader.has_events(location.id)) {
        reader.read_events(location.id,
                           [&](const RecordBatch& batch) { encoder.encode(batch, calls); });
    }
    encoder.finish(calls);
    return calls.deltas;
}

std::string encode(const Deltas& deltas) {
    std::string bytes;
    TimingEncoder encoder([&bytes](std::string_view block) { bytes.append(block); });
    encoder.add(deltas);
    encoder.finish();
    return bytes;
}

/// Throws unless the bytes give the deltas. So many records are decoded at a time as a reader of
/// short iterations does.
void decode(const std::string& bytes, const Deltas& deltas) {
    constexpr std::size_t kAtOnce = 64;
    TimingDecoder decoder(bytes, "the ticks");
    u64 wrong = 0;
    std::vector<u32> groups;
    std::vector<u64> ticks(kAtOnce);
    for (std::span<const CallBatch::Delta> rest(deltas); !rest.empty();) {
        const auto part = rest.first(std::min(rest.size(), kAtOnce));
        groups.clear();
        for (const CallBatch::Delta& delta : part) groups.push_back(delta.group);
        decoder.next(groups, ticks.data());
        for (std::size_t i = 0; i < part.size(); ++i) wrong += part[i].ticks != ticks[i] ? 1 : 0;
        rest = rest.subspan(part.size());
    }
    decoder.expect_end();
    if (wrong != 0) throw std::runtime_error("other ticks came back");
}

/// Nanoseconds of processor time: other programs on the machine matter less.
template <class Work>
double timed(const Work& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) * (1e9 / CLOCKS_PER_SEC);
}

void measure(const std::string& archive, int repetitions) {
    ArchiveReader reader(archive);
    const DefinitionIndex definitions = definitions_of(reader);
    std::vector<Deltas> ticks;
    std::size_t records = 0;
    for (const LocationDefinition& location : definitions.locations()) {
        ticks.push_back(deltas_of(reader, definitions, location));
        records += ticks.back().size();
    }
    std::vector<std::string> coded(ticks.size());
    double encoding = 1e30;
    double decoding = 1e30;
    for (int i = 0; i < repetitions; ++i) {
        encoding = std::min(encoding, timed([&] {
                                for (std::size_t l = 0; l < ticks.size(); ++l)
                                    coded[l] = encode(ticks[l]);
                            }));
        decoding = std::min(decoding, timed([&] {
                                for (std::size_t l = 0; l < ticks.size(); ++l)
                                    decode(coded[l], ticks[l]);
                            }));
    }
    std::size_t bytes = 0;
    for (const std::string& section : coded) bytes += section.size();
    const auto per_record = [records](double sum) { return sum / static_cast<double>(records); };
    std::printf("%s: %zu records, %zu bytes, %.3f bits, encode %.1f ns, decode %.1f ns a record\n",
                archive.c_str(), records, bytes, per_record(8.0 * static_cast<double>(bytes)),
                per_record(encoding), per_record(decoding));
}

}  // namespace

int main(int argc, char** argv) {
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
    if (argc < 2 || repetitions < 1) {
        std::fprintf(stderr, "usage: bench_ticks ARCHIVE [repetitions]\n");
        return 2;
    }
    try {
        measure(argv[1], repetitions);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_ticks: %s\n", error.what());
        return 1;
    }
    return 0;
}
