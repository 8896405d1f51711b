import type { Json } from '@catalog/core/json';
import type { AdoptReaders, ProductDocument, Reading } from '../../adopt/adopt-source.ts';
import { canonicalServers, given, namesIn } from '../../adopt/agent-keys-back.ts';
import { readRule } from '../harness-a/read-rule.ts';
import { mcpServerEntry } from './mcp-servers.ts';

export const claudeCodeReaders: AdoptReaders = {
  agent: readAgent,
  command: readCommand,
  rule: readRule,
  prose: ['CLAUDE.md', '.claude/CLAUDE.md'],
  imported_prose: { path: 'AGENTS.md', reads_alone: true },
  imports: true,
};

function readAgent({ values, body }: ProductDocument): Reading {
  const { name: _name, mcpServers, ...kept } = values;
  const changes: string[] = [];
  return {
    values: { ...kept, ...canonicalServers(mcpServers, mcpServerEntry, changes) },
    body,
    changes,
  };
}

/** An escaped dollar sign, or a placeholder, which Claude Code counts from zero. */
const DOLLAR = /\\\$(?=\d)|\$ARGUMENTS\[(\d)\]|\$(\d)(?!\d|[.,]\d)/g;

function readCommand({ values, body }: ProductDocument): Reading {
  const { name: _name, 'argument-hint': hint, ...kept } = values;
  const changes = new Set<string>();
  const counted = body.replaceAll(DOLLAR, (sign, indexed?: string, digit?: string) => {
    const index = indexed ?? digit;
    // Canonical placeholders end with `$9`.
    if (index === '9') return sign;
    const canonical = index === undefined ? '$' : `$${Number(index) + 1}`;
    changes.add(`${sign} is ${canonical}`);
    return canonical;
  });
  return {
    values: { ...kept, ...given('argument-hint', hintText(hint)) },
    body: counted,
    changes: [...changes],
  };
}

/** Converts a hint: YAML parses `[message]` as a list, Claude Code as a string. */
function hintText(hint: Json | undefined): Json | undefined {
  return Array.isArray(hint) ? `[${namesIn(hint)?.join(', ')}]` : hint;
}
