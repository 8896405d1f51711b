import { resolve } from 'node:path';
import type { Signer } from '@catalog/core/ports/signer';
import { openKeyFiles } from '@catalog/server/adapters/signer/key-files';
import type { Session } from '../../../command/session.ts';

/** Opens the root key that a command names; undefined without one. */
export function openRootKey(path: string | undefined, { cwd }: Session): Signer | undefined {
  return path === undefined ? undefined : openKeyFiles([resolve(cwd, path)]);
}
