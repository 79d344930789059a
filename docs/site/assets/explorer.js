// The explorer: everything shown is an answer of the WebAssembly module, but for the estimate in binary64 that is called one.
"use strict";
{
  const ROUNDINGS = ["ties-to-even", "ties-to-away", "toward-zero", "toward-positive", "toward-negative", "to-odd"];
  const FLAGS = [[0x10, "invalid"], [0x08, "divide by zero"], [0x04, "overflow"], [0x02, "underflow"], [0x01, "inexact"]];
  // Where the row has no stochastic rounding, the exact value's place is estimated by these.
  const ESTIMATES = {
    exp: Math.exp, exp2: (x) => 2 ** x, exp10: (x) => 10 ** x, expm1: Math.expm1, log: Math.log, log2: Math.log2, log10: Math.log10,
    log1p: Math.log1p, sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan,
    sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh, cbrt: Math.cbrt,
    rsqrt: (x) => 1 / Math.sqrt(x), reciprocal: (x) => 1 / x, hypot: Math.hypot, pow: Math.pow, atan2: Math.atan2,
    sigmoid: (x) => 1 / (1 + Math.exp(-x)), silu: (x) => x / (1 + Math.exp(-x)),
    mish: (x) => x * Math.tanh(Math.log1p(Math.exp(x))), softsign: (x) => x / (1 + Math.abs(x)),
  };
  const $ = (id) => document.getElementById(id);
  const raised = (flags) => FLAGS.filter(([bit]) => parseInt(flags, 16) & bit).map(([, name]) => name).join(", ") || "nothing";
  const element = (name, content, attributes = {}) => {
    const made = document.createElement(name);
    made.append(...[content].flat());
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const fill = (table, head, lines) => {
    if (head) table.tHead.replaceChildren(element("tr", head.map((text) => element("th", text, { scope: "col" }))));
    table.tBodies[0].replaceChildren(...lines.map(([first, ...others]) =>
      element("tr", [element("th", first, { scope: "row" }), ...others.map((cell) => (cell instanceof Element && cell.tagName === "TD" ? cell : element("td", cell)))])));
  };
  const isFloat = (type) => type in FORMATS;
  const code = (text) => BigInt(`0x${text}`);
  const bits = (name, value) => {
    const { sign, exponent, fraction } = fieldsOf(name, value);
    return element("span", [element("span", sign, { class: "s" }), " ", element("span", exponent, { class: "e" }), " ", element("span", fraction, { class: "f" })], { class: "bits" });
  };

  function start(ask) {
    const rows = new Map(ask("rows").split("\n").map((line) => {
      const [name, op, operands, results, takes, params, doc] = line.split("\t");
      const split = (text, by) => (text ? text.split(by) : []);
      const parameters = split(params, ";").map((text) => {
        const [name, value, kind] = text.split("=");
        return { name, value, choices: kind.startsWith(":") ? null : kind.split(",") };
      });
      return [name, { name, op, operands: split(operands, ","), results: split(results, ","), takes: new Set(split(takes, ",")), parameters, doc }];
    }));
    $("rows").replaceChildren(...[...rows.values()].map((row) => element("option", row.doc, { value: row.name })));

    // A text as a number: its exact decimal or hexadecimal text, as the module parses it.
    function read(text) {
      const given = text.trim().match(/^([a-z0-9]+):(0b[01]+|(?:0x)?[0-9a-fA-F]+)$/);
      if (!given) return text.trim();
      const [, format, digits] = given;
      if (!isFloat(format)) throw new Error(`${format} is no format`);
      const value = digits.startsWith("0b") ? BigInt(digits) : code(digits.replace(/^0x/, ""));
      if (value >> BigInt(FORMATS[format].bits)) throw new Error(`${digits} has too many bits for ${format}`);
      return ask(`text ${format} ${hex(format, value)}`).split("\n")[0];
    }
    const parse = (format, rounding, overflow, text) => {
      const [found, flags] = ask(`parse ${format} ${rounding} ${overflow} ${text}`).split(" ");
      return { code: found, flags };
    };
    const show = (type, text) => {
      if (isFloat(type)) return `${brief(valueOf(type, code(text)))} (${text})`;
      if (type === "e8m0") return text === "FF" ? "NaN (FF)" : `2^${parseInt(text, 16) - 127} (${text})`;
      if (type === "mxint8") return `${((parseInt(text, 16) ^ 0x80) - 0x80) / 64} (${text})`;
      if (type === "bool") return text === "0" ? "false" : "true";
      if (/^i\d/.test(type)) return `${BigInt.asIntN(Number(type.slice(1)), code(text))} (${text})`;
      return `${code(text)} (${text})`;
    };
    // The codes next to a float, by its order; nothing beyond the ends.
    function neighbour(format, text, up) {
      const width = BigInt(FORMATS[format].bits - 1);
      const sign = 1n << width;
      const value = code(text);
      if (Number.isNaN(valueOf(format, value))) return null;
      const magnitude = value & (sign - 1n);
      const order = (value & sign ? -magnitude : magnitude) + (up ? 1n : -1n);
      if (order >= sign || order <= -sign) return null;
      const next = order < 0n ? sign - order : order;
      return Number.isNaN(valueOf(format, next)) ? null : hex(format, next);
    }

    function number() {
      const overflow = $("overflow").value;
      const text = read($("x").value);
      $("exact").textContent = text;
      const lines = Object.keys(FORMATS).map((format) => {
        const found = parse(format, "ties-to-even", overflow, text);
        const value = code(found.code);
        const exact = element("td", ask(`text ${format} ${found.code}`).split("\n")[0], { class: "exact" });
        const beside = [false, true].map((up) => neighbour(format, found.code, up));
        return [format, bits(format, value), found.code, exact, ...beside.map((next) => (next ? show(format, next) : "–")), raised(found.flags)];
      });
      fill($("formats"), null, lines);
      fill($("roundings"), ["format", ...ROUNDINGS], Object.keys(FORMATS).map((format) =>
        [format, ...ROUNDINGS.map((rounding) => {
          const found = parse(format, rounding, overflow, text);
          return element("td", [show(format, found.code), element("small", found.flags === "00" ? "" : ` ${raised(found.flags)}`)]);
        })]));
    }

    // The inputs of a row's operands and parameters, made anew when the row changes.
    let current = null;
    function inputs(row, state) {
      if (current === row.name) return;
      current = row.name;
      $("operands").replaceChildren(...row.operands.map((type, at) => {
        const input = element("input", [], { id: `o${at}`, spellcheck: "false", autocomplete: "off", value: state?.get(`o${at}`) ?? (at === 0 ? $("x").value : "1") });
        return element("label", [`Operand ${at + 1}, ${type}`, input]);
      }));
      $("parameters").replaceChildren(...row.parameters.map(({ name, value, choices }) => {
        const kept = state?.get(`p.${name}`) ?? value;
        const field = choices
          ? element("select", choices.map((choice) => element("option", choice)), { id: `p.${name}` })
          : element("input", [], { id: `p.${name}`, value: kept });
        if (choices) field.value = choices.includes(kept) ? kept : choices[0];
        return element("label", [name, field]);
      }));
    }
    function operand(type, text) {
      if (isFloat(type)) {
        const given = text.trim().match(/^([a-z0-9]+):/);
        if (given?.[1] === type) {
          const digits = text.trim().slice(given[0].length);
          return hex(type, digits.startsWith("0b") ? BigInt(digits) : code(digits.replace(/^0x/, "")));
        }
        return parse(type, "ties-to-even", "ieee", read(text)).code;
      }
      const width = Number(type.match(/\d+$/)?.[0] ?? 8);
      const size = type === "e8m0" || type === "mxint8" ? 2 : Math.ceil(width / 4);
      const raw = text.trim().replace(/^[a-z0-9]+:/, "0x").replace("0x0x", "0x");
      const value = BigInt.asUintN(type === "e8m0" || type === "mxint8" ? 8 : width, BigInt(raw));
      return value.toString(16).toUpperCase().padStart(size, "0");
    }

    function func() {
      const row = rows.get($("f").value.trim());
      if (!row) throw new Error(`there is no row "${$("f").value}": choose one of the list`);
      inputs(row);
      $("doc").textContent = `${row.doc}. ${row.operands.join(", ")} to ${row.results.join(", ")}`;
      const operands = row.operands.map((type, at) => operand(type, $(`o${at}`).value));
      const params = row.parameters.map(({ name }) => `${name}=${$(`p.${name}`).value}`).join(",") || "-";
      const overflow = row.takes.has("overflow") ? $("overflow").value : "-";
      const run = (rounding) => {
        const fields = ask(`eval ${row.name} ${rounding} ${overflow} ${params} ${operands.join(" ")}`).split(" ");
        return { results: fields.slice(row.operands.length, -1), flags: fields.at(-1) };
      };
      const roundings = row.takes.has("rounding") ? ROUNDINGS : ["-"];
      const found = new Map(roundings.map((rounding) => [rounding, run(rounding)]));
      fill($("results"), ["rounding", ...row.results, "raises"], roundings.map((rounding) => {
        const { results, flags } = found.get(rounding);
        const cells = results.map((text, at) => element("td", show(row.results[at], text), { "data-code": text }));
        return [rounding === "-" ? "none" : rounding, ...cells, element("td", raised(flags), { "data-code": flags })];
      }));
      between(row, operands, found, run);
    }

    // The place of the exact value between the results that enclose it.
    function between(row, operands, found, run) {
      const type = row.results[0];
      $("between").hidden = true;
      if (!row.takes.has("rounding") || !isFloat(type) || row.results.length > 1) return;
      const [low, high] = ["toward-negative", "toward-positive"].map((rounding) => found.get(rounding).results[0]);
      const [least, most] = [low, high].map((text) => valueOf(type, code(text)));
      if (low === high || !(least < most) || !Number.isFinite(least) || !Number.isFinite(most)) return;
      let part;
      let how;
      if (row.takes.has("stochastic")) {
        // The least random bits with which the result goes away from zero.
        const toward = found.get("toward-zero").results[0];
        let from = 0;
        let to = 65536;
        while (from < to) {
          const middle = (from + to) >> 1;
          const away = run(`stochastic:${middle.toString(16).padStart(4, "0")}`).results[0] !== toward;
          if (away) to = middle; else from = middle + 1;
        }
        part = (65536 - to) / 65536;
        if (toward === high) part = 1 - part;
        how = "to 2^-16, by stochastic rounding";
      } else if (row.op in ESTIMATES && row.operands.every(isFloat)) {
        const exact = ESTIMATES[row.op](...operands.map((text, at) => valueOf(row.operands[at], code(text))));
        part = Math.min(1, Math.max(0, (exact - least) / (most - least)));
        how = "estimated in binary64";
      } else {
        const nearest = found.get("ties-to-even").results[0];
        $("between-text").textContent = `The exact value is between ${show(type, low)} and ${show(type, high)}, nearer to ${show(type, nearest)} or a tie.`;
        $("between").hidden = false;
        document.querySelector(".between").hidden = true;
        return;
      }
      document.querySelector(".between").hidden = false;
      $("between").hidden = false;
      $("between-text").textContent = `The exact value is ${part.toFixed(5)} ulp above ${show(type, low)} (${how}).`;
      document.querySelector(".between .mark").style.left = `${part * 100}%`;
      document.querySelector(".between .low").textContent = low;
      document.querySelector(".between .high").textContent = high;
    }

    function block() {
      const values = $("values").value.trim().split(/[\s,]+/).map((text) => parse("f32", "ties-to-even", "ieee", read(text)).code);
      const type = $("element").value;
      const lines = ask("dialects").split("\n").map((dialect) => {
        const [scale, flags, ...elements] = ask(`block ${dialect} ${type} ${values.join(" ")}`).split(" ");
        return [dialect, show("e8m0", scale), ...elements.map((text) => show(type, type === "mxint8" ? text : text.slice(-digits(type)))), raised(flags)];
      });
      fill($("dialects"), ["dialect", "scale", ...values.map((value) => show("f32", value)), "raises"], lines);
      const row = rows.get("e8m0_encode.f32");
      const [policy] = row.parameters;
      fill($("policies"), ["policy", "scale", "raises"], policy.choices.map((choice) => {
        const fields = ask(`eval e8m0_encode.f32 - - policy=${choice} ${values[0]}`).split(" ");
        return [choice, show("e8m0", fields[1]), raised(fields[2])];
      }));
    }

    const parts = [[number, "number-error"], [func, "function-error"], [block, "block-error"]];
    function update() {
      for (const [part, place] of parts) {
        try {
          part();
          $(place).textContent = "";
        } catch (error) {
          $(place).textContent = error.message;
        }
      }
      const state = new URLSearchParams();
      for (const field of $("form").querySelectorAll("input, select")) state.set(field.id, field.value);
      history.replaceState(null, "", `#${state}`);
    }
    function restore() {
      const state = new URLSearchParams(location.hash.slice(1));
      if (!$("f").value) $("f").value = "exp.bf16";
      for (const id of ["x", "overflow", "f", "values", "element"]) if (state.has(id)) $(id).value = state.get(id);
      const row = rows.get($("f").value);
      current = null;
      if (row) inputs(row, state);
      update();
    }
    $("form").addEventListener("input", update);
    $("form").addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("hashchange", restore);
    restore();
    $("state").textContent = "";
    window.ask = ask;
  }

  unpacked(EXPLORER_WASM).then(kernels).then(start).catch((error) => {
    $("state").textContent = `The kernels could not be loaded: ${error.message}`;
    throw error;
  });
}
