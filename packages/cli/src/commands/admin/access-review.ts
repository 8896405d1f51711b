import type { AccessReview } from '@catalog/contract/records/access';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { adminAccessReviewDefinition } from './access-definition.ts';

type Input = CommandInput<typeof adminAccessReviewDefinition>;
type ReviewedUser = AccessReview['users'][number];

const COLUMNS = [
  'user',
  'state',
  'kind',
  'name',
  'via',
  'granted_at',
  'granted_by',
  'last_read_at',
];

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  let cursor: string | undefined;
  do {
    const page = await client.reviewAccess({ cursor: cursor ?? '' }, session.signal);
    if (!session.json && cursor === undefined) {
      session.emit({ lines: formatRow(COLUMNS), json: undefined });
    }
    for (const shared of page.shared_layers) {
      const { layer, access } = shared;
      session.emit({ lines: formatRow(['*', '', 'layer', layer, access]), json: shared });
    }
    for (const user of page.users) {
      session.emit({ lines: listGrants(user).map(formatRow).join(''), json: user });
    }
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return { lines: [], json: undefined };
}

/** A user without any grant has one row, so that the table contains every user. */
function listGrants({ user_id, state, admin, groups, layers, ...user }: ReviewedUser): string[][] {
  const { last_read_at = '' } = user;
  const grants: string[][] = [
    ...(admin === undefined ? [] : [['role', 'admin', '', admin.granted_at, admin.granted_by]]),
    ...groups.map((group) => ['group', group, 'directory', '', '']),
    ...layers.map(({ layer, via, group }) => ['layer', layer, group ?? via, '', '']),
  ];
  const rows = grants.length === 0 ? [['none', '', '', '', '']] : grants;
  return rows.map((row) => [user_id, state, ...row, last_read_at]);
}

/** Uses the format of RFC 4180. A spreadsheet must not run a name as a formula. */
function formatRow(cells: readonly string[]): string {
  const row = COLUMNS.map((_, at) => formatCell(cells[at] ?? ''));
  return `${row.join(',')}\r\n`;
}

function formatCell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
