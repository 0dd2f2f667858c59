// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/numbered_name.hpp"

namespace tracefold {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_at(std::string_view name, std::size_t start) {
    std::size_t end = start;
    while (end < name.size() && is_digit(name[end])) ++end;
    return end - start;
}

}  // namespace

NumberedName split_name(std::string_view name) {
    NumberedName out;
    if (name.size() > NumberedName::kMaxLength || name.find('\0') != std::string_view::npos) {
        return out;
    }
    for (std::size_t i = 0; i < name.size();) {
        const std::size_t digits = digits_at(name, i);
        if (digits == 0) {
            out.shape.push_back(name[i++]);
            continue;
        }
        if (digits > NumberedName::kMaxDigits || out.numbers.size() == NumberedName::kMaxNumbers) {
            return {};
        }
        out.shape.push_back('\0');
        out.numbers.push_back(std::stoull(std::string(name.substr(i, digits))));
        i += digits;
    }
    return out;
}

std::string join_name(std::string_view model, std::span<const u64> numbers) {
    std::string out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < model.size();) {
        const std::size_t digits = digits_at(model, i);
        if (digits == 0) {
            out.push_back(model[i++]);
            continue;
        }
        const std::string number = std::to_string(numbers[next++]);
        const bool padded = model[i] == '0';
        if (padded && number.size() < digits) out.append(digits - number.size(), '0');
        out += number;
        i += digits;
    }
    return out;
}

}  // namespace tracefold
