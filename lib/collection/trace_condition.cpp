// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/trace_condition.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include <strings.h>

namespace tracefold {

namespace {

using Node = TraceCondition::Node;

// How a value is to that of a comparison.
constexpr unsigned kLess = 1;
constexpr unsigned kEqual = 2;
constexpr unsigned kMore = 4;
constexpr unsigned kUnequal = kLess | kMore;
constexpr unsigned kContains = 8;

template <class Value>
unsigned order_of(const Value& left, const Value& right) {
    if (left == right) return kEqual;
    return left < right ? kLess : kMore;
}

constexpr bool is_blank(char character) { return character == ' ' || character == '\t'; }

struct Suffix {
    std::string_view text;
    FieldUnit unit;
    double factor;
};

constexpr Suffix kSuffixes[] = {
    {"ns", FieldUnit::seconds, 1e-9}, {"us", FieldUnit::seconds, 1e-6},
    {"ms", FieldUnit::seconds, 1e-3}, {"s", FieldUnit::seconds, 1},
    {"min", FieldUnit::seconds, 60},  {"h", FieldUnit::seconds, 3600},
    {"B", FieldUnit::bytes, 1},       {"kB", FieldUnit::bytes, 1e3},
    {"MB", FieldUnit::bytes, 1e6},    {"GB", FieldUnit::bytes, 1e9},
    {"TB", FieldUnit::bytes, 1e12},   {"k", FieldUnit::count, 1e3},
    {"M", FieldUnit::count, 1e6},     {"G", FieldUnit::count, 1e9},
    {"%", FieldUnit::share, 0.01},
};

/// "1.5ms" in the unit of the field; none if it is no such number.
FieldValue number_of(std::string_view text, FieldUnit unit) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return {};
    const std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
    if (suffix.empty()) return number;
    for (const Suffix& known : kSuffixes) {
        if (known.unit == unit && known.text == suffix) return number * known.factor;
    }
    return {};
}

/// Recursive descent: any = all {"or" all}, all = one {"and" one}, one = "not" one | "(" any ")" |
/// FIELD RELATION VALUE.
class ConditionParser {
  public:
    explicit ConditionParser(std::string_view text) : text_(text) {}

    Node parse() {
        Node root = list(Node::Kind::any);
        if (skip_blanks(); position_ != text_.size()) fail("'and' or 'or' was expected");
        return root;
    }

  private:
    static constexpr int kDeepestCondition = 100;

    Node list(Node::Kind kind) {
        Node whole{kind, {}, {}, {}, {}};
        const bool any = kind == Node::Kind::any;
        do {
            whole.parts.push_back(any ? list(Node::Kind::all) : one());
        } while (take_word(any ? "or" : "and"));
        return whole;
    }

    Node one() {
        if (++depth_ > kDeepestCondition) fail("the condition is nested too deeply");
        Node node;
        if (take_word("not")) {
            node = {Node::Kind::none, {one()}, {}, {}, {}};
        } else if (take("(")) {
            node = list(Node::Kind::any);
            if (!take(")")) fail("')' was expected");
        } else {
            node = comparison();
        }
        --depth_;
        return node;
    }

    Node comparison() {
        Node node;
        skip_blanks();
        const std::size_t start = position_;
        while (position_ < text_.size() && (text_[position_] == '_' || is_letter())) ++position_;
        const std::string_view name = text_.substr(start, position_ - start);
        try {
            node.field = trace_field(name);
        } catch (const Error& error) {
            position_ = start;
            fail(name.empty() ? "a field was expected" : error.what());
        }
        const TraceFieldInfo& info = kTraceFields[static_cast<std::size_t>(node.field)];
        node.relation = relation();
        if (node.relation == kContains && info.type != TableColumn::Type::text) {
            fail("only texts can be compared with '~'");
        }
        skip_blanks();
        const std::size_t place = position_;
        const std::string text = value();
        if (text == "-" && (node.relation == kEqual || node.relation == kUnequal)) return node;
        node.value =
            info.type == TableColumn::Type::text ? FieldValue(text) : number_of(text, info.unit);
        if (node.value.index() != 0) return node;
        position_ = place;
        fail(fmt::format("'{}' is no value of {}", text, info.name));
    }

