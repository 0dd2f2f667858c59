// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/structure/findings.hpp"

#include "base/json_writer.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
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
    json.key("periodic").begin_array();
    for (const std::optional<bool> periodic : stencil.periodic) {
        periodic ? json.value(*periodic) : json.null();
    }
    json.end_array().member("most_neighbours", stencil.most_neighbours);
    json.key("neighbours").begin_array();
    for (const Stencil::Offset& offset : stencil.offsets) {
        json.begin_array();
        for (std::size_t i = 0; i < stencil.dimensions(); ++i) json.value(offset[i]);
        json.end_array();
    }
    json.end_array().end_object();
}

void write_neighbourhood(std::string_view key, const Neighbourhood& found, JsonWriter& json) {
    json.key(key).begin_object();
    json.member("senders", found.senders).member("ranks", found.ranks).member("pairs", found.pairs);
    if (found.pairs != 0) write_extremes("partners", found.partners, json);
    if (found.stencil) write_stencil(*found.stencil, json);
    if (!found.doubling.empty()) {
        write_list("doubling", found.doubling, json);
        json.member("sizes_double", found.sizes_double);
    }
    write_list("bytes_by_moves", found.bytes_by_moves, json);
    json.end_object();
}

void write_places(const CallPlaces& places, u64 steps, JsonWriter& json) {
    json.key("places").begin_object();
    json.member("before", places.before()).member("within", places.within());
    json.member("after", places.after()).member("steps", places.steps().size());
    if (const u64 period = places.period(steps)) json.member("every", period);
    json.end_object();
}

void write_region(std::string_view key, const StepRegion& region, JsonWriter& json) {
    json.key(key)
        .begin_object()
        .member("name", region.name)
        .member("is_step", region.is_step)
        .end_object();
}

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

/// "periodic", "not periodic", "periodic in dimension 0", "periodic in dimension 2, unknown in 0
/// 1".
template <class Periodic>
std::string periodic_text(const std::vector<Periodic>& all) {
    const auto dimensions = [&all](std::optional<bool> periodic) {
        std::string text;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::optional<bool>(all[i]) == periodic) text += " " + std::to_string(i);
        }
        return text;
    };
    const std::string periodic = dimensions(true);
    const std::string bounded = dimensions(false);
    const std::string unknown = dimensions(std::nullopt);
    if (bounded.empty() && unknown.empty()) return "periodic";
    if (periodic.empty() && unknown.empty()) return "not periodic";
    if (periodic.empty() && bounded.empty()) return "periodic or not is unknown";
    const std::string text = periodic.empty() ? "not periodic in dimension" + bounded
                                              : "periodic in dimension" + periodic;
    return unknown.empty() ? text : text + ", unknown in" + unknown;
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
                       stencil.offsets.size() + 1, stencil.most_neighbours);
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

/// "every 10 steps", "1..3 a step", "in step 0 and 9", "in 7 of 20 steps".
std::string steps_text(const CallPlaces& places, u64 steps) {
    constexpr std::size_t kMostListed = 4;
    const std::vector<CallPlaces::InStep>& in = places.steps();
    const u64 calls = in.front().calls;
    const u64 period = places.period(steps);
    if (period == 1 && calls == 1) return "every step";
    if (period > 1) {
        const std::string every = fmt::format("every {} steps", period);
        return calls == 1 ? every : fmt::format("{} {}", calls, every);
    }
    if (in.size() == steps) {
        Extremes each;
        for (const CallPlaces::InStep& one : in) each.add(one.calls);
        return range_text(each) + " a step";
    }
    if (in.size() > kMostListed) return fmt::format("in {} of {} steps", in.size(), steps);
    std::string text = "in step ";
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (i > 0) text += i + 1 == in.size() ? " and " : ", ";
        text += std::to_string(in[i].step);
    }
    return text;
}

