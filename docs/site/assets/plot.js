// The plots of a function's page: each library's error over the inputs, from the least to the largest.
"use strict";
{
  const BUCKETS = 512;
  const COLORS = ["#d1495b", "#e08e0b", "#2e86ab", "#7b2d8b", "#6d4c41", "#b5651d", "#00798c", "#c2185b", "#5c6bc0", "#827717", "#455a64"];
  const INFINITY = { f16: 0x7c00, bf16: 0x7f80 };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const make = (name, attributes = {}, ...children) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.append(...children);
    return element;
  };
  const ulp = (error) => `${error > 0 ? "+" : ""}${brief(error)} ulp`;

  function draw(box, plot, wanted) {
    const limit = INFINITY[plot.operand];
    const count = 2 * limit + 1;
    // The first input of a range; a place on the axis, from 0 to 512, as an input's value.
    const codeAt = (place) => {
      const order = Math.min(limit, Math.max(-limit, Math.ceil((place * count) / BUCKETS) - limit));
      return BigInt(order < 0 ? 0x8000 - order : order);
    };
    const inputAt = (place) => brief(valueOf(plot.operand, codeAt(place)));
    const placeOf = (code) => {
      const order = code & 0x8000 ? -(code & 0x7fff) : code;
      return ((order + limit + 0.5) * BUCKETS) / count;
    };
    const shown = new Set(plot.peers.filter((peer) => !wanted || peer.id === wanted).map((peer) => peer.id));
    if (shown.size === 0) plot.peers.forEach((peer) => shown.add(peer.id));

    const x = Array.from({ length: BUCKETS }, (_, at) => at + 0.5);
    const low = x.map((_, at) => plot.band[2 * at] / 100);
    const high = x.map((_, at) => plot.band[2 * at + 1] / 100);
    const color = new Map(plot.peers.map((peer, at) => [peer.id, COLORS[at % COLORS.length]]));
    const series = plot.peers.map((peer) => {
      const y = new Array(BUCKETS).fill(null);
      for (const [at, , , least, most] of peer.buckets) y[at] = -least > most ? least : most;
      return y;
    });
    const points = plot.peers.map((peer) => {
      const codes = peer.points.match(/.{12}/g) ?? [];
      return codes.map((text) => [0, 4, 8].map((at) => parseInt(text.slice(at, at + 4), 16)));
    });

    // The errors that are in view.
    const extent = (u) => {
      const { min, max } = u.scales.x;
      const inView = ([at]) => min === null || min === undefined || (at + 1 > min && at < max);
      const buckets = plot.peers.filter((peer) => shown.has(peer.id)).flatMap((peer) => peer.buckets.filter(inView));
      const least = Math.min(-100, ...buckets.map((bucket) => bucket[3]));
      const most = Math.max(100, ...buckets.map((bucket) => bucket[4]));
      return [(least / 100) * 1.4, (most / 100) * 1.4];
    };
    const decades = (u, _, from, to) => {
      const all = [0];
      const most = Math.max(-from, to);
      for (let step = 1; step <= most; step *= 10) all.push(step, -step);
      return all.filter((error) => error >= from && error <= to).sort((a, b) => a - b);
    };

    const bars = (u) => {
      const { ctx } = u;
      const y = (error) => u.valToPos(error, "y", true);
      ctx.save();
      ctx.beginPath();
      ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
      ctx.clip();
      // Those that err most are below the others.
      const places = [...plot.peers.keys()].sort((a, b) => plot.peers[b].buckets.length - plot.peers[a].buckets.length);
      for (const place of places) {
        const peer = plot.peers[place];
        if (!shown.has(peer.id)) continue;
        ctx.fillStyle = color.get(peer.id);
        for (const [at, , nan, least, most] of peer.buckets) {
          const left = u.valToPos(at, "x", true);
          const width = Math.max(2, u.valToPos(at + 1, "x", true) - left - 1);
          const from = y(Math.max(most / 100, 0));
          ctx.globalAlpha = 0.6;
          ctx.fillRect(left, from, width, Math.max(2, y(Math.min(least / 100, 0)) - from));
          ctx.globalAlpha = 1;
          if (nan) ctx.fillRect(left, u.bbox.top, Math.max(width, 4), 8);
        }
        // Single results, where there is room for them.
        if (u.scales.x.max - u.scales.x.min > 64) continue;
        for (const [input, expected, given] of points[place]) {
          const error = distance(expected, given);
          if (error === null) continue;
          ctx.beginPath();
          ctx.arc(u.valToPos(placeOf(input), "x", true), y(error), 4, 0, 2 * Math.PI);
          ctx.fill();
        }
      }
      ctx.restore();
    };
    const order = (code) => {
      const sign = 2 ** (FORMATS[plot.result].bits - 1);
      return code >= sign ? sign - code : code;
    };
    const distance = (expected, given) => {
      const [a, b] = [expected, given].map((code) => valueOf(plot.result, BigInt(code)));
      return Number.isNaN(a) || Number.isNaN(b) ? null : order(given) - order(expected);
    };

    const ink = () => (dark.matches ? "#c8ccd4" : "#33373d");
    const grid = () => ({ stroke: dark.matches ? "#3a3f47" : "#dcdfe4", width: 1 });
    const field = make("div", { className: "field", tabIndex: 0, role: "group" });
    field.setAttribute("aria-label", `Errors of ${plot.row}: left and right arrows go from one range with errors to the next`);
    const readout = make("output", { className: "readout", textContent: "Point at the plot, or go through it by the arrow keys, to read the errors of a range. Drag to zoom." });
    const cursor = (u) => describe(u.cursor.idx);
    const axis = { stroke: ink, grid: { show: true, ...grid() }, ticks: grid() };
    const u = new uPlot(
      {
        width: 600, height: 300, legend: { show: false },
        cursor: { drag: { x: true, y: false }, y: false },
        scales: {
          x: { time: false, range: (_, from, to) => (from === null ? [0, BUCKETS] : [from, to]) },
          y: { distr: 4, asinh: 1, range: extent },
        },
        axes: [
          { ...axis, label: "input, in the order of values", labelSize: 22, space: 76, values: (_, places) => places.map(inputAt) },
          { ...axis, label: "error, ulp", size: 62, labelSize: 18, splits: decades, values: (_, errors) => errors.map((error) => (error === null ? "" : brief(error))) },
        ],
        series: [
          {},
          { stroke: "transparent", points: { show: false } },
          { stroke: "transparent", points: { show: false } },
          ...plot.peers.map((peer) => ({ stroke: "transparent", show: shown.has(peer.id), points: { show: false } })),
        ],
        bands: [{ series: [2, 1], fill: "#4caf5099" }],
        hooks: { draw: [bars], setCursor: [cursor] },
      },
      [x, low, high, ...series.map((y) => y.map((error) => (error === null ? null : error / 100)))],
      field,
    );

    u.setScale("x", { min: 0, max: BUCKETS });

    function describe(at) {
      if (at === null || at === undefined) return;
      const range = `${inputAt(at)} to ${inputAt(at + 1)}`;
      const of = plot.peers.filter((peer) => shown.has(peer.id)).map((peer) => {
        const bucket = peer.buckets.find(([place]) => place === at);
        if (!bucket) return `${peer.peer}: right`;
        const [, wrong, nan, least, most] = bucket;
        const worst = (-least > most ? least : most) / 100;
        return `${peer.peer}: ${wrong} wrong, to ${ulp(worst)}${nan ? `, ${nan} NaN` : ""}`;
      });
      readout.textContent = `Inputs ${range}. ${of.join("; ")}`;
    }
    function zoom(factor, shift = 0) {
      const { min, max } = u.scales.x;
      const middle = (min + max) / 2 + shift * (max - min);
      const width = Math.min(BUCKETS, Math.max(4, (max - min) * factor));
      const from = Math.min(BUCKETS - width, Math.max(0, middle - width / 2));
      u.setScale("x", { min: from, max: from + width });
    }
    function toError(step) {
      const places = plot.peers.filter((peer) => shown.has(peer.id)).flatMap((peer) => peer.buckets.map(([at]) => at));
      const sorted = [...new Set(places)].sort((a, b) => a - b);
      const now = u.cursor.idx ?? (step > 0 ? -1 : BUCKETS);
      const next = step > 0 ? sorted.find((at) => at > now) : sorted.findLast((at) => at < now);
      if (next === undefined) return;
      const { min, max } = u.scales.x;
      if (next < min || next >= max) zoom(1, (next + 0.5 - (min + max) / 2) / (max - min));
      u.setCursor({ left: u.valToPos(next + 0.5, "x"), top: u.bbox.height / devicePixelRatio / 2 });
      u.cursor.idx = next;
      describe(next);
    }
    field.addEventListener("keydown", (event) => {
      const act = { ArrowLeft: () => toError(-1), ArrowRight: () => toError(1), "+": () => zoom(0.5), "-": () => zoom(2), Home: () => u.setScale("x", { min: 0, max: BUCKETS }) }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });

    const button = (text, label, act) => {
      const element = make("button", { type: "button", textContent: text, onclick: act });
      element.setAttribute("aria-label", label);
      return element;
    };
    const tools = make("div", { className: "tools" },
      button("+", "Zoom in", () => zoom(0.5)), button("−", "Zoom out", () => zoom(2)),
      button("←", "To the left", () => zoom(1, -0.25)), button("→", "To the right", () => zoom(1, 0.25)),
      button("all", "Show all inputs", () => u.setScale("x", { min: 0, max: BUCKETS })),
      button("next error", "next error, of the libraries shown", () => toError(1)));
    const legend = make("fieldset", { className: "legend" }, make("legend", { textContent: "Libraries" }));
    const list = make("div", { className: "wrongs" });
    plot.peers.forEach((peer, at) => {
      const box = make("input", { type: "checkbox", checked: shown.has(peer.id) });
      box.addEventListener("change", () => {
        if (box.checked) shown.add(peer.id); else shown.delete(peer.id);
        u.setSeries(at + 3, { show: box.checked });
        u.setScale("x", { ...u.scales.x });
      });
      const swatch = make("span", { className: "swatch" });
      swatch.style.background = color.get(peer.id);
      legend.append(make("label", {}, box, swatch, ` ${peer.peer} (${peer.wrong.toLocaleString("en")})`));
      list.append(wrongs(plot, peer, points[at], distance));
    });
    const own = make("span", { className: "swatch" });
    own.style.background = "#4caf50";
    legend.append(make("span", { className: "own" }, own, " bitexact: within half an ulp"));
    box.append(tools, field, readout, legend, list);
    const fit = () => u.setSize({ width: Math.max(280, box.clientWidth), height: box.clientWidth < 500 ? 240 : 320 });
    new ResizeObserver(fit).observe(box);
    dark.addEventListener("change", () => u.redraw());
    box.plot = { zoom, range: () => [u.scales.x.min, u.scales.x.max] };
  }

  // The recorded wrong results of a library, as a table that is made when it is opened.
  function wrongs(plot, peer, points, distance) {
    const summary = make("summary", { textContent: `Wrong results of ${peer.peer}: ${points.length < peer.wrong ? `the largest ${points.length} of ${peer.wrong.toLocaleString("en")}` : `all ${points.length}`}` });
    const details = make("details", {}, summary);
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      const cell = (name, code) => `${brief(valueOf(name, BigInt(code)))} (${hex(name, code)})`;
      const rows = points.map(([input, expected, given]) => {
        const error = distance(expected, given);
        const texts = [cell(plot.operand, input), cell(plot.result, expected), cell(plot.result, given), error === null ? "NaN" : error === 0 ? "sign of zero" : ulp(error)];
        return make("tr", {}, ...texts.map((textContent) => make("td", { textContent })));
      });
      const head = make("tr", {}, ...["input", "correct", "given", "error"].map((textContent) => make("th", { textContent, scope: "col" })));
      const region = make("div", { className: "scroll tall", tabIndex: 0, role: "region" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
      region.setAttribute("aria-label", `Wrong results of ${peer.peer}`);
      details.append(region);
    });
    return details;
  }

  const [row, peer] = decodeURIComponent(location.hash.slice(1)).split(":");
  for (const box of document.querySelectorAll(".plot")) {
    const plot = PLOTS.find((one) => one.row === box.dataset.row);
    if (!plot) continue;
    if (plot.peers.length === 0) {
      box.textContent = "No library with recorded inputs errs.";
      box.classList.add("quiet");
      continue;
    }
    draw(box, plot, plot.row === row ? peer : undefined);
  }
  // The plots have moved what the fragment names.
  if (row) addEventListener("load", () => document.getElementById(row)?.scrollIntoView());
}
