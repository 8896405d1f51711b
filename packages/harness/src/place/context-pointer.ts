import type { Artifact } from '@catalog/core/artifact/types';
import type { Place } from '../adapter.ts';
import { fillTemplate } from './template.ts';
import { CONTEXT_FOLDER } from './write-files.ts';

/**
 * Adds a rule of one sentence that refers to the context, so that the model reads it only if needed. `root` is the
 * prefix of its path.
 */
export function withContextPointer(placeContext: Place, placeRule: Place, root: '' | '~/'): Place {
  return (artifact, context) => {
    const placed = placeContext(artifact, context);
    if ('untranslatable' in placed) return placed;
    const { name, prefix } = context;
    const named = { ...context, name: `${prefix}context-${name.slice(prefix.length)}` };
    const pointer = placeRule(pointerTo(artifact, root), named);
    return 'untranslatable' in pointer ? pointer : [...placed, ...pointer];
  };
}

function pointerTo(artifact: Artifact, root: string): Artifact {
  const folder = fillTemplate(CONTEXT_FOLDER, { name: artifact.name, id: artifact.id });
  // A product may treat a word that begins with `@` as an import.
  const about = artifact.description.replaceAll(/\s+/g, ' ').replaceAll('@', '').trim();
  const reason = about === '' ? '' : ` It holds: ${about}`;
  const body = `Read \`${root}${folder}/ARTIFACT.md\` when you need it.${reason}\n`;
  return {
    ...artifact,
    type: 'rule',
    fields: { ...artifact.fields, type: 'rule', rule_mode: 'always' },
    body,
    resources: [],
  };
}
