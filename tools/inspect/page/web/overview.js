// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The overview: what the program is, how efficient it runs, and what costs time. A card per answer, each shown when it is ready.

/** How long an answer may take before its card shows the time and a button to stop. */
const SLOW_MS = 700;

/** A card whose content comes later; `make(signal)` returns elements, or nothing if the trace has nothing of this kind. */
class LateCard {
  constructor(title, waiting, kind, make) {
    Object.assign(this, { waiting, make });
    this.body = el('div', { class: kind });
    this.node = el('section', { class: 'panel', 'aria-label': title, 'aria-busy': 'true' }, el('h2', {}, title), this.body);
    this.load();
  }

  async load() {
    const control = new AbortController();
    const begin = performance.now();
    const says = el('p', { class: 'hint' }, `${this.waiting} …`);
    const stop = el('button', { type: 'button', hidden: true, onclick: () => control.abort() }, 'stop');
    this.body.replaceChildren(says, stop);
    const timer = setInterval(() => {
      const seconds = (performance.now() - begin) / 1000;
      if (seconds * 1000 < SLOW_MS) return;
      stop.hidden = false;
      says.textContent = `${this.waiting} … ${fixed(seconds, 0)} s`;
    }, 250);
    try {
      const content = await this.make(control.signal);
      if (content) this.body.replaceChildren(...[content].flat().filter(Boolean));
      else this.node.remove();
    } catch (error) {
      this.body.replaceChildren(el('p', { class: 'hint' }, control.signal.aborted ? 'Stopped: the server computes it no longer.' : error.message), el('button', { type: 'button', onclick: () => this.load() }, 'try again'));
    }
    clearInterval(timer);
    this.node.dataset.ms = Math.round(performance.now() - begin);
    this.node.setAttribute('aria-busy', 'false');
  }
}

const TERMS = [
  ['location', 'source of a stream of events: a process, a thread, or an accelerator stream'],
  ['step', 'one iteration of the program on all ranks; inferred from the order of messages and collective calls'],
  ['main loop', 'the loop of the folded program with most of the calls'],
  ['stencil', 'a grid of ranks in which each sends to the same relative neighbours; inferred from the communication matrix'],
  ['parallel efficiency', 'mean computation ÷ run time = load balance × communication efficiency'],
  ['load balance', 'mean ÷ maximum computation over ranks'],
  ['communication', 'maximum computation ÷ run time = serialisation × transfer'],
  ['serialisation', 'maximum computation ÷ run time on an ideal network: the cost of waits between ranks'],
  ['transfer', 'run time on an ideal network ÷ measured run time'],
  ['late sender', 'time in a receiving call before the message was sent'],
  ['computation', 'time of a thread outside of MPI and accelerator calls'],
  ['inclusive, exclusive', 'with, and without, called functions'],
  ['class', 'locations with equal properties, such as the number of calls of each MPI function'],
];

function glossary() {
  return el('details', { class: 'terms' }, el('summary', {}, 'Glossary'), el('dl', {}, TERMS.flatMap(([term, meaning]) => [el('dt', {}, term), el('dd', {}, meaning)])));
}

/** The numbers of a list of ranges: '0-6:2,9'. */
function numbersIn(text) {
  return text.split(',').flatMap((part) => {
    const [range, stride] = part.split(':');
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: Math.floor((last - first) / (stride || 1)) + 1 }, (_, i) => first + i * (stride || 1));
  });
}

/** Causes of lost time with their gains; a click leads to their ranks, call and step. */
function causesOf(view, found, trace) {
  if (found.unavailable) return el('p', {}, found.unavailable);
  const lead = (cause) => {
    const ranks = new Set(cause.ranks ? numbersIn(cause.ranks) : []);
    const rows = new Set(trace.rows.map((row, i) => [row, i]).filter(([row]) => ranks.has(row[1])).map(([, i]) => i));
    const worst = cause.numbers.find(({ name }) => name === 'worst_step');
    view.selection.set({ rows, call: cause.function || (cause.path || '').split('/').pop() || view.selection.call });
    view.app.show('timeline');
    if (!cause.steps && !worst) return;
    view.selection.set({ step: cause.steps ? cause.steps[0] : worst.value });
    view.app.timeline.first.moveStep(0);
  };
  const won = (cause) => `wins ${cause.is_limit ? 'at most ' : ''}${shareText(cause.won_share)} (${timeText(cause.won)})`;
  const item = (cause) => el('li', {}, el('b', {}, won(cause)), `: ${cause.sentence} ${cause.remedy} `,
    el('button', { type: 'button', onclick: () => lead(cause) }, 'show in the timeline'));
  const [first, more] = [found.causes.slice(0, 3), found.causes.slice(3)];
  return [...(first.length ? [el('ol', {}, first.map(item))] : [el('p', {}, found.sentence || '')]),
    more.length ? el('details', {}, el('summary', {}, `${counted(more.length, 'more cause')}`), el('ol', { start: first.length + 1 }, more.map(item))) : null,
    ...found.cautions.map((text) => el('p', { class: 'hint' }, text))];
}

