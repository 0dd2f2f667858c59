// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/cube_profile.hpp"
#include "questions/profile/detail/cubex_anchor.hpp"
#include "questions/profile/detail/cubex_archive.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tracefold {

namespace {

/// Calls open and close for the entities of a forest, depth first; `first`: those that precede
/// their siblings.
template <class Entity>
void walk_forest(const std::vector<Entity>& entities, const auto& first, const auto& open,
                 const auto& close) {
    std::vector<std::vector<u32>> children(entities.size() + 1);  // those of no parent at the end
    for (u32 i = 0; i < entities.size(); ++i) {
        children[std::min<std::size_t>(entities[i].parent, entities.size())].push_back(i);
    }
    for (std::vector<u32>& some : children) std::ranges::stable_partition(some, first);
    std::vector<std::pair<std::size_t, std::size_t>> path = {{entities.size(), 0}};
    while (!path.empty()) {
        const auto [entity, next] = path.back();
        if (next == children[entity].size()) {
            if (entity != entities.size()) close(static_cast<u32>(entity));
            path.pop_back();
            continue;
        }
        ++path.back().second;
        open(children[entity][next]);
        path.emplace_back(children[entity][next], 0);
    }
}

constexpr auto kNoneFirst = [](u32) { return false; };

class CubeText {
  public:
    explicit CubeText(const CubeProfile& profile) : profile_(profile) {}

    std::string text() {
        text_ =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.4\">\n"
            "<attr key=\"Cube anchor.xml syntax version\" value=\"4.4\"/>\n"
            "<attr key=\"Creator\" value=\"tracefold\"/>\n<doc><mirrors>";
        for (const std::string& mirror : profile_.mirrors) text_ += xml_element("murl", mirror);
        text_ += "</mirrors></doc>\n<metrics>\n";
        walk_forest(
            profile_.metrics, kNoneFirst, [this](u32 i) { add_metric(i); },
            [this](u32) { text_ += "</metric>\n"; });
        text_ += "</metrics>\n<program>\n";
        for (u32 i = 0; i < profile_.regions.size(); ++i) add_region(i);
        walk_forest(
            profile_.nodes, kNoneFirst, [this](u32 i) { add_node(i); },
            [this](u32) { text_ += "</cnode>\n"; });
        text_ += "</program>\n<system>\n";
        walk_forest(
            profile_.places,
            [this](u32 i) { return profile_.places[i].kind != CubeProfile::Place::Kind::node; },
            [this](u32 i) { add_place(i); },
            [this](u32 i) { text_ += "</" + place_tag(i) + ">\n"; });
        return text_ + "<topologies></topologies>\n</system>\n</cube>\n";
    }

  private:
    void add_metric(u32 i) {
        const CubeProfile::Metric& it = profile_.metrics[i];
        text_ += "<metric id=" + xml_id(i) + " type=\"" +
                 (it.is_inclusive() ? "INCLUSIVE" : "EXCLUSIVE") +
                 (it.ghost ? "\" viztype=\"GHOST\">" : "\">") + xml_element("disp_name", it.title) +
                 xml_element("uniq_name", it.name) + xml_element("dtype", it.type) +
                 xml_element("uom", it.unit) + xml_element("url", it.url) +
                 xml_element("descr", it.description) + "\n";
    }

    void add_region(u32 i) {
        const CubeProfile::Region& it = profile_.regions[i];
        text_ += "<region id=" + xml_id(i) + " mod=\"" + xml_text(it.file) +
                 "\" begin=" + xml_id(it.begin) + " end=" + xml_id(it.end) + ">" +
                 xml_element("name", it.name) + xml_element("mangled_name", it.mangled_name) +
                 xml_element("paradigm", it.paradigm) + xml_element("role", it.role) +
                 xml_element("url", it.url) + xml_element("descr", it.description) + "</region>\n";
    }

