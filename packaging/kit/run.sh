#!/bin/sh
# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the replayer, and replays the trace in several launches: reports/1.json, reports/2.json ...
# Arguments go to each replay, as in ./run.sh --repeat 10. MPIRUN starts the ranks, as in MPIRUN="srun -n 27"; LAUNCHES
# is 5 if it is not set.
set -eu
cd "$(dirname "$0")"
. ./study
: "${MPIRUN:=mpirun -n $RANKS}" "${LAUNCHES:=5}"

make -j "$(nproc 2>/dev/null || echo 2)" --no-print-directory >build.log 2>&1 || {
    tail -n 20 build.log >&2
    echo "run.sh: the replayer cannot be built; build.log has all messages" >&2
    exit 1
}
mkdir -p reports
rm -f reports/*.json
status=0
launch=1
while [ "$launch" -le "$LAUNCHES" ]; do
    report=reports/$launch.json
    code=0
    $MPIRUN ./trace_replay run.tfold $OPTIONS --verify --report "$report" "$@" || code=$?
    [ $code -eq 0 ] || status=$code
    [ $code -eq 0 ] || [ $code -eq 3 ] || exit $code
    if ! grep -q "\"fingerprint\": *\"$FINGERPRINT\"" "$report"; then
        echo "run.sh: the issued calls do not have the fingerprint of this study, $FINGERPRINT" >&2
        exit 3
    fi
    launch=$((launch + 1))
done
echo "the issued calls have the fingerprint of this study, $FINGERPRINT; send back the folder reports"
exit $status