/** Factors of the efficiency: title, what the value is, and the factors of which it is the product. */
const FACTORS = {
  hybrid: ['hybrid efficiency', (x) => `ranks and their threads are useful for ${x} of the time`, ['parallel', 'thread_parallel']],
  host: ['host efficiency', (x) => `hosts compute for ${x} of the time`, ['parallel', 'device_offload']],
  parallel: ['parallel efficiency', (x) => `ranks are outside of MPI for ${x} of the time`, ['load_balance', 'communication']],
  load_balance: ['load balance', (x) => `on average, ranks compute for ${x} of the longest computation`, []],
  communication: ['communication efficiency', (x) => `the longest computation takes ${x} of the run time`, ['serialisation', 'transfer']],
  serialisation: ['serialisation', (x) => `the longest computation takes ${x} of the run time on an ideal network; the rest is waits between ranks`, []],
  transfer: ['transfer', (x) => `the run would take ${x} of its time on an ideal network`, []],
  thread_parallel: ['threads', (x) => `threads are useful for ${x} of the computation of their rank`, ['thread_load_balance', 'thread_communication']],
  thread_load_balance: ['load balance of threads', (x) => `on average, threads work for ${x} of the longest one's work`, []],
  thread_communication: ['synchronisation of threads', (x) => `the busiest thread works for ${x} of the time`, []],
  device_offload: ['offload', (x) => `hosts do not wait for accelerators for ${x} of their computation`, []],
  device_parallel: ['accelerator efficiency', (x) => `accelerators run kernels for ${x} of the time`, ['device_load_balance', 'device_communication', 'device_orchestration']],
  device_load_balance: ['load balance of accelerators', (x) => `on average, kernels take ${x} of those of the busiest accelerator`, []],
  device_communication: ['copies', (x) => `kernels are ${x} of the busy time; the rest is copies`, []],
  device_orchestration: ['orchestration', (x) => `accelerators are busy for ${x} of the time`, []],
};

function judgement(share) { return share >= 0.9 ? 'good' : share >= 0.8 ? 'fair' : 'poor'; }

/** The factors as a tree with a sentence for each. */
function efficiencyTree(values) {
  const known = new Set();
  const valueOf = (name) => values[name] ?? values[`${name}_least`];
  const nodeOf = (name) => {
    const least = valueOf(name);
    if (typeof least !== 'number' || known.has(name)) return null;
    known.add(name);
    const [title, says, factors] = FACTORS[name];
    const most = values[`${name}_most`];
    const text = most === undefined ? shareText(least) : `${shareText(least)} to ${shareText(most)}`;
    const inner = factors.map(nodeOf).filter(Boolean);
    return el('li', {}, el('div', { class: 'factor' }, el('b', {}, text), el('span', {}, title, ' ', el('span', { class: judgement(least) }, judgement(least))),
      el('div', { class: 'meter' }, el('i', { style: `width: ${Math.min(100, Math.max(0, least) * 100)}%` })), el('span', { class: 'hint' }, says(text))), inner.length ? el('ul', {}, inner) : null);
  };
  return el('ul', { class: 'factors' }, Object.keys(FACTORS).filter((name) => ['hybrid', 'host', 'parallel', 'device_parallel'].includes(name)).map(nodeOf));
}

