// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Who sends to whom, statistics with histograms, efficiency, and the overview.

/** A matrix as a picture that zooms: wheel, drag, tooltips. */
class MatrixPicture {
  constructor(matrix, selection, rowOfRank) {
    Object.assign(this, { matrix, selection, rowOfRank });
    this.metric = 'bytes';
    this.canvas = el('canvas', { style: 'width: min(100%, 640px); aspect-ratio: 1; touch-action: none', tabindex: 0, 'aria-label': 'Matrix of senders and receivers; plus and minus zoom' });
    this.home();
    this.canvas.addEventListener('wheel', (event) => { event.preventDefault(); this.zoom(Math.exp(event.deltaY * 0.002), event.offsetX, event.offsetY); }, { passive: false });
    this.canvas.addEventListener('pointerdown', (event) => { this.drag = { x: event.offsetX, y: event.offsetY, left: this.left, top: this.top }; this.canvas.setPointerCapture(event.pointerId); });
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', (event) => this.up(event));
    this.canvas.addEventListener('pointerleave', () => Tooltip.hide());
    this.canvas.addEventListener('dblclick', () => { this.home(); this.paint(); });
    this.canvas.addEventListener('keydown', (event) => {
      const side = this.canvas.clientWidth / 2;
      if (event.key === '+') this.zoom(0.7, side, side);
      else if (event.key === '-') this.zoom(1 / 0.7, side, side);
    });
    new ResizeObserver(() => this.paint()).observe(this.canvas);
    selection.on('rows', () => this.paint());
  }

  get edge() { return 46; }
  get side() { return this.canvas.clientWidth - this.edge; }
  home() { this.left = this.top = 0; this.span = Math.max(this.matrix.rows.length, this.matrix.columns.length); }

  zoom(factor, x, y) {
    const size = Math.max(this.matrix.rows.length, this.matrix.columns.length);
    const span = Math.max(1, Math.min(size, this.span * factor));
    const [column, row] = [this.left + (x - this.edge) / this.side * this.span, this.top + (y - this.edge) / this.side * this.span];
    this.left = Math.max(0, Math.min(size - span, column - (x - this.edge) / this.side * span));
    this.top = Math.max(0, Math.min(size - span, row - (y - this.edge) / this.side * span));
    this.span = span;
    this.paint();
  }

  move(event) {
    if (this.drag) {
      const size = Math.max(this.matrix.rows.length, this.matrix.columns.length);
      const by = this.span / this.side;
      this.left = Math.max(0, Math.min(size - this.span, this.drag.left - (event.offsetX - this.drag.x) * by));
      this.top = Math.max(0, Math.min(size - this.span, this.drag.top - (event.offsetY - this.drag.y) * by));
      this.drag.moved = Math.abs(event.offsetX - this.drag.x) + Math.abs(event.offsetY - this.drag.y) > 3;
      this.paint();
      return;
    }
    const cell = this.cellAt(event);
    if (!cell) { Tooltip.hide(); return; }
    const { rows, columns, by } = this.matrix;
    Tooltip.show(event, [el('b', {}, `${rows[cell.row]} → ${columns[cell.column]}`), factTable([['by', by], ['bytes', byteText(cell.bytes)], ['calls', countText(cell.calls)],
      ['mean', cell.calls ? byteText(Math.round(cell.bytes / cell.calls)) : '']])]);
  }

  up(event) {
    const { moved } = this.drag || {};
    this.drag = null;
    const cell = moved ? null : this.cellAt(event);
    if (!cell || this.matrix.by !== 'rank') return;
    const rows = [this.matrix.rows[cell.row], this.matrix.columns[cell.column]].map((label) => this.rowOfRank(label)).filter((row) => row >= 0);
    this.selection.set({ rows: new Set(rows) });
  }

  cellAt(event) {
    if (event.offsetX < this.edge || event.offsetY < this.edge) return null;
    const column = Math.floor(this.left + (event.offsetX - this.edge) / this.side * this.span);
    const row = Math.floor(this.top + (event.offsetY - this.edge) / this.side * this.span);
    return this.matrix.cells.find((cell) => cell.row === row && cell.column === column);
  }

