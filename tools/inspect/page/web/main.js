// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Puts the page together: views, tabs, search, theme, keys.

class App {
  constructor(data) {
    this.data = data;
    this.selection = new Selection();
    this.traces = [];
  }

  async start() {
    this.setTheme(this.savedTheme());
    const sources = this.data.mode === 'serve' ? this.data.files.map((_, file) => new ServerSource(file)) : [new FileSource(this.data)];
    this.tell('reading …');
    for (const source of sources) this.traces.push({ source, trace: await source.trace() });
    for (const { trace } of this.traces) for (const [name, use] of Object.entries(trace.functions)) functionUses.set(name, use);
    const { trace } = this.traces[0];
    document.title = document.getElementById('title').textContent = shown(this.traces.map((item) => item.trace.name).join(' and '));
    this.selection.read(location.hash);
    this.tell(this.openingWords(trace));
    this.makeViews();
    this.listen();
    this.offerViews();
    this.show(this.views.has(this.selection.view) ? this.selection.view : 'timeline');
    if (this.selection.step !== null && !/time=/.test(location.hash)) this.timeline.first.moveStep(0);
    document.documentElement.dataset.ready = '1';
  }

  openingWords(trace) {
    const words = this.traces.filter((item) => item.trace.replaced)
      .map((item) => `${item.trace.name} was replaced: this page shows the file that the server opened; start it again for the new one.`);
    if (trace.timing === 'histogram') words.push('This file keeps mean durations only: positions of calls are computed from them.');
    if (trace.timing === 'none') words.push('This file keeps no times: one tick per record.');
    if (trace.timing === 'quantized') words.push('Times are quantized as in the file.');
    if (this.data.timeline && this.data.timeline.says) words.push(this.data.timeline.says);
    return words.join(' ');
  }