/** What threads, accelerators and files do, as sentences. */
function threadSentences({ threads = [] }) {
  const sum = (name) => threads.reduce((all, thread) => all + (thread[name] || 0), 0);
  const names = [['computation', 'in computation'], ['mpi', 'in MPI'], ['barrier', 'in barriers'], ['lock', 'in locks'], ['task_wait', 'in waits for tasks'], ['join', 'in joins'], ['management', 'in the runtime'], ['idle', 'idle']];
  const whole = [...names, ['device_wait'], ['device_copy'], ['device_call'], ['overhead']].reduce((all, [name]) => all + sum(name), 0);
  if (threads.length < 2 || !whole || !['barrier', 'lock', 'task_wait', 'join', 'management', 'idle'].some((name) => sum(name) > 0)) return [];
  return [`${counted(threads.length, 'thread')} spend ${names.filter(([name]) => sum(name) / whole >= 0.0005).map(([name, words]) => `${shareText(sum(name) / whole)} ${words}`).join(', ')}.`];
}

function acceleratorSentences({ devices = [], accelerator_threads: threads = [], runtime }) {
  if (!devices.length) return [];
  const sum = (list, name) => list.reduce((all, one) => all + one[name], 0);
  const whole = sum(devices, 'seconds') || 1;
  const sentences = [`${counted(devices.length, 'accelerator')}: kernels for ${shareText(sum(devices, 'kernels') / whole)} of the time, copies besides for ${shareText(sum(devices, 'copies') / whole)}.`];
  if (threads.length && runtime) sentences.push(`${counted(threads.length, 'host thread')}: waits for accelerators for ${shareText(sum(threads, 'wait') / threads.length / runtime)} of the time, calls of their library for ${shareText((sum(threads, 'call') + sum(threads, 'copy')) / threads.length / runtime)}.`);
  return sentences;
}

function fileSentences(io, seconds) {
  if (io.unavailable || !io.lines.length) return [];
  const { total } = io;
  const one = ({ operation, count, bytes, seconds: took, bandwidth }) => `${counted(count, operation)} of ${bytes === null ? 'unknown size' : byteText(bytes)}${took ? ` in ${timeText(took)}` : ''}${bandwidth ? ` (${byteText(Math.round(bandwidth))}/s)` : ''}`;
  const share = seconds && total.locations ? `, ${shareText(total.call_seconds / total.locations / seconds)} of the time of ${counted(total.locations, 'location')}` : '';
  return [`${counted(new Set(io.lines.map((line) => line.file)).size, 'file')}: ${total.operations.filter(({ count }) => count).map(one).join(', ')}.`, `Calls for files take ${timeText(total.call_seconds)}${share}.`];
}

/** Draws columns of activities between two moments, as rows of the timeline are drawn. */
function paintActivities(context, kept, area, [from, to]) {
  const xOf = (tick) => area.left + (tick - from) / (to - from) * (area.right - area.left);
  Timeline.prototype.paintColumns.call({ from, to, xOf, selection: { call: '' }, depthOfUse: Timeline.prototype.depthOfUse }, context, kept, area.top, area.bottom - area.top);
}

/** A canvas that is painted when it has a size, and again when it or the colours change. */
function picture(height, label, paint) {
  const canvas = el('canvas', { style: `width: 100%; height: ${height}px`, role: 'img', 'aria-label': label });
  const again = () => {
    if (!canvas.clientWidth) return;
    const { context, width, height: tall } = prepared(canvas);
    context.clearRect(0, 0, width, tall);
    paint(context, width, tall);
  };
  new ResizeObserver(again).observe(canvas);
  addEventListener('recolour', again);
  return canvas;
}

const PICTURE_COLUMNS = 400;
const PICTURE_ROWS = 16;

function sampledRows(trace, most) {
  const step = Math.ceil(trace.rows.length / most);
  return trace.rows.map((_, row) => row).filter((row) => row % step === 0);
}

