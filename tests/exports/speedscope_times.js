// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Gives a Chrome trace to speedscope's importer, and prints what it understood as JSON: its warnings, and for each
// function the total and own time over all tracks, in microseconds. Visits within a visit of the same function are not
// counted twice in the total. What an explicit task takes is no part of what is open where it is executed.
//
// usage: node speedscope_times.js IMPORTER TRACE.json TASK...
// IMPORTER: the module of speedscope that has importTraceEvents(), as one CommonJS file. TASK: a region of tasks.
"use strict";
const fs = require("fs");
const path = require("path");

let warnings = 0;
console.warn = () => { ++warnings; };

// speedscope takes calls with other arguments for other functions, and puts them behind the name.
function functionName(frame) {
  const at = frame.name.indexOf(' {"');
  return at < 0 ? frame.name : frame.name.slice(0, at);
}

function addTimes(profile, tasks, times) {
  const stack = [];
  let open = new Map();  // visits of each function, of the task that is executed
  const enter = (node, time) => {
    const name = functionName(node.frame);
    stack.push({name, begin: time, below: 0, inTasks: 0, interrupted: open});
    if (tasks.has(name)) open = new Map();
    open.set(name, (open.get(name) || 0) + 1);
  };
  const leave = (node, time) => {
    const visit = stack.pop();
    const isTask = tasks.has(visit.name);
    const duration = time - visit.begin;
    open.set(visit.name, open.get(visit.name) - 1);
    const sums = times[visit.name] ||= {total: 0, own: 0};
    sums.own += duration - visit.below;
    if (open.get(visit.name) === 0) sums.total += duration - visit.inTasks;
    open = visit.interrupted;
    if (stack.length) stack[stack.length - 1].below += duration;
    if (stack.length) stack[stack.length - 1].inTasks += isTask ? duration : visit.inTasks;
  };
  profile.forEachCall(enter, leave);
}

const {importTraceEvents} = require(path.resolve(process.argv[2]));
const group = importTraceEvents(JSON.parse(fs.readFileSync(process.argv[3], "utf8")));
const tasks = new Set(process.argv.slice(4));
const times = {};
for (const profile of group.profiles) addTimes(profile, tasks, times);
console.log(JSON.stringify({tracks: group.profiles.length, warnings, times}));
