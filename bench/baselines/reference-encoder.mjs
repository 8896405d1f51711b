// The reference encoder of the model's training code. Tests check packages/embedder against it, and
// benchmarks compare with its speed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const isCJK = (c) =>
  (c >= 0x4e00 && c <= 0x9fff) ||
  (c >= 0x3400 && c <= 0x4dbf) ||
  (c >= 0x20000 && c <= 0x2a6df) ||
  (c >= 0x2a700 && c <= 0x2b73f) ||
  (c >= 0x2b740 && c <= 0x2b81f) ||
  (c >= 0x2b920 && c <= 0x2ceaf) ||
  (c >= 0xf900 && c <= 0xfaff) ||
  (c >= 0x2f800 && c <= 0x2fa1f);
const PUNCT = /[\p{P}]/u,
  SPACE = /[\s\p{Zs}]/u,
  CTRL = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}]/u;
const asciiPunct = (c) =>
  (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126);

/**
 * BERT basic tokenization (clean text, lower-case, strip accents, split on white space, punctuation
 * and CJK).
 */
export function words(text) {
  const out = [];
  let ascii = true;
  for (let i = 0; i < text.length; i++)
    if (text.charCodeAt(i) > 127) {
      ascii = false;
      break;
    }
  if (!ascii) text = text.normalize('NFD').replace(/\p{Mn}/gu, '');
  text = text.toLowerCase();
  if (ascii) {
    let start = -1;
    for (let i = 0; i <= text.length; i++) {
      const c = i < text.length ? text.charCodeAt(i) : 32;
      const sp = c === 32 || (c >= 9 && c <= 13 && c !== 11 && c !== 12),
        ct = !sp && (c < 32 || c === 127);
      if (sp || asciiPunct(c)) {
        if (start >= 0) {
          out.push(text.slice(start, i));
          start = -1;
        }
        if (!sp) out.push(text[i]);
      } else if (ct) {
        // Deletes control characters, which joins the characters around them.
        text = text.slice(0, i) + text.slice(i + 1);
        i--;
      } else if (start < 0) start = i;
    }
    return out;
  }
  let cur = '';
  for (const ch of text) {
    const c = ch.codePointAt(0);
    if (c === 0 || c === 0xfffd) continue;
    if (c === 9 || c === 10 || c === 13 || (SPACE.test(ch) && c > 32) || c === 32) {
      if (cur) out.push(cur);
      cur = '';
    } else if (CTRL.test(ch)) continue;
    else if (isCJK(c) || asciiPunct(c) || (c > 127 && PUNCT.test(ch))) {
      if (cur) out.push(cur);
      cur = '';
      out.push(ch);
    } else cur += ch;
  }
  if (cur) out.push(cur);
  return out;
}

export class StaticEncoder {
  /** @param {{config: object, vocab: string[], bin: Uint8Array}} m */
  constructor({ config, vocab, bin }) {
    this.dims = config.dims;
    this.unk = config.unk_id;
    this.maxTokens = config.max_tokens;
    this.maxChars = config.max_chars_per_word;
    const n = config.vocab_size;
    const bits = config.bits ?? 8,
      cells = n * this.dims;
    if (vocab.length !== n || bin.byteLength !== n * 4 + (cells * bits) / 8)
      throw new Error('static model files do not match the config');
    const buf = bin.byteOffset % 4 ? new Uint8Array(bin) : bin; // aligned for the float view
    this.scale = new Float32Array(buf.buffer, buf.byteOffset, n); // little-endian hosts only
    if (bits === 8) this.table = new Int8Array(buf.buffer, buf.byteOffset + 4 * n, cells);
    else {
      // int4: low nibble first, value = nibble - 8
      this.table = new Int8Array(cells);
      for (let i = 4 * n, o = 0; o < cells; i++) {
        const b = buf[i];
        this.table[o++] = (b & 15) - 8;
        this.table[o++] = (b >> 4) - 8;
      }
    }
    this.vocab = new Map();
    this.maxPiece = 1;
    for (let i = 0; i < n; i++) {
      this.vocab.set(vocab[i], i);
      if (vocab[i].length > this.maxPiece) this.maxPiece = vocab[i].length;
    }
    this.cache = new Map();
  }
  static load(dir, name = 'config.json') {
    const config = JSON.parse(readFileSync(join(dir, name), 'utf8'));
    return new StaticEncoder({
      config,
      vocab: readFileSync(join(dir, 'vocab.txt'), 'utf8').replace(/\n$/, '').split('\n'),
      bin: readFileSync(join(dir, config.table)),
    });
  }
  /** Token ids of one word (greedy longest match). */
  pieces(w) {
    let ids = this.cache.get(w);
    if (ids) return ids;
    const whole = this.vocab.get(w);
    if (whole !== undefined && [...w].length <= this.maxChars) ids = [whole];
    else {
      ids = [];
      const chars = [...w].length;
      let s = 0;
      if (chars > this.maxChars) ids = [this.unk];
      else
        while (s < w.length) {
          let e = Math.min(w.length, s + this.maxPiece),
            id;
          for (; e > s; e--) {
            id = this.vocab.get(s ? '##' + w.slice(s, e) : w.slice(s, e));
            if (id !== undefined) break;
          }
          if (id === undefined) {
            ids = [this.unk];
            break;
          }
          ids.push(id);
          s = e;
        }
    }
    if (this.cache.size > 20000) this.cache.clear();
    this.cache.set(w, ids);
    return ids;
  }
  tokenize(text) {
    const ids = [];
    for (const w of words(text)) {
      for (const id of this.pieces(w)) ids.push(id);
      if (ids.length >= this.maxTokens) {
        ids.length = this.maxTokens;
        break;
      }
    }
    return ids;
  }
  /** Returns a Float32Array(dims) of unit length, or all zeros if no token of the text is known. */
  encode(text) {
    const D = this.dims,
      v = new Float32Array(D),
      T = this.table;
    for (const id of this.tokenize(text)) {
      if (id === this.unk) continue;
      const s = this.scale[id];
      let o = id * D;
      for (let d = 0; d < D; d++) v[d] += T[o++] * s;
    }
    let n = 0;
    for (let d = 0; d < D; d++) n += v[d] * v[d];
    if (n > 0) {
      n = 1 / Math.sqrt(n);
      for (let d = 0; d < D; d++) v[d] *= n;
    }
    return v;
  }
}
export const dot = (a, b) => {
  let s = 0;
  for (let i = 0; i < a.length; i++) s += a[i] * b[i];
  return s;
};
