// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/structure_document.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

void write_participants(const ParticipantList& list, const ParticipantNames& names,
                        JsonWriter& json) {
    json.member("participants", names.text(list));
    json.key("locations").begin_array();
    for (const ParticipantList::Run& run : list.runs()) {
        json.begin_array().value(run.start).value(run.stride).value(run.count).end_array();
    }
    json.end_array();
}

namespace {

std::string_view role_name(ValueRole role) {
    constexpr std::array<std::string_view, 9> kNames = {"number",      "signed_number", "bytes",
                                                        "peer_offset", "peer_modulo",   "peer_xor",
                                                        "peer_rank",   "name",          "opaque"};
    return kNames[static_cast<std::size_t>(role)];
}

void write_number(ValueRole role, u64 value, JsonWriter& json) {
    const bool is_signed = role == ValueRole::signed_number || role == ValueRole::peer_offset;
    if (is_signed) {
        json.value(static_cast<i64>(value));
    } else {
        json.value(value);
    }
}

std::string_view order_name(ValueOrder order) {
    constexpr std::array<std::string_view, 4> kNames = {"none", "progression", "in_turn", "phases"};
    return kNames[static_cast<std::size_t>(order)];
}

void write_order(ValueRole role, const ValueSummary& values, JsonWriter& json) {
    if (values.is_constant() || role == ValueRole::opaque) return;
    json.member("order", order_name(values.order));
    if (values.order == ValueOrder::progression) {
        json.member("step", static_cast<i64>(values.step));
    }
}

void write_variants(ValueRole role, const std::vector<ListedVariant>& variants,
                    const ParticipantNames& names, JsonWriter& json) {
    json.begin_array();
    for (const ListedVariant& variant : variants) {
        json.begin_object();
        if (variants.size() > 1) write_participants(variant.participants, names, json);
        json.key("values").begin_array();
        for (const u64 value : variant.values.values) write_number(role, value, json);
        json.end_array();
        if (!variant.labels.empty()) {
            json.key("names").begin_array();
            for (const std::string& label : variant.labels) json.value(label);
            json.end_array();
        }
        json.key("minimum");
        write_number(role, variant.values.minimum, json);
        json.key("maximum");
        write_number(role, variant.values.maximum, json);
        json.member("distinct", variant.values.distinct);
        write_order(role, variant.values, json);
        json.end_object();
    }
    json.end_array();
}

/// A list per variant.
void write_in_place(const ListedArgument& argument, JsonWriter& json) {
    if (argument.in_place.empty()) return;
    json.member("must_be_in_place", argument.must_be_in_place).key("in_place").begin_array();
    for (const ValueSummary& summary : argument.in_place) {
        json.begin_array();
        for (const u64 value : summary.values) write_number(argument.role, value, json);
        json.end_array();
    }
    json.end_array();
}

void write_records(const std::vector<ListedRecord>& records, const ParticipantNames& names,
                   JsonWriter& json) {
    json.key("records").begin_array();
    for (const ListedRecord& record : records) {
        json.begin_object().member("name", record.name);
        json.key("arguments").begin_array();
        for (const ListedArgument& argument : record.arguments) {
            json.begin_object()
                .member("name", argument.name)
                .member("kind", role_name(argument.role));
            json.key("variants");
            write_variants(argument.role, argument.variants, names, json);
            write_in_place(argument, json);
            if (!argument.places.empty()) {
                json.key("places").begin_array();
                for (const std::string& place : argument.places) json.value(place);
                json.end_array();
            }
            json.end_object();
        }
        json.end_array().end_object();
    }
    json.end_array();
}

/// The items of a script's bodies on the first levels of loops and regions, as in the text.
class FirstLevels {
  public:
    /// `depth` 0: all levels. Cost: the size of the script, for each of its levels.
    FirstLevels(const ListedScript& script, std::size_t depth)
        : script_(script),
          depth_(depth == 0 ? kAllLevels : depth),
          root_(static_cast<u32>(script.nodes.size())),
          levels_(root_ + std::size_t{1}, kAllLevels),
          items_(root_ + std::size_t{1}),
          numbers_(root_, kNone) {
        visit(root_, 1);
        for (u32 body = 0; body <= root_; ++body) {
            for (const u32 item : items_[body]) numbers_[nodes_of(body)[item]] = 0;
        }
        u32 next = 0;
        for (u32& number : numbers_) {
            if (number != kNone) number = next++;
        }
    }

    /// Its number among the remaining nodes; kNone: it does not remain.
    [[nodiscard]] u32 number(u32 node) const { return numbers_[node]; }

