import { expect, test } from 'vitest';
import { createSigningKey, formatSecret, SECRET_BYTES, signDispatch } from './sign-dispatch.ts';

/** Example of the Standard Webhooks specification. */
const DISPATCH = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: Buffer.from('{"test": 2432232314}'),
};
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const SIGNATURE = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const DIGEST = '80ec8a89ce3cd22133a1066caecb4d04fea7467657c8514d717ec42c38a5c94c';

test('signDispatch signs as Standard Webhooks requires, and the body alone with the whole secret', () => {
  expect(signDispatch(DISPATCH, [createSigningKey(SECRET)])).toEqual({
    'content-type': 'application/json',
    'user-agent': 'catalog',
    'webhook-id': DISPATCH.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': SIGNATURE,
    'x-catalog-signature': `sha256=${DIGEST}`,
  });
});

test.each(['whsec_not base64', 'whsec_', 'plain', 'whsec_YQ=', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])(
  'signDispatch uses the bytes of the secret %s, which is not encoded',
  (secret) => {
    const encoded = `whsec_${Buffer.from(secret).toString('base64')}`;
    const [own, same] = [secret, encoded].map((one) =>
      signDispatch(DISPATCH, [createSigningKey(one)]),
    );
    expect(own?.['webhook-signature']).toBe(same?.['webhook-signature']);
  },
);

test('signDispatch signs with both secrets during a rotation', () => {
  const newer = createSigningKey('newer');
  const headers = signDispatch(DISPATCH, [newer, createSigningKey(SECRET)]);
  const alone = signDispatch(DISPATCH, [newer]);
  expect(headers['webhook-signature']).toBe(`${alone['webhook-signature']} ${SIGNATURE}`);
  expect(headers['x-catalog-signature']).toBe(alone['x-catalog-signature']);
});

test('formatSecret returns a secret that decodes to its bytes', () => {
  const bytes = Uint8Array.from({ length: SECRET_BYTES }, (_, index) => 255 - index);
  const secret = formatSecret(bytes);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), 'base64')).toEqual(Buffer.from(bytes));
});
