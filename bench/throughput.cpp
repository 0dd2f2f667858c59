// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// What the tools cost beside libotf2: bench_throughput ARCHIVE [repetitions [threads]] reads all
// events with callbacks that only count, folds the archive with and without timing and
// verification, and restores it, in turn, in one process with that many threads. Prints the median
// time of each, events per second, and the ratio to the bare pass.
#include "archives/compress.hpp"
#include "archives/restore.hpp"
#include "bare_pass.hpp"
#include "base/communicator.hpp"
#include "base/memory.hpp"
#include "otf2/archive_reader.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace tracefold;
namespace fs = std::filesystem;

struct Measurement {
    std::string name;
    std::function<void()> run;
    std::vector<double> seconds = {};

    [[nodiscard]] double median() {
        std::sort(seconds.begin(), seconds.end());
        return seconds[seconds.size() / 2];
    }
};

/// A folder for the outputs, removed at the end.
class WorkFolder {
  public:
    WorkFolder() {
        std::string pattern = (fs::temp_directory_path() / "tracefold-bench-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no work folder");
        path_ = pattern;
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    ~WorkFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string operator/(const char* name) const { return path_ / name; }

  private:
    fs::path path_;
};

u32 threads = 1;

void fold(const std::string& archive, const std::string& output, TimingLevel timing, bool verify) {
    CompressOptions options;
    options.archive = archive;
    options.output = output;
    options.producer = "bench";
    options.timing = timing;
    options.verify = verify;
    options.force = true;
    options.threads = threads;
    SerialCommunicator comm;
    compress(comm, options);
}

void unfold(const std::string& file, const std::string& directory) {
    fs::remove_all(directory);
    TraceFile trace(file);
    restore_archive(trace, directory, false, {});
}

void time_once(Measurement& measurement) {
    const auto start = std::chrono::steady_clock::now();
    measurement.run();
    const auto stop = std::chrono::steady_clock::now();
    measurement.seconds.push_back(std::chrono::duration<double>(stop - start).count());
}

void measure(const std::string& archive, int repetitions) {
    const WorkFolder work;
    const std::string exact = work / "exact.tfold";
    const std::string none = work / "none.tfold";
    ArchiveReader reader(archive);
    const std::vector<u64> locations = location_ids(reader);
    u64 events = 0;
    std::vector<Measurement> all{
        {"bare libotf2", [&] { events = bare_pass(reader.info().anchor_path, locations); }},
        {"none", [&] { fold(archive, none, TimingLevel::none, false); }},
        {"histogram",
         [&] { fold(archive, work / "histogram.tfold", TimingLevel::histogram, false); }},
        {"none, verified", [&] { fold(archive, none, TimingLevel::none, true); }},
        {"exact", [&] { fold(archive, exact, TimingLevel::exact, false); }},
        {"exact, verified", [&] { fold(archive, exact, TimingLevel::exact, true); }},
        {"back from exact", [&] { unfold(exact, work / "back"); }}};
    for (int i = 0; i < repetitions; ++i) {
        for (Measurement& measurement : all) time_once(measurement);
    }
    const double bare = all.front().median();
    std::printf("%s: %llu events on %zu locations, median of %d\n", archive.c_str(),
                static_cast<unsigned long long>(events), locations.size(), repetitions);
    for (Measurement& measurement : all) {
        const double seconds = measurement.median();
        std::printf("%-16s %9.3f s %8.2f M events/s %7.1f x bare\n", measurement.name.c_str(),
                    seconds, static_cast<double>(events) / seconds / 1e6, seconds / bare);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
    if (argc > 3) threads = static_cast<u32>(std::atoi(argv[3]));
    if (argc < 2 || repetitions < 1 || threads < 1) {
        std::fprintf(stderr, "usage: bench_throughput ARCHIVE [repetitions [threads]]\n");
        return 2;
    }
    keep_freed_memory();  // as the tools do
    try {
        measure(argv[1], repetitions);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_throughput: %s\n", error.what());
        return 1;
    }
    return 0;
}
