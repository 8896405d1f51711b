import type { HarnessAdapter, Place } from './adapter.ts';
import { forEachPlacedType } from './placed-types.ts';

/** Creates an error from a problem that completes a sentence about the adapter. */
export type CreateError = (problem: string, cause?: unknown) => Error;

/** Wraps an adapter of a third party, so that errors and invalid results are attributed to it. */
export function guardAdapter(adapter: HarnessAdapter, failed: CreateError): HarnessAdapter {
  const { place, warnings, ownedPlaces, user, user_on } = adapter;
  const guarded = (inner: HarnessAdapter): HarnessAdapter => guardAdapter(inner, failed);
  return {
    ...adapter,
    place: forEachPlacedType((type) => guardPlace(place[type], failed)),
    ownedPlaces: () => run('the places it writes to', ownedPlaces, failed),
    ...(warnings === undefined
      ? {}
      : { warnings: (artifact) => run(artifact.id, () => warnings(artifact), failed) }),
    ...(user === undefined ? {} : { user: guarded(user) }),
    ...(user_on === undefined
      ? {}
      : { user_on: { darwin: guarded(user_on.darwin), win32: guarded(user_on.win32) } }),
  };
}

function guardPlace(place: Place, failed: CreateError): Place {
  return (artifact, context) => {
    const result = run(artifact.id, () => place(artifact, context), failed);
    if (Array.isArray(result) || isRefusal(result)) return result;
    throw failed(
      `gives for ${artifact.id} neither a string nor {untranslatable: 'why'}; \`render\` must return one of them and must not be async`,
    );
  };
}

function run<T>(id: string, call: () => T, failed: CreateError): T {
  try {
    return call();
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw failed(`fails on ${id}: ${what}`, cause);
  }
}

function isRefusal(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return false;
  return 'untranslatable' in result && typeof result.untranslatable === 'string';
}
