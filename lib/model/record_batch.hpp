// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/memory.hpp"
#include "base/types.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// An entry of an event's attribute list; `value` holds the 64 bits of OTF2_AttributeValue.
struct Attribute {
    u32 ref = 0;
    u8 type = 0;
    u64 value = 0;

    bool operator==(const Attribute&) const = default;
};

/// A sequence of raw records (events or definitions). `values` holds the fields of a record as
/// 64-bit numbers in the order of its RecordInfo, with array fields expanded in place (signed
/// numbers sign-extended, enumerators and references zero-extended, doubles as their bits). The
/// value of a `text` field is its length; `text` holds its characters. Cleared and refilled without
/// allocation.
class TRACEFOLD_API RecordBatch {
  public:
    struct Head {
        u64 time = 0;  ///< raw ticks; 0 for definitions
        u32 value_count = 0;
        u16 attribute_count = 0;
        u8 type = 0;    ///< EventType or DefinitionType
        u8 unused = 0;  ///< padding
        u32 first_value = 0;
        u32 first_attribute = 0;
        u32 first_text = 0;
    };

    void clear() {
        heads_.clear();
        values_.clear();
        attributes_.clear();
        text_.clear();
    }

    /// Begins a record; the values and attributes pushed next belong to it.
    void begin(u8 type, u64 time = 0) { add(type, time, 0); }
    /// Begins a record of `value_count` values; the caller sets them before the next call.
    u64* add(u8 type, u64 time, u32 value_count) {
        Head& head = *heads_.extend(1);
        head.time = time;
        head.first_value = static_cast<u32>(values_.size());
        head.value_count = value_count;
        head.first_attribute = static_cast<u32>(attributes_.size());
        head.first_text = static_cast<u32>(text_.size());
        head.attribute_count = 0;
        head.type = type;
        return values_.extend(value_count);
    }
    void push(u64 value) { push({&value, 1}); }
    void push(std::span<const u64> values) {
        heads_.back().value_count += static_cast<u32>(values.size());
        values_.append(values);
    }
    /// Pushes the values that `fill` appends to an AppendBuffer.
    template <class Fill>
    void push_by(const Fill& fill) {
        const std::size_t before = values_.size();
        fill(values_);
        heads_.back().value_count += static_cast<u32>(values_.size() - before);
    }
    void push_attribute(const Attribute& attribute) {
        attributes_.push_back(attribute);
        ++heads_.back().attribute_count;
    }
    void push_text(std::string_view text) {
        push(text.size());
        text_.append(text);
    }

    void append(const RecordBatch& other, const Head& head) {
        begin(head.type, head.time);
        push(other.values(head));
        for (const Attribute& attribute : other.attributes(head)) push_attribute(attribute);
        const std::string_view rest = std::string_view(other.text_).substr(head.first_text);
        text_.append(rest.substr(0, other.text_length(head)));
    }
    /// Appends a copy of contiguous records of another batch.
    void append(const RecordBatch& other, std::span<const Head> heads) {
        if (heads.empty()) return;
        const Head& first = heads.front();
        const Head& last = heads.back();
        const u32 values = static_cast<u32>(values_.size()) - first.first_value;
        const u32 attributes = static_cast<u32>(attributes_.size()) - first.first_attribute;
        const u32 text = static_cast<u32>(text_.size()) - first.first_text;
        Head* to = heads_.extend(heads.size());
        for (const Head& head : heads) {
            *to = head;
            to->first_value += values;
            to->first_attribute += attributes;
            to->first_text += text;
            ++to;
        }
        const auto span = [](const auto& items, u32 begin, u32 end) {
            return std::span(items.data() + begin, end - begin);
        };
        values_.append(span(other.values_, first.first_value, last.first_value + last.value_count));
        attributes_.append(span(other.attributes_, first.first_attribute,
                                last.first_attribute + last.attribute_count));
        const std::size_t end = last.first_text + other.text_length(last);
        text_.append(other.text_, first.first_text, end - first.first_text);
    }
    void set_time(std::size_t i, u64 time) { heads_[i].time = time; }
    /// `value` is an index into the values of all records.
    void add_to_value(std::size_t value, u64 step) { values_[value] += step; }
    void set_last(std::size_t field, u64 value) {
        values_[heads_.back().first_value + field] = value;
    }

