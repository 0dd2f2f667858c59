// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/machine_report.hpp"

#include "core/error.hpp"
#include "io/file.hpp"

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <utility>

#include <nlohmann/json.hpp>

namespace tracefold {

namespace {

using Json = nlohmann::json;

constexpr u64 kLargestReport = 256U << 20U;

/// One report; errors name it.
class ReportReader {
  public:
    explicit ReportReader(const std::string& path) : path_(path) {}

    MachineReport read() {
        const Json json = parsed();
        check_schema(json);
        MachineReport report;
        report.path = path_;
        report.name = std::filesystem::path(path_).stem().string();
        report.input = text(json, "input");
        report.choices = choices(json);
        report.ranks = count(json, "ranks");
        report.calls = count(json, "calls");
        report.repetitions = count(member(json, "repetitions"), "count");
        const Json& met = member(member(json, "fidelity"), "met");
        report.met = met.is_boolean() && met.get<bool>();
        report.oversubscribed = json.contains("oversubscription");
        report.times = times(member(json, "replayed"));
        for (const Json& calls : list(json, "calls_by_size")) report.sizes.push_back(sized(calls));
        for (const Json& rank : list(json, "ranks_in_detail"))
            report.ranks_in_detail.push_back(reported(rank));
        return report;
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw Error(ErrorKind::corrupt, "{} is no report that can be compared: {}", path_, why);
    }

    [[nodiscard]] Json parsed() const {
        const InputFile file(path_);
        if (file.size() > kLargestReport) refuse("it is larger than 256 MiB");
        Json json = Json::parse(file.read_at(0, file.size()), nullptr, false);
        if (json.is_discarded()) refuse("it is no JSON");
        return json;
    }

    void check_schema(const Json& json) const {
        const Json schema = json.is_object() ? json.value("schema", Json()) : Json();
        if (!schema.is_object() || schema.value("name", Json()) != "tracefold.replay") {
            throw Error(ErrorKind::unsupported,
                        "{} is no report of trace_replay; --compare takes what --report wrote to a "
                        ".json file",
                        path_);
        }
        if (json.contains("trace") && json.contains("options") && json.contains("calls_by_size"))
            return;
        throw Error(ErrorKind::unsupported,
                    "{} is the report of an older release, which does not say what was replayed; "
                    "replay it again",
                    path_);
    }

    [[nodiscard]] const Json& member(const Json& json, const char* name) const {
        if (!json.is_object() || !json.contains(name))
            refuse(std::string("it has no \"") + name + "\"");
        return json[name];
    }
    [[nodiscard]] const Json& list(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_array()) refuse(std::string("\"") + name + "\" is no list");
        return value;
    }
    [[nodiscard]] std::string text(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_string()) refuse(std::string("\"") + name + "\" is no text");
        return value.get<std::string>();
    }
    [[nodiscard]] u64 count(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_number_unsigned())
            refuse(std::string("\"") + name + "\" is no number of things");
        return value.get<u64>();
    }
    /// Seconds; computation may be a rounding error below zero.
    [[nodiscard]] double seconds(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_number() || !std::isfinite(value.get<double>())) {
            refuse(std::string("\"") + name + "\" is no number of seconds");
        }
        return value.get<double>();
    }

    [[nodiscard]] std::vector<ReplayChoice> choices(const Json& json) const {
        std::vector<ReplayChoice> all = {{"trace", text(json, "trace")},
                                         {"ranks", std::to_string(count(json, "ranks"))}};
        const auto add = [&all](const char* option, const Json& from, const char* name) {
            const Json value = from.value(name, Json());
            all.push_back({option, value.is_null()     ? "none"
                                   : value.is_string() ? value.get<std::string>()
                                                       : value.dump()});
        };
        add("--deltas", json, "deltas");
        if (all.back().value == "sample") add("--seed", json, "seed");
        add("--compute-scale", json, "compute_scale");
        add("--bytes-scale", json, "bytes_scale");
        const Json& options = member(json, "options");
        if (!options.is_object()) refuse("\"options\" is no object");
        for (const auto& [option, name] :
             std::initializer_list<std::pair<const char*, const char*>>{
                 {"--sleep", "sleep"},
                 {"--wildcards", "wildcards"},
                 {"--neighbour-bytes", "neighbour_bytes"},
                 {"--from", "from"},
                 {"--to", "to"},
                 {"--verify", "verify"},
                 {"--unsupported", "unsupported"}}) {
            add(option, options, name);
        }
        return all;
    }

    [[nodiscard]] Spread spread(const Json& json, const char* name) const {
        const Json& of = member(json, name);
        return {seconds(of, "min"), seconds(of, "mean"), seconds(of, "max"), seconds(of, "std")};
    }
    [[nodiscard]] TimeSpreads times(const Json& json) const {
        return {spread(json, "wall"), spread(json, "communication"), spread(json, "computation")};
    }

    [[nodiscard]] CallsOfSize sized(const Json& json) const {
        CallsOfSize calls{text(json, "function"),
                          count(json, "from_bytes"),
                          count(json, "calls"),
                          count(json, "bytes"),
                          seconds(json, "replayed_seconds"),
                          seconds(json, "shortest_seconds")};
        if (calls.seconds < 0 || calls.shortest < 0) refuse("a call takes less than no time");
        return calls;
    }

    [[nodiscard]] ReportedRank reported(const Json& json) const {
        const Json& replayed = member(json, "replayed");
        return {count(json, "rank"), json.contains("host") ? text(json, "host") : "",
                seconds(replayed, "wall"), seconds(replayed, "communication"),
                seconds(replayed, "computation")};
    }

    const std::string& path_;
};

}  // namespace

MachineReport read_machine_report(const std::string& path) { return ReportReader(path).read(); }

}  // namespace tracefold
