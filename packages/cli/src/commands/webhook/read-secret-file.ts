import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readLocalFile, type LocalFile } from '@catalog/consumer/local-file';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expandHome } from '@catalog/core/text/expand-home';
import type { Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';

const FLAG = '--secret-file';

/** Reads a secret from a file, without the final line break. */
export function readSecretFile(file: string | undefined, session: Session): string | undefined {
  if (file === undefined) return undefined;
  const secret = readText(file, session).replace(/\r?\n$/, '');
  const place = file === '-' ? 'Standard input' : file;
  if (secret === '') {
    throw usageError(`${place} contains no secret.`, 'Write the secret on its first line.', {
      argument: FLAG,
    });
  }
  if (/[\r\n]/.test(secret)) {
    throw usageError(
      `${place} has more than one line, but a secret is one line.`,
      'Pass a file that contains only the secret.',
      { argument: FLAG },
    );
  }
  return secret;
}

function readText(file: string, session: Session): string {
  if (file === '-') {
    const input = session.readInput();
    if (input !== undefined) return input;
    throw usageError(
      'The secret cannot be read: standard input is a terminal.',
      `Pipe the secret into the command, or pass a file with ${FLAG}.`,
      { argument: FLAG },
    );
  }
  const path = resolve(session.cwd, expandHome(file, session.home));
  const read: LocalFile = existsSync(path)
    ? readLocalFile(path)
    : { kind: 'unreadable', reason: 'does not exist' };
  if (read.kind === 'file') return Buffer.from(read.bytes).toString('utf8');
  throw new CatalogError('config.not_found', `${path} ${read.reason}.`, {
    details: { path },
    suggested_action: `Pass a readable file with ${FLAG}, or - for standard input.`,
  });
}