    /// Number of an item among the remaining ones of its body; none: it does not remain.
    [[nodiscard]] std::optional<std::size_t> item(const PatternPlace& place) const {
        const u32 body = place.body == kNone ? root_ : script_.leaf_count + place.body;
        const auto found = std::ranges::lower_bound(items_[body], place.item);
        if (found == items_[body].end() || *found != place.item) return std::nullopt;
        return static_cast<std::size_t>(found - items_[body].begin());
    }

    void write_root(JsonWriter& json) const { write("root", root_, json); }
    void write_body(u32 loop, JsonWriter& json) const { write("body", loop, json); }

  private:
    static constexpr std::size_t kAllLevels = ~std::size_t{0};

    [[nodiscard]] const std::vector<u32>& nodes_of(u32 body) const {
        return body == root_ ? script_.root : script_.nodes[body].body;
    }

    void visit(u32 body, std::size_t base) {
        if (base > depth_ || base >= levels_[body]) return;
        levels_[body] = base;
        items_[body].clear();
        std::size_t level = base;
        const std::vector<u32>& nodes = nodes_of(body);
        for (u32 item = 0; item < nodes.size(); ++item) {
            const ListedNode& node = script_.nodes[nodes[item]];
            if (node.kind == CallKind::leave && level > base) --level;
            if (level <= depth_) items_[body].push_back(item);
            if (node.kind == CallKind::enter) ++level;
            if (node.is_loop()) visit(nodes[item], level + 1);
        }
    }

    void write(std::string_view key, u32 body, JsonWriter& json) const {
        json.key(key).begin_array();
        for (const u32 item : items_[body]) json.value(numbers_[nodes_of(body)[item]]);
        json.end_array();
        const std::size_t missing = nodes_of(body).size() - items_[body].size();
        if (missing != 0) json.member("items_left_out", missing);
    }

    const ListedScript& script_;
    std::size_t depth_;
    u32 root_;                             ///< number of the root's body, behind the nodes
    std::vector<std::size_t> levels_;      ///< by body: the first one of its items
    std::vector<std::vector<u32>> items_;  ///< by body, ascending
    std::vector<u32> numbers_;             ///< by node
};

/// Writes nodes with several places separately for each place.
void write_places(const ListedScript& script, const FirstLevels& levels, bool arguments,
                  const ParticipantNames& names, JsonWriter& json) {
    json.key("places").begin_array();
    for (const ListedPlace& listed : script.places) {
        const std::optional<std::size_t> item = levels.item(listed.place);
        if (!item) continue;
        const u32 body = listed.place.body;
        json.begin_object();
        if (body != kNone) json.member("body", levels.number(script.leaf_count + body));
        json.member("item", *item).member("node", levels.number(script.node_at(listed.place)));
        json.key("count");
        write_variants(ValueRole::number, listed.counts, names, json);
        if (arguments) write_records(listed.records, names, json);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

void write_script(const ListedScript& script, const ParticipantNames& names,
                  const std::optional<LineTimes>& times, TickRate rate, const DocumentPart& part,
                  JsonWriter& json) {
    const FirstLevels levels(script, part.depth);
    json.begin_object();
    write_participants(script.participants, names, json);
    if (times) json.member("seconds", rate.seconds(times->total));
    json.key("nodes").begin_array();
    for (u32 number = 0; number < script.nodes.size(); ++number) {
        if (levels.number(number) == kNone) continue;
        const ListedNode& node = script.nodes[number];
        json.begin_object().member("kind", node.kind ? kind_name(*node.kind) : "loop");
        if (!node.name.empty()) json.member("name", node.name);
        json.member("executions", node.executions);
        if (node.is_pooled) json.member("pooled", true);
        if (times) {
            const double ticks = times->per_visit[number] * static_cast<double>(node.visits);
            json.member("seconds", rate.seconds(ticks));
            json.member("seconds_per_visit", rate.seconds(times->per_visit[number]));
            if (node.is_loop()) json.member("iterations_per_visit", times->iterations[number]);
        }
        json.key("count");
        write_variants(ValueRole::number, node.counts, names, json);
        if (node.is_loop()) {
            levels.write_body(number, json);
        } else if (part.arguments) {
            write_records(node.records, names, json);
        }
        json.end_object();
    }
    json.end_array();
    levels.write_root(json);
    write_places(script, levels, part.arguments, names, json);
    json.end_object();
}

void for_each_script(ListingSource& source, const std::vector<bool>& selected,
                     const std::function<void(u32 script, const ParticipantList&)>& sink) {
    const std::vector<Script>& scripts = source.structure().scripts;
    for (u32 script = 0; script < scripts.size(); ++script) {
        if (scripts[script].stream != Stream::events) continue;
        ParticipantList participants;
        for (const u32 location : source.counts().members_of_script(script).members()) {
            if (selected[location]) participants.add(location);
        }
        if (!participants.empty()) sink(script, participants);
    }
}

}  // namespace tracefold