    [[nodiscard]] bool empty() const { return heads_.empty(); }
    [[nodiscard]] std::span<const u64> last_values() const { return values(heads_.back()); }
    [[nodiscard]] std::size_t size() const { return heads_.size(); }
    [[nodiscard]] std::size_t value_count() const { return values_.size(); }
    [[nodiscard]] const Head& operator[](std::size_t i) const { return heads_[i]; }
    [[nodiscard]] std::span<const Head> heads() const { return {heads_.data(), heads_.size()}; }
    [[nodiscard]] std::span<const u64> values(const Head& head) const {
        return {values_.data() + head.first_value, head.value_count};
    }
    [[nodiscard]] std::span<const Attribute> attributes(const Head& head) const {
        return {attributes_.data() + head.first_attribute, head.attribute_count};
    }
    /// Returns the characters of a record's text field of `length` characters.
    [[nodiscard]] std::string_view text(const Head& head, u64 length) const {
        return std::string_view(text_).substr(head.first_text, length);
    }

    /// Returns the total length of a record's text fields.
    [[nodiscard]] std::size_t text_length(const Head& head) const {
        const std::size_t next = static_cast<std::size_t>(&head - heads_.data()) + 1;
        return (next < heads_.size() ? heads_[next].first_text : text_.size()) - head.first_text;
    }

  private:
    friend class RecordAppender;

    AppendBuffer<Head> heads_;
    AppendBuffer<u64> values_;
    AppendBuffer<Attribute> attributes_;
    std::string text_;
};

/// Appends records with few values and nothing else to a batch, without bounds checks per record.
/// The batch must not be used otherwise during its lifetime.
class RecordAppender {
  public:
    /// Reserves space for `most` records of `most_values` values each.
    RecordAppender(RecordBatch& batch, std::size_t most, std::size_t most_values)
        : batch_(batch),
          head_(batch.heads_.extend(most)),
          end_(head_ + most),
          value_(batch.values_.extend(most * most_values)),
          first_value_(batch.values_.begin()),
          first_attribute_(static_cast<u32>(batch.attributes_.size())),
          first_text_(static_cast<u32>(batch.text_.size())) {}
    RecordAppender(const RecordAppender&) = delete;
    RecordAppender& operator=(const RecordAppender&) = delete;
    ~RecordAppender() {
        batch_.heads_.shrink(static_cast<std::size_t>(head_ - batch_.heads_.begin()));
        batch_.values_.shrink(static_cast<std::size_t>(value_ - batch_.values_.begin()));
    }

    [[nodiscard]] bool full() const { return head_ == end_; }
    /// Buffer for the values of the next record; fill it before add().
    [[nodiscard]] u64* values() const { return value_; }
    /// Precondition: not full().
    void add(u8 type, u64 time, u32 value_count) {
        head_->time = time;
        head_->first_value = static_cast<u32>(value_ - first_value_);
        head_->value_count = value_count;
        head_->first_attribute = first_attribute_;
        head_->first_text = first_text_;
        head_->attribute_count = 0;
        head_->type = type;
        ++head_;
        value_ += value_count;
    }

  private:
    RecordBatch& batch_;
    RecordBatch::Head* head_;
    const RecordBatch::Head* end_;
    u64* value_;
    const u64* first_value_;  ///< of the batch
    u32 first_attribute_;
    u32 first_text_;
};

/// Contiguous records of a batch. Valid until the next append to the batch.
class RecordSpan {
  public:
    using Head = RecordBatch::Head;

    /// Precondition: the batch has `count` records from `first` on, and outlives the span.
    RecordSpan(const RecordBatch& batch, std::size_t first, std::size_t count)
        : batch_(&batch), heads_(batch.heads().subspan(first, count)) {}

    [[nodiscard]] bool empty() const { return heads_.empty(); }
    [[nodiscard]] std::size_t size() const { return heads_.size(); }
    [[nodiscard]] const Head& operator[](std::size_t i) const { return heads_[i]; }
    [[nodiscard]] std::span<const Head> heads() const { return heads_; }
    [[nodiscard]] std::span<const u64> values(const Head& head) const {
        return batch_->values(head);
    }
    [[nodiscard]] std::span<const Attribute> attributes(const Head& head) const {
        return batch_->attributes(head);
    }

  private:
    const RecordBatch* batch_;
    std::span<const Head> heads_;
};

/// The record of a timing group: an element of a symbol.
struct RecordPlace {
    u32 symbol;
    u32 element;
};

/// The output of the call model for folding: symbols in execution order, and for every column
/// (numbered per location: the slots of symbol 0, of symbol 1, ...) its values in order. Cleared
/// and refilled without allocation.
struct CallBatch {
    struct Value {
        u32 column;
        u64 value;
    };
    /// Ticks since the previous record of the location; `group` numbers (symbol, element) pairs.
    struct Delta {
        u32 group;
        u64 ticks;
    };

    AppendBuffer<u32> symbols;
    AppendBuffer<Value> values;
    std::vector<Delta> deltas;

    void clear() {
        symbols.clear();
        values.clear();
        deltas.clear();
    }
};

}  // namespace tracefold
