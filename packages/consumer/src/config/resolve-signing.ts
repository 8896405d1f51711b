import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isKeyId } from '@catalog/core/signing/ed25519';
import {
  DEFAULT_SIGNATURE_POLICY,
  isSignaturePolicy,
  SIGNATURE_POLICIES,
  stricter,
  type SignaturePolicy,
} from '../signing/signature-policy.ts';
import { BUILT_IN, variable } from './sourced.ts';
import type {
  ConfigFile,
  ConfigInput,
  Origin,
  PinnedKeys,
  SigningSettings,
  Sourced,
} from './types.ts';

const VARIABLE = 'CATALOG_VERIFY_SIGNATURES';

/**
 * Resolves the signature settings. The policy is the strictest of the user's and the workspace's: a file
 * that comes with a clone cannot lower it (CFG-03).
 */
export function resolveSigning(input: ConfigInput, files: readonly ConfigFile[]): SigningSettings {
  const own = readVariable(input) ?? policyOf(files, ['user']);
  const workspace = policyOf(files, ['workspace', 'workspace-local']);
  const chosen = own ?? { value: DEFAULT_SIGNATURE_POLICY, origin: BUILT_IN };
  const isRaised =
    workspace !== undefined && stricter(chosen.value, workspace.value) !== chosen.value;
  return {
    policy: isRaised ? workspace : chosen,
    pins: files.flatMap(({ content, origin }) =>
      (content.registry_keys ?? []).map((entry) => toPinned(entry, origin)),
    ),
  };
}

/** The highest file that sets the key in either place applies. */
function policyOf(
  files: readonly ConfigFile[],
  kinds: readonly Origin['kind'][],
): Sourced<SignaturePolicy> | undefined {
  for (const { content, origin } of files.toReversed()) {
    const value = content.verify_signatures ?? content.defaults?.verify_signatures;
    if (value !== undefined && kinds.includes(origin.kind)) return { value, origin };
  }
  return undefined;
}

function readVariable(input: ConfigInput): Sourced<SignaturePolicy> | undefined {
  const given = variable(input, VARIABLE);
  if (given === undefined) return undefined;
  const { value, origin } = given;
  if (isSignaturePolicy(value)) return { value, origin };
  throw new CatalogError(
    'config.invalid',
    `${VARIABLE} is ${value}, but must be one of ${SIGNATURE_POLICIES.join(', ')}.`,
    {
      details: { available: [...SIGNATURE_POLICIES] },
      suggested_action: 'Set one of them, or unset the variable.',
    },
  );
}

function toPinned(
  { registry, keys = [], root_key }: NonNullable<ConfigFile['content']['registry_keys']>[number],
  origin: Origin,
): PinnedKeys {
  const invalid = [...keys, ...(root_key === undefined ? [] : [root_key])].find(
    (key) => !isKeyId(key),
  );
  if (
    !URL.canParse(registry) ||
    invalid !== undefined ||
    (keys.length === 0 && root_key === undefined)
  ) {
    throw new CatalogError(
      'config.invalid',
      `${origin.name}: registry_keys for ${registry} needs a URL, and at least one key id of 64 hexadecimal digits in \`keys\` or \`root_key\`.`,
      {
        details: {
          file: origin.name,
          key: 'registry_keys',
          ...(invalid === undefined ? {} : { value: invalid }),
        },
        suggested_action: 'Copy the id from `catalog admin keys list`.',
      },
    );
  }
  return { origin: new URL(registry).origin, keys, root_key, from: origin };
}
