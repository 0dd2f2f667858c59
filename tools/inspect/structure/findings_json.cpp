// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "core/json_writer.hpp"
#include "inspect/structure/findings.hpp"

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

}  // namespace tracefold