  paint() {
    if (!this.canvas.clientWidth) return;
    const { context, width, height } = prepared(this.canvas);
    const { cells, rows, columns } = this.matrix;
    context.fillStyle = Colours.known.back;
    context.fillRect(0, 0, width, height);
    context.font = '11px system-ui, "DejaVu Sans", sans-serif';
    const size = this.side / this.span;
    const most = Math.log1p(Math.max(1, ...cells.map((cell) => cell[this.metric])));
    context.save();
    context.beginPath();
    context.rect(this.edge, this.edge, this.side, this.side);
    context.clip();
    context.fillStyle = Colours.known.panel;
    context.fillRect(this.edge, this.edge, columns.length * size, rows.length * size);
    for (const cell of cells) {
      const share = Math.log1p(cell[this.metric]) / most;
      context.fillStyle = `rgba(${Colours.known.heat}, ${0.12 + 0.88 * share})`;
      const gap = size > 6 ? 1 : 0;
      context.fillRect(this.edge + (cell.column - this.left) * size, this.edge + (cell.row - this.top) * size, Math.max(1, size - gap), Math.max(1, size - gap));
    }
    context.restore();
    context.fillStyle = Colours.known.dim;
    context.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(30 / size));
    for (let i = Math.ceil(this.left / every) * every; i < Math.min(columns.length, this.left + this.span); i += every) {
      context.fillText(Timeline.prototype.fitted(context, columns[i], Math.max(28, size * every - 4)), this.edge + (i - this.left) * size + 2, this.edge - 9);
    }
    const tall = Math.max(1, Math.ceil(14 / size));
    for (let i = Math.ceil(this.top / tall) * tall; i < Math.min(rows.length, this.top + this.span); i += tall) {
      context.fillText(Timeline.prototype.fitted(context, rows[i], this.edge - 6), 2, this.edge + (i + 0.5 - this.top) * size);
    }
    context.fillText('to →', this.edge, 10);
    context.fillText('from ↓', 2, 26);
  }
}

/** Which kinds of records there are, by the document `info`. */
function kindsOf(info) {
  const has = (pattern) => Object.entries(info.records || {}).some(([name, count]) => count && pattern.test(name));
  return { messages: has(/^Mpi(Send|Isend|Recv|Irecv)$/), collectives: has(/CollectiveEnd|NonBlockingCollective/), rma: has(/^Rma(Put|Get|Atomic)/), files: has(/^Io/), metrics: has(/^Metric/) };
}

class MatrixView extends LateView {
  async content({ source, trace }) {
    const box = el('div', { class: 'chart' });
    const says = el('p', { class: 'hint' });
    const rowOfRank = (label) => trace.rows.findIndex((row) => row[0] === label);
    const show = async () => {
      const matrix = await source.document(what.value);
      if (matrix.unavailable) { box.replaceChildren(); says.textContent = matrix.unavailable; return; }
      if (!matrix.total.bytes) metric.value = 'calls';
      const picture = new MatrixPicture(matrix, this.selection, rowOfRank);
      picture.metric = metric.value;
      box.replaceChildren(picture.canvas);
      const { total } = matrix;
      if (!matrix.cells.length) { box.replaceChildren(); says.textContent = 'no communication of this kind'; return; }
      const most = Math.max(...matrix.cells.map((cell) => cell[metric.value]));
      says.replaceChildren(`${countText(total.calls)} calls, ${byteText(total.bytes)}. `, el('span', { class: 'key' }, '0 ', el('i', { class: 'scale' }), ` ${metric.value === 'bytes' ? byteText(most) : `${countText(most)} calls`}, logarithmic`));
    };
    const metric = el('select', { 'aria-label': 'Quantity', onchange: show }, el('option', { value: 'bytes' }, 'bytes'), el('option', { value: 'calls' }, 'calls'));
    const info = await source.document('info');
    const word = info.process_kind || 'rank';
    const has = kindsOf(info);
    const options = [...(has.messages ? [['matrix-rank', `messages by ${word}`], ...(trace.nodes.length > 1 ? [['matrix-node', 'messages by node']] : []), ['matrix-class', `messages by ${word} class`]] : []),
      ...(has.collectives ? [['collective-rank', `collective operations by ${word}`]] : []), ...(has.rma ? [['rma-rank', `one-sided by ${word}`]] : [])];
    if (!options.length) return [el('p', { class: 'hint' }, 'The trace has no communication.')];
    if (trace.rows.length > 1024 && options.length > 1) options.push(options.shift());
    const what = el('select', { 'aria-label': 'Type of communication', onchange: show }, options.map(([value, text]) => el('option', { value }, text)));
    show();
    return [el('div', { class: 'tools' }, what, metric), box, says];
  }
}

