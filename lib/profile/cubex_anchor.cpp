// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/cubex_anchor.hpp"

#include "profile/cubex_regions.hpp"
#include "profile/cubex_system.hpp"
#include "profile/cubex_xml.hpp"
#include "profile/trace_profile.hpp"

#include <map>

namespace tracefold {

namespace {

class AnchorText {
  public:
    AnchorText(TraceFile& file, const CallTree& tree)
        : definitions_(file.definitions()),
          tree_(tree),
          regions_(definitions_, *file.global_definitions()) {}

    /// `system`: the element of that name.
    std::string text(const std::vector<CubexMetric>& metrics, const std::string& system) {
        text_ =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n"
            "<attr key=\"Cube anchor.xml syntax version\" value=\"4.4\"/>\n"
            "<attr key=\"Creator\" value=\"tracefold\"/>\n<doc><mirrors></mirrors></doc>\n";
        add_metrics(metrics);
        add_program();
        return text_ + system + "</cube>\n";
    }

  private:
    void add_metrics(const std::vector<CubexMetric>& metrics) {
        text_ += "<metrics>\n";
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            const std::string& formula = metrics[i].formula;
            const std::string_view kind = formula.empty() ? "EXCLUSIVE" : "POSTDERIVED";
            text_ += "<metric id=" + xml_id(i) + " type=\"" + std::string(kind) + "\">" +
                     xml_element("disp_name", metrics[i].title) +
                     xml_element("uniq_name", metrics[i].name) +
                     xml_element("dtype", metrics[i].type) + xml_element("uom", metrics[i].unit) +
                     "<url></url><descr></descr>" +
                     (formula.empty() ? "" : xml_element("cubepl", formula)) + "</metric>\n";
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
            text_ += "<cnode id=" + xml_id(node) + " calleeId=" + xml_id(callee[node]) + ">\n";
            ++open;
        }
        for (; open > 0; --open) text_ += "</cnode>\n";
        text_ += "</program>\n";
    }

    void add_region(u64 number, const CallTree::Node& node) {
        const CubexRegion region = regions_.of(node);
        text_ += "<region id=" + xml_id(number) + " mod=\"" + xml_text(region.file) +
                 "\" begin=" + xml_id(region.begin) + " end=" + xml_id(region.end) + ">" +
                 xml_element("name", call_name(definitions_, node)) +
                 xml_element("mangled_name", region.mangled_name) +
                 xml_element("paradigm", region.paradigm) + xml_element("role", region.role) +
                 "<url></url><descr></descr></region>\n";
    }

    const DefinitionIndex& definitions_;
    const CallTree& tree_;
    CubexRegions regions_;
    std::string text_;
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
    const SystemTree system(file.definitions(), *file.global_definitions());
    return AnchorText(file, tree).text(metrics, cubex_system(system, selected));
}

}  // namespace tracefold
