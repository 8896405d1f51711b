import { LISTED_TYPES } from '@catalog/core/artifact/types';
import { loadAdapters } from '@catalog/consumer/adapters/load-adapters';
import { loadConfig } from '@catalog/consumer/config/load-config';
import {
  capabilityNames,
  describeHarness,
  mcpConfigPaths,
  sharedReasons,
  type CellDescription,
  type HarnessDescription,
  type McpConfigPath,
  type ScopeDescription,
  type SharedReason,
} from '@catalog/harness/describe-harness';
import type { Destination, Support } from '@catalog/harness/adapter';
import { loadAdapter } from '@catalog/harness/registry';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, wrap, type Line } from '../../output/text.ts';
import { grouped } from '../budget/render-budget.ts';
import { toConfigInput } from '../config-flags.ts';
import { askTrust } from '../sync/ask-trust.ts';
import type { harnessShowDefinition } from './definition.ts';

const WIDTH = 100;

export async function run(
  { flags, arguments: given }: CommandInput<typeof harnessShowDefinition>,
  session: Session,
): Promise<CommandResult> {
  const config = loadConfig(toConfigInput(session, {}));
  const known = await loadAdapters(config, { trust: flags.trust, confirmTrust: askTrust(session) });
  const harness = describeHarness(loadAdapter(given.id, 'workspace', known));
  return { lines: renderHarness(harness), json: harness };
}

function renderHarness(harness: HarnessDescription): Line[] {
  const { id, summary, label, project, user } = harness;
  return [
    [styled('bold', id), `  ${summary}`],
    ...(label === id ? [] : [`Based on ${label}: \`target_harnesses: [${label}]\` includes it.`]),
    '',
    heading('File locations'),
    ...destinationLines(project),
    ...skillLines(project),
    '',
    ...cellParts(project),
    ...(user === undefined ? [] : userLines(project, user)),
    heading('Other files'),
    ...alignColumns(otherRows(harness), '  '),
  ];
}

function heading(text: string): Line {
  return [styled('bold', text)];
}

const TYPES = [...LISTED_TYPES, 'extension'] as const;

function destinationLines({ destinations }: ScopeDescription): Line[] {
  const rows = TYPES.map((type): Line[] => {
    const place = destinations[type];
    return [type, place === undefined ? [styled('dim', 'nowhere')] : placeText(place)];
  });
  return alignColumns(rows, '  ');
}

function placeText({ into, path, container = [] }: Destination, base = ''): string {
  const place = base + path;
  if (into === 'folder') return `${place}/`;
  if (into === 'block') return `a block in ${place}`;
  const under = container.length === 0 ? '' : `, under ${container.join('.')}`;
  return into === 'entry' ? `an entry in ${place}${under}` : place;
}

function skillLines({ skill_folders: [, ...others] }: ScopeDescription): Line[] {
  return others.length === 0 ? [] : [`  Skills are also read from ${others.join(', ')}.`];
}

/** Lists deviations from native support, and the names of hook events. */
function cellParts({ cells }: ScopeDescription): Line[] {
  return [
    ...hookLines('Hook events', cells),
    ...section('Converted', cells, 'fallback'),
    ...section('Refused', cells, 'unsupported'),
  ];
}

function hookLines(title: string, cells: readonly CellDescription[]): Line[] {
  const hooks = cells.filter(({ native }) => native !== undefined);
  return hooks.length === 0 ? [] : [heading(title), ...alignColumns(hooks.map(hookRow), '  '), ''];
}

function hookRow({ capability, native }: CellDescription): Line[] {
  const { event = '', matcher } = native ?? {};
  return [
    ...capabilityNames([capability]),
    matcher === undefined ? event : `${event}, only for ${matcher}`,
  ];
}

function section(
  title: string,
  cells: readonly CellDescription[],
  support: Exclude<Support, 'native'>,
): Line[] {
  const reasons = sharedReasons(cells, support);
  return reasons.length === 0 ? [] : [heading(title), ...reasons.flatMap(reasonLines), ''];
}

function reasonLines({ names, reason }: SharedReason): string[] {
  return [...wrap(names.join(', '), WIDTH, '  '), ...wrap(reason, WIDTH, '    ')];
}

function userLines(project: ScopeDescription, user: ScopeDescription): Line[] {
  const rows = TYPES.flatMap((type): Line[][] => {
    const there = user.destinations[type];
    const here = project.destinations[type];
    if (JSON.stringify(there) === JSON.stringify(here)) return [];
    return [[type, there === undefined ? [styled('dim', 'nowhere')] : placeText(there, '~/')]];
  });
  const own = user.cells.filter(({ native }, at) => native !== project.cells[at]?.native);
  return [
    ...(rows.length === 0
      ? []
      : [heading('In the home folder (--scope user)'), ...alignColumns(rows, '  '), '']),
    ...hookLines('Hook events in the home folder', own),
  ];
}

function otherRows({ mcp_config, marketplace, budget, detect }: HarnessDescription): Line[][] {
  return [
    ['detected by', detect.length === 0 ? 'nothing' : detect.join(', ')],
    [
      'MCP servers',
      'refused' in mcp_config
        ? `none: ${mcp_config.refused}`
        : mcpConfigPaths(mcp_config).map(mcpText).join(', '),
    ],
    [
      'marketplace',
      'refused' in marketplace ? `none: ${marketplace.refused}` : `format ${marketplace.format}`,
    ],
    ['descriptions', budgetText(budget)],
  ];
}

function mcpText({ path, system }: McpConfigPath): string {
  return system === undefined ? path : `${path} (${system})`;
}

function budgetText(budget: HarnessDescription['budget']): string {
  const { listing, description } = budget ?? {};
  const parts = [
    ...(listing === undefined ? [] : [`${grouped(listing.limit)} ${listing.unit} in total`]),
    ...(description === undefined ? [] : [`${grouped(description.limit)} characters each`]),
  ];
  return parts.length === 0 ? 'no published limit' : parts.join(', ');
}
