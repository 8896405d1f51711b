import type { Artifact } from '@catalog/core/artifact/types';
import type { Destination, HarnessAdapter, FileOperation } from '../../adapter.ts';
import { capabilityTable } from '../../capability-table.ts';
import { forEachPlacedType } from '../../placed-types.ts';
import { writeBundled, writeText } from '../../place/write-files.ts';
import type { HookEventTable } from '../../hook-event-table.ts';

/** Event names as in the manifest. */
const hookEvents = {
  session_start: { event: 'session_start' },
  session_end: { event: 'session_end' },
  user_prompt_submit: { event: 'user_prompt_submit' },
  pre_tool_use: { event: 'pre_tool_use' },
  post_tool_use: { event: 'post_tool_use' },
  post_tool_use_failure: { event: 'post_tool_use_failure' },
  pre_shell_execution: { event: 'pre_shell_execution' },
  post_shell_execution: { event: 'post_shell_execution' },
  pre_mcp_execution: { event: 'pre_mcp_execution' },
  post_mcp_execution: { event: 'post_mcp_execution' },
  pre_read_file: { event: 'pre_read_file' },
  post_file_edit: { event: 'post_file_edit' },
  permission_request: { event: 'permission_request' },
  permission_denied: { event: 'permission_denied' },
  subagent_start: { event: 'subagent_start' },
  subagent_stop: { event: 'subagent_stop' },
  stop: { event: 'stop' },
  pre_compact: { event: 'pre_compact' },
  post_compact: { event: 'post_compact' },
  notification: { event: 'notification' },
} satisfies HookEventTable;

const capabilities = capabilityTable({
  types: 'native',
  fields: 'native',
  rule_modes: 'native',
  hook_events: 'native',
});

const CANONICAL: Destination = { into: 'folder', path: '{id}' };

export const none: HarnessAdapter = {
  id: 'none',
  summary: 'the canonical layout, one folder for each artifact, for any reader',
  label: 'none',
  revision: 1,
  detect: [],
  capabilities,
  fallbacks: {},
  refusals: {},
  hook_events: hookEvents,
  skill_folders: [],
  place: forEachPlacedType(() => placeCanonical),
  destinations: forEachPlacedType(() => CANONICAL),
  ownedPlaces: () => [{ into: 'folder', path: '{id}' }],
  mcp_config: { refused: 'the canonical layout is for no program that would run a server' },
};

function placeCanonical(artifact: Artifact): FileOperation[] {
  const { id, manifest, skill } = artifact;
  const operations: FileOperation[] = [];
  if (manifest !== undefined) operations.push(writeText(`${id}/ARTIFACT.md`, manifest.text));
  if (skill !== undefined) operations.push(writeText(`${id}/SKILL.md`, skill.text));
  operations.push(...writeBundled(id, artifact));
  return operations;
}