/** Bounds of the logarithmic buckets of base/log_histogram.hpp: eight per octave. */
function bucketStart(bucket) { return bucket < 8 ? bucket : (8 + bucket % 8) * 2 ** (Math.floor(bucket / 8) - 1); }
function bucketEnd(bucket) { return bucketStart(bucket) + (bucket < 8 ? 1 : 2 ** (Math.floor(bucket / 8) - 1)); }

/** bucket, count, bucket, count ... as a map. */
function bucketsOf(list) {
  const buckets = new Map();
  for (let i = 0; i < list.length; i += 2) buckets.set(list[i], list[i + 1]);
  return buckets;
}

/** Statistics by function; the spread of one of them, and over the steps; sizes of messages, classes of ranks. */
class StatisticsView extends LateView {
  async content({ source, trace }) {
    const [stats, spreads, sizes, classes] = await Promise.all(['stats', 'spreads', 'sizes', 'classes'].map((name) => source.document(name)));
    if (stats.unavailable) return this.unavailable(stats);
    const figure = (row, metric) => row.figures.find((item) => item.over === 'calls' && item.metric === metric) || {};
    const total = stats.rows.reduce((sum, row) => sum + (figure(row, 'time').sum || 0), 0) || 1;
    const charts = el('div', { class: 'split' });
    const name = (row) => row.path[row.path.length - 1];
    const table = new SortedTable([
      { title: 'call', value: name }, { title: 'calls', value: (row) => row.calls, text: countText },
      { title: 'time', value: (row) => figure(row, 'time').sum, text: timeText }, { title: 'share', value: (row) => (figure(row, 'time').sum || 0) / total, text: shareText, bar: true },
      { title: 'mean', value: (row) => figure(row, 'time').mean, text: timeText }, { title: 'deviation', value: (row) => figure(row, 'time').deviation, text: timeText },
      { title: 'min', value: (row) => figure(row, 'time').min, text: timeText }, { title: 'max', value: (row) => figure(row, 'time').max, text: timeText },
      { title: 'sent', value: (row) => figure(row, 'sent').sum, text: (bytes) => bytes || bytes === null ? byteText(bytes) : '' },
    ], stats.rows, 2, { id: 'stats', chosen: (row) => name(row) === this.selection.call, click: (row) => this.selection.set({ call: name(row) }) });
    let shown = '';
    const show = () => {
      table.fill();
      const busiest = table.rows.slice().sort((a, b) => (figure(b, 'time').sum || 0) - (figure(a, 'time').sum || 0)).find((row) => row.mpi && !/Init|Finalize/.test(name(row))) || stats.rows[0];
      const call = this.selection.call && stats.rows.some((row) => name(row) === this.selection.call) ? this.selection.call : busiest && name(busiest);
      if (!call || call === shown) return;
      shown = call;
      const spread = spreads.unavailable ? undefined : spreads.rows.find((row) => row.name === call);
      charts.replaceChildren(this.histogramOf(spread, call, trace, spreads.unavailable), this.stepsOf(spread, spreads, call, trace));
    };
    this.selection.on('call', show);
    show();
    return [charts, el('h2', {}, 'Functions'), table.node, el('h2', {}, 'Sizes of messages'), ...this.sizesOf(sizes), ...this.classesOf(classes, trace)];
  }

