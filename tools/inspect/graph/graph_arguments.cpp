// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/calls/argument_text.hpp"
#include "inspect/graph/graph.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Values of one argument in several calls.
struct Values {
    SignatureArgument argument;
    std::vector<u64> numbers;
    std::vector<std::string> texts;  ///< distinct names

    [[nodiscard]] bool is_of(const SignatureArgument& other) const {
        return other.name == argument.name && other.kind == argument.kind &&
               other.peers == argument.peers;
    }
};

bool has_name(FieldKind kind) {
    return kind == FieldKind::comm || kind == FieldKind::rma_win || kind == FieldKind::io_handle;
}

void add(const LoadedGraph& loaded, const FlowNode& node, const SignatureArgument& argument,
         std::vector<Values>& all) {
    auto known = std::find_if(all.begin(), all.end(),
                              [&](const Values& values) { return values.is_of(argument); });
    if (known == all.end()) known = all.insert(known, Values{argument, {}, {}});
    if (has_name(argument.kind)) {
        const std::string text = loaded.argument(node, argument);
        const bool is_new =
            std::find(known->texts.begin(), known->texts.end(), text) == known->texts.end();
        if (is_new) known->texts.push_back(text);
    } else {
        known->numbers.push_back(argument.value);
    }
}

/// The summary of distinct numbers in ascending order.
ValueSummary summary_of(ValueRole role, std::vector<u64> numbers) {
    const u64 sign = role == ValueRole::peer_offset ? u64{1} << 63U : 0;
    std::sort(numbers.begin(), numbers.end(),
              [sign](u64 a, u64 b) { return (a ^ sign) < (b ^ sign); });
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    ValueSummary out{{}, numbers.front(), numbers.back(), numbers.size(), ValueOrder::none, 0};
    if (numbers.size() <= ValueSummary::kMostValues) out.values = std::move(numbers);
    return out;
}

std::string text_of(const LoadedGraph& loaded, const Values& values) {
    std::string text =
        values.argument.name == "bytes" ? "" : std::string(values.argument.name) + " ";
    if (values.numbers.empty()) {
        const std::size_t more = values.texts.size() - 1;
        text += values.texts.front();
        return more == 0 ? text : text + " and " + std::to_string(more) + " more";
    }
    const ValueRole role = role_of(values.argument);
    return text + argument_text({std::string(values.argument.name),
                                 0,
                                 role,
                                 {{{}, summary_of(role, values.numbers), {}, 0}},
                                 {}},
                                loaded.names());
}

}  // namespace

std::vector<std::string> joint_arguments(const LoadedGraph& loaded,
                                         const std::vector<FlowVertex>& nodes) {
    std::vector<Values> all;
    for (const FlowVertex v : nodes) {
        for (const SignatureArgument& argument : loaded.graph()[v].signature.arguments) {
            add(loaded, loaded.graph()[v], argument, all);
        }
    }
    std::vector<std::string> texts;
    for (const Values& values : all) texts.push_back(text_of(loaded, values));
    return texts;
}

}  // namespace tracefold
