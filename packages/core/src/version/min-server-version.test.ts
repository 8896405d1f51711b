import { describe, expect, test } from 'vitest';
import { checkMinServerVersion } from './min-server-version.ts';

describe('checkMinServerVersion', () => {
  test.each([
    ['0.4.0', '0.4.0'],
    ['0.3.99', '0.4.0'],
    ['0.4.0', '1.0.0'],
    ['0.9.9', '0.10.0'],
  ])('accepts a minimum of %s for %s', (pin, running) => {
    expect(() => checkMinServerVersion(pin, 'f', running)).not.toThrow();
  });

  test.each([
    ['0.4.1', '0.4.0'],
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.99'],
  ])('rejects a minimum of %s for %s', (pin, running) => {
    expect(() => checkMinServerVersion(pin, 'f', running)).toThrow(
      expect.objectContaining({
        code: 'config.server_version_too_old',
        message: `f needs catalog ${pin} or later, but this program is ${running}.`,
        details: { min_server_version: pin, version: running },
      }),
    );
  });

  test.each([
    ['soon', '0.4.0', /f: min_server_version soon is not a version/],
    ['1.2', '0.4.0', /1\.2 is not a version/],
    ['0.4.0', '0.4.0-nightly', /reports version 0\.4\.0-nightly/],
  ])('rejects the incomparable versions %s and %s', (pin, running, message) => {
    expect(() => checkMinServerVersion(pin, 'f', running)).toThrow(
      expect.objectContaining({
        code: 'config.invalid_min_version',
        message: expect.stringMatching(message),
      }),
    );
  });
});
