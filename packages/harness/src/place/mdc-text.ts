import type { Artifact, RuleMode } from '@catalog/core/artifact/types';
import { markedBody } from './document-text.ts';

export function mdcText(artifact: Artifact): string {
  const attributes = ATTRIBUTES[artifact.fields.rule_mode ?? 'always'](artifact);
  return `---\n${attributes}---\n${markedBody(artifact)}`;
}

/** Attributes of each mode. An explicit rule has none, because the user names it. */
const ATTRIBUTES: Readonly<Record<RuleMode, (artifact: Artifact) => string>> = {
  always: () => 'alwaysApply: true\n',
  glob: ({ fields }) => `globs: ${JSON.stringify(fields.rule_globs ?? '')}\n`,
  auto: ({ fields, description }) =>
    `description: ${JSON.stringify(fields.rule_description ?? description)}\n`,
  explicit: () => '',
};