/// "MPI_Reduce 5 (4 before the steps, 1 in step 0)".
std::string phase_text(const CollectivePhase& phase, const std::optional<u64>& steps) {
    std::string text = printable(phase.name) + " " + range_text(phase.calls);
    if (!steps || !phase.places || phase.calls.most < 2) return text;
    const CallPlaces& places = *phase.places;
    std::string parts;
    const auto add = [&](u64 calls, const std::string& where, bool numbered = true) {
        if (calls == 0) return;
        if (!parts.empty()) parts += ", ";
        if (numbered && calls != places.calls()) parts += std::to_string(calls) + " ";
        parts += where;
    };
    add(places.before(), "before the steps");
    if (places.within() != 0) {
        add(places.within(), steps_text(places, *steps),
            places.steps().size() != *steps && places.period(*steps) == 0);
    }
    add(places.after(), "after the steps");
    return fmt::format("{} ({})", text, parts);
}

/// "with rank XOR 1, 2, 4 in turn: recursive doubling".
std::string doubling_text(const Neighbourhood& found) {
    std::string numbers;
    for (const u32 number : found.doubling) {
        numbers.append(numbers.empty() ? "" : ", ").append(std::to_string(number));
    }
    const std::string_view likely = found.sizes_double ? "" : found.stencil ? "maybe " : "as in ";
    return fmt::format("with rank XOR {} in turn, a hypercube: {}recursive {}", numbers, likely,
                       found.doubling.front() == 1 ? "doubling" : "halving");
}

/// One finding for people.
struct FindingLine {
    std::string subject;  ///< empty: continues the line before
    std::string text;
};

class FindingLines {
  public:
    FindingLines(const Findings& findings, const ParticipantNames& names)
        : findings_(findings), names_(names) {}

    std::vector<FindingLine> run() {
        loops();
        if (findings_.steps) {
            lines_.push_back({"steps", std::to_string(*findings_.steps) +
                                           " common to all ranks, inferred" + other_steps() +
                                           region_text(findings_.step_region)});
            if (!findings_.phases.empty()) {
                lines_.push_back(
                    {"phases",
                     fmt::format("{} steps one after the other; the steps above are one of these",
                                 phases_text(findings_.phases))});
            }
        } else if (findings_.no_steps.why != NoSteps::one_process) {
            lines_.push_back({"steps", fmt::format("none: {}", no_steps_text(findings_.no_steps))});
        }
        within_step();
        neighbours(findings_.neighbourhood, "partners");
        calls("collectives", findings_.collectives);
        if (const auto& found = findings_.one_sided) {
            calls("one-sided", found->calls);
            lines_.push_back({"", fmt::format("{} accesses, {}, in {} window{}", found->accesses,
                                              format_size(found->bytes), found->windows,
                                              found->windows == 1 ? "" : "s")});
            neighbours(found->targets, "targets");
        }
        grids();
        if (findings_.mpi_share)
            lines_.push_back({"time in MPI", format_percent(*findings_.mpi_share, 0)});
        return std::move(lines_);
    }

  private:
    void loops() {
        const std::size_t shown = std::min(kMostLoops, findings_.loops.size());
        for (std::size_t i = 0; i < shown; ++i) {
            const MainLoop& loop = findings_.loops[i];
            const std::string who =
                findings_.loops.size() > 1 ? names_.text(loop.participants) + ": " : "";
            lines_.push_back({"main loop", who + loop_text(loop)});
        }
        if (shown < findings_.loops.size()) {
            lines_.push_back({"", fmt::format("... and {} more", findings_.loops.size() - shown)});
        }
    }

    /// Two readings of messages that only every few groups of collectives have.
    [[nodiscard]] std::string other_steps() const {
        const u64 every = findings_.exchange_every;
        std::string text = every > 1 ? fmt::format("; messages every {} steps", every) : "";
        if (const u64 other = findings_.steps_otherwise; other > *findings_.steps) {
            text += fmt::format("; {} if each group of equal collectives ends one", other);
        } else if (other != 0) {
            text += fmt::format("; {} if each has {} equal groups of collectives", other, every);
        }
        return text;
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
        lines_.push_back({"iterations", fmt::format("{} in {}, inferred{}", number, where,
                                                    region_text(within.region))});
    }

    static std::string region_text(const std::optional<StepRegion>& region) {
        if (!region) return {};
        return (region->is_step ? "; one is a call of " : "; within ") + printable(region->name);
    }

