// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/stream_states.hpp"

#include "model/record_kinds.hpp"

namespace tracefold::inline profile {

namespace {

AcceleratorUse running(AcceleratorUse use) {
    const bool runs = use == AcceleratorUse::kernel || use == AcceleratorUse::copy;
    return runs ? use : AcceleratorUse::none;
}

}  // namespace

StreamStates::StreamStates(TraceFile& file, u32 location)
    : stream_(file, location), clock_(file, location), definitions_(file.definitions()) {}

bool StreamStates::next() {
    while (record_ == stream_.records().size()) {
        record_ = 0;
        over_ = !stream_.next();
        if (over_) return false;
    }
    take();
    ++record_;
    return true;
}

void StreamStates::take() {
    const RecordBatch::Head& head = stream_.records()[record_];
    time_ = clock_.common(head.time);
    if (is_enter(head.type)) {
        const CallReader::Region region = stream_.region(record_);
        const AcceleratorUse around = open_.empty() ? AcceleratorUse::none : open_.back().use;
        const AcceleratorUse use = around != AcceleratorUse::none
                                       ? around
                                       : running(definitions_.accelerator_use(region.id, true));
        open_.enter({region.id, use}, region.is_mpi);
    } else if (is_leave(head.type)) {
        open_.leave(stream_.region(record_).id);
    } else if (begins_copy(head.type)) {
        ++copies_;
    } else if (ends_copy(head.type) && copies_ > 0) {
        --copies_;
    }
}

AcceleratorUse StreamStates::now() const {
    if (over_) return AcceleratorUse::none;
    const AcceleratorUse region = open_.empty() ? AcceleratorUse::none : open_.back().use;
    if (region != AcceleratorUse::none) return region;
    return copies_ > 0 ? AcceleratorUse::copy : AcceleratorUse::none;
}

}  // namespace tracefold::inline profile