  histogramOf(spread, call, trace, why) {
    const box = el('div', {}, el('h2', {}, `Duration of ${call} calls`));
    const buckets = bucketsOf(spread ? spread.calls : []);
    if (!buckets.size) { box.append(el('p', { class: 'hint' }, why || 'the file keeps no times of this call')); return box; }
    const first = Math.min(...buckets.keys());
    const count = Math.max(...buckets.keys()) - first + 1;
    const most = Math.max(...buckets.values());
    const total = [...buckets.values()].reduce((sum, value) => sum + value, 0);
    const seconds = 1 / trace.ticks_per_second;
    const canvas = el('canvas', { style: 'width: 100%; height: 210px', role: 'img', 'aria-label': `Histogram of ${call}` });
    let area;
    const paint = () => {
      const { context, width, height } = prepared(canvas);
      context.clearRect(0, 0, width, height);
      context.font = '11px system-ui, "DejaVu Sans", sans-serif';
      const counts = axisTicks(0, Math.log10(most), 4).filter(Number.isInteger).map((power) => 10 ** power);
      if (most > 1 && counts.length < 2) counts.push(most);
      area = { left: axisRoom(context, [...counts.map(countText), 'calls']), right: width - 8, top: 26, bottom: height - 24 };
      const wide = Math.min(64, (area.right - area.left) / count);
      const y = (calls) => area.bottom - Math.log1p(calls) / Math.log1p(most) * (area.bottom - area.top);
      paintAxes(context, area, { labels: counts.map((calls) => [y(calls), countText(calls)]) },
        Array.from({ length: count + 1 }, (_, i) => [area.left + i * wide, timeText(bucketStart(first + i) * seconds)]));
      context.fillText(`calls (logarithmic), ${countText(total)} in all; time per call →`, 2, 8);
      for (const [bucket, calls] of buckets) {
        context.fillStyle = Colours.uses[useOfName(call)];
        context.fillRect(area.left + (bucket - first) * wide, Math.min(y(calls), area.bottom - 2), Math.max(1, wide - (wide > 3 ? 1 : 0)), Math.max(2, area.bottom - y(calls)));
      }
    };
    canvas.addEventListener('pointermove', (event) => {
      const wide = Math.min(64, (area.right - area.left) / count);
      const bucket = first + Math.max(0, Math.min(count - 1, Math.floor((event.offsetX - area.left) / wide)));
      Tooltip.show(event, [el('b', {}, call), factTable([['from', timeText(bucketStart(bucket) * seconds)], ['to', timeText(bucketEnd(bucket) * seconds)], ['calls', countText(buckets.get(bucket) || 0)], ['share', shareText((buckets.get(bucket) || 0) / total)]])]);
    });
    canvas.addEventListener('pointerleave', () => Tooltip.hide());
    new ResizeObserver(paint).observe(canvas);
    addEventListener('recolour', paint);
    box.append(canvas);
    return box;
  }

