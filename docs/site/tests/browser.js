// The site in a real browser: node browser.js SITE SWEEP [SCREENSHOTS]
//
// Every page loads without a message on the console; filter, order and zoom work; 2,000 random cases of the explorer equal
// `sweep eval`; axe finds nothing. CHROMIUM names the browser. NODE_PATH has playwright-core and axe-core.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(path.join(process.env.NODE_MODULES ?? ".", "x.js"));
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [site, sweep, shots] = process.argv.slice(2);
const address = (page) => pathToFileURL(path.join(site, page)).href;
const wrong = [];
const check = (holds, what) => {
  if (holds) return;
  wrong.push(what);
  console.log(`WRONG: ${what}`);
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await context.newPage();
page.on("console", (message) => check(false, `${page.url()}: console: ${message.text()}`));
page.on("pageerror", (error) => check(false, `${page.url()}: ${error.message}`));
page.on("request", (request) => check(/^(file|data|blob):/.test(request.url()), `${page.url()} asks for ${request.url()}`));
page.on("requestfailed", (request) => check(false, `${page.url()}: cannot load ${request.url()}`));
const visit = async (name) => {
  await page.goto("about:blank");
  await page.goto(address(name));
};

async function pages() {
  const names = fs.readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
  const files = new Set(names);
  for (const name of names) {
    await visit(name);
    const [title, links, drawn] = await page.evaluate(() => [
      document.querySelector("h1")?.textContent,
      [...document.querySelectorAll("a[href]")].map((link) => link.href).filter((href) => href.startsWith("file:")),
      [...document.querySelectorAll(".plot")].every((plot) => plot.childElementCount > 0 || plot.textContent !== ""),
    ]);
    check(Boolean(title), `${name} has no heading`);
    check(drawn, `${name}: a plot is empty`);
    for (const link of links) {
      const target = path.relative(site, new URL(link).pathname);
      check(files.has(target), `${name} links to ${target}`);
    }
  }
  console.log(`${names.length} pages`);
}

async function table() {
  await visit("index.html");
  const visible = () => page.evaluate(() => [...document.querySelectorAll("#who tbody tr")].filter((row) => !row.hidden).map((row) => row.id));
  const all = await visible();
  check(all.length > 100, `${all.length} rows`);
  await page.fill("#filter", "gelu");
  await page.selectOption("#format", "bf16");
  check((await visible()).join() === "gelu.bf16,gelu_tanh.bf16", `filtered: ${await visible()}`);
  check(page.url().includes("q=gelu"), "the address does not carry the filter");
  await page.reload();
  check((await visible()).length === 2, "the filter is lost after a reload");
  await page.fill("#filter", "");
  await page.selectOption("#format", "");
  await page.check("#faulty");
  const faulty = await visible();
  check(faulty.length > 0 && faulty.length < all.length, `${faulty.length} rows with a fault`);
  await page.uncheck("#faulty");
  const column = () => page.evaluate(() => [...document.querySelectorAll("#who tbody tr td:nth-child(2)")].map((cell) => Number(cell.dataset.wrong ?? -1)));
  const sort = page.locator("#who thead button").nth(1);
  await sort.focus();
  await page.keyboard.press("Enter");
  const down = await column();
  check(down.every((count, at) => at === 0 || down[at - 1] >= count) && down[0] > 0, "descending order");
  await page.keyboard.press("Enter");
  const up = await column();
  check(up.every((count, at) => at === 0 || up[at - 1] <= count), "ascending order");
  await page.selectOption("#measure", "ulp");
  const shown = await page.textContent("#gelu\\.bf16 td:nth-child(2)");
  const recorded = await page.getAttribute("#gelu\\.bf16 td:nth-child(2)", "data-ulp");
  check(shown.replace(/,/g, "") === recorded, `the measure shows ${shown}, not ${recorded}`);

  // Two clicks: where PyTorch's gelu errs in bf16.
  await visit("index.html");
  await page.click("#gelu\\.bf16 td:nth-child(2) a");
  await page.waitForSelector("[data-row='gelu.bf16'] canvas");
  check(page.url().endsWith("#gelu.bf16:torch-cpu-eager"), page.url());
  const boxes = await page.evaluate(() => [...document.querySelectorAll("[data-row='gelu.bf16'] .legend input")].filter((box) => box.checked).length);
  check(boxes === 1, `${boxes} libraries are shown`);
  console.log(`the table: ${all.length} rows, ${faulty.length} with a fault`);
}

async function zoom() {
  await visit("functions/gelu.html");
  const plot = page.locator("[data-row='gelu.bf16']");
  const range = () => plot.evaluate((box) => box.plot.range());
  const width = async () => { const [from, to] = await range(); return to - from; };
  const before = await width();
  await plot.getByRole("button", { name: "Zoom in" }).click();
  check(Math.abs((await width()) / before - 0.5) < 0.01, `zoomed from ${before} to ${await width()}`);
  const [from] = await range();
  await plot.getByRole("button", { name: "To the right" }).click();
  check((await range())[0] > from, "moved to the right");
  await plot.getByRole("button", { name: "Show all inputs" }).click();
  check((await width()) === before, "all inputs again");
  await plot.locator(".field").focus();
  await page.keyboard.press("ArrowRight");
  const first = await plot.locator(".readout").textContent();
  await page.keyboard.press("ArrowRight");
  const second = await plot.locator(".readout").textContent();
  check(/wrong/.test(first) && /wrong/.test(second) && first !== second, `by keyboard: ${first} / ${second}`);
  const field = await plot.locator(".u-over").boundingBox();
  await page.mouse.move(field.x + field.width * 0.3, field.y + 50);
  await page.mouse.down();
  await page.mouse.move(field.x + field.width * 0.5, field.y + 60, { steps: 4 });
  await page.mouse.up();
  check((await width()) < before * 0.3, `dragged: ${await width()} of ${before}`);
  await plot.locator("details summary").first().click();
  await plot.locator("details[open] tbody tr").first().waitFor({ timeout: 10000 }).catch(() => {});
  const lines = await plot.locator("details[open] tbody tr").count();
  check(lines > 0, "no wrong results are listed");
  console.log(`the plot: zoomed by button, key and mouse; ${lines} wrong results listed`);
}

// SplitMix64, so that every run takes the same cases.
function random(seed) {
  let state = BigInt(seed);
  const mask = (1n << 64n) - 1n;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
}

async function explorer() {
  const begin = Date.now();
  await visit("explorer.html");
  await page.waitForFunction(() => document.getElementById("state").textContent === "");
  console.log(`the explorer is ready after ${Date.now() - begin} ms`);
  const rows = JSON.parse(execFileSync(sweep, ["list", "--json"], { maxBuffer: 1 << 26 }));
  const next = random(20);
  const pick = (list) => list[Number(next() % BigInt(list.length))];
  const width = (type) => ({ bool: 1, class: 4, e2m1: 4, e2m3: 6, e3m2: 6 })[type] ?? Number(type.match(/^(?:u|i|f|bf)(\d+)$/)?.[1] ?? 8);
  const groups = [];
  while (groups.length < 125) {
    const row = pick(rows);
    // Rows that round have a result's format too.
    const rounds = row.params.some(({ name }) => name === "projection");
    const p3109 = { formats: [...row.operands, ...(rounds ? [""] : [])].map(() => "Binary8p4se").join(":"), projection: "StochasticB:SatNone:8/55" };
    const params = row.params.map(({ name, choices, default: value }) => [name, choices ? pick(choices) : p3109[name] ?? value]);
    const rounding = row.roundings.length ? pick(row.roundings.filter((name) => name !== "stochastic")) : null;
    const overflow = row.overflows.length ? pick(row.overflows) : null;
    // The numbers among the parameters are decimal defaults, in the format that a choice names.
    // A code of P3109 is that of its format, in a word.
    const coded = row.params.some(({ name }) => name === "formats");
    const operands = Array.from({ length: 16 }, () => row.operands.map((type) => {
      const bits = BigInt.asUintN(coded ? 8 : width(type), next());
      return bits.toString(16).toUpperCase().padStart(Math.ceil(width(type) / 4), "0");
    }));
    const how = ["eval", row.name];
    if (rounding) how.push("--rounding", rounding);
    if (overflow) how.push("--overflow", overflow);
    for (const [name, value] of params) if (value !== "") how.push("--param", `${name}=${value}`);
    const text = execFileSync(sweep, how, { input: operands.map((line) => `${line.join(" ")}\n`).join("") }).toString();
    groups.push({ row: row.name, types: row.operands, results: row.results, params, rounding, overflow, operands, expected: text.trim().split("\n") });
  }
  const answers = await page.evaluate((groups) => groups.map((group) => {
    const set = (id, value) => { document.getElementById(id).value = value; };
    const update = () => document.getElementById("form").dispatchEvent(new Event("input"));
    set("f", group.row);
    update();
    set("overflow", group.overflow ?? "ieee");
    for (const [name, value] of group.params) if (value !== "") set(`p.${name}`, value);
    return group.operands.map((line) => {
      line.forEach((bits, at) => set(`o${at}`, group.types[at] in FORMATS ? `${group.types[at]}:${bits}` : `0x${bits}`));
      update();
      const problem = document.getElementById("function-error").textContent;
      const lines = [...document.querySelectorAll("#results tbody tr")].map((row) => [...row.cells].map((cell) => cell.dataset.code ?? cell.textContent));
      const found = lines.find(([rounding]) => rounding === (group.rounding ?? "none"));
      return problem || found.slice(1).join(" ");
    });
  }), groups);
  let [cases, differ] = [0, 0];
  for (const [at, group] of groups.entries()) {
    for (const [k, line] of group.expected.entries()) {
      const expected = line.split(" ").slice(group.types.length).join(" ");
      cases += 1;
      if (answers[at][k] === expected) continue;
      differ += 1;
      check(differ > 5, `${group.row} ${group.rounding} ${group.overflow} ${group.operands[k]}: ${answers[at][k]}, not ${expected}`);
    }
  }
  check(cases === 2000 && differ === 0, `${differ} of ${cases} answers differ`);
  console.log(`the explorer: ${cases} random cases of ${new Set(groups.map((group) => group.row)).size} rows, ${differ} differ from sweep eval`);

  // The address carries the state.
  await page.fill("#x", "1e-3");
  await page.fill("#f", "add.bf16");
  await page.fill("#o1", "bf16:3F80");
  const results = () => page.textContent("#results");
  const [before, state] = [await results(), page.url()];
  await page.goto("about:blank");
  await page.goto(state);
  await page.waitForFunction(() => document.getElementById("state").textContent === "");
  check((await results()) === before, "the state is lost");
  check(/ulp above/.test(await page.textContent("#between-text")), "the exact value's place");
  // Another way to the same number.
  for (const text of ["0.5", "0x1p-1", "bf16:3F00", "f16:0b0011100000000000", "e2m1:1"]) {
    await page.fill("#x", text);
    check((await page.textContent("#formats tbody tr:nth-child(4) td:nth-child(3)")) === "3F00", `${text} is not read as 0.5`);
  }
  await page.fill("#x", "1.5 mV");
  check((await page.textContent("#number-error")) !== "", "a text that is no number is refused");
}

async function accessible() {
  let rules = 0;
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const name of ["index.html", "functions/gelu.html", "functions/add.html", "speed.html", "models.html", "formats.html", "explorer.html"]) {
      await visit(name);
      if (name === "explorer.html") await page.waitForFunction(() => document.getElementById("state").textContent === "");
      await page.evaluate(axe);
      const found = await page.evaluate(() => globalThis.axe.run({ preload: false }));
      rules += found.passes.length;
      for (const { id, help, nodes } of found.violations) check(false, `${name}, ${scheme}: ${id}: ${help}: ${nodes.length} times, ${nodes[0].html.slice(0, 150)}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  console.log(`axe: ${rules} rules passed on 7 pages, light and dark`);
}

async function screenshots() {
  fs.mkdirSync(shots, { recursive: true });
  for (const [width, scheme] of [[1280, "light"], [768, "dark"], [390, "light"]]) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 800 });
    await page.emulateMedia({ colorScheme: scheme });
    for (const name of ["index", "functions/gelu", "speed", "models", "formats", "explorer"]) {
      await visit(`${name}.html`);
      if (name === "explorer") await page.waitForFunction(() => document.getElementById("state").textContent === "");
      await page.waitForTimeout(200);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(over <= 0, `${name} is ${over} pixels wider than ${width}`);
      await page.screenshot({ path: path.join(shots, `${path.basename(name)}-${width}.png`) });
    }
  }
}

try {
  for (const part of [table, zoom, explorer, accessible, pages]) await part();
  if (shots) await screenshots();
} finally {
  await browser.close();
}
console.log(wrong.length ? `${wrong.length} wrong` : "all as it should be");
process.exit(wrong.length ? 1 : 0);
