// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Accelerators, files and counters; predictions for other networks.

/** A value of any metric: as a count, with four digits below 1, and a power of ten beyond the prefixes. */
function numberText(value) {
  const size = Math.abs(value);
  if (size >= 1e21 || (size > 0 && size < 1e-9)) return value.toExponential(3).replace('e+', 'e');
  return size < 1 && size > 0 ? trimmed(value.toFixed(3 - Math.floor(Math.log10(size)))) : countText(value);
}

/** Accelerators, files, counters: what a trace has of them. */
class ResourcesView extends LateView {
  async content({ source, trace }) {
    const streams = trace.rows.some((row) => row[4]);
    const [accelerators, io, metrics, paths, series] = await Promise.all([streams ? source.document('accelerators') : { unavailable: '' },
      ...['io', 'metrics', 'metrics-path', 'metric-series'].map((name) => source.document(name))]);
    const parts = [...this.acceleratorsOf(accelerators, streams), ...this.filesOf(io), ...this.metricsOf(metrics, paths, series, trace)];
    return parts.length ? parts : [el('p', { class: 'hint' }, 'The trace has no accelerators, files or counters.')];
  }

  acceleratorsOf(found, streams) {
    if (!streams) return [];
    if (found.unavailable) return [el('h2', {}, 'Accelerators'), ...this.unavailable(found)];
    const choose = { chosen: (row) => row.name === this.selection.call, click: (row) => this.selection.set({ call: row.name }) };
    const uses = (list) => list.flatMap((item) => item.uses.map((use) => ({ ...use, location: item.location })));
    const busy = (rows, id) => new SortedTable([
      { title: 'location', value: (row) => row.location }, { title: 'use', value: (row) => row.use }, { title: 'calls', value: (row) => row.calls, text: countText },
      { title: 'time', value: (row) => row.seconds, text: timeText }, { title: 'share of trace', value: (row) => row.share, text: shareText, bar: true },
    ], rows, 3, { id }).node;
    const calls = new SortedTable([
      { title: 'kernel, copy or function', value: (row) => row.name }, { title: 'use', value: (row) => row.use }, { title: 'on', value: (row) => row.on_stream ? 'streams' : 'threads' },
      { title: 'calls', value: (row) => row.calls, text: countText }, { title: 'time', value: (row) => row.seconds, text: timeText },
      { title: 'shortest', value: (row) => row.shortest, text: timeText }, { title: 'longest', value: (row) => row.longest, text: timeText },
      { title: 'bytes', value: (row) => row.bytes, text: (bytes) => bytes ? byteText(bytes) : '' }, { title: 'locations', value: (row) => row.locations, text: countText },
    ], found.calls, 4, { id: 'kernels', ...choose });
    return [el('h2', {}, 'Accelerators'), calls.node, el('h3', {}, 'Utilization of streams'), busy(uses(found.streams), 'streams'),
      el('h3', {}, 'Host time in GPU calls'), busy(uses(found.threads), 'hosts')];
  }

  filesOf(io) {
    if (io.unavailable || !io.lines.length) return [];
    const of = (row, name) => row.operations.find((item) => item.operation === name) || {};
    const bytes = (count) => count === null ? 'unknown' : byteText(count);
    const unknown = io.total.operations.reduce((sum, item) => sum + (item.unknown_sizes || 0), 0);
    const table = new SortedTable([
      { title: 'file', value: (row) => row.file || '-' }, { title: 'call path', value: (row) => row.path || '' }, { title: 'locations', value: (row) => row.locations, text: countText },
      { title: 'opened', value: (row) => row.opened, text: (count) => count ? countText(count) : '' },
      { title: 'reads', value: (row) => of(row, 'read').count, text: countText }, { title: 'read', value: (row) => of(row, 'read').bytes, text: bytes }, { title: 'bandwidth', value: (row) => of(row, 'read').bandwidth, text: (rate) => rate ? `${byteText(Math.round(rate))}/s` : '' },
      { title: 'writes', value: (row) => of(row, 'write').count, text: countText }, { title: 'written', value: (row) => of(row, 'write').bytes, text: bytes }, { title: 'bandwidth', value: (row) => of(row, 'write').bandwidth, text: (rate) => rate ? `${byteText(Math.round(rate))}/s` : '' },
      { title: 'calls', value: (row) => row.calls, text: countText }, { title: 'time in calls', value: (row) => row.call_seconds, text: timeText },
    ], io.lines, 8, { id: 'files' });
    return [el('h2', {}, 'Files'), table.node,
      unknown ? el('p', {}, `${countText(unknown)} operations of unrecorded size are not included in bytes`) : null];
  }

