import { FIRST_CLASS_TYPES, type Artifact } from '../../artifact/types.ts';
import { nearest } from '../../text/nearest.ts';
import type { LintContext } from '../context.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

const firstClass: ReadonlySet<string> = new Set(FIRST_CLASS_TYPES);

/** `lint.unknown_type`, or what the provider of an extension type has to say. */
export function artifactType(artifact: Artifact, context: LintContext): readonly Finding[] {
  const { manifest, type } = artifact;
  // An empty type is a missing one, which the reader reports.
  if (manifest === undefined || type === '' || firstClass.has(type)) return NOTHING;
  const provider = context.type_providers?.get(type);
  if (provider === undefined) {
    const meant = nearest(type, FIRST_CLASS_TYPES);
    return [
      {
        code: 'lint.unknown_type',
        message: `\`${type}\` is none of ${FIRST_CLASS_TYPES.join(', ')}, and nothing provides it.`,
        ...(meant === undefined ? {} : { fix: `Did you mean \`${meant}\`?` }),
        place: atField(manifest, 'type'),
      },
    ];
  }
  return provider.validate(artifact).map(({ code, path = [], ...said }) => ({
    code: 'lint.type_provider',
    ...said,
    ...(code === undefined ? {} : { provider_code: code }),
    place: atField(manifest, ...path),
  }));
}
