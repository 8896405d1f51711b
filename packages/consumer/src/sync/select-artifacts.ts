import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { FIRST_CLASS_TYPES, type Artifact } from '@catalog/core/artifact/types';
import { compileScope } from '@catalog/core/scope/scope-filter';
import { nearest } from '@catalog/core/text/nearest';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { planArtifacts, type Plan } from '@catalog/harness/plan';
import type { ResolvedTarget } from '../config/types.ts';
import type { Toggles } from '../lock/types.ts';
import type { CatalogEntry } from '../source/catalog-source.ts';
import type { SkippedArtifact } from './report.ts';

/** The entries of the view that a target delivers: its scope, then the toggles. */
export function selectEntries(
  entries: readonly CatalogEntry[],
  target: ResolvedTarget,
  toggles: Toggles,
): CatalogEntry[] {
  refuseUnknownTypes(entries, target);
  const inScope = compileScope(target.scope);
  const added = new Set(toggles.add);
  const removed = new Set(toggles.remove);
  return entries.filter(
    (entry) => !removed.has(entry.id) && (added.has(entry.id) || inScope(entry)),
  );
}

/** A misspelt type would select nothing, and a sync would take everything away. */
function refuseUnknownTypes(entries: readonly CatalogEntry[], { scope }: ResolvedTarget): void {
  const unknown = scope.type.find(
    (type) => !KNOWN_TYPES.has(type) && !entries.some((entry) => entry.type === type),
  );
  if (unknown === undefined) return;
  const types = new Set([...KNOWN_TYPES, ...entries.map((entry) => entry.type)]);
  const near = nearest(unknown, types);
  throw new CatalogError('config.invalid', `No artifact has the type ${unknown}.`, {
    details: { value: unknown, available: [...types] },
    suggested_action:
      near === undefined ? `Use one of ${[...types].join(', ')}.` : `Did you mean ${near}?`,
  });
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(FIRST_CLASS_TYPES);

/**
 * Plans a target, leaving out what its harness cannot take where that is allowed. Otherwise one
 * error names every artifact it cannot take, before anything is written (decisions 38 and 50).
 */
export function planTarget(
  artifacts: readonly Artifact[],
  adapter: HarnessAdapter,
  options: { on_clash: 'fail' | 'qualify'; unsupported: 'fail' | 'skip' },
): { plan: Plan; skipped: SkippedArtifact[] } {
  const plan = planArtifacts(artifacts, adapter, { on_clash: options.on_clash });
  if (plan.unsupported.length > 0 && options.unsupported === 'fail') {
    throw untranslatable(adapter.id, plan.unsupported);
  }
  const skipped = plan.unsupported.map(({ artifact_id, reason }) => ({
    artifact_id,
    harness: adapter.id,
    reason,
  }));
  return { plan, skipped };
}

function untranslatable(harness: string, unsupported: Plan['unsupported']): CatalogError {
  const lines = unsupported.map(({ artifact_id, reason }) => `  ${artifact_id}: ${reason}`);
  const count = unsupported.length === 1 ? 'One artifact' : `${unsupported.length} artifacts`;
  return new CatalogError(
    'materialize.untranslatable',
    `${count} cannot be delivered to ${harness}; nothing was written.\n${lines.join('\n')}`,
    {
      details: {
        harness,
        unsupported: unsupported.map(({ artifact_id, capabilities, reason }) => ({
          artifact_id,
          capabilities,
          reason,
        })),
      },
    },
  );
}
