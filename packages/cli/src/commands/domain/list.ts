import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { openDiscovery } from '@catalog/consumer/discover/open-discovery';
import type { DomainMapRecord, Subdomain } from '@catalog/contract/records/discovery';
import { quoteRegistry } from '@catalog/sdk/quote-server';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { readNumber } from '../read-number.ts';
import type { domainListDefinition } from './definition.ts';

type Input = CommandInput<typeof domainListDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const { registry } = input.flags;
  const depth = readNumber('--depth', input.flags.depth);
  const config = loadConfig(toConfigInput(session, toConfigFlags({ registry })));
  const discovery = await openDiscovery(config, { signIn: signInOnFirstUse(config, session) });
  const map = await discovery.loadDomain(
    { path: input.arguments.path ?? '', ...(depth === undefined ? {} : { depth }) },
    session.signal,
  );
  return { lines: toLines(map, config.registry?.value ?? ''), json: map };
}

function toLines(
  { path, description, subdomains, notable, note }: DomainMapRecord,
  registry: string,
): Line[] {
  if (subdomains.length === 0 && notable.length === 0) {
    return [
      'The registry is empty. To create an artifact, run `catalog artifact new skill greetings/hello`.',
    ];
  }
  const head: Line[] =
    path === '' ? [] : [[styled('bold', path), formatDescription(description)], ''];
  const rows = notable.map(({ id, type, summary }): Line[] => [id, type, summary]);
  return [
    ...head,
    ...subdomains.flatMap((subdomain) => branchLines(subdomain, '')),
    ...(rows.length === 0 ? [] : ['', [styled('bold', 'Notable')], ...alignColumns(rows, '  ')]),
    ...(note === undefined ? [] : ['', isAddress(registry) ? quoteRegistry(registry, note) : note]),
  ];
}

function branchLines({ path, description, subdomains = [] }: Subdomain, indent: string): Line[] {
  return [
    [indent, '- ', styled('bold', path), formatDescription(description)],
    ...subdomains.flatMap((subdomain) => branchLines(subdomain, `${indent}  `)),
  ];
}

function formatDescription(description: string): string {
  return description === '' ? '' : `  ${description}`;
}