  /** What ranks spend in it in every step: a column per step or a few, a cell per bin. */
  stepsOf(spread, spreads, call, trace) {
    const box = el('div', {}, el('h2', {}, `Time per rank in ${call} by step`));
    const columns = (spread && spread.steps || []).map(bucketsOf);
    const keys = columns.flatMap((column) => [...column.keys()]);
    if (!keys.length) { box.append(el('p', { class: 'hint' }, spread && !spread.steps ? 'not kept: too many calls and steps' : spreads.iterations ? 'not called in any step' : 'no steps common to all ranks were found')); return box; }
    const first = Math.min(...keys);
    const bins = Math.max(...keys) - first + 1;
    const most = Math.max(...columns.flatMap((column) => [...column.values()]));
    const seconds = 1 / trace.ticks_per_second;
    const canvas = el('canvas', { style: 'width: 100%; height: 210px', role: 'img', 'aria-label': `Times of ${call} over the steps` });
    let area;
    const paint = () => {
      const { context, width, height } = prepared(canvas);
      context.clearRect(0, 0, width, height);
      context.font = '11px system-ui, "DejaVu Sans", sans-serif';
      const every = Math.max(1, Math.ceil(bins / 6));
      const marks = Array.from({ length: Math.floor(bins / every) + 1 }, (_, i) => i * every);
      const texts = marks.map((bin) => timeText(bucketStart(first + bin) * seconds));
      area = { left: axisRoom(context, texts), right: width - 8, top: 26, bottom: height - 24 };
      const tall = (area.bottom - area.top) / bins;
      const wide = (area.right - area.left) / columns.length;
      context.fillStyle = Colours.known.panel;
      context.fillRect(area.left, area.top, area.right - area.left, area.bottom - area.top);
      const numbers = axisTicks(0, spreads.iterations - 1, width / 70).filter(Number.isInteger);
      paintAxes(context, area, { labels: marks.map((bin, i) => [area.bottom - bin * tall, texts[i]]) },
        numbers.map((step) => [area.left + (step + 0.5) / spreads.per_column * wide, `${step}`]));
      context.fillText('time of a rank in a step; steps →; darker: more ranks', 2, 8);
      columns.forEach((column, step) => column.forEach((count, bucket) => {
        context.fillStyle = `rgba(${Colours.known.heat}, ${0.15 + 0.85 * Math.log1p(count) / Math.log1p(most)})`;
        context.fillRect(area.left + step * wide, area.top + (bins - 1 - (bucket - first)) * tall, Math.max(1, wide - (wide > 4 ? 0.8 : 0)), Math.max(1.5, tall - (tall > 3 ? 0.5 : 0)));
      }));
    };
    const stepAt = (event) => Math.min(columns.length - 1, Math.max(0, Math.floor((event.offsetX - area.left) / (area.right - area.left) * columns.length)));
    canvas.addEventListener('pointermove', (event) => {
      const step = stepAt(event);
      const bucket = first + Math.min(bins - 1, Math.max(0, bins - 1 - Math.floor((event.offsetY - area.top) / (area.bottom - area.top) * bins)));
      const last = Math.min(spreads.iterations, (step + 1) * spreads.per_column) - 1;
      Tooltip.show(event, [el('b', {}, call), factTable([[spreads.per_column > 1 ? 'steps' : 'step', spreads.per_column > 1 ? `${step * spreads.per_column} to ${last}` : step],
        ['from', timeText(bucketStart(bucket) * seconds)], ['to', timeText(bucketEnd(bucket) * seconds)], ['ranks and steps', countText(columns[step].get(bucket) || 0)]])]);
    });
    canvas.addEventListener('click', (event) => {
      this.selection.set({ step: stepAt(event) * spreads.per_column });
      this.app.show('timeline');
      this.app.timeline.first.moveStep(0);
    });
    canvas.addEventListener('pointerleave', () => Tooltip.hide());
    new ResizeObserver(paint).observe(canvas);
    addEventListener('recolour', paint);
    box.append(canvas);
    return box;
  }

  sizesOf(sizes) {
    if (sizes.unavailable) return this.unavailable(sizes);
    const rows = sizes.histograms.flatMap((item) => item.sizes.map((size) => ({ ...item, ...size })));
    if (!rows.length) return [el('p', { class: 'hint' }, 'no messages')];
    const most = Math.max(...rows.map((row) => row.count));
    return [new SortedTable([
      { title: 'call', value: (row) => row.call }, { title: 'side', value: (row) => row.side.replaceAll('_', ' ') },
      { title: 'from', value: (row) => row.smallest, text: byteText }, { title: 'to', value: (row) => row.largest, text: byteText },
      { title: 'count', value: (row) => row.count, text: countText }, { title: 'bytes', value: (row) => row.bytes, text: byteText },
      { title: 'count ÷ maximum', value: (row) => row.count / most, text: shareText, bar: true },
    ], rows, 4, { id: 'sizes', chosen: (row) => row.call === this.selection.call, click: (row) => this.selection.set({ call: row.call }) }).node];
  }

