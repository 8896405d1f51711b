import { dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { MAX_TEXT_BYTES } from '@catalog/core/node/read-regular-file';
import {
  makePrivateFolder,
  readUserFile,
  userFolder,
  USER_FILE_MODE,
} from '@catalog/core/node/user-folder';
import { replaceFile } from '../sync/write-file.ts';

/** Approved capability keys by registry and artifact id. */
export type Approvals = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

export function approvalsFile(home: string): string {
  return `${userFolder(home)}/approvals.json`;
}

interface Stored {
  approvals: Map<string, Map<string, readonly string[]>>;
  chosen: Map<string, string>;
}

/** Reads the approvals; none if the file is missing or malformed. */
export function readApprovals(path: string): Approvals {
  return readStored(path).approvals;
}

function readStored(path: string): Stored {
  try {
    const value: unknown = JSON.parse(readUserFile(path, MAX_TEXT_BYTES).toString('utf8'));
    const approvals = Object.entries(memberOf(value, 'registries')).map(
      ([registry, artifacts]): [string, Map<string, string[]>] => [
        registry,
        new Map(Object.entries(isRecord(artifacts) ? artifacts : {}).map(toArtifact)),
      ],
    );
    const chosen = Object.entries(memberOf(value, 'workspaces')).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { approvals: new Map(approvals), chosen: new Map(chosen) };
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    return { approvals: new Map(), chosen: new Map() };
  }
}

function memberOf(value: unknown, name: string): Record<string, unknown> {
  const member = isRecord(value) ? value[name] : undefined;
  return isRecord(member) ? member : {};
}

function toArtifact([id, keys]: [string, unknown]): [string, string[]] {
  const listed = Array.isArray(keys) ? keys : [];
  return [id, listed.filter((key) => typeof key === 'string')];
}

export function approvedKeys(
  approvals: Approvals,
  { registry, id }: { registry: string; id: string },
): readonly string[] {
  return approvals.get(registry)?.get(id) ?? [];
}

export interface Approval {
  registry: string;
  id: string;
  keys: readonly string[];
}

export function recordApprovals(path: string, approvals: readonly Approval[]): void {
  const stored = readStored(path);
  for (const { registry, id, keys } of approvals) {
    const artifacts = stored.approvals.get(registry) ?? new Map<string, readonly string[]>();
    artifacts.set(id, [...new Set([...(artifacts.get(id) ?? []), ...keys])]);
    stored.approvals.set(registry, artifacts);
  }
  writeStored(path, stored);
}

export function removeApproval(path: string, { registry, id }: Omit<Approval, 'keys'>): void {
  const stored = readStored(path);
  const artifacts = stored.approvals.get(registry);
  artifacts?.delete(id);
  if (artifacts?.size === 0) stored.approvals.delete(registry);
  writeStored(path, stored);
}

export function readChosenRegistries(path: string): ReadonlyMap<string, string> {
  return readStored(path).chosen;
}

/** Records the registry that the user chose for a workspace; `undefined` removes it. */
export function recordChosenRegistry(
  path: string,
  workspace: string,
  registry: string | undefined,
): void {
  const stored = readStored(path);
  if (registry === undefined) stored.chosen.delete(workspace);
  else stored.chosen.set(workspace, registry);
  writeStored(path, stored);
}

function writeStored(path: string, { approvals, chosen }: Stored): void {
  const registries = sortedObject(
    [...approvals].map(([registry, artifacts]) => [
      registry,
      sortedObject([...artifacts].map(([id, keys]) => [id, keys.toSorted(compareBytes)])),
    ]),
  );
  const workspaces = sortedObject([...chosen]);
  const text = `${JSON.stringify({ version: 1, registries, workspaces }, undefined, 2)}\n`;
  makePrivateFolder(dirname(path));
  replaceFile(path, Buffer.from(text), USER_FILE_MODE, true);
}

function sortedObject<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([one], [other]) => compareBytes(one, other)));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
