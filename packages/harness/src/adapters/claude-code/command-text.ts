import type { Artifact } from '@catalog/core/artifact/types';
import {
  authoredNames,
  authoredText,
  authoredValue,
  projectDocument,
} from '../../place/project-frontmatter.ts';
import { effortOf, modelOf } from './models.ts';

/** A command with the keys Claude Code knows, and its own placeholders. */
export function commandText(artifact: Artifact): string {
  const converted = { ...artifact, body: toClaudeArguments(artifact.body) };
  return projectDocument(converted, [
    ['description', artifact.description === '' ? undefined : artifact.description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
    ['allowed-tools', authoredNames(artifact, 'allowed-tools')?.join(', ')],
    ['disable-model-invocation', authoredValue(artifact, 'disable-model-invocation')],
    ['model', modelOf(artifact)],
    ['effort', effortOf(artifact)],
  ]);
}

/** A dollar sign before a digit: a placeholder of one digit, or the beginning of a price. */
const DOLLAR = /\$(?:([1-9])(?!\d|[.,]\d)|(?=\d))/g;

/**
 * Claude Code counts from zero. It takes every number behind a dollar sign for a placeholder, so one
 * that is none is escaped. `$ARGUMENTS` is the same there.
 */
function toClaudeArguments(body: string): string {
  return body.replaceAll(DOLLAR, (_, digit: string | undefined) =>
    digit === undefined ? String.raw`\$` : `$${Number(digit) - 1}`,
  );
}
