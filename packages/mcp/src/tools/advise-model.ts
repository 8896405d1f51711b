import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';

/** Next steps for a model, for errors whose usual one is for a user at a terminal. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['registry.not_found', 'Find the id with search_artifacts; do not guess it.'],
  [
    'domain.not_found',
    'Call load_domain without a path, or search_domains, to see the available domains.',
  ],
  [
    'auth.sign_in_pending',
    'Show the user this URL and this code. Call again after the user has confirmed it.',
  ],
  ['materialize.locked', 'Another sync is writing there. Call load_artifact again in a minute.'],
  [
    'materialize.clash',
    'Show the user which files are in the way, or use another `destination`. Do not overwrite anything yourself.',
  ],
  [
    'materialize.target_unwritable',
    'Tell the user why. Load the artifact again after it is fixed, or use another `destination`.',
  ],
  [
    'materialize.untranslatable',
    'This harness does not support it: choose another artifact, or tell the user.',
  ],
  [
    'materialize.runtime_unavailable',
    'Tell the user what is missing. Load the artifact again after it is installed. CATALOG_IGNORE_RUNTIME_REQUIREMENTS=true writes it regardless.',
  ],
  [
    'materialize.content_hash_mismatch',
    'Do not use it. Load it again; if the error persists, tell the user that the content is changed in transit.',
  ],
]);

export function adviceFor(code: string): string | undefined {
  return ADVICE.get(code);
}

export function adviseModel(envelope: ErrorEnvelope): ErrorEnvelope {
  const suggested_action = adviceFor(envelope.code);
  return suggested_action === undefined ? envelope : { ...envelope, suggested_action };
}