  metricsOf(metrics, paths, series, trace) {
    if (metrics.unavailable || !metrics.metrics.length) return [];
    const lines = (document) => document.metrics.flatMap((metric) => metric.rows.map((row) => ({ ...row, metric: metric.metric, unit: metric.unit, mode: metric.mode })));
    const columns = [
      { title: 'metric', value: (row) => row.metric }, { title: 'unit', value: (row) => row.unit }, { title: 'mode', value: (row) => row.mode },
      { title: 'locations', value: (row) => row.locations, text: countText }, { title: 'values', value: (row) => row.values, text: countText }, { title: 'sum', value: (row) => row.sum, text: numberText },
      { title: 'mean', value: (row) => row.mean, text: numberText }, { title: 'min', value: (row) => row.min, text: numberText }, { title: 'max', value: (row) => row.max, text: numberText },
    ];
    const charts = series.unavailable ? [] : series.series.map((item) => this.seriesOf(item, series, trace));
    const by = paths.unavailable ? [] : [el('h3', {}, 'Counters by call path'), new SortedTable([{ title: 'call path', value: (row) => row.path || '(in no region)' }, ...columns], lines(paths), 6,
      { id: 'metric-paths', click: (row) => this.selection.set({ call: (row.path || '').split('/').pop() }) }).node];
    return [el('h2', {}, 'Counters and measurements'), ...charts, new SortedTable(columns, lines(metrics), 5, { id: 'metrics' }).node, ...by];
  }

  /** A metric over time: the mean of the locations as a line, a band from the least to the most. */
  seriesOf(item, { from, to }, trace) {
    const canvas = el('canvas', { style: 'width: 100%; height: 130px', role: 'img', 'aria-label': `${item.metric} over time` });
    const scale = seriesScale(item);
    const seconds = 1 / trace.ticks_per_second;
    let area;
    const paint = () => {
      const { context, width, height } = prepared(canvas);
      context.clearRect(0, 0, width, height);
      area = { left: axisRoom(context, axisTicks(scale.least, scale.most, 4).map(numberText)), right: width - 8, top: 8, bottom: height - 24 };
      const x = (tick) => area.left + (tick - from) / (to - from) * (area.right - area.left);
      context.fillStyle = Colours.known.panel;
      context.fillRect(area.left, area.top, area.right - area.left, area.bottom - area.top);
      paintAxes(context, area, { ...scale, text: numberText }, axisTicks(from * seconds, to * seconds, width / 110).map((at) => [x(at / seconds), timeText(at)]));
      paintSeries(context, item, (column) => x(from + (to - from) * column / item.columns.length),
        (value) => area.bottom - (value - scale.least) / (scale.most - scale.least) * (area.bottom - area.top));
    };
    const tickAt = (event) => from + (to - from) * Math.max(0, Math.min(1, (event.offsetX - area.left) / (area.right - area.left)));
    canvas.addEventListener('pointermove', (event) => Tooltip.show(event, seriesFacts({ item, from, to }, tickAt(event), trace)));
    canvas.addEventListener('click', (event) => {
      const tick = tickAt(event);
      this.app.show('timeline');
      this.app.timeline.first.show(tick - (to - from) / 40, tick + (to - from) / 40);
    });
    canvas.addEventListener('pointerleave', () => Tooltip.hide());
    new ResizeObserver(paint).observe(canvas);
    addEventListener('recolour', paint);
    return el('div', { class: 'chart' }, el('h3', {}, `${item.metric}${scale.unit ? `, ${scale.unit}` : ''}, ${item.locations === 1 ? 'one location' : `mean and range of ${item.locations} locations`}`), canvas);
  }
}

