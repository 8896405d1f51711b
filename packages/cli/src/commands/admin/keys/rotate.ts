import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createKeyFile, openKeyFiles } from '@catalog/server/adapters/signer/key-files';
import { addKey } from '@catalog/server/registry/signing/change-keys';
import { useRegistry } from '@catalog/server/use-registry';
import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { readDuration } from '../../read-duration.ts';
import { readSettings } from '../read-settings.ts';
import type { adminKeysRotateDefinition } from './definition.ts';
import { requireSigner } from './require-signer.ts';
import { openRootKey } from './root-key.ts';

type Input = CommandInput<typeof adminKeysRotateDefinition>;

export async function run(
  { flags, arguments: named }: Input,
  session: Session,
): Promise<CommandResult> {
  const settings = readSettings(flags, 'admin keys rotate', session);
  const lifetime_ms = readDuration('--expires', flags.expires);
  const path = resolve(session.cwd, named['key-file']);
  const root = openRootKey(flags['root-key'], session);
  const { key_id, created } = await useRegistry(settings, async (registry) => {
    const signer = requireSigner(registry);
    const isNew = !existsSync(path);
    if (isNew) createKeyFile(path);
    const [key] = openKeyFiles([path]).keys;
    if (key === undefined) throw new Error('the new key was not read');
    const expires_at =
      lifetime_ms === undefined
        ? null
        : new Date(registry.now().getTime() + lifetime_ms).toISOString();
    await addKey(registry, { signer, root }, key, expires_at);
    return { key_id: key.key_id, created: isNew };
  });
  return {
    lines: [
      `${created ? 'Created' : 'Read'} ${path}`,
      `Published the key ${key_id}`,
      `Next: put ${path} first in sign_key_path, keep the previous file second, and restart the servers. Then run \`catalog admin keys retire <previous key>\`.`,
    ],
    json: { key_file: path, key_id, created },
  };
}
