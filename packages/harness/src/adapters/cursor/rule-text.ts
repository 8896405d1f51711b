import type { Artifact } from '@catalog/core/artifact/types';
import type { Untranslatable } from '../../adapter.ts';
import { markedBody } from '../../place/document-text.ts';
import { expandBraces, tooManyPatterns } from '../../place/expand-braces.ts';
import { splitGlobs } from '../../place/split-globs.ts';
import { yamlText } from '../../place/yaml-text.ts';

/**
 * A rule as Cursor itself writes one: always the same three keys, each on one line, and the patterns
 * bare, for its reader takes quotes to be part of them.
 */
export function ruleText(artifact: Artifact): string | Untranslatable {
  const { rule_mode = 'always', rule_globs = '', rule_description } = artifact.fields;
  const own =
    rule_mode === 'auto' ? (rule_description ?? artifact.description) : artifact.description;
  const description = onOneLine(own);
  // With a description, the agent may load an explicit rule that nobody named.
  const described =
    rule_mode !== 'explicit' && description !== '' ? ` ${yamlText(description)}` : '';
  const patterns = rule_mode === 'glob' ? expandBraces(splitGlobs(rule_globs)) : [];
  if (patterns === undefined) return { untranslatable: tooManyPatterns('Cursor') };
  const globs = rule_mode === 'glob' ? ` ${onOneLine(patterns.join(','))}` : '';
  return `---
description:${described}
globs:${globs}
alwaysApply: ${rule_mode === 'always'}
---
${markedBody(artifact)}`;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
