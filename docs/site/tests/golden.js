// The digests of every row of one operand, computed in WebAssembly, against the golden ones: node golden.js [--whole]
//
// Two lines of each row, another two for each; --whole: all.
import fs from "node:fs";
import path from "node:path";
import { SITE, load } from "./module.js";

const whole = process.argv.includes("--whole");
const ask = await load();
const rows = ask("rows").split("\n").map((line) => line.split("\t"));
let [digests, inputs, wrong, named] = [0, 0, 0, 0];
for (const [at, [name, op, operands]] of rows.entries()) {
  if (operands.includes(",")) continue;
  const file = fs.readFileSync(path.join(SITE, "../../host-tests/golden", `${op}.txt`), "utf8");
  const lines = file.split("\n").filter((line) => line.startsWith(`${name} `));
  if (lines.length === 0) throw new Error(`no golden digest of ${name}`);
  const first = at % lines.length;
  const second = (first + (lines.length >> 1)) % lines.length;
  const chosen = whole ? lines : [...new Set([lines[first], lines[second]])];
  for (const line of chosen) {
    const [, domain, count, rounding, overflow, params, expected] = line.split(" ");
    const found = ask(`digest ${name} ${rounding} ${overflow} ${params}`);
    digests += 1;
    inputs += Number(count);
    if (found === `${domain} ${count} ${expected}`) continue;
    wrong += 1;
    console.log(`${line}: ${found}`);
  }
  named += 1;
}
console.log(`wasm32: ${named} rows of one operand, ${digests} digests, ${inputs} results: ${wrong} digests differ from the golden ones`);
if (wrong || named < 200) process.exit(1);