/** The range of a metric over time, and its unit. */
function seriesScale(item) {
  const known = item.columns.filter(Boolean);
  const least = Math.min(0, ...known.map((column) => column[0]));
  return { least, most: Math.max(...known.map((column) => column[2]), least + 1e-300),
    unit: item.mode === 'absolute' ? item.unit : `${item.unit && item.unit !== '#' ? `${item.unit} ` : ''}per second` };
}

/** The mean of the locations as a line, a band from the least to the most; x(column), y(value). */
function paintSeries(context, item, x, y) {
  item.columns.forEach((column, i) => {
    if (!column) return;
    const wide = x(i + 1) - x(i) + 0.5;
    context.fillStyle = `rgba(${Colours.known.heat}, 0.28)`;
    context.fillRect(x(i), y(column[2]), wide, Math.max(1, y(column[0]) - y(column[2])));
    context.fillStyle = Colours.known.accent;
    context.fillRect(x(i), y(column[1]) - 1, wide, 2);
  });
}

/** What a metric is at a moment, for a tooltip. */
function seriesFacts({ item, from, to }, tick, trace) {
  const column = item.columns[Math.max(0, Math.min(item.columns.length - 1, Math.floor((tick - from) / (to - from) * item.columns.length)))];
  return [el('b', {}, item.metric), factTable([['at', timeText(tick / trace.ticks_per_second)],
    ...(column ? [['mean', `${numberText(column[1])} ${seriesScale(item).unit}`], ['min', numberText(column[0])], ['max', numberText(column[2])]] : [['', 'no values']])])];
}

/** How long the run would take on other networks. */
class PredictionView extends LateView {
  async content({ source }) {
    const found = await source.document('prediction');
    if (found.unavailable) return this.unavailable(found);
    const knownText = (seconds) => Number.isNaN(seconds) ? '-' : timeText(seconds);
    const parameter = (name, scale) => (row) => row.unknown.includes(name) ? NaN : row.levels.find((level) => level.name === row.counted_level)[name] * scale;
    const networks = new SortedTable([
      { title: 'network', value: (row) => row.name }, { title: 'run time', value: (row) => row.run_time, text: timeText },
      ...(found.networks.some((item) => item.bounds) ? [{ title: 'with the shortest durations', value: (row) => row.bounds?.[0] ?? NaN, text: knownText }, { title: 'with the longest', value: (row) => row.bounds?.[1] ?? NaN, text: knownText }] : []),
      { title: '÷ recorded run time', value: (row) => row.run_time / found.recorded_run_time, text: shareText }, { title: 'ideal network', value: (row) => row.ideal_run_time ?? NaN, text: knownText },
      { title: 'critical path taken as recorded', value: (row) => row.recorded_share, text: shareText },
      { title: 'latency', value: parameter('latency', 1), text: knownText }, { title: 'time per megabyte', value: parameter('per_byte', 1e6), text: knownText },
      { title: 'latencies on the critical path', value: (row) => row.derivatives.latency, text: countText }, { title: 'bytes on the critical path', value: (row) => row.derivatives.per_byte, text: byteText },
    ], found.networks, 1, { id: 'networks' });
    const bound = found.max_to_mean === null ? [] : card(`${numberText(found.max_to_mean)} ×`, 'longest ÷ mean computation at a place: the file has mean times, so run times are mostly too low');
    return [el('div', { class: 'cards' }, card(timeText(found.recorded_run_time), 'recorded run time'), bound, found.networks.map((item) => card(timeText(item.run_time), `on ${item.name}`))),
      networks.node, ...(found.networks.some((item) => item.unknown.length) ? [el('p', { class: 'hint' }, '-: the trace does not tell it; taken as no time')] : []), el('div', { class: 'split' }, this.curvesOf(found, 'over_latency', 'latency', 'Run time over latency', timeText),
        this.curvesOf(found, 'over_per_byte', 'per_byte', 'Run time over time per megabyte', (value) => timeText(value * 1e6))),
      ...found.networks.flatMap((item) => this.pathOf(item))];
  }

