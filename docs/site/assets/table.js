// The table of index.html: filter, measure, order. Its state is in the fragment, so that a link carries it.
"use strict";
{
  const table = document.getElementById("who");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const fields = ["filter", "format", "measure"].map((id) => document.getElementById(id));
  const faulty = document.getElementById("faulty");
  const count = document.getElementById("count");
  let order = { column: "", down: true };

  const number = (text) => Number(text).toLocaleString("en");
  const value = (cell, measure) => {
    const text = cell.dataset[measure];
    return text === undefined ? -1 : Number(text);
  };

  function show() {
    const [filter, format, measure] = fields.map((field) => field.value);
    const words = filter.toLowerCase().split(/[\s,]+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const cells = [...row.cells].slice(1);
      let any = false;
      for (const cell of cells) {
        if (cell.dataset.wrong === undefined) continue;
        const found = value(cell, measure);
        cell.firstElementChild.textContent = found < 0 ? "?" : number(found);
        cell.className = found > 0 ? (found >= 1000 ? "worse" : "bad") : found === 0 ? "good" : "none";
        any ||= found > 0;
      }
      const name = row.dataset.name;
      const fits = words.length === 0 || words.some((word) => name.includes(word));
      row.hidden = !fits || (faulty.checked && !any) ||
        (format !== "" && row.dataset.format.split(".")[0] !== format);
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = `${shown} of ${rows.length} rows`;
    sort(measure);
    const state = new URLSearchParams();
    if (filter) state.set("q", filter);
    if (format) state.set("format", format);
    if (measure !== "wrong") state.set("show", measure);
    if (faulty.checked) state.set("faulty", "1");
    if (order.column) state.set("sort", order.column + (order.down ? "" : "-"));
    history.replaceState(null, "", state.size ? `#${state}` : location.pathname + location.search);
  }

  function sort(measure) {
    for (const [at, head] of heads.entries()) {
      const own = head.firstElementChild.dataset.sort === order.column;
      head.setAttribute("aria-sort", own ? (order.down ? "descending" : "ascending") : "none");
      head.dataset.at = at;
    }
    const sorted = [...rows];
    if (order.column === "name") {
      sorted.sort((a, b) => a.dataset.name.localeCompare(b.dataset.name));
    } else if (order.column) {
      const at = Number(order.column) + 1;
      sorted.sort((a, b) => value(a.cells[at], measure) - value(b.cells[at], measure));
    }
    if (order.column && order.down) sorted.reverse();
    body.append(...sorted);
  }

  for (const head of heads) {
    head.firstElementChild.addEventListener("click", () => {
      const column = head.firstElementChild.dataset.sort;
      order = { column, down: order.column === column ? !order.down : column !== "name" };
      show();
    });
  }
  for (const field of [...fields, faulty]) field.addEventListener("input", show);
  document.getElementById("tools").addEventListener("submit", (event) => event.preventDefault());

  const state = new URLSearchParams(location.hash.slice(1));
  if (["q", "format", "show", "faulty", "sort"].some((name) => state.has(name))) {
    fields[0].value = state.get("q") ?? "";
    fields[1].value = state.get("format") ?? "";
    fields[2].value = state.get("show") ?? "wrong";
    faulty.checked = state.has("faulty");
    const column = state.get("sort") ?? "";
    order = { column: column.replace("-", ""), down: !column.endsWith("-") };
    show();
  } else {
    const target = location.hash;
    show();
    if (target) location.hash = target;
  }
}
