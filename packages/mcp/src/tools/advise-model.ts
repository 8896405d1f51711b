import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';

/** What a model can do next, where the usual advice is for whoever runs a sync at a terminal. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['registry.not_found', 'Find the id with search_artifacts; do not guess it.'],
  ['domain.not_found', 'Call load_domain without a path, or search_domains, to see what there is.'],
  ['materialize.locked', 'Another sync writes there now: call load_artifact again in a minute.'],
  [
    'materialize.clash',
    'Show the person which files are in the way, or name another `destination`. Overwrite nothing yourself.',
  ],
  [
    'materialize.target_unwritable',
    'Tell the person why; load it again once that is put right, or name another `destination`.',
  ],
  [
    'materialize.untranslatable',
    'This harness has no place for it: choose another artifact, or tell the person.',
  ],
  [
    'materialize.runtime_unavailable',
    'Tell the person what is missing; load it again once it is there. CATALOG_IGNORE_RUNTIME_REQUIREMENTS=true writes it nevertheless.',
  ],
  [
    'materialize.content_hash_mismatch',
    'Do not use it. Load it again; if that repeats, tell the person that something alters the content on its way.',
  ],
]);

/** An error with advice for a model. */
export function adviseModel(envelope: ErrorEnvelope): ErrorEnvelope {
  const suggested_action = ADVICE.get(envelope.code);
  return suggested_action === undefined ? envelope : { ...envelope, suggested_action };
}
