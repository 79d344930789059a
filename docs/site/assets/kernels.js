// The WebAssembly module: one request as text, one answer as text. docs/site/wasm/src/lib.rs says which there are.
"use strict";
async function kernels(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { memory, buffer, request } = instance.exports;
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  return (text) => {
    const bytes = encoder.encode(text);
    if (bytes.length > 65536) throw new Error("the request is too long");
    // A call can move the memory, so that its view is made after it.
    const place = buffer();
    new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
    const length = request(bytes.length);
    const found = buffer();
    const answer = decoder.decode(new Uint8Array(memory.buffer, found, length));
    if (answer.startsWith("error ")) throw new Error(answer.slice(6));
    return answer;
  };
}

// Of a gzip file in base64.
async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
