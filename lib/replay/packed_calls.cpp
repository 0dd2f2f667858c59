// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/packed_calls.hpp"

#include <cstring>

namespace tracefold {

namespace {

/// How a call or an action is packed.
enum class Form : u8 {
    whole,       ///< as it is
    plain,       ///< a call without anything inferred
    message,     ///< an action with an envelope at most
    collective,  ///< an action with a part in a collective operation
};

/// What a plain call has.
struct PlainCall {
    Form form = Form::plain;
    MpiFunction function{};
    CallFamily family{};
    u32 region = 0;
    u64 index = 0;
    u64 begin = 0;
    u64 end = 0;

    explicit PlainCall(const MpiCall& call)
        : function(call.function),
          family(call.family),
          region(call.region),
          index(call.index),
          begin(call.begin),
          end(call.end) {}
    PlainCall() = default;

    [[nodiscard]] MpiCall call() const {
        MpiCall call;
        call.function = function;
        call.family = family;
        call.region = region;
        call.index = index;
        call.begin = call.paced_begin = begin;
        call.end = call.paced_end = end;
        return call;
    }
};

/// What an action with one kind of detail has.
template <Form kForm, class Detail, Detail Action::*kDetail>
struct PlainAction {
    Form form = kForm;
    Action::Kind kind{};
    bool known = true;
    EventType type{};
    u64 time = 0;
    u64 request = kNoRequest;
    Detail detail;

    explicit PlainAction(const Action& action)
        : kind(action.kind),
          known(action.known),
          type(action.type),
          time(action.time),
          request(action.request),
          detail(action.*kDetail) {}
    PlainAction() = default;

    [[nodiscard]] Action action() const {
        Action action;
        action.kind = kind;
        action.known = known;
        action.type = type;
        action.time = time;
        action.request = request;
        action.*kDetail = detail;
        return action;
    }
};
using MessageAction = PlainAction<Form::message, Envelope, &Action::envelope>;
using CollectiveAction = PlainAction<Form::collective, CollectivePart, &Action::part>;

/// Whether it can be had again from its plain form. A field that is new has to be looked at here.
bool is_plain(const MpiCall& call) {
    static_assert(sizeof(void*) != 8 || sizeof(MpiCall) == 104);
    return call.treatment == MpiCall::Treatment::as_recorded && call.inferred == Envelope{} &&
           call.paced_begin == call.begin && call.paced_end == call.end && !call.found &&
           !call.unreceived && !call.dropped;
}

}  // namespace

void PackedCalls::clear() {
    bytes_.clear();
    size_ = 0;
    at_ = 0;
}

template <class Value>
void PackedCalls::put(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::memcpy(bytes_.extend(sizeof value), &value, sizeof value);
}

template <class Value>
Value PackedCalls::get() {
    Value value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
}

void PackedCalls::add(const MpiCall& call) {
    if (is_plain(call)) {
        put(PlainCall(call));
    } else {
        put(Form::whole);
        put(call);
    }
    put(call.actions.size());
    for (const Action& action : call.actions) put_action(action);
    ++size_;
}

void PackedCalls::put_action(const Action& action) {
    if (const MessageAction message(action); message.action() == action) return put(message);
    if (const CollectiveAction member(action); member.action() == action) return put(member);
    put(Form::whole);
    put(action);
}

void PackedCalls::read(MpiCall& call, std::vector<Action>& actions) {
    if (static_cast<Form>(bytes_[at_]) == Form::plain) {
        call = get<PlainCall>().call();
    } else {
        at_ += sizeof(Form);
        call = get<MpiCall>();
    }
    actions.resize(get<std::size_t>());
    for (Action& action : actions) get_action(action);
    call.actions = actions;
}

void PackedCalls::get_action(Action& action) {
    switch (static_cast<Form>(bytes_[at_])) {
        case Form::message:
            action = get<MessageAction>().action();
            break;
        case Form::collective:
            action = get<CollectiveAction>().action();
            break;
        default:
            at_ += sizeof(Form);
            action = get<Action>();
            break;
    }
}

}  // namespace tracefold
