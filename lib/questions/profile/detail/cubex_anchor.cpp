// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/cubex_anchor.hpp"

#include "base/types.hpp"
#include "model/definition_table.hpp"
#include "model/region_role.hpp"
#include "questions/profile/trace_profile.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace tracefold {

namespace {

class AnchorText {
  public:
    AnchorText(TraceFile& file, const CallTree& tree)
        : definitions_(file.definitions()),
          tree_(tree),
          regions_(definitions_, *file.global_definitions()) {}

    /// The document; `system`: the serialised system element.
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
        u32 open = 0;
        for (u32 node = 0; node < tree_.size(); ++node) {
            for (; open > tree_[node].depth; --open) text_ += "</cnode>\n";
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

namespace {

/// By OTF2_RegionRole.
constexpr std::string_view kRoles[] = {"unknown",
                                       "function",
                                       "wrapper",
                                       "loop",
                                       "code",
                                       "parallel",
                                       "sections",
                                       "section",
                                       "workshare",
                                       "single",
                                       "single sblock",
                                       "master",
                                       "critical",
                                       "critical sblock",
                                       "atomic",
                                       "barrier",
                                       "implicit barrier",
                                       "flush",
                                       "ordered",
                                       "ordered sblock",
                                       "task",
                                       "task create",
                                       "taskwait",
                                       "one2all",
                                       "all2one",
                                       "all2all",
                                       "other collective",
                                       "file io",
                                       "point2point",
                                       "rma",
                                       "data transfer",
                                       "artificial",
                                       "thread create",
                                       "thread wait",
                                       "untied task",
                                       "allocate",
                                       "deallocate",
                                       "reallocate",
                                       "file io metadata"};

/// By OTF2_Paradigm.
constexpr std::string_view kParadigms[] = {
    "unknown",   "user",     "compiler",  "openmp",    "mpi",     "cuda",   "measurement",
    "pthread",   "hmpp",     "ompss",     "hardware",  "gaspi",   "upc",    "shmem",
    "winthread", "qtthread", "acethread", "tbbthread", "openacc", "opencl", "mtapi",
    "sampling",  "none",     "hip",       "kokkos"};

constexpr u64 kUnknown = 0;  ///< role and paradigm

std::string_view word_of(std::span<const std::string_view> words, u64 number) {
    return words[number < words.size() ? number : kUnknown];
}

/// Score-P's name of a role with OTF2's flags.
std::string_view role_of(u64 role, u64 flags) {
    const bool dynamic = (flags & 1U) != 0;
    const bool phase = (flags & 2U) != 0;
    if (role == static_cast<u64>(RegionRole::code) && (dynamic || phase)) {
        return !phase ? "dynamic" : dynamic ? "dynamic phase" : "phase";
    }
    if (role == static_cast<u64>(RegionRole::loop) && dynamic)
        return phase ? "dynamic loop phase" : "dynamic loop";
    return word_of(kRoles, role);
}

i64 line_of(u64 number) { return number == 0 || number >= kNone ? -1 : static_cast<i64>(number); }

}  // namespace

CubexRegions::CubexRegions(const DefinitionIndex& definitions, RecordSource& records)
    : definitions_(definitions) {
    for_each_record(records, [this](const auto& head, auto v) {
        if (head.type != static_cast<u8>(DefinitionType::Region)) return;
        regions_[v[0]] = {v[2], v[4], v[5], v[6], v[7], v[8], v[9]};
    });
}

CubexRegion CubexRegions::of(const CallTree::Node& node) const {
    const std::string name = call_name(definitions_, node);
    switch (node.kind) {
        case CallTree::Kind::region:
            return of_region(node.ref);
        case CallTree::Kind::program:
            return {.mangled_name = definitions_.string(node.ref),
                    .paradigm = "measurement",
                    .role = "artificial"};
        case CallTree::Kind::off:
            return {.mangled_name = name, .paradigm = "user", .role = "artificial"};
        case CallTree::Kind::copy:
            return {.mangled_name = name, .paradigm = "accelerator", .role = "data transfer"};
        default:
            return {.mangled_name = name, .paradigm = "measurement", .role = "artificial"};
    }
}

CubexRegion CubexRegions::of_region(u64 region) const {
    const auto found = regions_.find(region);
    if (found == regions_.end()) {
        return {.mangled_name = definitions_.region_name(region),
                .paradigm = paradigm_of(region, kUnknown),
                .role = word_of(kRoles, kUnknown)};
    }
    const Definition& it = found->second;
    return {.mangled_name = definitions_.string(it.canonical_name),
            .file = it.file == kNone ? std::string() : definitions_.string(it.file),
            .begin = line_of(it.begin),
            .end = line_of(it.end),
            .paradigm = paradigm_of(region, it.paradigm),
            .role = role_of(it.role, it.flags)};
}

/// Derives the paradigm from the function name if the trace has none.
std::string_view CubexRegions::paradigm_of(u64 region, u64 paradigm) const {
    if (definitions_.is_mpi_region(region)) return "mpi";
    const std::string_view word = word_of(kParadigms, paradigm);
    const bool of_accelerator = word == kParadigms[kUnknown] &&
                                definitions_.accelerator_use(region, false) != AcceleratorUse::none;
    return of_accelerator ? "accelerator" : word;
}

namespace {

using ItemKind = SystemTree::Kind;

/// Cube's name of an OTF2 type.
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
        // Location items are in location order.
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
        // Cube requires processes to be in machines.
        if (!inside) begin_node("machine", "machine");
        add_all(system_.roots());
        text_ += inside ? "" : "</systemtreenode>\n";
        return text_ + "<topologies></topologies>\n</system>\n";
    }

  private:
    /// Cube's grammar: the processes of a node precede its child nodes.
    void add_all(std::span<const u32> items) {
        for (const bool nodes : {false, true}) {
            u32 number = 0;
            for (const u32 item : items) {
                if ((system_.items()[item].kind == ItemKind::node) == nodes) add(item, number++);
            }
        }
    }

    // Recursion depth: at most that of a system tree, which is bounded.
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

    /// Score-P numbers processes and accelerators consecutively in order of definition: processes
    /// by rank, before their accelerators. For other recorders, ranks number the processes, and
    /// other groups follow.
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
    std::vector<u32> numbers_;  ///< by item of a selected location
    std::vector<u32> ranks_;    ///< by item of a location group
    u32 nodes_ = 0;
    u32 groups_ = 0;
    std::string text_;
};

}  // namespace

std::string cubex_system(const SystemTree& system, const std::vector<bool>& selected) {
    return SystemText(system, selected).text();
}

std::string xml_text(std::string_view text) {
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

std::string xml_element(std::string_view tag, std::string_view text) {
    const std::string name(tag);
    return "<" + name + ">" + xml_text(text) + "</" + name + ">";
}

}  // namespace tracefold