    unsigned relation() {
        constexpr std::pair<std::string_view, unsigned> kRelations[] = {
            {"==", kEqual}, {"!=", kUnequal}, {"<=", kLess | kEqual}, {">=", kMore | kEqual},
            {"=", kEqual},  {"<", kLess},     {">", kMore},           {"~", kContains}};
        for (const auto& [sign, meaning] : kRelations) {
            if (take(sign)) return meaning;
        }
        fail("one of = != < <= > >= ~ was expected");
    }

    /// A quoted text, or all up to a blank or parenthesis.
    std::string value() {
        const char quote = position_ < text_.size() ? text_[position_] : ' ';
        const bool quoted = quote == '"' || quote == '\'';
        const std::size_t start = quoted ? position_ + 1 : position_;
        const std::size_t end = std::min(
            quoted ? text_.find(quote, start) : text_.find_first_of(" \t()", start), text_.size());
        if (quoted && end == text_.size()) fail("the quotation has no end");
        if (!quoted && end == start) fail("a value was expected");
        position_ = quoted ? end + 1 : end;
        return std::string(text_.substr(start, end - start));
    }

    [[nodiscard]] bool is_letter() const {
        return text_[position_] >= 'a' && text_[position_] <= 'z';
    }

    void skip_blanks() {
        while (position_ < text_.size() && is_blank(text_[position_])) ++position_;
    }

    bool take(std::string_view sign) {
        skip_blanks();
        if (!text_.substr(position_).starts_with(sign)) return false;
        position_ += sign.size();
        return true;
    }

    bool take_word(std::string_view word) {
        skip_blanks();
        const std::string_view rest = text_.substr(position_);
        if (!rest.starts_with(word)) return false;
        const char next = rest.size() > word.size() ? rest[word.size()] : ' ';
        if (!is_blank(next) && next != '(') return false;
        position_ += word.size();
        return true;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorKind::usage, "the condition '{}' is wrong at character {}: {}",
                    std::string(text_), position_ + 1, what);
    }

    std::string_view text_;
    std::size_t position_ = 0;
    int depth_ = 0;
};

bool contains_ignoring_case(std::string_view text, std::string_view part) {
    if (part.empty()) return true;
    for (; text.size() >= part.size(); text.remove_prefix(1)) {
        if (::strncasecmp(text.data(), part.data(), part.size()) == 0) return true;
    }
    return false;
}

}  // namespace

TraceField trace_field(std::string_view name) {
    std::string names;
    for (std::size_t i = 0; i < std::size(kTraceFields); ++i) {
        if (kTraceFields[i].name == name) return static_cast<TraceField>(i);
        names.append(names.empty() ? "" : ", ").append(kTraceFields[i].name);
    }
    throw Error(ErrorKind::usage, "there is no field '{}'; the fields are {}", std::string(name),
                names);
}

TraceCondition::TraceCondition(std::string_view text) : root_(ConditionParser(text).parse()) {}

bool TraceCondition::holds(const Node& node, const TraceRecord& record) {
    const auto part_holds = [&record](const Node& part) { return holds(part, record); };
    switch (node.kind) {
        case Node::Kind::any:
            return std::ranges::any_of(node.parts, part_holds);
        case Node::Kind::all:
            return std::ranges::all_of(node.parts, part_holds);
        case Node::Kind::none:
            return std::ranges::none_of(node.parts, part_holds);
        case Node::Kind::comparison:
            break;
    }
    const FieldValue& value = record[node.field];
    const bool known = value.index() != 0;
    if (node.value.index() == 0) return known == (node.relation == kUnequal);
    if (!known) return false;
    if (const auto* const text = std::get_if<std::string>(&value)) {
        const auto& wanted = std::get<std::string>(node.value);
        if (node.relation == kContains) return contains_ignoring_case(*text, wanted);
        return (node.relation & order_of(*text, wanted)) != 0;
    }
    const auto* const whole = std::get_if<u64>(&value);
    const double number = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
    return (node.relation & order_of(number, std::get<double>(node.value))) != 0;
}

}  // namespace tracefold
