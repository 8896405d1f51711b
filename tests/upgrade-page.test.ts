import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SETTINGS } from '@catalog/server/config/settings';
import { describe, expect, test } from 'vitest';
import { listNewSettings, previous, upgradePage } from '../tools/docs/upgrade-page.ts';

const ROOT = join(import.meta.dirname, '..');

describe('the upgrade page', () => {
  test('lists exactly the settings and environment variables that are new since the previous release', () => {
    const { present, wanted } = upgradePage(ROOT);
    expect(present).toBe(wanted);
    const section = present.split('### Remove new settings before you roll back')[1] ?? '';
    const [table = ''] = section.split('<!-- end settings -->');
    const fresh = Object.keys(SETTINGS).filter((key) => !Object.hasOwn(previous.settings, key));
    expect(fresh.length).toBeGreaterThan(0);
    for (const key of fresh) expect(table).toContain(`\`${key}\``);
    for (const { env } of listNewSettings()) for (const name of env) expect(table).toContain(name);
    const named = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, key]) => key);
    expect(named).toEqual(fresh);
  });

  test('compares with the settings of the previous release', ({ skip }) => {
    const place = `${previous.commit}:docs/reference/settings.md`;
    const { status, stdout } = spawnSync('git', ['show', place], { cwd: ROOT, encoding: 'utf8' });
    skip(status !== 0, 'the clone does not have the commit of the previous release');
    const keys = [...stdout.matchAll(/^\| `([\w.]+)` \|/gm)].map(([, key]) => key);
    expect(Object.keys(previous.settings)).toEqual(keys);
  });
});
