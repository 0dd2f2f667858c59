// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/kept_facts.hpp"

#include "core/json_writer.hpp"

namespace tracefold {

namespace {

/// The records of a call as JSON. Unlike JsonCallSink it has no head, and no numbers of requests.
class FactSink final : public CallSink {
  public:
    void begin_call(const CallHead&) override { text_ = "["; }
    void begin_record(std::string_view type, bool) override {
        if (text_.size() > 1) text_ += ',';
        text_ += "{\"type\":";
        append_json_string(type, text_);
        text_ += ",\"fields\":{";
        first_ = true;
    }
    void flag(std::string_view name) override {
        if (begin_member(name)) text_ += "true";
    }
    void begin_field(std::string_view name, bool list) override {
        skipped_ = !begin_member(name);
        list_ = list;
        value_ = false;
        if (list_ && !skipped_) text_ += '[';
    }
    void number(u64 value) override {
        if (begin_value()) text_ += std::to_string(value);
    }
    void number_text(std::string_view text) override { quote(text); }
    void word(const std::string& text) override { quote(text); }
    void end_field() override {
        if (list_ && !skipped_) text_ += ']';
        skipped_ = false;
    }
    void end_record() override { text_ += "}}"; }
    void end_call() override { text_ += ']'; }

    [[nodiscard]] std::string& text() { return text_; }

  private:
    /// False for what is left out.
    bool begin_member(std::string_view name) {
        if (name == "request" || name == "completed") return false;
        if (!first_) text_ += ',';
        first_ = false;
        append_json_string(name, text_);
        text_ += ':';
        return true;
    }
    /// False for what is left out.
    bool begin_value() {
        if (skipped_) return false;
        if (value_) text_ += ',';
        value_ = true;
        return true;
    }
    void quote(std::string_view text) {
        if (begin_value()) append_json_string(text, text_);
    }

    std::string text_;
    bool first_ = true;
    bool list_ = false;
    bool value_ = false;
    bool skipped_ = false;
};

}  // namespace

u32 RowFacts::number(CallLister& lister) {
    FactSink sink;
    lister.describe();
    lister.pass(sink);
    if (sink.text().size() <= 2) return 0;
    const auto [known, fresh] =
        numbers_.try_emplace(std::move(sink.text()), static_cast<u32>(order_.size() + 1));
    if (fresh) order_.push_back(&known->first);
    return known->second;
}

u32 KeptFacts::number(const std::string& text) {
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return known->second;
    if (bytes_ + text.size() + 1 > room_) {
        ++left_out_;
        return 0;
    }
    bytes_ += text.size() + 1;
    const auto number = static_cast<u32>(numbers_.size() + 1);
    order_.push_back(&numbers_.emplace(text, number).first->first);
    return number;
}

std::string KeptFacts::text() const {
    std::string text = "[";
    for (const std::string* fact : order_) {
        if (text.size() > 1) text += ',';
        text += *fact;
    }
    return text + "]";
}

}  // namespace tracefold