/** Where the time goes: shares of the activities over the run, mean of the rows. */
async function runPicture({ source, trace }, signal) {
  const [from, to] = trace.window;
  const rows = sampledRows(trace, 64);
  const answer = await source.timeline(rows, from, to, PICTURE_COLUMNS, false, signal);
  const kept = { from: answer.from, to: answer.to, ...Timeline.prototype.meanOf(answer, PICTURE_COLUMNS) };
  const seconds = 1 / trace.ticks_per_second;
  const canvas = picture(150, 'Activities over the run', (context, width, height) => {
    const area = { left: axisRoom(context, ['100 %']), right: width - 10, top: 8, bottom: height - 24 };
    paintAxes(context, area, { least: 0, most: 1, text: (value) => `${Math.round(100 * value)} %` }, axisTicks(0, (to - from) * seconds, width / 110).map((at) => [area.left + at / ((to - from) * seconds) * (area.right - area.left), timeText(at)]));
    paintActivities(context, kept, area, [from, to]);
  });
  const sums = kept.uses.map((use, i) => [use, kept.shares.reduce((sum, share, at) => sum + (at % kept.uses.length === i ? share : 0), 0) / 255 / PICTURE_COLUMNS]).sort((a, b) => b[1] - a[1]);
  return [canvas, el('div', { class: 'legend' }, sums.filter(([, share]) => share >= 0.0005).map(([use, share]) => el('span', {}, swatch(use), `${trace.uses[use]} ${shareText(share)}`))),
    rows.length < trace.rows.length ? el('p', { class: 'hint' }, `mean of ${rows.length} of ${counted(trace.rows.length, 'location')}`) : null];
}

/** One step in the middle of the run, on some of the ranks; a click shows it in the timeline. */
async function stepPicture(view, { source, trace }, signal, tell) {
  const row = Math.max(0, trace.rows.findIndex((item) => item[1] !== null && item[1] >= 0 && !item[4]));
  const [from, to] = trace.window;
  const { count, steps } = await source.steps(row, from, to, signal);
  tell(count);
  if (steps.length < 2) return null;
  const middle = Math.min(steps.length - 2, steps.length >> 1);
  let [[step, begin], [, end]] = steps.slice(middle, middle + 2);
  const inner = await source.steps(row, begin, end, signal);
  if (inner.steps.length > 1) [[step, begin], [, end]] = inner.steps;
  const margin = (end - begin) * 0.02;
  [begin, end] = [Math.max(0, begin - margin), end + margin];
  const rows = sampledRows(trace, PICTURE_ROWS);
  const answer = await source.timeline(rows, begin, end, PICTURE_COLUMNS, false, signal);
  const tall = Math.max(9, Math.min(24, 200 / rows.length));
  const seconds = 1 / trace.ticks_per_second;
  const canvas = picture(rows.length * tall + 34, `Step ${step} of ${count}`, (context, width) => {
    const labels = answer.rows.map(({ row: at }, i) => [8 + (i + 0.5) * tall, trace.rows[at][0]]);
    const shown = labels.filter((_, i) => i % Math.ceil(13 / tall) === 0);
    const area = { left: Math.min(150, axisRoom(context, shown.map(([, text]) => text))), right: width - 10, top: 8, bottom: 8 + rows.length * tall };
    paintAxes(context, area, { labels: shown.map(([at, text]) => [at, Timeline.prototype.fitted(context, text, area.left - 8)]) },
      axisTicks(0, (end - begin) * seconds, width / 110).map((at) => [area.left + at / ((end - begin) * seconds) * (area.right - area.left), timeText(at)]));
    answer.rows.forEach((kept, i) => {
      if (kept.shares) paintActivities(context, { from: answer.from, to: answer.to, ...kept }, { ...area, top: 9 + i * tall, bottom: 7 + (i + 1) * tall }, [begin, end]);
    });
  });
  const show = () => {
    view.app.show('timeline');
    view.selection.set({ step });
    view.app.timeline.first.moveStep(0);
  };
  return [canvas, el('p', { class: 'hint' }, `Step ${step} of ${countText(count)}${rows.length < trace.rows.length ? `, ${rows.length} of ${counted(trace.rows.length, 'location')}` : ''}. `, el('button', { type: 'button', onclick: show }, 'show in the timeline'))];
}

