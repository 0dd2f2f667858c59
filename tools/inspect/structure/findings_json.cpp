// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/json_writer.hpp"
#include "inspect/structure/findings.hpp"

namespace tracefold {

namespace {

template <class Numbers>
void write_list(std::string_view key, const Numbers& numbers, JsonWriter& json) {
    json.key(key).begin_array();
    for (const auto number : numbers) json.value(number);
    json.end_array();
}

void write_extremes(std::string_view key, const Extremes& numbers, JsonWriter& json) {
    json.key(key).begin_object();
    json.member("least", numbers.least).member("most", numbers.most).end_object();
}

void write_loop(const MainLoop& loop, const ParticipantNames& names, JsonWriter& json) {
    json.begin_object().member("participants", names.text(loop.participants));
    json.key("nest").begin_array();
    for (const Extremes& iterations : loop.iterations) {
        json.begin_object();
        write_extremes("iterations", iterations, json);
        json.end_object();
    }
    json.end_array().member("share_of_calls", loop.share);
    json.end_object();
}

void write_stencil(const Stencil& stencil, JsonWriter& json) {
    json.key("stencil").begin_object().member("dimensions", stencil.dimensions());
    json.member("points", stencil.offsets.size() + 1);
    write_list("grid", stencil.grid, json);
    json.key("periodic").begin_array();
    for (const bool periodic : stencil.periodic) json.value(periodic);
    json.end_array().key("neighbours").begin_array();
    for (const Stencil::Offset& offset : stencil.offsets) {
        json.begin_array();
        for (std::size_t i = 0; i < stencil.dimensions(); ++i) json.value(offset[i]);
        json.end_array();
    }
    json.end_array().end_object();
}

void write_neighbourhood(const Neighbourhood& found, JsonWriter& json) {
    json.key("messages").begin_object();
    json.member("senders", found.senders).member("pairs", found.pairs);
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
    json.begin_object().key("main_loops").begin_array();
    for (const MainLoop& loop : findings.loops) write_loop(loop, names, json);
    json.end_array();
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
    json.key("collectives").begin_array();
    for (const CollectivePhase& phase : findings.collectives) {
        json.begin_object().member("name", phase.name).member("ranks", phase.ranks);
        write_extremes("calls", phase.calls, json);
        json.member("in_main_loop", phase.in_loop).end_object();
    }
    json.end_array().key("topologies").begin_array();
    for (const CartGrid& grid : findings.grids) {
        json.begin_object().member("name", grid.name);
        write_list("sizes", grid.sizes, json);
        json.key("periodic").begin_array();
        for (const bool periodic : grid.periodic) json.value(periodic);
        json.end_array().end_object();
    }
    json.end_array();
    if (findings.mpi_share) json.member("mpi_share_of_time", *findings.mpi_share);
    json.end_object();
}

}  // namespace tracefold
