import { describe, expect, test } from 'vitest';
import { listBootstrapAdmins } from './list-bootstrap-admins.ts';

describe('listBootstrapAdmins', () => {
  test('a registry of one tenant takes each entry as it is', () => {
    const bootstrap_admins = ['ada', 'cn=bob,ou=people'];
    expect(listBootstrapAdmins({ bootstrap_admins, multi_tenant: false })).toEqual([
      { tenant: 'default', user_id: 'ada' },
      { tenant: 'default', user_id: 'cn=bob,ou=people' },
    ]);
  });

  test('of several tenants each entry names its own, up to the first equals sign', () => {
    const bootstrap_admins = ['acme=ada', 'globex corp = cn=bob'];
    expect(listBootstrapAdmins({ bootstrap_admins, multi_tenant: true })).toEqual([
      { tenant: 'acme', user_id: 'ada' },
      { tenant: 'globex corp', user_id: 'cn=bob' },
    ]);
  });

  test.each(['ada', '=ada', 'acme=', 'acme= ', '886313e1-3b8a-5372-9b90-0c9aee199e5d=ada'])(
    'refuses %s there',
    (entry) => {
      const read = () => listBootstrapAdmins({ bootstrap_admins: [entry], multi_tenant: true });
      expect(read).toThrow(
        expect.objectContaining({
          code: 'config.invalid',
          details: { key: 'bootstrap_admins', value: entry },
        }),
      );
    },
  );
});
