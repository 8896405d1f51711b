import type { Artifact, ArtifactFields } from '../../artifact/types.ts';
import { isBlank } from '../blank.ts';
import { NOTHING, atField, type Finding } from '../finding.ts';

/** Required alternatives: one of these fields, in addition to `type` and `version`. */
interface Need {
  keys: readonly (keyof ArtifactFields)[];
  because: string;
}

const HOOK_NEEDS: readonly Need[] = [
  { keys: ['hook_event'], because: 'a hook needs an event' },
  { keys: ['hook_action'], because: 'a hook needs a command' },
];
const GLOB_NEEDS: readonly Need[] = [
  { keys: ['rule_globs'], because: 'a rule in mode `glob` needs file patterns' },
];
const AUTO_NEEDS: readonly Need[] = [
  {
    keys: ['rule_description'],
    because: 'a rule in mode `auto` needs a description',
  },
];
const SERVER_NEEDS: readonly Need[] = [
  {
    keys: ['server_identifier', 'command', 'url'],
    because: 'an MCP server needs a command or a URL',
  },
];
const NO_NEEDS: readonly Need[] = [];

/**
 * Reports missing fields. The parser checks `type` and `version`. A child may inherit fields, so it is checked after
 * the merge.
 */
export function requiredFields(artifact: Artifact): readonly Finding[] {
  const { manifest, fields } = artifact;
  const needs = needsOf(artifact);
  if (needs.length === 0 || manifest === undefined || fields.extends !== undefined) return NOTHING;
  // Invalid values are already reported by the parser.
  return needs
    .filter(({ keys }) => keys.every((key) => isBlank(manifest.values[key])))
    .map(({ keys, because }) => ({
      code: 'lint.required_field_missing',
      message: `${names(keys)} is missing: ${because}.`,
      fix: `Add ${names(keys)}.`,
      place: atField(manifest, 'type'),
    }));
}

function needsOf({ type, fields }: Artifact): readonly Need[] {
  if (type === 'hook') return HOOK_NEEDS;
  if (type === 'mcp-server') return SERVER_NEEDS;
  if (type !== 'rule') return NO_NEEDS;
  if (fields.rule_mode === 'glob') return GLOB_NEEDS;
  return fields.rule_mode === 'auto' ? AUTO_NEEDS : NO_NEEDS;
}

function names(keys: readonly string[]): string {
  return keys.map((key) => `\`${key}\``).join(' or ');
}
