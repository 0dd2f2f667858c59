// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/structure/findings.hpp"

#include "base/json_writer.hpp"
#include "common/output_format.hpp"
#include "common/text.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace tracefold {

namespace {

void write_extremes(std::string_view key, const Extremes& numbers, JsonWriter& json) {
    json.key(key).begin_object();
    json.member("least", numbers.least).member("most", numbers.most).end_object();
}

void write_loops(const std::vector<MainLoop>& loops, const ParticipantNames& names,
                 JsonWriter& json) {
    write_objects("main_loops", loops, json, [&](const MainLoop& loop) {
        json.member("participants", names.text(loop.participants));
        write_objects("nest", loop.iterations, json, [&](const Extremes& iterations) {
            write_extremes("iterations", iterations, json);
        }).member("share_of_calls", loop.share);
    });
}

void write_stencil(const Stencil& stencil, JsonWriter& json) {
    json.key("stencil").begin_object().member("dimensions", stencil.dimensions());
    json.member("points", stencil.offsets.size() + 1);
    write_list("grid", stencil.grid, json);
    write_list("periodic", stencil.periodic, json).key("neighbours").begin_array();
    for (const Stencil::Offset& offset : stencil.offsets) {
        json.begin_array();
        for (std::size_t i = 0; i < stencil.dimensions(); ++i) json.value(offset[i]);
        json.end_array();
    }
    json.end_array().end_object();
}

void write_neighbourhood(const Neighbourhood& found, JsonWriter& json) {
    json.key("messages").begin_object();
    json.member("senders", found.senders).member("ranks", found.ranks).member("pairs", found.pairs);
    if (found.pairs != 0) write_extremes("partners", found.partners, json);
    if (found.stencil) write_stencil(*found.stencil, json);
    write_list("bytes_by_moves", found.bytes_by_moves, json);
    json.end_object();
}

void write_region(std::string_view key, const StepRegion& region, JsonWriter& json) {
    json.key(key)
        .begin_object()
        .member("name", region.name)
        .member("is_step", region.is_step)
        .end_object();
}

}  // namespace

void write_findings(const Findings& findings, const ParticipantNames& names, JsonWriter& json) {
    json.begin_object();
    write_loops(findings.loops, names, json);
    if (findings.steps) json.member("steps", *findings.steps);
    if (findings.step_region) write_region("step_region", *findings.step_region, json);
    if (findings.within_step) {
        const Findings::Within& within = *findings.within_step;
        json.key("iterations_in_step")
            .begin_object()
            .member("steps", within.steps)
            .member("least", within.fewest)
            .member("most", within.most);
        if (within.region) write_region("region", *within.region, json);
        json.end_object();
    }
    write_neighbourhood(findings.neighbourhood, json);
    write_objects("collectives", findings.collectives, json, [&](const CollectivePhase& phase) {
        json.member("name", phase.name).member("ranks", phase.ranks);
        write_extremes("calls", phase.calls, json);
        json.member("in_main_loop", phase.in_loop);
    });
    write_objects("topologies", findings.grids, json, [&](const CartGrid& grid) {
        json.member("name", grid.name);
        write_list("sizes", grid.sizes, json);
        write_list("periodic", grid.periodic, json);
    });
    if (findings.mpi_share) json.member("mpi_share_of_time", *findings.mpi_share);
    json.end_object();
}

namespace {

constexpr std::size_t kMostLoops = 4;
constexpr std::size_t kMostPhases = 6;
constexpr std::size_t kMostGrids = 3;

std::string range_text(const Extremes& numbers) {
    const std::string least = std::to_string(numbers.least);
    return numbers.agree() ? least : fmt::format("{}..{}", least, numbers.most);
}

template <class Number>
std::string product(const std::vector<Number>& sizes) {
    std::string text;
    for (const Number size : sizes) {
        text.append(text.empty() ? "" : " x ").append(std::to_string(size));
    }
    return text;
}

std::string periodic_text(const std::vector<bool>& periodic) {
    const auto count = std::count(periodic.begin(), periodic.end(), true);
    if (count == 0) return "not periodic";
    if (static_cast<std::size_t>(count) == periodic.size()) return "periodic";
    std::string text = "periodic in dimension";
    for (std::size_t i = 0; i < periodic.size(); ++i) {
        if (periodic[i]) text.append(" ").append(std::to_string(i));
    }
    return text;
}

std::string loop_text(const MainLoop& loop) {
    std::string text;
    for (const Extremes& iterations : loop.iterations) {
        text += text.empty() ? range_text(iterations) + " iterations"
                             : "; inner loop " + range_text(iterations) + " in total";
    }
    return text + "; " + format_percent(loop.share, 0) + " of the calls";
}

std::string stencil_text(const Stencil& stencil) {
    return fmt::format("{}-D, {} points: up to {} neighbours", stencil.dimensions(),
                       stencil.offsets.size() + 1, stencil.offsets.size());
}

std::string moves_text(const std::vector<u64>& bytes) {
    static constexpr std::string_view kPlaces[] = {"faces", "edges", "corners"};
    if (bytes.size() == 1) return format_size(bytes.front());
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        text.append(text.empty() ? "" : ", ").append(format_size(bytes[i])).append(" over ");
        text += i < std::size(kPlaces) ? std::string(kPlaces[i])
                                       : std::to_string(i + 1) + " dimensions";
    }
    return text;
}