  makeViews() {
    this.timeline = new TimelineView(this);
    this.views = new Map([
      ['timeline', ['Timeline', this.timeline]], ['overview', ['Overview', new OverviewView(this, 'overview', 'Overview')]],
      ['structure', ['Structure', new StructureView(this, 'structure', 'Structure')]], ['calls', ['Call paths', new CallTreeView(this, 'calls', 'Call paths')]],
      ['graph', ['Flow graph', new GraphView(this, 'graph', 'Event flow graph')]], ['matrix', ['Matrix', new MatrixView(this, 'matrix', 'Communication matrix')]],
      ['statistics', ['Statistics', new StatisticsView(this, 'statistics', 'Statistics')]], ['efficiency', ['Efficiency', new EfficiencyView(this, 'efficiency', 'Efficiency')]],
    ]);
    this.views.set('resources', ['Resources', new ResourcesView(this, 'resources', 'Accelerators, files, counters')]);
    if (this.data.documents && this.data.documents.prediction) this.views.set('prediction', ['Prediction', new PredictionView(this, 'prediction', 'Other networks')]);
    const tabs = document.getElementById('tabs');
    const views = document.getElementById('views');
    for (const [name, [title, view]] of this.views) {
      tabs.append(el('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-selected': 'false', onclick: () => this.show(name) }, title));
      view.node.hidden = true;
      view.node.id = `view-${name}`;
      views.append(view.node);
    }
    tabs.addEventListener('keydown', ({ key }) => {
      const offered = [...tabs.children].filter((tab) => !tab.hidden);
      const to = { ArrowLeft: offered.indexOf(document.activeElement) - 1, ArrowRight: offered.indexOf(document.activeElement) + 1, Home: 0, End: -1 }[key];
      if (to !== undefined) offered.at(to % offered.length).focus();
    });
    this.timeline.build();
  }

  /** Hides the tabs of views for which no trace has anything. */
  async offerViews() {
    const found = await Promise.all(this.traces.map(async ({ source, trace }) => {
      const info = await source.document('info');
      if (info.unavailable) return new Set();
      const kinds = kindsOf(info);
      const empty = new Set();
      if (!kinds.messages) empty.add('messages');
      if (!kinds.messages && !kinds.collectives && !kinds.rma) empty.add('matrix');
      if (!kinds.files && !kinds.metrics && !trace.rows.some((row) => row[4])) empty.add('resources');
      if (trace.rows.length < 2 && (info.processes || 0) < 2) empty.add('efficiency');
      if (source instanceof FileSource) {
        const lacks = async (name) => 'unavailable' in await source.document(name);
        for (const [view, name] of [['structure', 'structure'], ['graph', 'graph'], ['statistics', 'stats'], ['efficiency', 'efficiency']]) {
          if (await lacks(name)) empty.add(view);
        }
      }
      return empty;
    }));
    for (const view of found[0]) {
      if (!found.every((empty) => empty.has(view))) continue;
      document.getElementById(view === 'messages' ? 'with-messages' : `tab-${view}`).hidden = true;
      if (this.selection.view === view) this.show('timeline');
    }
  }

  show(name) {
    Tooltip.hide();
    this.selection.set({ view: name });
    for (const [other, [, view]] of this.views) {
      view.node.hidden = other !== name;
      document.getElementById(`tab-${other}`).setAttribute('aria-selected', String(other === name));
    }
    this.views.get(name)[1].shown();
    if (name === 'timeline') this.timeline.first.canvas.focus({ preventScroll: true });
  }

  tell(text) { document.getElementById('notice').textContent = shown(text); }

  listen() {
    this.selection.on('notice', (text) => this.tell(text));
    const search = document.getElementById('search-text');
    const find = (backwards) => {
      if (!search.value.trim()) return;
      if (this.selection.view !== 'timeline') this.show('timeline');
      this.timeline.find(search.value.trim(), backwards).catch((error) => this.tell(error.message));
    };
    document.getElementById('search').addEventListener('submit', (event) => { event.preventDefault(); find(false); });
    document.getElementById('search-back').addEventListener('click', () => find(true));
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && event.shiftKey) { event.preventDefault(); find(true); }
      if (event.key === 'Escape') search.blur();
    });
    document.getElementById('theme').addEventListener('click', () => {
      const dark = !document.documentElement.classList.contains('dark');
      try { localStorage.setItem('tracefold-theme', dark ? 'dark' : 'light'); } catch (error) { /* a page from a file may not */ }
      this.setTheme(dark);
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.setTheme(this.savedTheme()));
    document.getElementById('help').addEventListener('click', () => document.getElementById('keys').showModal());
    addEventListener('hashchange', () => { this.selection.read(location.hash); this.show(this.views.has(this.selection.view) ? this.selection.view : 'timeline'); this.selection.tell('time'); });
    addEventListener('keydown', (event) => this.key(event, find, search));
  }

  key(event, find, search) {
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
    const names = [...this.views.keys()];
    if (event.key === '/') { event.preventDefault(); search.focus(); search.select(); }
    else if (event.key === '?') document.getElementById('keys').showModal();
    else if (event.key.toLowerCase() === 'n') find(false);
    else if (event.key.toLowerCase() === 'p') find(true);
    else if (event.key === 'Escape') this.selection.set({ box: null, call: '', window: null, rows: new Set(), step: null });
    else if (/^[1-9]$/.test(event.key) && names[event.key - 1] && !document.getElementById(`tab-${names[event.key - 1]}`).hidden) this.show(names[event.key - 1]);
  }

  savedTheme() {
    let saved = null;
    try { saved = localStorage.getItem('tracefold-theme'); } catch (error) { /* as the system has it */ }
    return saved ? saved === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  setTheme(dark) {
    document.documentElement.classList.toggle('dark', dark);
    Colours.read();
    if (!this.timeline) return;
    for (const line of this.timeline.timelines) line.draw();
    dispatchEvent(new Event('recolour'));
    this.selection.tell('call', this.selection.call);
    this.selection.tell('rows', this.selection.rows);
  }
}

const app = new App(JSON.parse(document.getElementById('data').textContent));
app.start().catch((error) => { app.tell(error.message); document.documentElement.dataset.ready = 'failed'; });
