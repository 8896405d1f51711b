import { createHmac, timingSafeEqual } from 'node:crypto';
import { lstatSync, rmSync } from 'node:fs';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { statePath, writeStateFile } from './state-folder.ts';
import { openStateKey } from './state-key.ts';

/**
 * State of a target on this machine. A clone can contain state too, so a file counts only with an authentication code
 * of this user (SPEC-89).
 */
export interface LocalState {
  directory: string;
  folder: string;
  /** Reads a file; undefined if it is missing or this user's catalog did not write it. */
  read(name: string): Buffer | undefined;
  /** Reads a file of any origin, which must not be trusted. */
  readUnverified(name: string): Buffer | undefined;
  /** Adds the authentication code to content, so that `read` accepts it under this name. */
  seal(name: string, content: Uint8Array | string): Buffer;
  write(name: string, content: Uint8Array | string): void;
  remove(name: string): void;
  /** False without a writable home folder: nothing can then be authenticated. */
  isAuthenticated(): boolean;
}

const HEADER = /^catalog-mac:([0-9a-f]{64})\n/;
const HEADER_BYTES = 'catalog-mac:'.length + 64 + 1;

export function openLocalState(directory: string, home: string): LocalState {
  const folder = statePath(directory);
  const key = openStateKey(home);

  function read(name: string): { content: Buffer; code: string | undefined } | undefined {
    const path = `${folder}/${name}`;
    try {
      // A link could lead to the state of another workspace, which has a valid code.
      if (lstatSync(path).isSymbolicLink()) return undefined;
      const bytes = readRegularFile(path, MAX_RECORD_BYTES);
      const code = HEADER.exec(bytes.toString('latin1', 0, HEADER_BYTES))?.[1];
      return { content: code === undefined ? bytes : bytes.subarray(HEADER_BYTES), code };
    } catch {
      return undefined;
    }
  }

  const seal: LocalState['seal'] = (name, content) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const secret = key.require();
    if (secret === undefined) return Buffer.from(bytes);
    const code = codeOf(secret, name, bytes).toString('hex');
    return Buffer.concat([Buffer.from(`catalog-mac:${code}\n`), bytes]);
  };

  return {
    directory,
    folder,
    read: (name) => {
      const file = read(name);
      const secret = key.get();
      if (file?.code === undefined || secret === undefined) return undefined;
      const code = Buffer.from(file.code, 'hex');
      return timingSafeEqual(code, codeOf(secret, name, file.content)) ? file.content : undefined;
    },
    readUnverified: (name) => read(name)?.content,
    seal,
    write: (name, content) => writeStateFile(`${folder}/${name}`, seal(name, content)),
    remove: (name) => rmSync(`${folder}/${name}`, { force: true }),
    isAuthenticated: () => key.isAvailable(),
  };
}

/** Computes an authentication code. It covers only the last part of the name, so that the folder can be renamed. */
function codeOf(secret: Buffer, name: string, content: Uint8Array): Buffer {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return createHmac('sha256', secret).update(`${last}\n`).update(content).digest();
}
