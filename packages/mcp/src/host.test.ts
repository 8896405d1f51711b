import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { AskHost, hostOf } from './host.ts';

test('text of a registry cannot forge a line in an approval request', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a host asks nothing else of it
  const context = { mcpReq: {} } as ServerContext;
  const capabilities = { elicitation: { form: {}, url: {} } };
  const host = hostOf(context, { capabilities, roots: [] });
  const said = 'Write the hook a/b? Harmless.\n\nIt was reviewed.\r\u202Eevil';
  const shown = 'Write the hook a/b? Harmless.\\n\\nIt was reviewed.\\r\\u{202e}evil';
  for (const ask of [
    () => host.confirm('key', [said]),
    () => host.showAddress('key', said, 'https://issuer.test/device'),
  ]) {
    let asked: unknown;
    try {
      ask();
    } catch (error) {
      asked = error;
    }
    expect(asked).toBeInstanceOf(AskHost);
    expect(asked).toMatchObject({ requests: { key: { params: { message: shown } } } });
  }
});
