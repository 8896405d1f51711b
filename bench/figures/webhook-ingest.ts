import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import {
  compare,
  measurementOfRatio,
  resultOfParts,
  type Figure,
  type Measurement,
  type Side,
} from '../figure.ts';
import { writeCatalogue } from '../fixtures/catalogue.ts';
import { measureInside } from '../measure-inside.ts';

const TRIAL = join(import.meta.dirname, '../ingest-trial.ts');
const RECEIVERS = 10;
const AT_MOST = 1.05;
/** Receivers of every event get ten deliveries for each artifact, so that side is measured on a part of them. */
const FEWER = 10;
const FEWEST = 100;

export const webhookIngest: Figure = {
  name: 'webhook-ingest',
  summary: `First ingest of a directory with ${RECEIVERS} webhook receivers, until the last delivery, compared with the same ingest without receivers.`,
  kind: 'speed',
  n: 10_000,
  small_n: 300,
  run: async ({ n, seed, folder, repeat }) => {
    const authority = await createCertificateAuthority();
    authority.writeCert(folder);
    await authority.issueFiles(folder);
    const home = join(folder, 'home');
    const ingest = (catalogue: string, size: number, ...words: string[]): Side => ({
      prepare: () => {
        rmSync(home, { recursive: true, force: true });
        mkdirSync(home);
      },
      run: () => {
        const command = [process.execPath, '--conditions=@catalog/source', TRIAL, catalogue, home];
        const run = measureInside([...command, ...words]);
        if (run.told['accepted'] !== size) throw new Error(`of ${size} artifacts: ${run.stdout}`);
        return run;
      },
    });
    const catalogue = join(folder, 'catalogue');
    const written = writeCatalogue(catalogue, { n, seed });
    const without = ingest(catalogue, n);
    const filtered = ingest(catalogue, n, folder, String(RECEIVERS), 'layer.ingested');
    const few = Math.max(Math.round(n / FEWER), FEWEST);
    const small = join(folder, 'small');
    writeCatalogue(small, { n: few, seed });
    const smallWithout = ingest(small, few);
    const all = ingest(small, few, folder, String(RECEIVERS));
    const parts: Measurement[] = [
      measurementOfRatio(
        'webhook-ingest-filtered',
        n,
        compare(filtered, without, { repeat }),
        AT_MOST,
      ),
      {
        ...measurementOfRatio(
          'webhook-ingest-all',
          few,
          compare(all, smallWithout, { repeat }),
          Infinity,
        ),
        goal: 'none',
      },
    ];
    return resultOfParts('webhook-ingest', parts, [
      `source: ${written.files} files, ${written.bytes} bytes, seed ${seed}`,
      `filtered: ${RECEIVERS} receivers of \`layer.ingested\`; all: ${RECEIVERS} receivers of every event, so about ${RECEIVERS} deliveries per artifact`,
      'the receiver runs in its own process, and has had one delivery before the measurement',
    ]);
  },
};
