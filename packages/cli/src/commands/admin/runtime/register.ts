import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import {
  loadRuntimeKeys,
  toRuntimeKey,
  type RuntimeKey,
} from '@catalog/server/identity/runtime/runtime-keys';
import { writeRuntimeKeys } from '@catalog/server/identity/runtime/write-runtime-keys';
import type { CommandInput } from '../../../command/definition.ts';
import type { CommandResult, Session } from '../../../command/session.ts';
import { usageError } from '../../../command/usage-errors.ts';
import { count } from '../../../output/text.ts';
import type { adminRuntimeRegisterDefinition } from './definition.ts';

type Input = CommandInput<typeof adminRuntimeRegisterDefinition>;

export function run({ flags }: Input, { cwd }: Session): CommandResult {
  const keys_file = resolve(cwd, required(flags['keys-file'], 'keys-file'));
  const issuer = required(flags.issuer, 'issuer');
  const algorithm = required(flags.algorithm, 'algorithm');
  const pem_file = resolve(cwd, required(flags['public-key-file'], 'public-key-file'));
  const key = readKey(issuer, algorithm, pem_file);
  const before = loadRuntimeKeys(keys_file, 'may_be_absent');
  const known = before.find((one) => isSame(one, key));
  // Adding a key to rotate does not remove the requirement of `act`. Only --replace removes it.
  const require_act = flags['require-act'] || (!flags.replace && known?.require_act === true);
  const goes = (one: RuntimeKey): boolean =>
    isSame(one, key) || (flags.replace && one.issuer === issuer);
  const keys = [...before.filter((one) => !goes(one)), { ...key, require_act }];
  const is_known = known !== undefined;
  const isChanged = !is_known || (known.require_act ?? false) !== require_act;
  if (isChanged || keys.length < before.length) writeRuntimeKeys(keys_file, keys);
  const of_issuer = keys.filter((one) => one.issuer === issuer);
  const requires_act = of_issuer.some((one) => one.require_act === true);
  return {
    lines: [
      `${keys_file} ${is_known ? 'already trusts' : 'now trusts'} ${issuer} (${algorithm}); ${count(keys.length, 'key')} in total, ${of_issuer.length} for this runtime`,
      ...(requires_act ? ['Its session tokens must include `act`.'] : []),
      'Next: restart the servers that use this file.',
    ],
    json: { keys_file, issuer, algorithm, added: !is_known, keys: keys.length, requires_act },
  };
}

function isSame(one: RuntimeKey, other: RuntimeKey): boolean {
  return (
    one.issuer === other.issuer && one.algorithm === other.algorithm && one.key.equals(other.key)
  );
}

/** Reads the key. The next step differs from that of the error code, because another run cannot fix the key. */
function readKey(issuer: string, algorithm: string, pem_file: string): RuntimeKey {
  const public_key_pem = readPem(pem_file);
  try {
    return toRuntimeKey({ issuer, algorithm, public_key_pem }, pem_file);
  } catch (cause) {
    if (!(cause instanceof CatalogError)) throw cause;
    throw new CatalogError('config.runtime_keys_unavailable', cause.message, {
      suggested_action:
        'Pass the algorithm the runtime signs with and its public key, from `openssl pkey -in private.pem -pubout`.',
      cause,
    });
  }
}

function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CatalogError('config.not_found', `Cannot read ${path}.`, {
      details: { path },
      suggested_action: 'Pass a PEM file with the public key of the runtime.',
      cause,
    });
  }
}

function required<Value extends string>(value: Value | undefined, flag: string): Value {
  if (value !== undefined && value.trim() !== '') return value;
  throw usageError(
    `--${flag} is missing.`,
    'Pass the keys file, issuer, algorithm and public key. For an example, run `catalog admin runtime register --help`.',
    { command: 'admin runtime register', argument: `--${flag}` },
  );
}
