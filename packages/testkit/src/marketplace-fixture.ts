import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import { effectiveView } from '@catalog/core/view/effective-view';
import { findFormats } from '@catalog/harness/marketplace/find-format';
import {
  renderMarketplace,
  type MarketplaceRendering,
} from '@catalog/harness/marketplace/render-marketplace';
import { harnessCapabilities } from '@catalog/harness/registry';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadFixture } from './fixture.ts';

export function renderFixtureMarketplace(harnesses: readonly string[]): MarketplaceRendering {
  const snapshots = loadFixture('everything');
  const { artifacts } = decideSnapshots(snapshots, { capabilities: harnessCapabilities() });
  const layers = snapshots.map(({ layer }) => layer);
  return renderMarketplace(
    {
      name: 'fixture',
      description: 'Every type there is.',
      plugins: [
        {
          name: 'everything',
          description: 'The whole fixture.',
          artifacts: effectiveView(artifacts, layers),
        },
      ],
      formats: findFormats(harnesses).formats,
    },
    { on_clash: 'qualify' },
  );
}

export function writeRendering(folder: string, { plan }: MarketplaceRendering): void {
  for (const { path, bytes, executable } of plan.files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    chmodSync(file, executable ? 0o755 : 0o644);
  }
}
