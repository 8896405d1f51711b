import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, type ProcessRecord } from './server-process.ts';

export interface ServerState {
  process: ProcessRecord;
  port: number;
  /** Its data is in memory. */
  in_memory?: boolean;
}

export function runningState(folder: string, name: string): ServerState | undefined {
  const state = readState(join(folder, `${name}.json`));
  return state && isRunning(state.process) ? state : undefined;
}

export function writeState(folder: string, name: string, state: ServerState): void {
  writeAtomically(folder, `${name}.json`, state);
}

export function removeState(folder: string, name: string): void {
  rmSync(join(folder, `${name}.json`), { force: true });
}

/** Atomic: readers see the old or the new content. */
export function writeAtomically(folder: string, name: string, content: unknown): void {
  mkdirSync(folder, { recursive: true });
  const staging = join(folder, `${name}.${process.pid}`);
  writeFileSync(staging, `${JSON.stringify(content, undefined, 2)}\n`);
  renameSync(staging, join(folder, name));
}

function readState(file: string): ServerState | undefined {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  return isState(content) ? content : undefined;
}

function isState(value: unknown): value is ServerState {
  return (
    hasKeys(value, ['process', 'port']) &&
    typeof value.port === 'number' &&
    hasKeys(value.process, ['pid', 'started']) &&
    typeof value.process.pid === 'number' &&
    typeof value.process.started === 'string'
  );
}

function hasKeys<Key extends string>(
  value: unknown,
  keys: readonly Key[],
): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && keys.every((key) => key in value);
}
