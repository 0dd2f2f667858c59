// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/cubex_system.hpp"

#include "profile/cubex_xml.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using ItemKind = SystemTree::Kind;

/// Cube's words for OTF2's.
std::string_view group_type(std::string_view type) {
    return type == "accelerator" ? "accelerator" : "process";
}
std::string_view location_type(std::string_view type) {
    if (type == "accelerator_stream") return "accelerator stream";
    return type == "metric" ? "metric" : "thread";
}

class SystemText {
  public:
    SystemText(const SystemTree& system, const std::vector<bool>& selected)
        : system_(system), numbers_(system.items().size(), kNone) {
        u32 number = 0;
        u32 location = 0;
        number_groups();
        // Items of locations are in the order of the locations.
        for (u32 item = 0; item < system_.items().size(); ++item) {
            const SystemTree::Item& it = system_.items()[item];
            if (it.kind != ItemKind::location) continue;
            if (selected[location++]) numbers_[item] = number++;
        }
    }

    std::string text() {
        text_ = "<system>\n";
        const bool inside = std::ranges::all_of(system_.roots(), [this](u32 root) {
            return system_.items()[root].kind == ItemKind::node;
        });
        // Cube has processes on machines only.
        if (!inside) begin_node("machine", "machine");
        add_all(system_.roots());
        text_ += inside ? "" : "</systemtreenode>\n";
        return text_ + "<topologies></topologies>\n</system>\n";
    }

  private:
    /// Cube's grammar has the processes of a node before the nodes in it.
    void add_all(std::span<const u32> items) {
        for (const bool nodes : {false, true}) {
            u32 number = 0;
            for (const u32 item : items) {
                if ((system_.items()[item].kind == ItemKind::node) == nodes) add(item, number++);
            }
        }
    }

    // Depth: at most that of a system tree, which is bounded.
    void add(u32 item, u32 thread) {
        if (!is_shown(item)) return;
        const SystemTree::Item& it = system_.items()[item];
        switch (it.kind) {
            case ItemKind::node:
                begin_node(it.type + " " + it.name, it.type);
                add_all(system_.children(item));
                text_ += "</systemtreenode>\n";
                break;
            case ItemKind::location_group:
                begin("locationgroup", groups_++, it.name, ranks_[item], group_type(it.type));
                add_all(system_.children(item));
                text_ += "</locationgroup>\n";
                break;
            case ItemKind::location:
                begin("location", numbers_[item], it.name, thread, location_type(it.type));
                text_ += "</location>\n";
                break;
        }
    }

    [[nodiscard]] bool is_shown(u32 item) const {
        return numbers_[item] != kNone ||
               std::ranges::any_of(system_.children(item),
                                   [this](u32 child) { return is_shown(child); });
    }

    void begin_node(const std::string& name, const std::string& type) {
        text_ += "<systemtreenode Id=" + xml_id(nodes_++) + ">" + xml_element("name", name) +
                 xml_element("class", type) + "\n";
    }

    void begin(const std::string& tag, u32 id, const std::string& name, u32 rank,
               std::string_view type) {
        text_ += "<" + tag + " Id=" + xml_id(id) + ">" + xml_element("name", name) +
                 xml_element("rank", std::to_string(rank)) + xml_element("type", type) + "\n";
    }

    /// Score-P numbers processes and accelerators in one row as it defines them, processes by their
    /// ranks and before their accelerators. Elsewhere processes have their ranks, and what is no
    /// rank of MPI numbers behind them.
    void number_groups() {
        std::vector<u32> ranks;
        for (const SystemTree::Item& it : system_.items()) {
            if (it.kind == ItemKind::location_group) ranks.push_back(it.rank);
        }
        const bool is_mpi = !ranks.empty() && ranks.front() != kNone;
        std::erase(ranks, kNone);
        const bool in_order = is_mpi && std::ranges::is_sorted(ranks);
        u32 next = in_order || ranks.empty() ? 0 : std::ranges::max(ranks) + 1;
        for (const SystemTree::Item& it : system_.items()) {
            const bool is_group = it.kind == ItemKind::location_group;
            const bool by_order = in_order || it.rank == kNone;
            ranks_.push_back(!is_group ? kNone : by_order ? next++ : it.rank);
        }
    }

    const SystemTree& system_;
    std::vector<u32> numbers_;  ///< by item: of a selected location
    std::vector<u32> ranks_;    ///< by item: of a location group
    u32 nodes_ = 0;
    u32 groups_ = 0;
    std::string text_;
};

}  // namespace

std::string cubex_system(const SystemTree& system, const std::vector<bool>& selected) {
    return SystemText(system, selected).text();
}

}  // namespace tracefold
