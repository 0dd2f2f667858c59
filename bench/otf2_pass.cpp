// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// How much the raw reader costs on top of libotf2: bench_otf2_pass ARCHIVE [repetitions] reads all
// events with callbacks that only count, and with ArchiveReader and an empty sink, in turn, and
// prints the records per second of the fastest pass of each.
#include "bare_pass.hpp"
#include "otf2/archive_reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace tracefold;

u64 reader_pass(ArchiveReader& reader, const std::vector<u64>& locations) {
    u64 records = 0;
    for (const u64 location : locations) {
        records += reader.read_events(location, [](const RecordBatch&) {});
    }
    return records;
}

/// Seconds of one call, and what it counted.
double timed(const std::function<u64()>& pass, u64& counted) {
    const auto start = std::chrono::steady_clock::now();
    counted = pass();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void compare(const std::string& path, int repetitions) {
    ArchiveReader reader(path);
    const std::vector<u64> locations = location_ids(reader);
    double bare = 1e30;
    double ours = 1e30;
    u64 bare_count = 0;
    u64 our_count = 0;
    for (int i = 0; i < repetitions; ++i) {
        bare = std::min(bare, timed([&] { return bare_pass(reader.info().anchor_path, locations); },
                                    bare_count));
        ours = std::min(ours, timed([&] { return reader_pass(reader, locations); }, our_count));
    }
    std::printf("%s: %llu records on %zu locations\n", path.c_str(),
                static_cast<unsigned long long>(our_count), locations.size());
    std::printf("bare libotf2   %8.2f M records/s\n", static_cast<double>(bare_count) / bare / 1e6);
    std::printf("ArchiveReader  %8.2f M records/s\n", static_cast<double>(our_count) / ours / 1e6);
    std::printf("time ratio     %8.2f\n", ours / bare);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_otf2_pass ARCHIVE [repetitions]\n");
        return 2;
    }
    try {
        compare(argv[1], argc > 2 ? std::atoi(argv[2]) : 7);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_otf2_pass: %s\n", error.what());
        return 1;
    }
    return 0;
}
