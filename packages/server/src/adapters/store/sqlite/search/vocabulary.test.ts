import type { WordsRequest } from '@catalog/core/search/weigh-query';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection, type Connection } from '../connection/connection.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/table.ts';
import { learnWords } from './dictionary.ts';
import { listWords } from './vocabulary.ts';

const TENANT = 1;
const HELD = ['invoice', 'invoices'];

const requests: WordsRequest[] = [
  { kind: 'near', word: 'kubernetes' },
  { kind: 'near', word: 'kubrenetes' },
  { kind: 'near', word: 'invocie' },
  { kind: 'beginning', prefix: 'kubernetes' },
  { kind: 'beginning', prefix: 'kube' },
  { kind: 'beginning', prefix: 'invo' },
];

test.each(requests)(
  'listWords makes the same number of lookups for %o with and without matches in other layers',
  (each) => {
    const connection = openDictionary();
    learnWords(connection, TENANT, HELD);
    const before = searchWords(connection, each);
    learnWords(connection, TENANT, ['kubernetes', 'invoicing']);
    expect(searchWords(connection, each)).toEqual(before);
  },
);

function openDictionary(): Connection {
  const connection = openConnection(':memory:', { read_only: false });
  onTestFinished(() => connection.close());
  migrate(connection, ':memory:', migrations);
  return connection;
}

function searchWords(
  connection: Connection,
  each: WordsRequest,
): { words: string[]; lookups: number } {
  let lookups = 0;
  const found = listWords(connection, TENANT, each, (term) => {
    lookups += 1;
    return HELD.includes(term) ? 1 : 0;
  });
  return { words: found.map(({ term }) => term), lookups };
}