    void neighbours(const Neighbourhood& found, const std::string& subject) {
        if (found.pairs == 0) return;
        if (found.stencil) {
            lines_.push_back({"stencil", stencil_text(*found.stencil)});
            lines_.push_back({"process grid", product(found.stencil->grid) + ", " +
                                                  periodic_text(found.stencil->periodic)});
            if (!found.bytes_by_moves.empty()) {
                lines_.push_back({subject == "partners" ? "messages" : "accesses",
                                  moves_text(found.bytes_by_moves)});
            }
        }
        const std::string whose =
            found.senders == found.ranks
                ? "rank"
                : fmt::format("sender, {} of {} ranks {}", found.senders, found.ranks,
                              subject == "partners" ? "send" : "access windows");
        if (!found.doubling.empty()) lines_.push_back({"exchange", doubling_text(found)});
        lines_.push_back({subject, fmt::format("{} per {}, {} pairs", range_text(found.partners),
                                               whose, found.pairs)});
    }

    void calls(const std::string& subject, const std::vector<CollectivePhase>& phases) {
        std::string text;
        const std::optional<u64> steps = findings_.steps;
        for (std::size_t i = 0; i < std::min(kMostPhases, phases.size()); ++i) {
            text.append(text.empty() ? "" : ", ").append(phase_text(phases[i], steps));
        }
        if (phases.size() > kMostPhases) text += ", ...";
        if (!text.empty()) lines_.push_back({subject, text});
    }

    void grids() {
        for (std::size_t i = 0; i < std::min(kMostGrids, findings_.grids.size()); ++i) {
            const CartGrid& grid = findings_.grids[i];
            lines_.push_back({"topology", product(grid.sizes) + ", " +
                                              periodic_text(grid.periodic) +
                                              (grid.name.empty() ? "" : ", " + grid.name)});
        }
    }

    const Findings& findings_;
    const ParticipantNames& names_;
    std::vector<FindingLine> lines_;
};

}  // namespace

void print_findings(const Findings& findings, const ParticipantNames& names, Console& console) {
    Table table({{""}, {"", kSentence}});
    for (const FindingLine& line : FindingLines(findings, names).run()) {
        table.add_row({line.subject, line.text});
    }
    console.text() << console.paint(Style::bold, "findings") << '\n';
    table.print(console, 2);
}

void write_findings(const Findings& findings, const ParticipantNames& names, JsonWriter& json) {
    json.begin_object();
    write_loops(findings.loops, names, json);
    if (findings.steps) {
        json.member("steps", *findings.steps);
        if (findings.steps_otherwise != 0) json.member("steps_otherwise", findings.steps_otherwise);
        if (findings.exchange_every > 1) json.member("messages_every", findings.exchange_every);
    } else {
        json.member("no_steps", no_steps_text(findings.no_steps));
    }
    const std::vector<u64>& phases = findings.steps ? findings.phases : findings.no_steps.phases;
    if (!phases.empty()) {
        json.key("phases").begin_array();
        for (const u64 steps : phases) json.value(steps);
        json.end_array();
    }
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
    write_neighbourhood("messages", findings.neighbourhood, json);
    const auto write_phase = [&](const CollectivePhase& phase) {
        json.member("name", phase.name).member("ranks", phase.ranks);
        write_extremes("calls", phase.calls, json);
        json.member("in_main_loop", phase.in_loop);
        if (phase.places && findings.steps) write_places(*phase.places, *findings.steps, json);
    };
    write_objects("collectives", findings.collectives, json, write_phase);
    if (const auto& found = findings.one_sided) {
        json.key("one_sided").begin_object().member("windows", found->windows);
        json.member("accesses", found->accesses).member("bytes", found->bytes);
        write_neighbourhood("targets", found->targets, json);
        write_objects("calls", found->calls, json, write_phase);
        json.end_object();
    }
    write_objects("topologies", findings.grids, json, [&](const CartGrid& grid) {
        json.member("name", grid.name);
        write_list("sizes", grid.sizes, json);
        write_list("periodic", grid.periodic, json);
    });
    if (findings.mpi_share) json.member("mpi_share_of_time", *findings.mpi_share);
    write_objects("lines", FindingLines(findings, names).run(), json, [&](const FindingLine& line) {
        json.member("subject", line.subject).member("text", line.text);
    });
    json.end_object();
}

}  // namespace tracefold
