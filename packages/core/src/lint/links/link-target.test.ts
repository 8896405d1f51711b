import { describe, expect, test } from 'vitest';
import { artifactOf } from '@catalog/testkit/authored-package';
import { findTarget, packagePaths } from './link-target.ts';

const ARTIFACT = artifactOf('ops/check', {
  'ARTIFACT.md': '---\ntype: skill\nversion: 1.0.0\n---\n',
  'SKILL.md': '---\nname: check\n---\n',
  'references/deep/a b.md': '',
  'a#b?.txt': '',
  LICENSE: '',
});

describe('findTarget', () => {
  const paths = packagePaths(ARTIFACT);
  const ids = new Set(['ops/deploy/ship', 'ops']);
  const kind = (destination: string): string => findTarget(destination, paths, ids).kind;

  test.each([
    '',
    '#part',
    '?a=b',
    '//example.com/a',
    'HTTPS://example.com',
    'tel:1',
    'ARTIFACT.md',
    'SKILL.md',
    './SKILL.md',
    'LICENSE?raw=1#top',
    'references',
    'references/',
    'references/deep/',
    'a#b?.txt',
    'references/deep/a%20b.md',
    'references/deep/../deep/./a b.md',
    'x/../LICENSE',
    'ops/deploy/ship',
    'ops/deploy/ship@1.x',
    'ops/deploy/ship#usage',
    'ops',
    '.',
  ])('returns found for %j', (destination) => {
    expect(kind(destination)).toBe('found');
  });

  test.each([
    '..',
    '../',
    '../ship/SKILL.md',
    'references/../../x',
    'references/%2e%2e/%2E%2E/x',
    '..\\x',
    '/etc/hosts',
    '\\\\host\\share',
    'file:///etc/hosts',
    'FILE:x',
    'C:\\x',
    'c:/x',
  ])('returns outside for %j', (destination) => {
    expect(kind(destination)).toBe('outside');
  });

  test.each([
    'license',
    'references/deep/a b.m',
    'reference',
    'DOMAIN.md',
    'ops/deploy',
    'deploy/ship',
    '%',
    '%zz',
    'LICENSE/x',
    'toString',
  ])('returns missing for %j', (destination) => {
    expect(kind(destination)).toBe('missing');
  });
});
