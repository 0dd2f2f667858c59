# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause

# The last lines of the configuration: what will be built and what not.
include(FeatureSummary)
add_feature_info(mpi TRACEFOLD_WITH_MPI "several processes fold one archive (TRACEFOLD_WITH_MPI)")
add_feature_info(shared TRACEFOLD_SHARED "the library as a shared one, too (TRACEFOLD_SHARED)")
add_feature_info(python TRACEFOLD_PYTHON "the Python package tracefold (TRACEFOLD_PYTHON)")
add_feature_info(tests TRACEFOLD_TESTS "unit, command line and house tests (TRACEFOLD_TESTS)")
add_feature_info(benchmarks TRACEFOLD_BENCH "micro benchmarks (TRACEFOLD_BENCH)")
add_feature_info(fuzzing TRACEFOLD_FUZZ "fuzz targets driven by libFuzzer (TRACEFOLD_FUZZ)")
add_feature_info(manuals TRACEFOLD_PANDOC "manual pages, made by pandoc where it is found")
feature_summary(
    WHAT ENABLED_FEATURES
    DESCRIPTION "tracefold ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, with:"
    QUIET_ON_EMPTY)
feature_summary(
    WHAT DISABLED_FEATURES
    DESCRIPTION "without:"
    QUIET_ON_EMPTY)
