import { parseJSONRPCMessage, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { membersOf } from '../reject-host.ts';

export type ReadMessage =
  | { kind: 'message'; message: JSONRPCMessage }
  /** An invalid request whose sender waits for a response. */
  | { kind: 'invalid'; id: string | number }
  | { kind: 'garbage'; problem: string };

/** Maximum number of messages in a batch, because each takes time to validate. */
const MAX_BATCH_MESSAGES = 1_000;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a message, or the messages of a batch, which protocol revisions up to 2025-03-26 allow. */
export function readMessages(frame: Buffer): ReadMessage[] {
  let value: unknown;
  try {
    value = JSON.parse(UTF8.decode(frame));
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'not JSON' : 'not UTF-8';
    return frame.toString('latin1').trim() === '' ? [] : [{ kind: 'garbage', problem }];
  }
  if (!Array.isArray(value)) return [readMessage(value)];
  return value.length > MAX_BATCH_MESSAGES ? rejectBatch(value) : value.map(readMessage);
}

function rejectBatch(batch: readonly unknown[]): ReadMessage[] {
  const refused = batch.map(rejectMessage).filter(({ kind }) => kind === 'invalid');
  return [{ kind: 'garbage', problem: `a batch of ${batch.length} messages` }, ...refused];
}

function readMessage(value: unknown): ReadMessage {
  try {
    return { kind: 'message', message: parseJSONRPCMessage(value) };
  } catch {
    return rejectMessage(value);
  }
}

function rejectMessage(value: unknown): ReadMessage {
  const { id, method, result, error } = membersOf(value);
  const isAnswer = method === undefined && (result !== undefined || error !== undefined);
  return !isAnswer && isRequestId(id)
    ? { kind: 'invalid', id }
    : { kind: 'garbage', problem: 'not a JSON-RPC message' };
}

function isRequestId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id));
}

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"[\w.:-]{0,128}")`;
const FIRST = new RegExp(
  String.raw`^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[\w./]*"\s*,)*\s*${ID}\s*,`,
);
const LAST = new RegExp(String.raw`,\s*${ID}\s*\}\s*$`);

export function findRequestId(start: Buffer, end: Buffer): string | number | undefined {
  const match = FIRST.exec(start.toString('latin1')) ?? LAST.exec(end.toString('latin1'));
  if (match?.[1] === undefined) return undefined;
  const id: string | number = JSON.parse(match[1]);
  return id;
}
