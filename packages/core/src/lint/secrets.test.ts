import { describe, expect, test } from 'vitest';
import { findSecret } from './secrets.ts';

describe('findSecret with a secret', () => {
  test.each<[name: string, value: string, secret: string]>([
    ['X', 'sk-ant-api03-AbCdEf0123456789', 'sk-ant-api03-AbCdEf0123456789'],
    ['X', 'sk-AbCdEf0123456789AbCdEf01', 'sk-AbCdEf0123456789AbCdEf01'],
    ['X', 'run with xoxb-123456789012-abcdefghij now', 'xoxb-123456789012-abcdefghij'],
    ['X', 'AKIA1234567890ABCDEFGH', 'AKIA1234567890ABCDEFGH'],
    ['X', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2ln', 'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2ln'],
    ['X', 'a\n-----BEGIN RSA PRIVATE KEY-----\nb', '-----BEGIN RSA PRIVATE KEY-----'],
    ['DSN', 'postgres://app:s3cr3t@db:5432/x', 's3cr3t'],
    ['DSN', 'a://b:${secret:P}@c d://e:f@g', 'f'],
    ['URL', 'https://x.example/?a=b&access_token=abc', 'abc'],
    ['URL', 'https://x.example/#clientSecret=abc', 'abc'],
    ['URL', 'https://x.example/?token=abc==', 'abc=='],
    ['API_KEY', 'abc', 'abc'],
    ['apiKey', ' abc ', 'abc'],
    ['GITHUBTOKEN', 'abc', 'abc'],
    ['X-Api-Key', 'abc', 'abc'],
    ['db.password', 'abc', 'abc'],
    ['AWS_SECRET_ACCESS_KEY', 'abc', 'abc'],
    ['Authorization', 'Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
    ['authorization', 'bearer abc', 'abc'],
    ['Cookie', 'session=1', 'session=1'],
    ['PASSWORD', '12345678', '12345678'],
    ['OPENAI_KEY', 'a1b2c3d4e5f6a7b8', 'a1b2c3d4e5f6a7b8'],
  ])('finds %s: %j', (name, value, secret) => {
    expect(findSecret(value, name)).toBe(secret);
  });
});

describe('findSecret without a secret', () => {
  test.each([
    ['X', 'ordinary'],
    ['X', 'npm_config_registry_address_of_all'],
    ['X', 'sk-learn-and-more-of-the-same'],
    ['X', 'https://bob@example.com/'],
    ['X', 'https://bob:${secret:P}@example.com/'],
    ['X', 'https://example.com/?token=${secret:T}'],
    ['X', '?token=abc'],
    ['API_TOKEN', ''],
    ['API_TOKEN', '${secret:API_TOKEN}'],
    ['API_TOKEN', '${API_TOKEN}'],
    ['API_TOKEN', '$API_TOKEN'],
    ['API_TOKEN', '{{ token }}'],
    ['API_TOKEN', '%API_TOKEN%'],
    ['API_TOKEN', 'op://vault/item'],
    ['API_TOKEN', 'vault:kv/token'],
    ['Authorization', 'Bearer ${secret:T}'],
    ['API_TOKEN', 'your-token-here'],
    ['API_TOKEN', '<token>'],
    ['API_TOKEN', 'XXXX'],
    ['PASSWORD', '***'],
    ['MAX_TOKEN', '4096'],
    ['USE_TOKEN', 'true'],
    ['CREDENTIALS', '/run/secrets/key.json'],
    ['CREDENTIALS', '~/key.json'],
    ['CREDENTIALS', 'C:\\keys\\key.json'],
    ['TOKEN_FILE', 'abc'],
    ['TOKENS', 'abc'],
    ['SORT_KEY', 'created_at'],
    ['SORT_KEY', 'a1b2c3d4e5f6a7b'],
    ['SORT_KEY', 'aaaaaaaaaaaaaaaaaaaa'],
    ['SSH_PUBLIC_KEY', 'a1b2c3d4e5f6a7b8'],
    ['PWD', 'abc'],
  ])('ignores %s: %j', (name, value) => {
    expect(findSecret(value, name)).toBeUndefined();
  });
});
