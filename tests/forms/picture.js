// What a PNG holds: node picture.js FILE prints "WIDTH HEIGHT COLOURS BRIGHTNESS" (mean of 0..255), so that a test can
// tell a page from an empty sheet, and light from dark. Reads what Chromium writes: 8 bits, RGB or RGBA.
// SPDX-License-Identifier: Apache-2.0
const fs = require("fs");
const zlib = require("zlib");

function chunks(png) {
  const all = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    all.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + png.readUInt32BE(at)) });
  return all;
}

function paeth(a, b, c) {
  const p = a + b - c, pa = Math.abs(p - a), pb = Math.abs(p - b), pc = Math.abs(p - c);
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

const png = chunks(fs.readFileSync(process.argv[2]));
const head = png.find((chunk) => chunk.type === "IHDR").data;
const width = head.readUInt32BE(0), height = head.readUInt32BE(4);
const bytes = head[9] === 6 ? 4 : 3;
const raw = zlib.inflateSync(Buffer.concat(png.filter((chunk) => chunk.type === "IDAT").map((chunk) => chunk.data)));
const stride = width * bytes;
const pixels = Buffer.alloc(stride * height);
for (let y = 0; y < height; y++) {
  const filter = raw[y * (stride + 1)];
  for (let x = 0; x < stride; x++) {
    const left = x >= bytes ? pixels[y * stride + x - bytes] : 0;
    const up = y > 0 ? pixels[(y - 1) * stride + x] : 0;
    const corner = x >= bytes && y > 0 ? pixels[(y - 1) * stride + x - bytes] : 0;
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    pixels[y * stride + x] = (raw[y * (stride + 1) + 1 + x] + guess) & 255;
  }
}
const colours = new Set();
let sum = 0;
for (let at = 0; at < pixels.length; at += bytes) {
  colours.add(pixels.readUIntBE(at, 3));
  sum += (pixels[at] + pixels[at + 1] + pixels[at + 2]) / 3;
}
console.log(width, height, colours.size, Math.round(sum / (width * height)));
