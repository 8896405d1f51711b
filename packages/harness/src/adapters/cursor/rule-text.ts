import type { Artifact } from '@catalog/core/artifact/types';
import type { Untranslatable } from '../../adapter.ts';
import { markedBody } from '../../place/document-text.ts';
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
  if (patterns === undefined) return { untranslatable: TOO_MANY };
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

/** The first of the innermost alternatives of a pattern: `*.{tf,tfvars}`. */
const BRACES = /^(.*?)\{([^{},]*(?:,[^{},]*)+)\}(.*)$/;

/** Alternatives behind alternatives multiply: a short list can stand for more than fits anywhere. */
const MOST_PATTERNS = 256;
const TOO_MANY = `Cursor has no alternatives in braces, and these patterns stand for more than ${MOST_PATTERNS} without them; write fewer or wider ones`;

/** The patterns alternatives in braces stand for: a list with commas has no room for them. */
function expandBraces(globs: readonly string[]): string[] | undefined {
  const expanded: string[] = [];
  const open = globs.toReversed();
  for (let glob = open.pop(); glob !== undefined; glob = open.pop()) {
    const [, before = '', alternatives, after = ''] = BRACES.exec(glob) ?? [];
    if (alternatives === undefined) expanded.push(glob);
    else
      open.push(
        ...alternatives
          .split(',')
          .toReversed()
          .map((one) => before + one + after),
      );
    if (expanded.length + open.length > MOST_PATTERNS) return undefined;
  }
  return expanded;
}
