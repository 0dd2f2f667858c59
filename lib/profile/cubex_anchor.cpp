// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/cubex_anchor.hpp"

#include "analysis/system_tree.hpp"
#include "profile/trace_profile.hpp"

#include <map>

namespace tracefold {

namespace {

/// Text between tags.
std::string xml(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += static_cast<u8>(c) < 0x20 ? '?' : c;
        }
    }
    return safe;
}

std::string element(std::string_view tag, std::string_view text) {
    const std::string name(tag);
    return "<" + name + ">" + xml(text) + "</" + name + ">";
}

std::string id(u64 number) { return "\"" + std::to_string(number) + "\""; }

class AnchorText {
  public:
    AnchorText(TraceFile& file, const CallTree& tree, const std::vector<bool>& selected)
        : definitions_(file.definitions()),
          tree_(tree),
          system_(definitions_, *file.global_definitions()) {
        u32 number = 0;
        u32 location = 0;
        // Items of locations are in the order of the locations.
        numbers_.assign(system_.items().size(), kNone);
        for (u32 item = 0; item < system_.items().size(); ++item) {
            if (system_.items()[item].kind != SystemTree::Kind::location) continue;
            if (selected[location++]) numbers_[item] = number++;
        }
    }

    std::string text(const std::vector<CubexMetric>& metrics) {
        text_ =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n"
            "<attr key=\"Cube anchor.xml syntax version\" value=\"4.4\"/>\n"
            "<attr key=\"Creator\" value=\"tracefold\"/>\n<doc><mirrors></mirrors></doc>\n";
        add_metrics(metrics);
        add_program();
        add_system();
        return text_ + "</cube>\n";
    }

  private:
    void add_metrics(const std::vector<CubexMetric>& metrics) {
        text_ += "<metrics>\n";
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            const std::string& formula = metrics[i].formula;
            const std::string_view kind = formula.empty() ? "EXCLUSIVE" : "POSTDERIVED";
            text_ += "<metric id=" + id(i) + " type=\"" + std::string(kind) + "\">" +
                     element("disp_name", metrics[i].title) +
                     element("uniq_name", metrics[i].name) + element("dtype", metrics[i].type) +
                     element("uom", metrics[i].unit) + "<url></url><descr></descr>" +
                     (formula.empty() ? "" : element("cubepl", formula)) + "</metric>\n";
        }
        text_ += "</metrics>\n";
    }

    void add_program() {
        text_ += "<program>\n";
        std::vector<u64> callee(tree_.size());
        std::map<std::pair<u64, u64>, u64> regions;
        for (u32 node = 0; node < tree_.size(); ++node) {
            const CallTree::Node& it = tree_[node];
            const auto [found, fresh] =
                regions.try_emplace({static_cast<u64>(it.kind), it.ref}, regions.size());
            callee[node] = found->second;
            if (fresh) add_region(found->second, it);
        }
        const std::vector<u32> depths = tree_.depths();
        u32 open = 0;
        for (u32 node = 0; node < tree_.size(); ++node) {
            for (; open > depths[node]; --open) text_ += "</cnode>\n";
            text_ += "<cnode id=" + id(node) + " calleeId=" + id(callee[node]) + ">\n";
            ++open;
        }
        for (; open > 0; --open) text_ += "</cnode>\n";
        text_ += "</program>\n";
    }

    void add_region(u64 number, const CallTree::Node& node) {
        const std::string name = call_name(definitions_, node);
        const bool mpi =
            node.kind == CallTree::Kind::region && definitions_.is_mpi_region(node.ref);
        const std::string_view paradigm = paradigm_of(node, mpi);
        text_ += "<region id=" + id(number) + " mod=\"\" begin=\"-1\" end=\"-1\">" +
                 element("name", name) + element("mangled_name", name) +
                 element("paradigm", paradigm) + element("role", "function") +
                 "<url></url><descr></descr></region>\n";
    }

    [[nodiscard]] std::string_view paradigm_of(const CallTree::Node& node, bool mpi) const {
        if (mpi) return "mpi";
        if (node.kind == CallTree::Kind::copy) return "accelerator";
        if (node.kind != CallTree::Kind::region) return "measurement";
        const bool none = definitions_.accelerator_use(node.ref, false) == AcceleratorUse::none;
        return none ? "user" : "accelerator";
    }

    void add_system() {
        text_ += "<system>\n";
        bool inside = true;
        for (const u32 root : system_.roots()) {
            inside = inside && system_.items()[root].kind == SystemTree::Kind::node;
        }
        // Cube has processes on machines only.
        if (!inside) {
            text_ += "<systemtreenode Id=" + id(system_nodes_++) +
                     "><name>machine</name><class>machine</class>\n";
        }
        for (const u32 root : system_.roots()) add_item(root, kNone);
        text_ += inside ? "" : "</systemtreenode>\n";
        text_ += "<topologies></topologies>\n</system>\n";
    }

    [[nodiscard]] bool is_shown(u32 item) const {
        if (numbers_[item] != kNone) return true;
        for (const u32 child : system_.children(item)) {
            if (is_shown(child)) return true;
        }
        return false;
    }

    // Depth: at most that of a system tree, which is bounded.
    void add_item(u32 item, u32 thread) {
        if (!is_shown(item)) return;
        const SystemTree::Item& it = system_.items()[item];
        std::string tag = "location";
        switch (it.kind) {
            case SystemTree::Kind::node:
                tag = "systemtreenode";
                text_ += "<systemtreenode Id=" + id(system_nodes_++) + ">" +
                         element("name", it.name) + element("class", it.type) + "\n";
                break;
            case SystemTree::Kind::location_group:
                tag = "locationgroup";
                text_ += "<locationgroup Id=" + id(processes_) + ">" + element("name", it.name) +
                         element("rank", std::to_string(it.rank == kNone ? processes_ : it.rank)) +
                         "<type>process</type>\n";
                ++processes_;
                break;
            case SystemTree::Kind::location:
                text_ += "<location Id=" + id(numbers_[item]) + ">" + element("name", it.name) +
                         element("rank", std::to_string(thread)) + "<type>thread</type>";
                break;
        }
        u32 number = 0;
        for (const u32 child : system_.children(item)) add_item(child, number++);
        text_ += "</" + tag + ">\n";
    }

    const DefinitionIndex& definitions_;
    const CallTree& tree_;
    SystemTree system_;
    std::vector<u32> numbers_;  ///< by item: of a selected location
    std::string text_;
    u32 system_nodes_ = 0;
    u32 processes_ = 0;
};

}  // namespace

