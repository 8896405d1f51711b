import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { uniqueName } from '../id.ts';
import { writeNew } from '../sync/write-file.ts';
import { isRecord } from './stored-tokens.ts';

/**
 * One file for each registry somebody is signed in to. It says where the tokens are, so that a command
 * which needs none looks into no keychain; where they are kept in a file, it is this one.
 */
export function credentialPath(folder: string, origin: string): string {
  return `${folder}/${encodeURIComponent(origin)}.json`;
}

/** The document, or undefined where there is none that can be read. */
export function getCredentialFile(
  folder: string,
  origin: string,
): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(credentialPath(folder, origin), 'utf8'));
    return isRecord(value) && value['registry'] === origin ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file whole; nobody but its owner may read it. */
export function putCredentialFile(
  folder: string,
  origin: string,
  document: Readonly<Record<string, unknown>>,
): void {
  makeCredentialFolder(folder);
  const temporary = `${folder}/.${uniqueName()}`;
  const text = `${JSON.stringify({ registry: origin, ...document }, undefined, 2)}\n`;
  try {
    writeNew(temporary, Buffer.from(text), 0o600, true);
    renameSync(temporary, credentialPath(folder, origin));
  } finally {
    rmSync(temporary, { force: true });
  }
}

export function removeCredentialFile(folder: string, origin: string): void {
  rmSync(credentialPath(folder, origin), { force: true });
}

export function makeCredentialFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}
