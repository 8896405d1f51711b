/** The part of Node's `Buffer` that core and harness use, for browsers. */
class BrowserBuffer extends Uint8Array {
  write(text: string, offset: number, _encoding: 'utf8'): number {
    return new TextEncoder().encodeInto(text, this.subarray(offset)).written;
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at]);
  }
}

export const Buffer = {
  alloc: (size: number): BrowserBuffer => new BrowserBuffer(size),
  allocUnsafe: (size: number): BrowserBuffer => new BrowserBuffer(size),
  byteLength: (text: string): number => new TextEncoder().encode(text).length,
  from: (data: string | ArrayLike<number>): BrowserBuffer =>
    new BrowserBuffer(typeof data === 'string' ? new TextEncoder().encode(data) : data),
};
