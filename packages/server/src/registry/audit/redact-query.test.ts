import { expect, test } from 'vitest';
import { createQueryRedaction } from './redact-query.ts';

test('replaces personal data in queries, also of own patterns', () => {
  const patterns = [
    { name: 'employee', regex: 'E-\\d{4}' },
    { name: 'ticket', regex: 'T\\d+', replacement: '$&' },
  ];
  const redact = createQueryRedaction({ enabled: true, patterns });
  const cases = [
    ['mail ada.b+c@people.example now', 'mail [email] now'],
    ['ssn 123-45-6789', 'ssn [ssn]'],
    ['card 4111 1111 1111 1111', 'card [credit-card]'],
    ['call +49 30 1234 5678', 'call [phone]'],
    ['who is e-1234', 'who is [employee]'],
    ['t42', '$&'],
    ['rotate the 2048 bit key of v1.2.3', 'rotate the 2048 bit key of v1.2.3'],
  ] as const;
  for (const [query, expected] of cases) expect(redact(query)).toBe(expected);
  expect(redact('a\0\uD800')).toBe('a\uFFFD\uFFFD');
  expect(redact('x'.repeat(5000))).toHaveLength(1000);
});

test('replaces nothing if redaction is disabled', () => {
  const redact = createQueryRedaction({ enabled: false, patterns: [] });
  expect(redact('ada@people.example')).toBe('ada@people.example');
});
