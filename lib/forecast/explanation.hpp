// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "questions/profile/profile_table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// clang-format off
/// Causes of lost time, X(name), specific ones before general ones: of two that explain the same
/// time, the first is told.
#define TRACEFOLD_CAUSES(X)                                                                  \
    X(communicators)      /* communicators, windows or types are made in the loop */         \
    X(polling)            /* completion is looked for too rarely */                          \
    X(late_receiver)      /* large sends wait for their receives */                          \
    X(growing_messages)   /* messages grow from step to step */                              \
    X(growing_work)       /* computation grows from step to step */                          \
    X(rare_steps)         /* some steps take much longer */                                  \
    X(drift)              /* the imbalance grows from step to step */                        \
    X(start_up)           /* one rank works before the first step */                         \
    X(end)                /* one rank works after the last step */                           \
    X(fixed_order)        /* messages are waited for in an order other than that of arrival */ \
    X(small_tasks)        /* one rank answers the requests of all others */                  \
    X(hot_spot)           /* one rank works on the messages of all others */                 \
    X(serial_part)        /* one rank works for all others */                                \
    X(needless_barrier)   /* barriers delay ranks whose work varies */                       \
    X(straggler)          /* one rank is slower in the same code */                          \
    X(slow_group)         /* some ranks are slower in the same code */                       \
    X(exchange_order)     /* all ranks meet the same partner at a time */                    \
    X(chain)              /* ranks work one after the other */                               \
    X(late_sender)        /* messages leave after work that they need not wait for */        \
    X(imbalance)          /* ranks have different amounts of work */                         \
    X(noise)              /* something delays single ranks now and then */                   \
    X(moving_imbalance)   /* another rank is the slowest in each step */                     \
    X(latency)            /* many small messages, each an answer to the last */              \
    X(small_messages)     /* many small messages in a row */                                 \
    X(many_collectives)   /* many collective operations in a row */                          \
    X(bandwidth)          /* large messages */                                               \
    X(placement)          /* messages between nodes that could be within them */             \
    X(files)              /* reading and writing files */                                    \
    X(threads)            /* threads idle or differ */                                       \
    X(accelerators)       /* hosts and accelerators wait for each other */
// clang-format on

enum class CauseKind : u8 {
#define TRACEFOLD_ENUMERATOR(name) name,
    TRACEFOLD_CAUSES(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

#define TRACEFOLD_COUNT(name) +1
inline constexpr std::size_t kCauses = TRACEFOLD_CAUSES(TRACEFOLD_COUNT);
#undef TRACEFOLD_COUNT

/// "late_receiver"
std::string_view cause_name(CauseKind kind);

/// What explains lost time is told if it wins this share of the run time, or twice as much of short
/// runs: less than kShortRun seconds, or kFewSteps steps. docs/reference/explain.md has all
/// thresholds.
inline constexpr double kLeastGain = 0.05;
inline constexpr double kSmallGain = 0.02;
inline constexpr double kShortRun = 0.5;
inline constexpr u64 kFewSteps = 20;

/// A cause of lost time. Times in seconds.
struct ExplainedCause {
    /// A number that `command` of trace_inspect prints as well, with --json to the last digit.
    struct Figure {
        std::string name;
        double value = 0;
        std::string command;  ///< with options: "efficiency --focus"
    };

    CauseKind kind{};
    double won = 0;    ///< if this cause were gone, after those that were removed before it
    double alone = 0;  ///< if this cause alone were gone
    /// The gain is a limit: how much of the cause can be removed is not known.
    bool is_limit = false;
    std::vector<u32> ranks;          ///< affected; empty: all
    std::string path;                ///< call path; empty: several
    std::string function;            ///< MPI function of the figures; empty: none
    std::vector<u64> steps;          ///< affected; empty: all
    std::vector<Figure> figures;     ///< evidence
    std::vector<CauseKind> effects;  ///< causes that vanish with this one

    [[nodiscard]] bool has_figure(std::string_view name) const;
    /// The value of a figure; 0 if the cause has no such figure.
    [[nodiscard]] double figure(std::string_view name) const;
};

/// Why a run is slow (docs/reference/explain.md). Times in seconds.
struct Explanation {
    double runtime = 0;      ///< from MPI_Init to MPI_Finalize
    double computation = 0;  ///< mean over the ranks
    u32 ranks = 0;
    u64 steps = 0;  ///< 0: none found
    std::string program;
    /// computation + imbalance + dependences + transfer = runtime: the factors of efficiency as
    /// times. The latter two are 0 if `why_not_split` tells why they are not known.
    double imbalance = 0;
    double dependences = 0;
    double transfer = 0;
    std::string why_not_split;

    std::vector<ExplainedCause> causes;   ///< the most costly first
    std::vector<ExplainedCause> smaller;  ///< of kSmallGain to the least gain
    double together = 0;                  ///< won if all of `causes` were gone
    double least_gain = kLeastGain;       ///< in this run
    std::string why_not;                  ///< causes were not searched

    /// Mean over the ranks: in calls that complete requests without a record, such as those of
    /// neighbourhood collectives.
    double unknown_waits = 0;
    u64 early_messages = 0;  ///< received before they were sent: the clocks disagree
    u64 messages = 0;
    /// Mean time of the calls on the critical path that communicate, without waits, and that of the
    /// fastest twentieth; 0: few such calls.
    double cost_per_call = 0;
    double least_cost_per_call = 0;
};

/// Explains where the time of a run went: candidates by rules over computation by rank and step,
/// waits and messages; each is evaluated by walking the recorded run without it. `threads`: as for
/// find_program_steps(). Throws Error: corrupt; unsupported as trace_efficiency(). Cost:
/// trace_efficiency(), one more simulation, and some ten walks over its calls. Memory: 200 bytes
/// a call.
Explanation explain(TraceFile& file, u32 threads);
/// The same with the efficiency and the steps of the file, which are known.
Explanation explain(TraceFile& file, const Efficiency& efficiency, FoundSteps& steps, u32 threads);

}  // namespace tracefold
