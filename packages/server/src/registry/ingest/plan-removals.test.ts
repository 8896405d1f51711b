import type { SourceReading } from '@catalog/core/ports/layer-source';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { expect, onTestFinished, test } from 'vitest';
import { planRemovals } from './plan-removals.ts';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';
const DOMAIN = '---\ndescription: Greetings.\n---\n';

const UNREADABLE: [what: string, path: string, artifact_id: string | undefined, left: object][] = [
  [
    'nothing',
    'none',
    undefined,
    { artifacts: ['ops/a', 'ops/b', 'web/c'], domains: ['ops', 'web'] },
  ],
  ['the root', '.', undefined, { artifacts: [], domains: [] }],
  ['a directory', 'ops', undefined, { artifacts: ['web/c'], domains: ['web'] }],
  [
    'a DOMAIN.md',
    'web/DOMAIN.md',
    undefined,
    { artifacts: ['ops/a', 'ops/b', 'web/c'], domains: ['ops'] },
  ],
  [
    'a file of an artifact',
    'ops/a/data.txt',
    'ops/a',
    { artifacts: ['ops/b', 'web/c'], domains: ['ops', 'web'] },
  ],
];

test.each(UNREADABLE)(
  'keeps what the source could not read: %s',
  async (_, path, artifact_id, expected) => {
    const { registry, addLayer, ingest, close } = await openMemoryRegistry();
    onTestFinished(close);
    await addLayer('base');
    const packages = { 'ops/a': RULE, 'ops/b': RULE, 'web/c': RULE };
    await ingest('base', {
      packages: Object.fromEntries(
        Object.entries(packages).map(([id, text]) => [id, { 'ARTIFACT.md': text }]),
      ),
      domains: { ops: DOMAIN, web: DOMAIN },
    });
    const layer = await registry.store.layers.get(ONLY_TENANT, 'base');
    if (layer === undefined) throw new Error('no layer');
    const entry = { path, code: 'ingest.source_unreachable', reason: 'cannot be read' } as const;
    const refused = [artifact_id === undefined ? entry : { ...entry, artifact_id }];
    const reading: SourceReading = {
      reference: '',
      source_state: 'read',
      copy_bytes: 0,
      complete: true,
      snapshot: { layer: 'base', packages: [], domains: [], refused },
      removed: { artifacts: [], domains: [] },
      rewritten: undefined,
      advisories: [],
    };
    expect(await planRemovals(registry, ONLY_TENANT, layer, reading)).toEqual(expected);
  },
);