std::vector<std::pair<ProfileMetric, CubexMetric>> cubex_metrics(bool with_times) {
    using Metric = ProfileMetric;
    std::vector<std::pair<ProfileMetric, CubexMetric>> metrics;
    const auto add = [&metrics](Metric metric, const char* title, const char* type,
                                const char* unit) {
        const std::string name(metric_name(metric));
        metrics.push_back({metric, {name, title, type, unit}});
    };
    add(Metric::visits, "Visits", "UINT64", "occ");
    if (with_times) add(Metric::time, "Time", "DOUBLE", "sec");
    add(Metric::sent, "Bytes sent", "UINT64", "bytes");
    add(Metric::received, "Bytes received", "UINT64", "bytes");
    add(Metric::sent_messages, "Bytes sent in messages", "UINT64", "bytes");
    add(Metric::received_messages, "Bytes received in messages", "UINT64", "bytes");
    add(Metric::sent_collective, "Bytes sent in collectives", "UINT64", "bytes");
    add(Metric::received_collective, "Bytes received in collectives", "UINT64", "bytes");
    add(Metric::read, "Bytes read", "UINT64", "bytes");
    add(Metric::written, "Bytes written", "UINT64", "bytes");
    return metrics;
}

std::vector<CubexMetric> cubex_metrics(const MetricMember& member, u32 number) {
    const std::string name = "metric_" + std::to_string(number);
    if (member.mode != MetricMode::absolute) {
        return {{name, member.name, "DOUBLE", member.unit}};
    }
    const std::string sum = name + "_sum";
    const std::string count = name + "_values";
    return {{sum, member.name + " (sum)", "DOUBLE", member.unit},
            {count, member.name + " (values)", "UINT64", "occ"},
            {name, member.name + " (mean)", "DOUBLE", member.unit,
             "metric::" + sum + "()/metric::" + count + "()"}};
}

std::string cubex_anchor(TraceFile& file, const CallTree& tree, const std::vector<bool>& selected,
                         const std::vector<CubexMetric>& metrics) {
    return AnchorText(file, tree, selected).text(metrics);
}

}  // namespace tracefold