  classesOf(classes, trace) {
    if (!trace.rows.some((row) => row[1] !== null && row[1] >= 0)) return [];
    const title = el('h2', {}, 'Ranks with equal MPI call counts');
    if (classes.unavailable) return [title, ...this.unavailable(classes)];
    const rowsOf = (row) => new Set(trace.rows.map((item, i) => [item[5], i]).filter(([location]) => row.set.has(location)).map(([, i]) => i));
    const rows = classes.classes.map((item) => ({ ...item, set: new Set(item.members) }));
    return [title, new SortedTable([{ title: 'locations', value: (row) => row.participants }, { title: 'number', value: (row) => row.locations, text: countText }], rows, 1,
      { id: 'classes', click: (row) => this.selection.set({ rows: rowsOf(row) }) }).node];
  }
}

const WAIT_WORDS = { late_sender: 'late sender', late_receiver: 'late receiver', barrier: 'wait at barrier', all_to_all: 'wait at all-to-all', communicator: 'wait at communicator', late_root: 'late root', early_root: 'early root', prefix: 'prefix', fence: 'fence', late_post: 'late post', late_complete: 'late complete', late_unlock: 'late unlock', finalize: 'wait at MPI_Finalize', wrong_order: 'late sender, in wrong order' };

/** The activity in which a wait happens, for its colour. */
function useOfWait(kind) {
  if (['late_sender', 'late_receiver'].includes(kind)) return 1;
  return ['fence', 'late_post', 'late_complete', 'late_unlock'].includes(kind) ? 3 : 2;
}

/** Parallel efficiency, its factors, waits by rank and call path. */
class EfficiencyView extends LateView {
  constructor(...parts) { super(...parts); this.full = new Map(); }

  /** Of a large trace waits are looked for when somebody asks for them. */
  async findWaits(source, button) {
    button.disabled = true;
    button.textContent = 'searching for waits …';
    this.full.set(source, await source.document('waits'));
    this.built = false;
    this.shown();
  }

  async content({ source, trace }) {
    const found = this.full.get(source) || await source.document('efficiency');
    if (found.unavailable) return this.unavailable(found);
    const factors = ['parallel', 'load_balance', 'communication', 'serialisation', 'transfer', ...Object.keys(FACTORS).filter((name) => /^(hybrid|thread|host|device)/.test(name))].map((name) => [name, FACTORS[name][0]]);
    const cardsOf = (values) => factors.map(([name, title]) => [values[name] ?? values[`${name}_least`], values[`${name}_most`], title]).filter(([least]) => typeof least === 'number').map(([least, most, title]) => card(most === undefined ? shareText(least) : `${shareText(least)} to ${shareText(most)}`, title, least));
    const { focus } = found;
    const focused = focus ? [el('h2', {}, `Steps ${focus.first_step} to ${focus.last_step}`), el('div', { class: 'cards' }, card(timeText(focus.runtime), 'run time'), cardsOf(focus.efficiency))] : [];
    const waits = new Map();
    for (const wait of found.waits) {
      const key = `${wait.kind} ${wait.path}`;
      if (!waits.has(key)) waits.set(key, { kind: wait.kind, path: wait.path, calls: 0, seconds: 0, worst: wait });
      const sum = waits.get(key);
      sum.calls += wait.calls;
      sum.seconds += wait.seconds;
      if (wait.seconds > sum.worst.seconds) sum.worst = wait;
    }
    const [, several] = processWords(found);
    const whole = found.ranks.reduce((sum, rank) => sum + rank.computation + rank.overhead + rank.mpi, 0) || 1;
    const last = (path) => path.split('/').pop();
    const table = new SortedTable([
      { title: 'call path', value: (row) => row.path }, { title: 'kind of wait', value: (row) => WAIT_WORDS[row.kind] || row.kind }, { title: 'calls', value: (row) => row.calls, text: countText },
      { title: 'time', value: (row) => row.seconds, text: timeText }, { title: 'share of time', value: (row) => row.seconds / whole, text: shareText, bar: true },
      { title: 'max on rank', value: (row) => row.worst.rank }, { title: 'max wait', value: (row) => row.worst.seconds, text: timeText },
    ], [...waits.values()], 3, { id: 'waits', chosen: (row) => last(row.path) === this.selection.call, click: (row) => this.selection.set({ call: last(row.path), rows: new Set([trace.rows.findIndex((item) => item[1] === row.worst.rank)]) }) });
    return [el('div', { class: 'cards' }, card(timeText(found.runtime), 'run time'), cardsOf(found.efficiency)), this.notesOf(found, source), ...focused, ...(found.process_kind !== 'rank' && found.ranks.length === 1 && !found.ranks[0].communication ? [] : [el('h2', {}, several[0].toUpperCase() + several.slice(1)), this.ranksOf(found, trace)]),
      ...(found.process_kind !== 'rank' ? [] : [el('h2', {}, 'Waits by call path'), waits.size ? table.node : el('p', { class: 'hint' }, found.not_computed || 'No waits in MPI')]), ...this.threadWaitsOf(found)];
  }