  curvesOf(found, curve, parameter, title, text) {
    const curves = found.networks.filter((item) => item[curve].length);
    if (!curves.length) return [];
    const canvas = el('canvas', { style: 'width: 100%; height: 220px', role: 'img', 'aria-label': title });
    let area;
    const widest = Math.min(...curves.map((item) => item[curve][item[curve].length - 1][parameter]));
    const lines = curves.map((item) => ({ name: item.name, points: item[curve].filter((point) => point[parameter] <= widest) }));
    const most = Math.max(...lines.flatMap((item) => item.points.map((point) => point.run_time)));
    const paint = () => {
      const { context, width, height } = prepared(canvas);
      context.clearRect(0, 0, width, height);
      context.font = '11px system-ui, "DejaVu Sans", sans-serif';
      area = { left: axisRoom(context, axisTicks(0, most, 5).map((value) => timeText(value))), right: width - 90, top: 12, bottom: height - 24 };
      const { left, right, top, bottom } = area;
      context.fillStyle = Colours.known.panel;
      context.fillRect(left, top, right - left, bottom - top);
      paintAxes(context, area, { least: 0, most, text: (value) => timeText(value) }, axisTicks(0, widest, 5).map((value) => [left + (right - left) * value / (widest || 1), text(value)]));
      lines.forEach((item, i) => {
        context.strokeStyle = context.fillStyle = Colours.uses[[1, 2, 5, 9, 3, 6][i % 6]];
        context.lineWidth = 2;
        context.beginPath();
        let [x, y] = [left, bottom];
        for (const point of item.points) {
          [x, y] = [left + (right - left) * point[parameter] / (widest || 1), bottom - (bottom - top) * point.run_time / most];
          context.lineTo(x, y);
        }
        context.stroke();
        context.fillStyle = Colours.known.text;
        context.fillText(Timeline.prototype.fitted(context, item.name, width - x - 8), x + 5, y + i * 12);
      });
      context.lineWidth = 1;
    };
    canvas.addEventListener('pointermove', (event) => {
      const share = Math.max(0, Math.min(1, (event.offsetX - area.left) / (area.right - area.left)));
      const near = (points) => points.reduce((best, point) => Math.abs(point[parameter] - share * widest) < Math.abs(best[parameter] - share * widest) ? point : best);
      Tooltip.show(event, [el('b', {}, title), factTable([['at', text(share * widest)], ...lines.map((item) => [item.name, timeText(near(item.points).run_time)])])]);
    });
    canvas.addEventListener('pointerleave', () => Tooltip.hide());
    new ResizeObserver(paint).observe(canvas);
    addEventListener('recolour', paint);
    return el('div', { class: 'chart' }, el('h3', {}, title), canvas);
  }

  pathOf(item) {
    const parts = new Map();
    for (const part of item.critical_path.parts) {
      const key = `${part.path} ${part.kind}`;
      const sum = parts.get(key) || { path: part.path, kind: part.kind, seconds: 0 };
      sum.seconds += part.picoseconds / 1e12;
      parts.set(key, sum);
    }
    const pick = { chosen: (row) => row.path.split('/').pop() === this.selection.call, click: (row) => this.selection.set({ call: row.path.split('/').pop() }) };
    const table = new SortedTable([
      { title: 'critical path', value: (row) => row.path }, { title: 'kind', value: (row) => row.kind }, { title: 'time', value: (row) => row.seconds, text: timeText },
      { title: 'share of run time', value: (row) => row.seconds / item.run_time, text: shareText, bar: true },
    ], [...parts.values()], 2, { id: `path-${item.name}`, ...pick });
    const causes = new SortedTable([
      { title: 'cause of waits', value: (row) => row.path }, { title: 'kind', value: (row) => row.kind }, { title: 'rank', value: (row) => row.rank },
      { title: 'directly', value: (row) => row.direct, text: timeText }, { title: 'total', value: (row) => row.direct + row.propagated, text: timeText },
    ], item.delays ? item.delays.causes : [], 4, { id: `delays-${item.name}`, ...pick });
    return [el('h2', {}, item.name), table.node, ...(item.delays && item.delays.causes.length ? [el('h3', {}, `Causes of ${timeText(item.delays.waited)} of waiting`), causes.node] : [])];
  }
}
