/**
 * Inner loop of the vector search in WebAssembly, which multiplies eight pairs of numbers at a time; JavaScript
 * multiplies one.
 */

/** The size of a row is a multiple of this number. */
export const KERNEL_BYTES = 64;

/** Multiplies the row at `asked` with `count` rows from `first` on, and writes the dot products. */
export type MultiplyRows = (
  query_at: number,
  first: number,
  count: number,
  row_bytes: number,
  sums: number,
) => void;

/** Memory of the WebAssembly module, which grows by pages of 64 KiB. Growing detaches the old buffer. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  /** Throws if the system provides no more memory. */
  grow(pages: number): void;
}

export interface Kernel {
  memory: KernelMemory;
  /** Multiplies 16-bit integers into 32-bit sums. Positions are addresses in the memory. */
  multiplyRows: MultiplyRows;
}

export function openKernel(pages: number): Kernel {
  compiled ??= new WebAssembly.Module(MODULE);
  const memory = new WebAssembly.Memory({ initial: pages });
  const { exports } = new WebAssembly.Instance(compiled, { rows: { memory } });
  return { memory, multiplyRows: exports.multiply };
}

/** The types of Node rely on those of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => KernelModule;
  Memory: new (size: { initial: number }) => KernelMemory;
  Instance: new (
    module: KernelModule,
    imports: { rows: { memory: KernelMemory } },
  ) => { exports: { multiply: MultiplyRows } };
};

declare const compiledBytes: unique symbol;
type KernelModule = { readonly [compiledBytes]?: never };

let compiled: KernelModule | undefined;

const I32 = 0x7f;
const V128 = 0x7b;

const QUERY = 0;
const ROW = 1;
const COUNT = 2;
const ROW_BYTES = 3;
const SUMS = 4;
const AT = 5;
const QUERY_END = 6;
const TOTAL = 7;

/** In WebAssembly, operands precede their instruction. */
const code = (...parts: readonly (number | readonly number[])[]): number[] => parts.flat();

const get = (local: number): number[] => code(0x20, local);
const set = (local: number): number[] => code(0x21, local);
const constant = (value: number): number[] => code(0x41, signed(value));
const ADD = 0x6a;
const SUBTRACT = 0x6b;
const BELOW = 0x49;
const STORE = code(0x36, 2, 0);
const SIMD = 0xfd;
const ZEROS = code(SIMD, 0x0c, Array<number>(16).fill(0));
const loadEight = (offset: number): number[] => code(SIMD, 0x00, 4, offset);
const MULTIPLY_PAIRS = code(SIMD, 0xba, 0x01);
const ADD_FOUR = code(SIMD, 0xae, 0x01);
const lane = (index: number): number[] => code(SIMD, 0x1b, index);
const END = 0x0b;
const loop = (...parts: readonly (number | readonly number[])[]): number[] =>
  code(0x03, 0x40, code(...parts), END);
const REPEAT_IF = code(0x0d, 0);

function multiplyEight(offset: number): number[] {
  const [query_at, row] = [code(get(AT), loadEight(offset)), code(get(ROW), loadEight(offset))];
  return code(get(TOTAL), query_at, row, MULTIPLY_PAIRS, ADD_FOUR, set(TOTAL));
}

function advance(local: number, by: number): number[] {
  return code(get(local), constant(by), ADD, set(local));
}

const MULTIPLY_ROW = loop(
  [0, 16, 32, 48].flatMap(multiplyEight),
  advance(ROW, KERNEL_BYTES),
  advance(AT, KERNEL_BYTES),
  code(get(AT), get(QUERY_END), BELOW, REPEAT_IF),
);

const SUM_OF_TOTAL = code(
  code(get(TOTAL), lane(0), get(TOTAL), lane(1), ADD),
  code(get(TOTAL), lane(2), ADD, get(TOTAL), lane(3), ADD),
);

const BODY = code(
  code(get(QUERY), get(ROW_BYTES), ADD, set(QUERY_END)),
  loop(
    code(ZEROS, set(TOTAL)),
    code(get(QUERY), set(AT)),
    MULTIPLY_ROW,
    code(get(SUMS), SUM_OF_TOTAL, STORE),
    advance(SUMS, 4),
    code(get(COUNT), constant(1), SUBTRACT, set(COUNT)),
    code(get(COUNT), REPEAT_IF),
  ),
  END,
);

const LOCALS = code(2, 2, I32, 1, V128);
const FUNCTION = code(LOCALS, BODY);

const MODULE = Uint8Array.from(
  code(
    code(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0),
    section(1, code(1, 0x60, 5, I32, I32, I32, I32, I32, 0)),
    section(2, code(1, named('rows'), named('memory'), 2, 0, 1)),
    section(3, code(1, 0)),
    section(7, code(1, named('multiply'), 0, 0)),
    section(10, code(1, unsigned(FUNCTION.length), FUNCTION)),
  ),
);

function section(number: number, content: readonly number[]): number[] {
  return code(number, unsigned(content.length), content);
}

function named(name: string): number[] {
  return code(name.length, [...Buffer.from(name)]);
}

/** Encodes unsigned LEB128: seven bits per byte, lowest first; the high bit marks a continuation. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Encodes signed LEB128: the sign is in the last bit. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
