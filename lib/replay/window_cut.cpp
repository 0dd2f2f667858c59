// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/window_cut.hpp"

#include <algorithm>

namespace tracefold {

namespace {}  // namespace

WindowCut::Side WindowCut::side(CallPlace place) const {
    const LocationWindow& window = windows_[place.walker];
    if (place.index < window.from) return Side::before;
    return place.index < window.to ? Side::inside : Side::after;
}

void WindowCut::matched(CallPlace sender, CallPlace receiver) {
    const bool sends = side(sender) == Side::inside;
    const Side receives = side(receiver);
    if (sends && receives == Side::after) leave_out(sender);
    if (sends && receives == Side::before) early_.emplace(receiver, sender);
    if (!sends && receives == Side::inside) leave_out(receiver);
}

void WindowCut::probed(CallPlace sender, CallPlace probe) {
    if (side(probe) != Side::inside) return;
    if (side(sender) == Side::inside) {
        probed_.emplace_back(sender, probe);
    } else {
        leave_out(probe);
    }
}

/// Those whose messages are not sent after all.
void WindowCut::cut_probes() {
    std::ranges::sort(left_out_, ByPlace());
    Places cut;
    for (const auto& [sender, probe] : probed_) {
        if (std::ranges::binary_search(left_out_, sender, ByPlace())) cut.push_back(probe);
    }
    left_out_.insert(left_out_.end(), cut.begin(), cut.end());
}

void WindowCut::completed(CallPlace receiver, CallPlace completion) {
    if (early_.empty() || side(completion) != Side::before) return;
    const auto found = early_.find(receiver);
    if (found == early_.end()) return;
    leave_out(found->second);
    early_.erase(found);
}

void WindowCut::unreceived(CallPlace sender) {
    if (side(sender) == Side::inside) leave_out(sender);
}

void WindowCut::leave_out_inside(const Places& places) {
    for (const CallPlace place : places) {
        if (side(place) == Side::inside) leave_out(place);
    }
}

bool WindowCut::is_cut(const Places& places) const {
    return std::ranges::any_of(
        places, [this, &places](CallPlace place) { return side(place) != side(places.front()); });
}

void WindowCut::matched_collective(const CollectiveInstances::Context& context,
                                   const CollectiveInstances::Instance& instance) {
    const bool of_window = (context.key & kWindowContext) != 0;
    Places places;
    for (const CollectiveInstances::Arrival& arrival : instance.present)
        places.push_back(arrival.place);
    const CollectiveKind kind = instance.part.kind;
    const bool cut = is_cut(places);
    const bool begun = std::ranges::any_of(
        places, [this](CallPlace place) { return side(place) == Side::before; });
    const bool fence = of_window && !destroys_handle(kind) && (begun || !cut);
    if (creates_handle(kind) || fence) {
        make(std::move(places));
    } else if (destroys_handle(kind)) {
        free(places);
    } else if (cut) {
        leave_out_inside(places);
    }
}

/// Nothing has to be done in advance that is before or behind the part everywhere.
void WindowCut::make(Places places) {
    if (is_cut(places) || side(places.front()) == Side::inside) {
        making_.push_back(std::move(places));
    }
}

/// What one member still needs is freed at the end.
void WindowCut::free(const Places& places) {
    if (!is_cut(places)) return;
    for (const CallPlace place : places) leave_out(place);
}

void WindowCut::ended(u32 walker, const MpiCall& call) {
    if (call.family == CallFamily::file) files_.add(walker, call);
}

void WindowCut::cut_file_call(FileCallsInCommon::Role role, Places places) {
    switch (role) {
        case FileCallsInCommon::Role::opens:
            return make(std::move(places));
        case FileCallsInCommon::Role::closes:
            return free(places);
        case FileCallsInCommon::Role::other:
            if (!is_cut(places)) return;
            break;
        case FileCallsInCommon::Role::alone:
            break;
    }
    leave_out_inside(places);
}

void WindowCut::created(u64 comm, CallPlace place) { created_[comm].push_back(place); }

/// Up to which call of each location everything is made in advance.
std::vector<u64> WindowCut::prepared() const {
    std::vector<u64> limits;
    for (const LocationWindow& window : windows_) limits.push_back(window.from);
    std::vector<const Places*> all;
    for (const Places& places : making_) all.push_back(&places);
    for (const auto& [comm, places] : created_) all.push_back(&places);
    bool changed = true;
    while (changed) {
        changed = false;
        for (const Places* places : all) {
            const bool needed =
                is_cut(*places) || std::ranges::any_of(*places, [&limits](CallPlace place) {
                    return place.index < limits[place.walker];
                });
            if (!needed) continue;
            for (const CallPlace place : *places) {
                if (place.index < limits[place.walker]) continue;
                limits[place.walker] = place.index + 1;
                changed = true;
            }
        }
    }
    return limits;
}

void WindowCut::finish(std::vector<ReplayPatch>& patches) {
    files_.finish();
    cut_probes();
    const std::vector<u64> limits = prepared();
    for (std::size_t walker = 0; walker < windows_.size(); ++walker) {
        patches[walker].window = windows_[walker];
        patches[walker].window.is_part = true;
        patches[walker].prepared = limits[walker];
    }
    for (const CallPlace place : left_out_) {
        patches[place.walker].left_out.push_back({place.index, place.action});
    }
    for (const auto& [receiver, sender] : early_) {
        patches[receiver.walker].early.push_back({receiver.index, receiver.action});
    }
}

}  // namespace tracefold
