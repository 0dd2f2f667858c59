// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/losses.hpp"

#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"

#include <algorithm>

namespace tracefold {

void print_losses(const std::vector<FileLoss>& losses, bool all, Console& console) {
    constexpr std::size_t kTop = 10;
    constexpr std::size_t kIndent = 2;
    if (losses.empty()) return;
    console.text() << console.paint(Style::bold, "damaged when it was rescued") << '\n';
    const std::size_t shown = all ? losses.size() : std::min(losses.size(), kTop);
    Table table({{""}, {"", kSentence}});
    for (std::size_t i = 0; i < shown; ++i) {
        table.add_row({lost_file_name(losses[i]), loss_text(losses[i])});
    }
    table.print(console, kIndent);
    if (shown == losses.size()) return;
    const std::string more =
        std::to_string(losses.size() - shown) + " more; trace_inspect info --all lists them";
    console.text() << "  " << console.paint(Style::dim, more) << '\n';
}

void write_losses(const std::vector<FileLoss>& losses, JsonWriter& json) {
    if (losses.empty()) return;
    write_objects("damaged_files", losses, json, [&](const FileLoss& loss) {
        json.member("file", file_kind_name(loss.file)).member("damage", damage_name(loss.damage));
        if (is_of_location(loss)) json.member("location", loss.location);
        json.member("records", loss.records)
            .member("expected_records", loss.expected)
            .member("lost_bytes", loss.bytes)
            .member("text", loss_text(loss));
    });
}

void print_nesting(const NestingCounts& counts, Console& console) {
    const auto print = [&](u64 number, std::string_view what) {
        if (number == 0) return;
        console.text() << "  " << format_count(number) << " of " << format_count(counts.leaves)
                       << ' ' << (counts.leaves == 1 ? "leave " : "leaves ") << what << '\n';
    };
    print(counts.other, counts.other == 1 ? "names another region" : "name another region");
    print(counts.outside, counts.outside == 1 ? "ends no open region" : "end no open region");
    if (counts.calls == 0) return;
    const bool one = counts.calls == 1;
    console.text() << "  " << format_count(counts.calls) << " MPI call"
                   << (one ? " begins" : "s begin")
                   << " while another task is within an MPI call, and count" << (one ? "s" : "")
                   << " as part of it in checks, replays and exports\n";
}

void write_nesting(const NestingCounts& counts, JsonWriter& json) {
    if (counts.empty()) return;
    json.key("nesting")
        .begin_object()
        .member("leaves", counts.leaves)
        .member("of_another_region", counts.other)
        .member("of_no_region", counts.outside)
        .member("calls_in_other_tasks", counts.calls)
        .end_object();
}

void print_sample_origins(const SampleOrigins& samples, Console& console) {
    for (const SampleOrigins::Generator& it : samples.generators) {
        const std::string name = it.name.empty() ? "an undefined interrupt generator" : it.name;
        console.text() << "  " << format_count(it.samples) << " samples by " << printable(name)
                       << '\n';
    }
    if (samples.without_context == 0) return;
    console.text() << "  " << format_count(samples.without_context)
                   << (samples.without_context == 1
                           ? " sample has no calling context, and is in no row\n"
                           : " samples have no calling context, and are in no row\n");
}

void write_sample_origins(const SampleOrigins& samples, JsonWriter& json) {
    if (samples.generators.empty()) return;
    write_objects("interrupt_generators", samples.generators, json,
                  [&](const SampleOrigins::Generator& it) {
                      json.member("name", it.name).member("samples", it.samples);
                  });
    json.member("samples_without_context", samples.without_context);
}

}  // namespace tracefold
