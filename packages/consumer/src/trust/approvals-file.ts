import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { replaceFile } from '../sync/write-file.ts';

/** Executable content the user approved: for each registry and artifact id, keys of capabilities. */
export type Approvals = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

export function approvalsFile(home: string): string {
  return `${resolve(home)}/.catalog/approvals.json`;
}

/** Reads the approvals. A file that is missing or malformed approves nothing. */
export function readApprovals(path: string): Approvals {
  try {
    const value: unknown = JSON.parse(readRegularFile(path, MAX_TEXT_BYTES).toString('utf8'));
    const registries = isRecord(value) && isRecord(value['registries']) ? value['registries'] : {};
    return new Map(
      Object.entries(registries).map(([registry, artifacts]) => [
        registry,
        new Map(Object.entries(isRecord(artifacts) ? artifacts : {}).map(toArtifact)),
      ]),
    );
  } catch {
    return new Map();
  }
}

function toArtifact([id, keys]: [string, unknown]): [string, string[]] {
  const listed = Array.isArray(keys) ? keys : [];
  return [id, listed.filter((key) => typeof key === 'string')];
}

/** Keys that are approved for an artifact. */
export function approvedKeys(
  approvals: Approvals,
  { registry, id }: { registry: string; id: string },
): readonly string[] {
  return approvals.get(registry)?.get(id) ?? [];
}

/** One artifact and the keys of capabilities that the user approves. */
export interface Approval {
  registry: string;
  id: string;
  keys: readonly string[];
}

/** Adds approvals. What was approved before stays approved. */
export function recordApprovals(path: string, approvals: readonly Approval[]): void {
  const all = toMutable(readApprovals(path));
  for (const { registry, id, keys } of approvals) {
    const artifacts = all.get(registry) ?? new Map<string, readonly string[]>();
    artifacts.set(id, [...new Set([...(artifacts.get(id) ?? []), ...keys])]);
    all.set(registry, artifacts);
  }
  writeApprovals(path, all);
}

/** Removes the approvals of an artifact. */
export function removeApproval(path: string, { registry, id }: Omit<Approval, 'keys'>): void {
  const all = toMutable(readApprovals(path));
  const artifacts = all.get(registry);
  artifacts?.delete(id);
  if (artifacts?.size === 0) all.delete(registry);
  writeApprovals(path, all);
}

function toMutable(approvals: Approvals): Map<string, Map<string, readonly string[]>> {
  return new Map([...approvals].map(([registry, artifacts]) => [registry, new Map(artifacts)]));
}

function writeApprovals(path: string, approvals: Approvals): void {
  const registries = sortedObject(
    [...approvals].map(([registry, artifacts]) => [
      registry,
      sortedObject([...artifacts].map(([id, keys]) => [id, keys.toSorted(compareBytes)])),
    ]),
  );
  const text = `${JSON.stringify({ version: 1, registries }, undefined, 2)}\n`;
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, Buffer.from(text), 0o600, true);
}

function sortedObject<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => compareBytes(one, other)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
