import type { ListingLimit } from '@catalog/harness/budget/listing-budget';
import type { Destination, PlacedType } from '@catalog/harness/adapter';
import type { NativeHook } from '@catalog/harness/hook-event-table';
import {
  capabilityNames,
  mcpConfigPaths,
  sharedReasons,
  type HarnessDescription,
  type McpConfigPath,
  type ScopeDescription,
} from '@catalog/harness/describe-harness';
import { code } from './markdown.ts';

export const TYPES = [
  'skill',
  'agent',
  'command',
  'rule',
  'hook',
  'mcp-server',
  'context',
  'extension',
] as const satisfies PlacedType[];

export function formatDestination(place: Destination | undefined, base = ''): string {
  if (place === undefined) return 'not supported';
  const { into, container = [] } = place;
  const path = base + place.path;
  if (into === 'folder') return code(`${path}/`);
  if (into === 'block') return `a block in ${code(path)}`;
  const member = container.length === 0 ? 'an entry' : code(container.join('.'));
  return into === 'entry' ? `${member} in ${code(path)}` : code(path);
}

/** Includes the destination in the home folder if it differs. */
export function landingRows({ project, user }: HarnessDescription): string[][] {
  return TYPES.map((type) => {
    const here = formatDestination(project.destinations[type]);
    return user === undefined
      ? [type, here]
      : [type, here, formatDestination(user.destinations[type], '~/')];
  });
}

export function landingHead({ user }: HarnessDescription): string[] {
  return ['Type', 'In a workspace', ...(user === undefined ? [] : ['With `--scope user`'])];
}

export function eventRows({ cells }: ScopeDescription): string[][] {
  return cells.flatMap(({ capability, native }) =>
    native === undefined ? [] : [[...capabilityNames([capability]).map(code), nativeOf(native)]],
  );
}

export function homeEventRows({ project, user }: HarnessDescription): string[][] {
  return user === undefined || eventRows(project).length > 0 ? [] : eventRows(user);
}

function nativeOf({ event, matcher }: NativeHook): string {
  return matcher === undefined ? code(event) : `${code(event)} for ${code(matcher)}`;
}

/** Grouped by reason, fallbacks first. */
export function limitationRows({ cells }: ScopeDescription): string[][] {
  return (['fallback', 'unsupported'] as const).flatMap((support) =>
    sharedReasons(cells, support).map(({ names, reason }) => [
      names.map(code).join(', '),
      support === 'fallback' ? 'changed' : 'not supported',
      reason,
    ]),
  );
}

export function otherFilesSentences(harness: HarnessDescription): string[] {
  const { project, mcp_config, marketplace, budget } = harness;
  const [, ...others] = project.skill_folders;
  return [
    ...(others.length === 0 ? [] : [`It also reads skills from ${others.map(code).join(', ')}.`]),
    'refused' in mcp_config
      ? `\`catalog mcp config\` does not apply: ${mcp_config.refused}.`
      : `\`catalog mcp config ${harness.id}\` writes to ${mcpConfigPaths(mcp_config).map(mcpFile).join(' or ')}.`,
    'refused' in marketplace
      ? `No marketplace: ${marketplace.refused}.`
      : `Marketplace format: \`${marketplace.format}\`.`,
    budgetSentence(budget),
  ];
}

function mcpFile({ path, system }: McpConfigPath): string {
  return system === undefined ? code(path) : `${code(path)} (${system})`;
}

function shareOf({ context }: ListingLimit): string {
  return context === undefined
    ? ''
    : `${context.percent}% of a context window of ${context.tokens} tokens; `;
}

function ownOf({ built_in }: ListingLimit): string {
  return built_in === undefined ? '' : `, ${built_in} of which its own skills use`;
}

function budgetSentence(budget: HarnessDescription['budget']): string {
  const { listing, description } = budget ?? {};
  const parts = [
    ...(listing === undefined
      ? []
      : [
          `${listing.limit} ${listing.unit} for all descriptions${ownOf(listing)} (${shareOf(listing)}${listing.version})`,
        ]),
    ...(description === undefined
      ? []
      : [`${description.limit} characters for each description (${description.version})`]),
  ];
  return parts.length === 0
    ? 'No published limit for descriptions.'
    : `Limits for descriptions: ${parts.join(', ')}.`;
}
