import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { readNumber } from '../read-number.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { domainSearchDefinition } from './definition.ts';

type Input = CommandInput<typeof domainSearchDefinition>;

export async function run(
  { flags, arguments: { words } }: Input,
  session: Session,
): Promise<CommandResult> {
  const query = words.join(' ');
  const top_k = readNumber('--top-k', flags['top-k']);
  const found = await loadRegistryServer(session, flags).searchDomains(
    {
      query,
      ...(flags.scope === undefined ? {} : { scope: flags.scope }),
      ...(top_k === undefined ? {} : { top_k }),
    },
    session.signal,
  );
  if (found.domains.length === 0) {
    return {
      lines: [
        `No domains found for "${query}".`,
        'To list all domains, run `catalog domain list`. To search for artifacts, run `catalog search`.',
      ],
      json: found,
    };
  }
  const rows = found.domains.map(({ path, description, keywords }): Line[] => [
    [styled('bold', path)],
    description,
    keywords.join(', '),
  ]);
  return {
    lines: [
      `${found.domains.length} of ${count(found.total_matched, 'domain')} for "${query}"`,
      '',
      ...alignColumns(rows),
    ],
    json: found,
  };
}
