// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/field_cost.hpp"

#include "context_mixing/number_coder.hpp"

#include <cmath>

namespace tracefold {

namespace {

/// The bits of one number.
struct BitCost {
    u64 bits = 0;
    double coded = 0;

    void add(bool bit, u32 probability) {
        ++bits;
        coded -= std::log2((bit ? probability : 65536 - probability) / 65536.0);
    }
};

struct TellCost {
    BitCost* number;

    void operator()(bool bit, u32 probability) const { number->add(bit, probability); }
};

/// Follows numbers that are all there, and adds up what each takes.
class CostCounter final : public FieldSource {
  public:
    CostCounter(ByteModel& model, std::string_view bytes)
        : numbers_(model, bytes, TellCost{&number_}) {}

    void need(std::size_t position, CodedField field, Expectations expected) override {
        number_ = {};
        numbers_.need(position, field, expected);
        FieldCost& cost = costs_[{field.role, field.part, field.place}];
        ++cost.numbers;
        cost.content_bytes += number_.bits / 8;
        cost.stored_bytes += number_.coded / 8;
    }

    [[nodiscard]] const FieldCosts& costs() const { return costs_; }

  private:
    BitCost number_;
    KnownNumbers<TellCost> numbers_;
    FieldCosts costs_;
};

}  // namespace

FieldCosts cost_of_fields(ByteModel& model, SectionKind kind, std::string_view content,
                          const SectionContext& context) {
    CostCounter counter(model, content);
    read_numbers(counter, kind, content, context, "a section");
    return counter.costs();
}

}  // namespace tracefold
