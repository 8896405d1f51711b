import { FIRST_CLASS_TYPES, type Artifact } from '../../artifact/types.ts';
import { nearest } from '../../text/nearest.ts';
import type { LintContext } from '../context.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

const firstClass: ReadonlySet<string> = new Set(FIRST_CLASS_TYPES);

/** Maximum number of changed letters in a typo; short words allow only one. */
const MAX_TYPO_EDITS = 2;

/** Checks the artifact type. Reports a typo or an unknown type, or returns the findings of the type's provider. */
export function artifactType(artifact: Artifact, context: LintContext): readonly Finding[] {
  const { manifest, type } = artifact;
  // The parser reports a missing type.
  if (manifest === undefined || type === '' || firstClass.has(type)) return NOTHING;
  const provider = context.type_providers?.get(type);
  if (provider === undefined) {
    return [{ ...describeUnknown(type, context), place: atField(manifest, 'type') }];
  }
  return provider.validate(artifact).map(({ code, path = [], ...details }) => ({
    code: 'lint.type_provider',
    ...details,
    ...(code === undefined ? {} : { provider_code: code }),
    place: atField(manifest, ...path),
  }));
}

function describeUnknown(type: string, { type_providers }: LintContext): Omit<Finding, 'place'> {
  const known = [...FIRST_CLASS_TYPES, ...(type_providers?.keys() ?? [])];
  const meant = nearest(type, known, MAX_TYPO_EDITS);
  const message = `Unknown type \`${type}\`. Known types: ${known.join(', ')}.`;
  return meant === undefined
    ? { code: 'lint.unknown_type', message }
    : { code: 'lint.misspelled_type', message, fix: `Did you mean \`${meant}\`?` };
}
