import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newReceiverSecret } from '../../adapters/id.ts';
import { signDispatch, type DispatchAttempt } from './sign-dispatch.ts';

const EVENT = { event: 'layer.ingested', layer: 'équipe' };
/** The library rejects timestamps that are more than five minutes away. */
const ATTEMPT: Omit<DispatchAttempt, 'secret'> = {
  id: 'dispatch-1',
  time: new Date(),
  body: Buffer.from(JSON.stringify(EVENT)),
};

function verify(webhook: Webhook, headers: Record<string, string>, body = ATTEMPT.body): unknown {
  return webhook.verify(Buffer.from(body), headers);
}

test('the official library verifies a signature with a generated secret', () => {
  const secret = newReceiverSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const headers = signDispatch({ ...ATTEMPT, secret });
  expect(verify(new Webhook(secret), headers)).toEqual(EVENT);
  const other = new Webhook(newReceiverSecret());
  expect(() => verify(other, headers)).toThrow('No matching signature');
  const changed = Buffer.from(JSON.stringify({ ...EVENT, layer: 'other' }));
  expect(() => verify(new Webhook(secret), headers, changed)).toThrow('No matching signature');
  const renamed = { ...headers, 'webhook-id': 'dispatch-2' };
  expect(() => verify(new Webhook(secret), renamed)).toThrow('No matching signature');
});

test('the official library verifies what any base64 secret signed', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      fc.stringMatching(/^[\w-]{1,40}$/),
      fc.json(),
      (key, id, json) => {
        const secret = `whsec_${Buffer.from(key).toString('base64')}`;
        const body = Buffer.from(json);
        const headers = signDispatch({ ...ATTEMPT, id, body, secret });
        expect(verify(new Webhook(secret), headers, body)).toEqual(JSON.parse(json));
      },
    ),
  );
});

test.each(['a plain secret', 'clé secrète', 'whsec_', 'whsec_not base64!', 'whsec_YWJ', 'YWJj'])(
  'the secret %j is its own key',
  (secret) => {
    const headers = signDispatch({ ...ATTEMPT, secret });
    const webhook = new Webhook(Buffer.from(secret), { format: 'raw' });
    expect(verify(webhook, headers)).toEqual(EVENT);
  },
);

test('both secrets verify during a rotation', () => {
  const [secret, previous_secret] = [newReceiverSecret(), newReceiverSecret()];
  const headers = signDispatch({ ...ATTEMPT, secret, previous_secret });
  expect(verify(new Webhook(secret), headers)).toEqual(EVENT);
  expect(verify(new Webhook(previous_secret), headers)).toEqual(EVENT);
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
  expect(headers['x-catalog-signature']).toBe(
    signDispatch({ ...ATTEMPT, secret })['x-catalog-signature'],
  );
});

test('X-Catalog-Signature is keyed with the bytes of the whole secret', () => {
  for (const secret of [newReceiverSecret(), 'clé secrète']) {
    const digest = createHmac('sha256', Buffer.from(secret)).update(ATTEMPT.body).digest('hex');
    expect(signDispatch({ ...ATTEMPT, secret })['x-catalog-signature']).toBe(`sha256=${digest}`);
  }
});

test('the timestamp is the time of the attempt, in seconds', () => {
  const time = new Date('2026-11-17T12:00:00.999Z');
  const first = signDispatch({ ...ATTEMPT, time, secret: 's' });
  const second = signDispatch({ ...ATTEMPT, time: new Date(time.getTime() + 5000), secret: 's' });
  expect(first['webhook-timestamp']).toBe('1794916800');
  expect(second['webhook-timestamp']).toBe('1794916805');
  expect(second['webhook-id']).toBe(first['webhook-id']);
  expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
});