  /** Why something is missing, and what became of the clocks. */
  notesOf(found, source) {
    const notes = [];
    if (found.not_computed) notes.push(`Incomplete: ${found.not_computed}.`);
    const { counters } = found;
    if (counters && counters.ipc) notes.push(`${counters.ipc.toFixed(2)} instructions per cycle in the computation.`);
    if (counters && counters.frequency) notes.push(`${(counters.frequency / 1e9).toFixed(2)} GHz in the computation.`);
    if (counters && counters.coverage < 1) notes.push(`Counters: of ${shareText(counters.coverage)} of the computation.`);
    if (found.range) notes.push(`Ranges: ${found.range}.`);
    if (found.unknown) notes.push(`Incomplete: ${found.unknown}.`);
    notes.push(...((found.left_out || {}).sentences || []).map((sentence) => `${sentence}.`));
    if (found.early_messages) notes.push(`${countText(found.early_messages)} messages were received before they were sent: the clocks disagree (--sync-clocks corrects them).`);
    if (found.early_collective_calls) notes.push(`${countText(found.early_collective_calls)} collective calls ended before a member they need had begun: the clocks disagree (--sync-clocks corrects them).`);
    const box = el('div', {}, notes.map((note) => el('p', { class: 'hint' }, note)));
    if (found.not_computed && found.process_kind === 'rank' && source instanceof ServerSource && !Object.keys((found.ranks[0] || { waits: {} }).waits).length) {
      box.append(el('button', { type: 'button', id: 'find-waits', onclick: (event) => this.findWaits(source, event.target) }, 'search for waits'));
    }
    return box;
  }

  threadWaitsOf(found) {
    if (!(found.thread_waits || []).length) return [];
    const [one, several] = processWords(found);
    const alone = !(found.threads || []).length;
    return [el('h2', {}, `Waits of ${alone ? several : 'threads'}`), new SortedTable([
      { title: 'call path', value: (row) => row.path }, { title: alone ? one : 'thread', value: (row) => alone ? row.process : row.thread }, { title: 'kind', value: (row) => row.kind.replaceAll('_', ' ') },
      { title: 'calls', value: (row) => row.calls, text: countText }, { title: 'time', value: (row) => row.seconds, text: timeText },
    ], found.thread_waits, 4, { id: 'thread-waits' }).node];
  }

