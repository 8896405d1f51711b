import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openRedaction, REDACTED } from './redact.ts';

const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl+/=';

describe('credential in text', () => {
  test.each([
    ['as sent', TOKEN],
    ['percent-encoded', encodeURIComponent(TOKEN)],
    [
      'percent-encoded as a whole',
      TOKEN.replaceAll(/[^]/g, (one) => `%${one.codePointAt(0)?.toString(16)}`),
    ],
    ['in base64', Buffer.from(TOKEN).toString('base64')],
    ['in base64 after one character', Buffer.from(`x${TOKEN}`).toString('base64')],
    ['in base64 after two characters', Buffer.from(`:x${TOKEN}`).toString('base64')],
    ['in base64url', Buffer.from(TOKEN).toString('base64url')],
    ['in hex', Buffer.from(TOKEN).toString('hex')],
    ['in upper-case hex', Buffer.from(TOKEN).toString('hex').toUpperCase()],
    ['in part', TOKEN.slice(10, 18)],
    ['in two parts', `${TOKEN.slice(0, 30)} and ${TOKEN.slice(30)}`],
  ])('is removed %s', (_, spelled) => {
    const redacted = openRedaction([TOKEN]).words(`Your token is ${spelled}, thanks.`);
    expect(redacted).toContain(REDACTED);
    expect(redacted).toMatch(/^Your token is .*, thanks\.$/);
    for (let at = 0; at + 8 <= spelled.length; at += 1) {
      const part = spelled.slice(at, at + 8);
      if (!part.includes(' ')) expect(redacted).not.toContain(part);
    }
  });

  test('is removed at any position', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 60, unit: 'grapheme-ascii' }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          expect(openRedaction([secret]).words(before + secret + after)).not.toContain(secret);
        },
      ),
    );
  });

  test('is the only text that is removed', () => {
    const text = 'A token of appreciation, eyJ and 1234567.';
    expect(openRedaction([TOKEN]).words(text)).toBe(text);
    expect(openRedaction([]).words(TOKEN)).toBe(TOKEN);
    expect(openRedaction(['a']).words('a b')).toBe('a b');
  });
});

test('redaction.value keeps identifiers and files that contain a part of a credential', () => {
  const redaction = openRedaction(['deploy-checks-token']);
  const value = {
    id: 'ops/deploy-checks',
    description: 'Runs deploy-checks for you.',
    'deploy-checks-token': ['deploy-checks-token', 1, null],
  };
  expect(redaction.value(value)).toEqual({
    id: 'ops/deploy-checks',
    description: `Runs ${REDACTED} for you.`,
    [REDACTED]: [REDACTED, 1, null],
  });
  const file = { manifest_body: value.description, resources: { 'a.md': value.description } };
  expect(redaction.value(file)).toEqual(file);
});
