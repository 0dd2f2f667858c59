// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/chakra_platform.hpp"

#include "exporters/text_file.hpp"

namespace tracefold::inline exporters {

namespace {

u64 write_text(const std::filesystem::path& path, std::string_view text) {
    TextFile out(path);
    out << text;
    out.commit();
    return out.size();
}

// One chunk, since four of an MPI_Allgather of less than four bytes are none.
constexpr std::string_view kSystem = R"({
    "scheduling-policy": "FIFO",
    "endpoint-delay": 1,
    "active-chunks-per-dimension": 1,
    "preferred-dataset-splits": 1,
    "all-reduce-implementation": ["ring"],
    "all-gather-implementation": ["ring"],
    "reduce-scatter-implementation": ["ring"],
    "all-to-all-implementation": ["direct"],
    "collective-optimization": "baseline",
    "local-mem-bw": 100,
    "boost-mode": 0,
    "roofline-enabled": 0,
    "peak-perf": 1
}
)";

constexpr std::string_view kMemory = "{\n    \"memory-type\": \"NO_MEMORY_EXPANSION\"\n}\n";

}  // namespace

u64 write_chakra_platform(const std::filesystem::path& folder, u32 ranks) {
    const std::string network =
        "# A switch that never blocks.\ntopology: [ Switch ]\nnpus_count: [ " +
        std::to_string(ranks) + " ]\nbandwidth: [ 12.5 ]  # GB/s\nlatency: [ 1000.0 ]  # ns\n";
    return write_text(folder / "network.yml", network) +
           write_text(folder / "system.json", kSystem) +
           write_text(folder / "memory.json", kMemory);
}

}  // namespace tracefold::inline exporters