/// "5 times, every 10 steps".
std::string phase_text(const CollectivePhase& phase, const std::optional<u64>& steps) {
    std::string text = printable(phase.name) + " " + range_text(phase.calls);
    const u64 calls = phase.calls.most;
    if (!steps || calls < 2 || !phase.calls.agree()) return text;
    if (calls == *steps) return text + " (every step)";
    if (calls % *steps == 0) return fmt::format("{} ({} a step)", text, calls / *steps);
    if (*steps % calls == 0) return fmt::format("{} (every {} steps)", text, *steps / calls);
    return text;
}

class FindingsPrinter {
  public:
    FindingsPrinter(const Findings& findings, const ParticipantNames& names)
        : findings_(findings), names_(names), table_({{""}, {""}}) {}

    void run(Console& console) {
        loops();
        if (findings_.steps) {
            table_.add_row({"steps", std::to_string(*findings_.steps) +
                                         " common to all ranks, inferred" +
                                         region_text(findings_.step_region)});
        }
        within_step();
        neighbours();
        collectives();
        grids();
        if (findings_.mpi_share)
            table_.add_row({"time in MPI", format_percent(*findings_.mpi_share, 0)});
        console.out() << console.paint(Style::bold, "findings") << '\n';
        table_.print(console.out(), 2);
    }

  private:
    void loops() {
        const std::size_t shown = std::min(kMostLoops, findings_.loops.size());
        for (std::size_t i = 0; i < shown; ++i) {
            const MainLoop& loop = findings_.loops[i];
            const std::string who =
                findings_.loops.size() > 1 ? names_.text(loop.participants) + ": " : "";
            table_.add_row({"main loop", who + loop_text(loop)});
        }
        if (shown < findings_.loops.size()) {
            table_.add_row({"", fmt::format("... and {} more", findings_.loops.size() - shown)});
        }
    }

    void within_step() {
        if (!findings_.within_step) return;
        const Findings::Within& within = *findings_.within_step;
        const std::string number = within.fewest == within.most
                                       ? fmt::format("{}", within.most)
                                       : fmt::format("{}..{}", within.fewest, within.most);
        const std::string where = within.steps == findings_.steps
                                      ? "each step"
                                      : fmt::format("each of {} steps", within.steps);
        table_.add_row({"iterations", fmt::format("{} in {}, inferred{}", number, where,
                                                  region_text(within.region))});
    }

    static std::string region_text(const std::optional<StepRegion>& region) {
        if (!region) return {};
        return (region->is_step ? "; one is a call of " : "; within ") + printable(region->name);
    }

    void neighbours() {
        const Neighbourhood& found = findings_.neighbourhood;
        if (found.pairs == 0) return;
        if (found.stencil) {
            table_.add_row({"stencil", stencil_text(*found.stencil)});
            table_.add_row({"process grid", product(found.stencil->grid) + ", " +
                                                periodic_text(found.stencil->periodic)});
            if (!found.bytes_by_moves.empty()) {
                table_.add_row({"messages", moves_text(found.bytes_by_moves)});
            }
        }
        table_.add_row({"partners", fmt::format("{} per sender; {} of {} ranks send, {} pairs",
                                                range_text(found.partners), found.senders,
                                                found.ranks, found.pairs)});
    }

    void collectives() {
        std::string text;
        const std::vector<CollectivePhase>& phases = findings_.collectives;
        const std::optional<u64> steps = findings_.steps;
        for (std::size_t i = 0; i < std::min(kMostPhases, phases.size()); ++i) {
            text.append(text.empty() ? "" : ", ").append(phase_text(phases[i], steps));
        }
        if (phases.size() > kMostPhases) text += ", ...";
        if (!text.empty()) table_.add_row({"collectives", text});
    }

    void grids() {
        for (std::size_t i = 0; i < std::min(kMostGrids, findings_.grids.size()); ++i) {
            const CartGrid& grid = findings_.grids[i];
            table_.add_row({"topology", product(grid.sizes) + ", " + periodic_text(grid.periodic) +
                                            (grid.name.empty() ? "" : ", " + grid.name)});
        }
    }

    const Findings& findings_;
    const ParticipantNames& names_;
    Table table_;
};

}  // namespace

void print_findings(const Findings& findings, const ParticipantNames& names, Console& console) {
    FindingsPrinter(findings, names).run(console);
}

}  // namespace tracefold
