import { expect } from 'vitest';
import { readTree } from '@catalog/testkit/temporary-folder';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, OPS } from './workspace.ts';

verifies(
  'CERR-02',
  'sync fails without writing anything if the harness does not support an artifact',
  async () => {
    const workspace = openWorkspace(OPS, { 'mine.txt': 'Mine.\n' });
    const sync = `sync --registry ${workspace.registry} --harness harness-h`;
    const { code, error } = await workspace.error(sync);
    expect(code).toBe(1);
    expect(error.code).toBe('materialize.untranslatable');
    for (const id of ['ops/bots/triager', 'ops/guard/log-stop', 'ops/tools/warehouse']) {
      expect(error.message).toContain(id);
    }
    expect(readTree(workspace.root, ['.catalog/state'])).toEqual({ 'mine.txt': 'Mine.\n' });
  },
);
