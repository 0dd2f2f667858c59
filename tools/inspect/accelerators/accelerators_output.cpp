// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "core/csv_table.hpp"
#include "inspect/accelerators/accelerators.hpp"

namespace tracefold {

namespace {

constexpr AcceleratorUse kShownUses[] = {AcceleratorUse::kernel, AcceleratorUse::copy,
                                         AcceleratorUse::wait, AcceleratorUse::call};

void write_location(const AcceleratorsView& view, const AcceleratorActivity::Location& it,
                    const std::string& name, bool is_stream, JsonWriter& json) {
    json.begin_object().member("location", name);
    json.key("uses").begin_array();
    for (const AcceleratorUse use : kShownUses) {
        if (it.calls_of(use) == 0) continue;
        json.begin_object()
            .member("use", accelerator_use_name(use))
            .member("calls", it.calls_of(use))
            .member("seconds", view.seconds(it.ticks_of(use)))
            .member("share", view.share(it.ticks_of(use)))
            .end_object();
    }
    json.end_array();
    if (is_stream) json.member("busy", view.share(it.busy));
    json.member("bytes", it.bytes).end_object();
}

void write_call(const AcceleratorsView& view, const AcceleratorActivity::Call& call,
                JsonWriter& json) {
    json.begin_object()
        .member("name", call.name)
        .member("use", accelerator_use_name(call.use))
        .member("on_stream", call.on_stream)
        .member("calls", call.calls)
        .member("seconds", view.seconds(call.ticks))
        .member("shortest", view.seconds(call.shortest))
        .member("longest", view.seconds(call.longest))
        .member("bytes", call.bytes)
        .member("locations", call.locations)
        .end_object();
}

/// One line per use.
void write_lines(const AcceleratorsView& view, std::string_view kind, const std::string& name,
                 const AcceleratorActivity::Location& it, std::ostream& out) {
    for (const AcceleratorUse use : kShownUses) {
        if (it.calls_of(use) == 0) continue;
        out << kind << ',' << csv_field(name) << ',' << accelerator_use_name(use) << ','
            << it.calls_of(use) << ',' << csv_number(view.seconds(it.ticks_of(use))) << ",,,"
            << (use == AcceleratorUse::copy ? it.bytes : 0) << ",1\n";
    }
}

}  // namespace

void write_streams(const AcceleratorsView& view, JsonWriter& json) {
    json.key("streams").begin_array();
    for (std::size_t i = 0; i < view.streams.size(); ++i) {
        write_location(view, view.data.streams[i], view.streams[i], true, json);
    }
    json.end_array();
}

void write_accelerators_csv(const AcceleratorsView& view, std::ostream& out) {
    out << "kind,name,use,calls,seconds,shortest,longest,bytes,locations\n";
    for (std::size_t i = 0; i < view.streams.size(); ++i) {
        write_lines(view, "stream", view.streams[i], view.data.streams[i], out);
    }
    for (std::size_t i = 0; i < view.threads.size(); ++i) {
        write_lines(view, "thread", view.threads[i], view.data.threads[i], out);
    }
    for (const AcceleratorActivity::Call& call : view.data.calls) {
        out << (call.on_stream ? "on streams," : "on threads,") << csv_field(call.name) << ','
            << accelerator_use_name(call.use) << ',' << call.calls << ','
            << csv_number(view.seconds(call.ticks)) << ','
            << csv_number(view.seconds(call.shortest)) << ','
            << csv_number(view.seconds(call.longest)) << ',' << call.bytes << ',' << call.locations
            << '\n';
    }
}

void write_accelerators_json(const AcceleratorsView& view, Console& console) {
    JsonWriter json = begin_document(console, "accelerators");
    json.member("file", view.file).member("seconds", view.seconds(view.data.length));
    write_streams(view, json);
    json.key("threads").begin_array();
    for (std::size_t i = 0; i < view.threads.size(); ++i) {
        write_location(view, view.data.threads[i], view.threads[i], false, json);
    }
    json.end_array().key("calls").begin_array();
    for (const AcceleratorActivity::Call& call : view.data.calls) write_call(view, call, json);
    json.end_array().end_object();
}

}  // namespace tracefold
