import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import { markedBody } from './document-text.ts';

/** A rule as `.mdc`: its attributes say when it is loaded, its prose follows. */
export function mdcText(artifact: Artifact): string {
  const attributes = ATTRIBUTES[artifact.fields.rule_mode ?? 'always'](artifact);
  return `---\n${attributes}---\n${markedBody(artifact)}`;
}

/** Each mode has an attribute of its own; a rule for whoever names it has none. */
const ATTRIBUTES: Readonly<Record<RuleMode, (artifact: Artifact) => string>> = {
  always: () => 'alwaysApply: true\n',
  glob: ({ fields }) => `globs: ${JSON.stringify(fields.rule_globs ?? '')}\n`,
  auto: ({ fields, description }) =>
    `description: ${JSON.stringify(fields.rule_description ?? description)}\n`,
  explicit: () => '',
};
