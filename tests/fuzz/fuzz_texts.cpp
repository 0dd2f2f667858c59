// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// What users write, or get from others: values of options, and files of JSON and text. The first
// byte says which.
#include "base/file.hpp"
#include "common/part_options.hpp"
#include "common/text.hpp"
#include "forecast/network.hpp"
#include "forecast/placement.hpp"
#include "fuzz/target.hpp"
#include "model/mpi_spelling.hpp"
#include "replay/compare/comparison.hpp"
#include "support/test_directory.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace tracefold;

constexpr u32 kRanks = 100;

/// Splits at the first line end.
std::pair<std::string_view, std::string_view> split(std::string_view bytes) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    return {bytes.substr(0, end), bytes.substr(std::min(end + 1, bytes.size()))};
}

/// The plain definition of a shell pattern; cost: product of the lengths.
bool matches_plainly(std::string_view pattern, std::string_view name) {
    std::vector<char> begins(name.size() + 1, 0);  // does the pattern so far match so many bytes?
    begins[0] = 1;
    for (const char c : pattern) {
        std::vector<char> next(begins.size(), 0);
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (c == '*') {
                next[i] = begins[i] != 0 || (i > 0 && next[i - 1] != 0) ? 1 : 0;
            } else if (i > 0 && begins[i - 1] != 0 && (c == '?' || c == name[i - 1])) {
                next[i] = 1;
            }
        }
        begins = std::move(next);
    }
    return begins.back() != 0;
}

void match(std::string_view bytes) {
    const auto [pattern, name] = split(bytes);
    NameFilter filter;
    filter.add(std::string(pattern));
    const bool found = filter.matches(name);
    const bool is_expression = pattern.size() > 1 && pattern.front() == '/';
    if (is_expression || pattern.empty()) return;
    // Functions of MPI also match by their standard names.
    if (!found) require(!matches_plainly(pattern, name), "a name that matches is left out");
    if (found && mpi_function_name(name).empty())
        require(matches_plainly(pattern, name), "a name is taken that does not match");
}

void match_several(std::string_view bytes) {
    const auto [patterns, name] = split(bytes);
    NameFilter filter;
    filter.add_list(patterns);
    filter.matches(name);
}

void select(std::string_view bytes) {
    const RankList ranks = RankList::parse(bytes);
    const std::vector<u64> selected = ranks.select(kRanks);
    require(std::ranges::is_sorted(selected), "ranks are not sorted");
    for (u64 rank = 0; rank < kRanks; ++rank) {
        const bool listed = std::ranges::binary_search(selected, rank);
        require(listed == (ranks.selects_all() || ranks.contains(rank)),
                "a list and its ranks disagree");
    }
}

void window(std::string_view bytes) {
    const TimeWindow window = TimeWindow::parse(std::string(bytes)).of_run(10.0);
    require(window.from < window.to, "a window is empty");
}

void order(std::string_view bytes) {
    const std::vector<u32> ranks = parse_rank_order(bytes, kRanks, "the input");
    require(parse_rank_order(rank_order_text(ranks), kRanks, "again") == ranks,
            "another order comes back");
}

void report(std::string_view bytes) {
    static const TestDirectory folder;
    const std::string path = folder / "report.json";
    put_file(path, std::string(bytes));
    read_machine_report(path);
}

void take(std::string_view bytes) {
    switch (take_byte(bytes) % 8) {
        case 0:
            return match(bytes);
        case 1:
            return match_several(bytes);
        case 2:
            return select(bytes);
        case 3:
            return window(bytes);
        case 4:
            return order(bytes);
        case 5:
            require(!std::isnan(parse_seconds(bytes)), "a time is no number");
            return;
        case 6:
            parse_network(bytes, "the input");
            return;
        default:
            return report(bytes);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return expect_survival(data, size, take, {ErrorKind::usage});
}
