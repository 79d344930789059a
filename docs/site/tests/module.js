// The WebAssembly module as the pages load it, in Node.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import zlib from "node:zlib";
import { fileURLToPath } from "node:url";

export const SITE = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

export async function load() {
  const source = fs.readFileSync(path.join(SITE, "assets/kernels.js"), "utf8");
  const kernels = vm.runInThisContext(`${source}; kernels`);
  return kernels(zlib.gunzipSync(fs.readFileSync(path.join(SITE, "explorer.wasm.gz"))));
}