  ranksOf(found, trace) {
    const [word] = processWords(found);
    const hasMpi = found.process_kind === 'rank';
    const ranks = found.ranks.map((rank) => hasMpi ? rank : { ...rank, mpi: rank.communication });
    if (!ranks.length) return el('p', { class: 'hint' }, `no ${word} was recorded`);
    const canvas = el('canvas', { style: 'width: 100%; height: 210px', role: 'img', 'aria-label': `Computation, waits and other ${hasMpi ? 'MPI' : 'communication'} time of every ${word}` });
    const most = Math.max(...ranks.map((rank) => rank.computation + rank.overhead + rank.mpi), 1e-30);
    const waitsOf = (rank, use) => Object.entries(rank.waits).reduce((sum, [kind, seconds]) => sum + (!['finalize', 'wrong_order'].includes(kind) && useOfWait(kind) === use ? seconds : 0), 0);
    // Time, activity, whether it is a wait; from the bottom up.
    const partsOf = (rank) => {
      const waits = [1, 2, 3].map((use) => [waitsOf(rank, use), use, true]);
      const rest = Math.max(0, rank.mpi - rank.io - waits.reduce((sum, [seconds]) => sum + seconds, 0));
      return [[rank.computation, 0, false], [rest, 4, false], ...waits, [rank.io, 10, false], [rank.overhead, 11, false]];
    };
    const shownParts = new Set(ranks.flatMap((rank) => partsOf(rank).filter(([seconds]) => seconds > 0).map(([, use, waits]) => `${use} ${waits}`)));
    let area;
    const paint = () => {
      const { context, width, height } = prepared(canvas);
      context.clearRect(0, 0, width, height);
      area = { left: axisRoom(context, axisTicks(0, most, 5).map((value) => timeText(value))), right: width - 8, top: 10, bottom: height - 30 };
      const wide = Math.min(90, (area.right - area.left) / ranks.length);
      paintAxes(context, area, { least: 0, most, text: (value) => timeText(value) }, ranks.map((rank, i) => [area.left + (i + 0.5) * wide, `${rank.rank}`]));
      context.fillText(word, area.left, height - 5);
      ranks.forEach((rank, i) => {
        let y = area.bottom;
        for (const [part, use, waits] of partsOf(rank)) {
          const size = part / most * (area.bottom - area.top);
          context.fillStyle = Colours.fill(context, use, waits);
          context.fillRect(area.left + i * wide, y - size, Math.max(0.7, wide - (wide > 4 ? 1.5 : 0)), size);
          y -= size;
        }
      });
    };
    const rankAt = (event) => ranks[Math.max(0, Math.min(ranks.length - 1, Math.floor((event.offsetX - area.left) / Math.min(90, (area.right - area.left) / ranks.length))))];
    canvas.addEventListener('pointermove', (event) => {
      const rank = rankAt(event);
      const waits = Object.entries(rank.waits).filter(([, seconds]) => seconds > 0).map(([kind, seconds]) => [WAIT_WORDS[kind] || kind, timeText(seconds)]);
      Tooltip.show(event, [el('b', {}, hasMpi ? `rank ${rank.rank}` : rank.name === String(rank.rank) ? `${word} ${rank.name}` : rank.name), factTable([['computation', timeText(rank.computation)], ['trace buffer flushes', rank.overhead ? timeText(rank.overhead) : ''], [hasMpi ? 'MPI' : 'communication', timeText(rank.mpi)], ['file I/O', rank.io ? timeText(rank.io) : ''], ...waits, ['MPI_Finalize', rank.finalize ? timeText(rank.finalize) : '']])]);
    });
    canvas.addEventListener('click', (event) => {
      const rank = rankAt(event);
      const row = hasMpi ? trace.rows.findIndex((item) => item[1] === rank.rank) : -1;
      if (row >= 0) this.selection.set({ rows: new Set([row]) });
    });
    canvas.addEventListener('pointerleave', () => Tooltip.hide());
    addEventListener('recolour', paint);
    new ResizeObserver(paint).observe(canvas);
    const key = (use, waits, text) => shownParts.has(`${use} ${waits}`) ? el('span', { class: 'key' }, swatch(use, waits), text) : null;
    return el('div', { class: 'chart' }, el('div', { class: 'legend' }, key(0, false, 'computation'), key(4, false, hasMpi ? 'MPI without waits' : 'communication'),
      key(1, true, 'waits for messages'), key(2, true, 'waits in collectives'), key(3, true, 'waits in one-sided communication'), key(10, false, 'file I/O'), key(11, false, 'trace buffer flushes')), canvas);
  }
}

/** What processes are called, one and several. */
function processWords({ process_kind: kind }) {
  return { PE: ['PE', 'PEs'], process: ['process', 'processes'] }[kind] || ['rank', 'ranks'];
}

function card(value, title, share) {
  return el('div', { class: 'card' }, el('b', {}, value), el('span', {}, title), share === undefined ? null : el('div', { class: 'meter' }, el('i', { style: `width: ${Math.min(100, share * 100)}%` })));
}
