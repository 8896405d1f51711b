/** Maximum size of a message in bytes; a longer one is skipped. */
export const MAX_FRAME_BYTES = 16_777_216;

/** Bytes kept from the start and the end of a skipped message, to find its request id. */
const EDGE_BYTES = 512;

export interface FrameReader {
  /** Called with each message, without the line feed. */
  onFrame: (bytes: Buffer) => void;
  onOverlong: (start: Buffer, end: Buffer) => void;
}

/** Splits input at line feeds with limited memory. */
export function openFrames({ onFrame, onOverlong }: FrameReader): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  let overlong: { start: Buffer; end: Buffer } | undefined;

  function keep(part: Buffer): void {
    parts.push(part);
    length += part.length;
    if (length <= MAX_FRAME_BYTES && overlong === undefined) return;
    const whole = Buffer.concat(parts);
    overlong = {
      start: overlong?.start ?? Buffer.from(whole.subarray(0, EDGE_BYTES)),
      end: Buffer.from(whole.subarray(-EDGE_BYTES)),
    };
    parts = [overlong.end];
  }

  function finish(): void {
    const frame = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    const skipped = overlong;
    parts = [];
    length = 0;
    overlong = undefined;
    if (skipped !== undefined) onOverlong(skipped.start, skipped.end);
    else if (frame.length > 0) onFrame(frame);
  }

  return (chunk) => {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0x0a, start);
      if (end === -1) break;
      keep(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  };
}
