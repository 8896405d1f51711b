import { HOOK_EVENTS, type HookEvent } from '@catalog/core/artifact/types';
import type { Support } from '@catalog/harness/adapter';
import {
  CAPABILITIES,
  describeHarness,
  type HarnessDescription,
} from '@catalog/harness/describe-harness';
import { adapters } from '@catalog/harness/registry';
import {
  otherFilesSentences,
  eventRows,
  homeEventRows,
  landingHead,
  landingRows,
  limitationRows,
} from './harness-facts.ts';
import { code, page, table } from './markdown.ts';

/** Groups of harnesses, because one table of all would be too wide. */
const GROUPS: readonly { title: string; holds: (harness: HarnessDescription) => boolean }[] = [
  { title: 'Neutral harnesses', holds: ({ id }) => id === 'none' || id.startsWith('harness-') },
  { title: 'Brand profiles', holds: ({ id, label }) => id !== label },
  {
    title: 'Further profiles',
    holds: ({ id, label }) => id === label && id !== 'none' && !id.startsWith('harness-'),
  },
];

const WORDS: Readonly<Record<Support, string>> = {
  native: 'native',
  fallback: 'degraded',
  unsupported: '-',
};

export function harnessesPage(): string {
  const all = [...adapters.values()].map(describeHarness);
  return page('Harnesses', 'packages/harness/src/adapters', [
    'This page lists what each harness supports, where files are written, and what happens to the rest. ' +
      '`catalog harness show <id>` prints the same, also for your own adapters. [A page for each harness](../guide/harnesses/README.md) shows the result ' +
      'and how to check it.',
    table(
      ['Harness', 'Description', 'Neutral id', 'Detected by'],
      all.map(({ id, label, summary, detect }) => [
        `[${code(id)}](#${id})`,
        summary,
        id === label ? '' : code(label),
        detect.map(code).join(', ') || 'nothing',
      ]),
    ),
    '## What each harness supports',
    '`native`: the harness supports it. `degraded`: delivered in another form or without effect; lint and sync ' +
      'warn. `-`: not supported; sync fails, or skips the artifact if configured to.',
    ...GROUPS.flatMap(({ title, holds }) => [`### ${title}`, matrix(all.filter(holds))]),
    '## Hook events',
    '`hook_event` is one of these. [Authoring](../guide/authoring.md#hook) describes the input of the command and ' +
      'its exit codes. The section of each harness lists its names for the events.',
    table(
      ['Event', 'When'],
      HOOK_EVENTS.map((event) => [code(event), HOOK_MOMENTS[event]]),
    ),
    '## Where files are written',
    'Paths are relative to the target. `{name}` is the name of the artifact, `{id}` its whole id.',
    ...all.flatMap(describe),
  ]);
}

function matrix(harnesses: readonly HarnessDescription[]): string {
  return table(
    ['Capability', ...harnesses.map(({ id }) => code(id))],
    CAPABILITIES.map((capability) => [
      code(capability),
      ...harnesses.map(({ project }) => {
        const cell = project.cells.find((one) => one.capability === capability);
        return cell === undefined ? '' : WORDS[cell.support];
      }),
    ]),
  );
}

function describe(harness: HarnessDescription): string[] {
  const { id, project } = harness;
  const events = id === 'none' ? [] : eventRows(project);
  const home = homeEventRows(harness);
  const odd = limitationRows(project);
  return [
    `### ${id}`,
    table(landingHead(harness), landingRows(harness)),
    otherFilesSentences(harness).join(' '),
    ...(events.length === 0 ? [] : [table(['Hook event', 'Native event'], events)]),
    ...(home.length === 0 ? [] : [table(['Hook event with `--scope user`', 'Native event'], home)]),
    ...(odd.length === 0 ? [] : [table(['Feature', 'Result', 'Reason'], odd)]),
  ];
}

const HOOK_MOMENTS: Readonly<Record<HookEvent, string>> = {
  session_start: 'a session begins or resumes',
  session_end: 'a session ends',
  user_prompt_submit: 'a person has sent a prompt, and the model has not seen it yet',
  pre_tool_use: 'a tool is about to be used',
  post_tool_use: 'a tool has been used',
  post_tool_use_failure: 'a tool has failed',
  pre_shell_execution: 'a shell command is about to run',
  post_shell_execution: 'a shell command has run',
  pre_mcp_execution: 'a tool of an MCP server is about to be used',
  post_mcp_execution: 'a tool of an MCP server has been used',
  pre_read_file: 'a file is about to be read',
  post_file_edit: 'a file has been changed',
  permission_request: 'the harness is about to ask the person for a permission',
  permission_denied: 'a permission has been denied',
  subagent_start: 'a subagent begins',
  subagent_stop: 'a subagent has finished',
  stop: 'the agent has finished its turn',
  pre_compact: 'the context is about to be compacted',
  post_compact: 'the context has been compacted',
  notification: 'the harness notifies the person',
};
