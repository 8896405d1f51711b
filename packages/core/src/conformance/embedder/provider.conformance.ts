import { describe, expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { errorDetails } from '@catalog/contract/errors/details';
import type { Embedder, TextSide } from '../../ports/embedder.ts';
import type { ProviderFault } from './provider-fault.ts';

export interface OpenedProvider {
  embedder: Embedder;
  pass: (ms: number) => void;
  requests: () => number;
  setFault: (fault: ProviderFault) => void;
  takeDown: () => Promise<void>;
  bringBack: () => Promise<void>;
  secrets: readonly string[];
}

type Code = 'registry.embedding_failed' | 'registry.embedding_refused';

const FAULTS: readonly (readonly [ProviderFault, Code])[] = [
  [{ kind: 'status', status: 500 }, 'registry.embedding_failed'],
  [{ kind: 'status', status: 503 }, 'registry.embedding_failed'],
  [{ kind: 'status', status: 429 }, 'registry.embedding_failed'],
  [{ kind: 'one_more' }, 'registry.embedding_failed'],
  [{ kind: 'one_less' }, 'registry.embedding_failed'],
  [{ kind: 'zeros' }, 'registry.embedding_failed'],
  [{ kind: 'not_a_number' }, 'registry.embedding_failed'],
  [{ kind: 'infinite' }, 'registry.embedding_failed'],
  [{ kind: 'null_value' }, 'registry.embedding_failed'],
  [{ kind: 'huge' }, 'registry.embedding_failed'],
  [{ kind: 'not_json' }, 'registry.embedding_failed'],
  [{ kind: 'truncated' }, 'registry.embedding_failed'],
  [{ kind: 'cut' }, 'registry.embedding_failed'],
  [{ kind: 'wrong_dimension' }, 'registry.embedding_refused'],
  [{ kind: 'status', status: 400 }, 'registry.embedding_refused'],
  [{ kind: 'status', status: 401 }, 'registry.embedding_refused'],
  [{ kind: 'status', status: 404 }, 'registry.embedding_refused'],
  [
    { kind: 'status', status: 307, headers: { location: 'http://169.254.169.254/' } },
    'registry.embedding_refused',
  ],
];

const QUERY_TIMEOUT_MS = 2000;

export function providerConformance(
  open: (query_timeout_ms?: number) => Promise<OpenedProvider>,
): void {
  const { signal } = new AbortController();

  function fail({ embedder }: OpenedProvider, side: TextSide = 'document'): Promise<CatalogError> {
    return embedder.embed(['one text', 'another'], side, signal).then(
      () => expect.unreachable('it answered'),
      (cause: unknown) => {
        if (cause instanceof CatalogError) return cause;
        throw cause;
      },
    );
  }

  describe('embedder with a failing provider', () => {
    test.each(FAULTS)('reports %j as %s and works again after recovery', async (fault, code) => {
      const opened = await open();
      opened.setFault(fault);
      const error = await fail(opened);
      expect(error.code).toBe(code);
      expect(() => errorDetails[code].parse(error.details)).not.toThrow();
      expect(error.details['not_sent']).toBeUndefined();
      for (const secret of opened.secrets) expect(formatForLog(error)).not.toContain(secret);
      opened.setFault({ kind: 'well' });
      expect(await opened.embedder.embed(['one text'], 'document', signal)).toHaveLength(1);
    });

    test('fails while the provider is unreachable and works again when it returns', async () => {
      const opened = await open();
      await opened.takeDown();
      expect(await fail(opened)).toMatchObject({ code: 'registry.embedding_failed' });
      await opened.bringBack();
      expect(await opened.embedder.embed(['one text'], 'query', signal)).toHaveLength(1);
    });

    test('fails a query within its timeout', async () => {
      const opened = await open(QUERY_TIMEOUT_MS);
      opened.setFault({ kind: 'hanging' });
      const started = performance.now();
      expect(await fail(opened, 'query')).toMatchObject({ code: 'registry.embedding_failed' });
      expect(performance.now() - started).toBeLessThan(QUERY_TIMEOUT_MS * 1.5);
    });

    test('includes the time in the queue in the timeout of a query', async () => {
      const opened = await open(QUERY_TIMEOUT_MS);
      opened.setFault({ kind: 'slow', ms: QUERY_TIMEOUT_MS * 0.6 });
      const started = performance.now();
      const embedCalls = Array.from({ length: 64 }, (_, index) =>
        opened.embedder.embed([`question ${index}`], 'query', signal),
      );
      await Promise.allSettled(embedCalls);
      // Four requests in sequence would exceed twice the timeout.
      expect(performance.now() - started).toBeLessThan(QUERY_TIMEOUT_MS * 2);
    });

    test.each([429, 503])(
      'respects the Retry-After header of a response with %s',
      async (status) => {
        const opened = await open();
        opened.setFault({ kind: 'status', status, headers: { 'retry-after': '7' } });
        expect((await fail(opened)).details).toMatchObject({ retry_after_seconds: 7 });
        opened.setFault({ kind: 'well' });
        const requests = opened.requests();
        opened.pass(6000);
        expect((await fail(opened)).details).toMatchObject({
          not_sent: true,
          retry_after_seconds: 1,
        });
        expect(opened.requests()).toBe(requests);
        opened.pass(1000);
        expect(await opened.embedder.embed(['one text'], 'query', signal)).toHaveLength(1);
      },
    );

    test('stops sending after five failures in a row, then probes with one request after increasing pauses', async () => {
      const opened = await open();
      opened.setFault({ kind: 'status', status: 500 });
      for (let time = 0; time < 5; time += 1) {
        expect((await fail(opened)).details['not_sent']).toBeUndefined();
      }
      const waits: number[] = [];
      for (let time = 0; time < 4; time += 1) {
        const sent = opened.requests();
        const { details, message } = await fail(opened, 'query');
        expect(details).toMatchObject({ not_sent: true });
        expect(message).toContain('status 500');
        expect(opened.requests()).toBe(sent);
        const wait = Number(details['retry_after_seconds']);
        waits.push(wait);
        opened.pass(wait * 1000);
        // Only one of several concurrent requests is sent.
        await Promise.all([fail(opened), fail(opened), fail(opened, 'query')]);
        expect(opened.requests()).toBe(sent + 1);
      }
      expect(waits).toEqual(waits.toSorted((a, b) => a - b));
      expect(waits.at(-1)).toBeGreaterThan(waits[0] ?? 0);
      opened.setFault({ kind: 'well' });
      opened.pass(3_600_000);
      for (let time = 0; time < 3; time += 1) {
        expect(await opened.embedder.embed([`text ${time}`], 'query', signal)).toHaveLength(1);
      }
    });

    test('keeps sending if successes interrupt the failures', async () => {
      const opened = await open();
      for (let time = 0; time < 6; time += 1) {
        opened.setFault({ kind: 'status', status: 500 });
        for (let failure = 0; failure < 4; failure += 1) await fail(opened);
        opened.setFault({ kind: 'well' });
        expect(await opened.embedder.embed(['one text'], 'document', signal)).toHaveLength(1);
      }
    });

    test('keeps sending after the provider rejected particular texts', async () => {
      const opened = await open();
      opened.setFault({ kind: 'status', status: 400 });
      for (let time = 0; time < 12; time += 1) {
        expect((await fail(opened)).details).toMatchObject({ status: 400 });
      }
      opened.setFault({ kind: 'well' });
      expect(await opened.embedder.embed(['one text'], 'document', signal)).toHaveLength(1);
    });

    test('does not count requests that the caller canceled as failures', async () => {
      const opened = await open();
      opened.setFault({ kind: 'hanging' });
      for (let time = 0; time < 8; time += 1) {
        const leaving = new AbortController();
        const waiting = opened.embedder.embed(['one text'], 'document', leaving.signal);
        const reason = new Error('gone');
        leaving.abort(reason);
        await expect(waiting).rejects.toBe(reason);
      }
      opened.setFault({ kind: 'well' });
      expect(await opened.embedder.embed(['one text'], 'document', signal)).toHaveLength(1);
    });

    test('sends queries while requests for documents are pending', async () => {
      const opened = await open();
      opened.setFault({ kind: 'hanging' });
      const leaving = new AbortController();
      const waiting = Array.from({ length: 50 }, () =>
        opened.embedder.embed(['one text'], 'document', leaving.signal).catch(() => undefined),
      );
      const sent = await settle(opened);
      expect(sent).toBeLessThan(50);
      opened.setFault({ kind: 'well' });
      expect(await opened.embedder.embed(['one text'], 'query', signal)).toHaveLength(1);
      leaving.abort();
      await Promise.all(waiting);
    });
  });

  describe('embedder with repeated queries', () => {
    test('sends one request for concurrent and later identical queries', async () => {
      const { embedder, requests } = await open();
      const before = requests();
      const first = await Promise.all(
        [1, 2, 3].map(() => embedder.embed(['the same'], 'query', signal)),
      );
      expect(await embedder.embed(['the same'], 'query', signal)).toEqual(first[0]);
      expect(requests()).toBe(before + 1);
      await embedder.embed(['another'], 'query', signal);
      expect(requests()).toBe(before + 2);
    });

    test('retries a failed query, and a canceled caller does not affect the others', async () => {
      const opened = await open();
      const { embedder } = opened;
      opened.setFault({ kind: 'status', status: 500 });
      await expect(embedder.embed(['the same'], 'query', signal)).rejects.toThrow('status 500');
      opened.setFault({ kind: 'well' });
      const leaving = new AbortController();
      const left = embedder.embed(['the same'], 'query', leaving.signal);
      const stays = embedder.embed(['the same'], 'query', signal);
      leaving.abort(new Error('gone'));
      await expect(left).rejects.toThrow('gone');
      expect(await stays).toHaveLength(1);
    });
  });
}

async function settle({ requests }: OpenedProvider): Promise<number> {
  for (let seen = -1; seen !== requests();) {
    seen = requests();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return requests();
}

function formatForLog(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const parts = [error.stack, JSON.stringify(error), JSON.stringify(Object.entries(error))];
  return [...parts, error.cause === undefined ? '' : formatForLog(error.cause)].join('\n');
}