    void add_node(u32 i) {
        const CubeProfile::Node& it = profile_.nodes[i];
        text_ += "<cnode id=" + xml_id(i) + " calleeId=" + xml_id(it.region);
        if (it.line >= 0) text_ += " line=" + xml_id(it.line);
        if (!it.module.empty()) text_ += " mod=\"" + xml_text(it.module) + "\"";
        text_ += ">\n";
        for (const CubeProfile::Parameter& parameter : it.parameters) {
            text_ += std::string("<parameter partype=\"") +
                     (parameter.is_number ? "numeric" : "string") + "\" parkey=\"" +
                     xml_text(parameter.key) + "\" parvalue=\"" + xml_text(parameter.value) +
                     "\"></parameter>\n";
        }
    }

    [[nodiscard]] std::string place_tag(u32 i) const {
        constexpr const char* kTags[] = {"systemtreenode", "locationgroup", "location"};
        return kTags[static_cast<std::size_t>(profile_.places[i].kind)];
    }

    void add_place(u32 i) {
        const CubeProfile::Place& it = profile_.places[i];
        u32& number = numbers_[static_cast<std::size_t>(it.kind)];
        const bool is_node = it.kind == CubeProfile::Place::Kind::node;
        const bool is_location = it.kind == CubeProfile::Place::Kind::location;
        text_ += "<" + place_tag(i) + " Id=" + xml_id(is_location ? it.location : number++) + ">" +
                 xml_element("name", it.name) +
                 (is_node ? xml_element("class", it.type)
                          : xml_element("rank", std::to_string(it.rank)) +
                                xml_element("type", it.type)) +
                 "\n";
    }

    const CubeProfile& profile_;
    std::string text_;
    std::array<u32, 3> numbers_{};  ///< next one by kind of place
};

void put_cube_number(double value, char letter, std::string& row) {
    const char small = static_cast<char>(letter | 0x20);
    const std::size_t size = small == 'b' ? 1 : small == 'h' ? 2 : small == 'i' ? 4 : 8;
    u64 bits = std::bit_cast<u64>(value);
    if (letter != 'd') {
        const bool has_sign = letter == small;
        const double most = std::ldexp(1.0, static_cast<int>(8 * size) - (has_sign ? 1 : 0));
        value = std::isnan(value) ? 0 : std::round(value);
        if (value >= most) {
            bits = ~u64{0} >> (64 - 8 * size + (has_sign ? 1 : 0));
        } else if (value < 0) {
            bits = has_sign ? static_cast<u64>(static_cast<i64>(std::max(value, -most))) : 0;
        } else {
            bits = static_cast<u64>(value);
        }
    }
    for (std::size_t i = 0; i < size; ++i) row += static_cast<char>(bits >> (8 * i) & 0xFFU);
}

}  // namespace

void write_cubex(const CubeProfile& profile, const std::string& path, bool force) {
    const std::size_t locations = profile.locations().size();
    constexpr u64 kWidest = 36;  // TAU_ATOMIC
    CubexArchive archive(path, force, profile.nodes.size(), kWidest * locations);
    const std::vector<u32> deep = profile.row_nodes(false);
    const std::vector<u32> wide = profile.row_nodes(true);
    for (const CubeProfile::Metric& metric : profile.metrics) {
        const CubeValueType* const type = cube_value_type(metric.type);
        if (metric.rows.empty() || type == nullptr) {
            archive.skip_metric();
            continue;
        }
        const std::vector<u32>& nodes = metric.is_inclusive() ? wide : deep;
        std::vector<u32> rows;
        for (u32 row = 0; row < nodes.size(); ++row) {
            if (metric.rows.contains(nodes[row])) rows.push_back(row);
        }
        u64 at = archive.reserve_rows(rows, type->bytes() * locations);
        for (const u32 row : rows) {
            const std::vector<double>& values = metric.rows.at(nodes[row]);
            std::string bytes;
            for (std::size_t location = 0; location < locations; ++location) {
                for (std::size_t part = 0; part < type->parts(); ++part) {
                    put_cube_number(values[part * locations + location], type->layout[part], bytes);
                }
            }
            archive.write_row(at, bytes);
            at += bytes.size();
        }
    }
    archive.write_anchor(CubeText(profile).text());
    archive.commit();
}

}  // namespace tracefold
