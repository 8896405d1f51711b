import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCRequest,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { HostMemory } from '../host.ts';
import type { MinimumClients } from '../minimum-clients.ts';
import { membersOf, rejectHost } from '../reject-host.ts';
import { MAX_FRAME_BYTES, openFrames } from './frames.ts';
import { findRequestId, readMessages, type ReadMessage } from './read-messages.ts';
import { createRequestLimiter } from './request-limiter.ts';

const INVALID_REQUEST = -32_600;

/** Maximum wait for pending responses after the host has closed its input. */
const LAST_RESPONSES_MS = 1_500;

/** Size of unread output above which no more input is read. */
const MAX_UNREAD_BYTES = 16_777_216;

export interface HostWireOptions {
  input: Readable;
  output: Writable;
  memory: HostMemory;
  min_clients: MinimumClients;
  report: (problem: string) => void;
  onFirstAnswer: () => void;
  onEnd: () => void;
}

/**
 * Creates the transport to a host. Unlike that of the SDK, it responds to invalid and overlong requests instead of
 * closing or ignoring them, and finishes pending responses after the host closes its input.
 */
export function createHostTransport(options: HostWireOptions): Transport {
  const { input, output, memory, min_clients, report } = options;
  const turns = createRequestLimiter((request) => wire.onmessage?.(request));
  let isClosed = false;
  let hasEnded = false;
  let hasAnswered = false;

  async function send(message: JSONRPCMessage): Promise<void> {
    if (isClosed) throw new Error('the connection to the host is closed');
    try {
      await write(serializeMessage(message));
    } finally {
      if (!('method' in message) && message.id !== undefined) settle(message.id);
      resumeReading();
    }
  }

  function settle(id: string | number): void {
    turns.end(id);
    endWhenDone();
    if (hasAnswered) return;
    hasAnswered = true;
    options.onFirstAnswer();
  }

  function endWhenDone(): void {
    if (hasEnded && turns.isEmpty()) close();
  }

  function write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(text, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  function resumeReading(): void {
    if (isClosed) return;
    if (turns.isFull() || output.writableLength > MAX_UNREAD_BYTES) input.pause();
    else if (input.isPaused()) input.resume();
  }

  function refuse(id: string | number, error: { code: number; message: string; data?: unknown }) {
    send({ jsonrpc: '2.0', id, error }).catch(close);
  }

  function take(read: ReadMessage): void {
    if (read.kind === 'garbage') return report(`a line from the host was ${read.problem}`);
    if (read.kind === 'invalid') {
      return refuse(read.id, { code: INVALID_REQUEST, message: 'Invalid Request' });
    }
    const { message } = read;
    if ('method' in message) remember(message.method, message.params);
    if (!isJSONRPCRequest(message)) return wire.onmessage?.(message);
    const refusal = rejectHost(message.method, message.params, min_clients);
    if (refusal !== undefined) return refuse(message.id, refusal);
    return turns.take(message);
  }

  function remember(method: string, params: unknown): void {
    if (method === 'initialize') memory.capabilities = membersOf(params)['capabilities'];
    const { requestId } = membersOf(params);
    if (method !== 'notifications/cancelled') return;
    if (typeof requestId !== 'string' && typeof requestId !== 'number') return;
    turns.cancel(requestId);
    endWhenDone();
  }

  const readFrames = openFrames({
    onFrame: (frame) => readMessages(frame).forEach(take),
    onOverlong: (start, end) => {
      const id = findRequestId(start, end);
      const message = `The limit for a message is ${MAX_FRAME_BYTES} bytes.`;
      if (id === undefined) report(message);
      else refuse(id, { code: INVALID_REQUEST, message });
    },
  });

  function readChunk(chunk: Buffer): void {
    readFrames(chunk);
    resumeReading();
  }

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    setTimeout(close, LAST_RESPONSES_MS).unref();
    endWhenDone();
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    input.off('data', readChunk).off('end', end).off('close', end).off('error', close);
    input.pause();
    wire.onclose?.();
    options.onEnd();
  }

  const wire: Transport = {
    start: () => {
      input.on('data', readChunk).on('end', end).on('close', end).on('error', close);
      output.on('error', close);
      return Promise.resolve();
    },
    send,
    close: () => {
      close();
      return Promise.resolve();
    },
  };
  return wire;
}