/** What the trace is, how efficient it is, what costs time. */
class OverviewView extends LateView {
  async content(item) {
    const { source, trace } = item;
    const document = async (name, signal) => {
      const found = await source.document(name, signal);
      if (found.unavailable) throw new Error(found.unavailable);
      return found;
    };
    const processes = new Set(trace.rows.map((row) => row[1]).filter((rank) => rank !== null && rank >= 0)).size;
    const duration = (trace.window[1] - trace.window[0]) / trace.ticks_per_second;
    const steps = el('span', {});
    const who = el('span', {}, counted(processes || trace.rows.length, processes ? 'rank' : 'location'));
    const facts = el('p', { class: 'hint' });
    const damage = el('div', {});
    const calls = el('section', { class: 'panel', 'aria-label': 'Calls', hidden: true });
    const card = (...parts) => new LateCard(...parts).node;
    const efficiency = card('Efficiency', 'Computing the efficiency', 'efficiency', async (signal) => {
      const found = await document('efficiency', signal);
      const { clocks } = found;
      return [efficiencyTree(found.efficiency), clocks ? el('p', { class: 'hint' }, `Clocks were corrected: ${countText(clocks.early_messages_before)} of ${countText(clocks.messages)} messages arrived before they were sent, ${countText(clocks.early_collectives_before)} of ${countText(clocks.collectives)} collective operations ended too early; now ${countText(clocks.early_messages)} and ${countText(clocks.early_collectives)}. ${countText(clocks.events_moved)} of ${countText(clocks.events)} events were moved, by ${timeText(clocks.largest_move)} at most.`) : null];
    });
    const causes = card('What costs time', 'Looking for causes of lost time', 'causes', async (signal) => causesOf(this, await source.document('explain', signal), trace));
    const resources = card('Threads, accelerators, files', 'Reading', 'sentences', async (signal) => {
      const sentences = [];
      const info = await source.document('info');
      if (trace.rows.length > processes) {
        const found = await source.document('efficiency', signal);
        if (!found.unavailable) sentences.push(...threadSentences(found), ...acceleratorSentences(found));
      }
      if (!info.unavailable && kindsOf(info).files) sentences.push(...fileSentences(await source.document('io', signal), duration));
      return sentences.length ? sentences.map((text) => el('p', {}, text.replaceAll(' %', '\u00a0%'))) : null;
    });
    const run = card('Where the time goes', 'Reading the times', 'chart', (signal) => runPicture(item, signal));
    const step = card('One step', 'Looking for steps', 'chart', (signal) => stepPicture(this, item, signal, (count) => { if (count) steps.textContent = `${counted(count, 'step')} · `; }));
    const structure = card('Structure', 'Reading the structure', 'findings', async (signal) => [el('ul', {}, findingsOf(await document(source instanceof FileSource ? 'structure' : 'findings', signal)).map((text) => el('li', {}, text)))]);
    source.document('info').then((info) => {
      if (info.unavailable) return;
      const { archive } = info;
      if (info.processes) who.textContent = `${countText(info.processes)} ${processWords(info)[info.processes === 1 ? 0 : 1]}`;
      facts.textContent = shown([`${countText(info.events)} events on ${counted(info.locations, 'location')}`, `${byteText(info.file_bytes)}${info.ratio ? `, ${countText(Math.round(info.ratio))} × smaller than the archive` : ''}`,
        archive.creator ? `recorded by ${archive.creator}` : '', archive.machine, `times: ${info.timing}`, ...((info.left_out || {}).sentences || [])].filter(Boolean).join(' · '));
      const table = new SortedTable([{ title: 'call', value: (row) => row.name }, { title: 'calls', value: (row) => row.calls, text: countText }, { title: 'locations', value: (row) => row.locations, text: countText }],
        info.calls.slice(0, 12), 1, { id: 'overview-calls', chosen: (row) => row.name === this.selection.call, click: (row) => this.selection.set({ call: row.name }) });
      const lost = (info.damaged_files || []).map((loss) => el('li', { class: 'warning' }, `${loss.file}${loss.location === undefined ? '' : ` of location ${loss.location}`}: ${loss.text}`));
      if (lost.length) damage.append(el('section', { class: 'panel' }, el('h2', {}, 'Damaged when it was rescued'), el('ul', {}, lost)));
      calls.append(el('h2', {}, 'Calls'), table.node);
      calls.hidden = false;
    });
    return [el('h2', { class: 'program' }, trace.program_name || trace.name), el('p', { class: 'summary' }, who, ' · ', steps,
      `${timeText(duration)} ${processes ? 'from the end of MPI_Init to MPI_Finalize' : 'from the first to the last record'}`), facts, damage,
    el('div', { class: 'panels' }, el('div', {}, causes, resources, run, structure), el('div', {}, efficiency, step, calls)), glossary()];
  }
}

/** What the structure says, as sentences. */
function findingsOf(structure) {
  const said = ((structure.findings || {}).lines || []).map(({ subject, text }) => subject ? `${subject}: ${text}` : text);
  return said.length ? said : ['No repetition found.'];
}
