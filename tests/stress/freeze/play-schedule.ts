import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { startIngestWorker } from '@catalog/server/jobs/ingest-worker';
import { approveBreakGlass } from '@catalog/server/registry/freeze/approve-break-glass';
import { putFreezeWindows } from '@catalog/server/registry/freeze/put-freeze-windows';
import { requestFrozenIngests } from '@catalog/server/registry/freeze/request-frozen-ingests';
import { requestIngest } from '@catalog/server/registry/ingest/request-ingest';
import { reingestLayer } from '@catalog/server/registry/layers/reingest-layer';
import type { CallContext } from '@catalog/server/registry/registry';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import type { SeededRandom } from '../../../tools/seeded-random.ts';
import { FreezeModel, toWindow, type ModelWindow } from './freeze-model.ts';

const ADMINS = ['ann', 'bob', 'cy'] as const;
const HOUR_MS = 3_600_000;
/** Start times just before changes of daylight saving time, and in between. */
const STARTS = ['2026-03-27T08:00:00Z', '2026-10-23T08:00:00Z', '2026-06-12T08:00:00Z'];
const ZONES = ['Europe/Berlin', 'America/New_York', 'UTC'];

export interface PlayedSchedule {
  steps: string[];
  differences: string[];
}

/** Plays random steps on a registry in a file, and compares each result with the model. */
export async function playSchedule(
  path: string,
  random: SeededRandom,
  length: number,
): Promise<PlayedSchedule> {
  const pick = <Value>(values: readonly Value[]): Value => random.pick(values);
  const model = new FreezeModel(Date.parse(pick(STARTS)));
  let place = await open(path, model);
  await place.addLayer('base');
  await place.registry.store.transaction(async ({ grants }) => {
    for (const user_id of ADMINS) {
      await grants.grant(ONLY_TENANT, { user_id, granted_at: iso(model), granted_by: 'test' });
    }
  });
  await ingest(place);
  const steps: string[] = [];
  let mismatch: string | undefined;
  let created = 0;
  for (let at = 0; at < length; at += 1) {
    const step = await playStep();
    steps.push(`${iso(model)} ${step}`);
    const problem = mismatch ?? (await compare(place, model));
    if (problem !== undefined) {
      await place.close();
      return { steps, differences: [`${problem} after ${step}`] };
    }
  }
  await place.close();
  return { steps, differences: [] };

  async function playStep(): Promise<string> {
    const approvers = [pick(ADMINS), pick(ADMINS)];
    const named = { approvers, justification: 'because' };
    switch (random.int(8)) {
      case 0:
      case 1: {
        model.now += pick([600_000, HOUR_MS, 9 * HOUR_MS, 40 * HOUR_MS]);
        return 'advance the clock';
      }
      case 2: {
        model.pushed += 1;
        model.ingest();
        await ingest(place);
        return 'push';
      }
      case 3: {
        const windows = randomWindows();
        const expected = model.put(windows, approvers);
        const given = { windows: windows.map(toWindow), ...named };
        const accepted = await isAccepted(() => putFreezeWindows(place.registry, as('ann'), given));
        mismatch = accepted === expected ? undefined : `accepted ${accepted}, not ${expected}`;
        return `put ${windows.map(({ name }) => name).join(' ')}`;
      }
      case 4: {
        const approver = pick(ADMINS);
        model.approve('base', approver);
        const change = { layer: 'base', reference: '*' };
        await approveBreakGlass(place.registry, as(approver), change);
        return `${approver} approves an ingest`;
      }
      case 5: {
        const [window] = model.windows;
        if (window === undefined) return 'nothing';
        const approver = pick(ADMINS);
        model.approve(`window ${window.name}`, approver);
        await approveBreakGlass(place.registry, as(approver), { window: window.name });
        return `${approver} approves a weaker window`;
      }
      case 6: {
        model.pushed += 1;
        const expected = model.reingest(approvers);
        const accepted = await isAccepted(() =>
          reingestLayer(place.registry, as('bob'), {
            id: 'base',
            wait: false,
            break_glass: true,
            ...named,
          }),
        );
        await idle(place);
        mismatch = accepted === expected ? undefined : `accepted ${accepted}, not ${expected}`;
        return `break glass with ${approvers.join(' ')}`;
      }
      default: {
        await place.close();
        place = await open(path, model);
        model.endRound();
        await requestFrozenIngests(place.registry, ONLY_TENANT);
        await idle(place);
        return 'restart, and a round of the leader';
      }
    }
  }

  function randomWindows(): ModelWindow[] {
    const kept = model.windows.filter(() => random.int(3) > 0);
    const isNew = kept.length < 2 && random.int(2) === 0;
    const longer = kept.map((window): ModelWindow =>
      window.kind === 'once' && random.int(3) === 0
        ? { ...window, end: window.end + pick([-1, 2]) * HOUR_MS }
        : window,
    );
    const valid = longer.filter((window) => window.kind === 'weekly' || window.start < window.end);
    if (!isNew) return valid;
    // A name is not used again, because the model compares repeating windows by name only.
    created += 1;
    return [...valid, randomWindow(`w${created}`)];
  }

  function randomWindow(name: string): ModelWindow {
    if (random.int(2) === 0) {
      const start = model.now + pick([-2, 0, 3]) * HOUR_MS;
      return { kind: 'once', name, start, end: start + pick([1, 4, 50]) * HOUR_MS };
    }
    const day = random.int(7);
    // Hours that no change of daylight saving time skips or repeats.
    const from = { day, hour: 4 + random.int(19) };
    const to = { day: (day + 1 + random.int(4)) % 7, hour: 4 + random.int(19) };
    return { kind: 'weekly', name, zone: pick(ZONES), from, to };
  }
}

interface Place extends MemoryRegistry {
  context: CallContext;
  worker: ReturnType<typeof startIngestWorker>;
}

async function open(path: string, model: FreezeModel): Promise<Place> {
  const opened = await openMemoryRegistry({ open: false }, path);
  const { registry } = opened;
  registry.now = () => new Date(model.now);
  const { local } = registry.sources;
  registry.sources = {
    git: local,
    local: {
      ...local,
      read: async (tenant, layer, request, signal) => {
        opened.setContent('base', {
          packages: { greet: { 'ARTIFACT.md': ruleOf(model.pushed) } },
        });
        return local.read(tenant, layer, request, signal);
      },
    },
  };
  const log = { ended: () => undefined, failed: () => undefined };
  const worker = startIngestWorker(registry, `worker ${model.now}`, log);
  return {
    ...opened,
    worker,
    close: async () => {
      await worker.close(0);
      await opened.close();
    },
  };
}

function ruleOf(version: number): string {
  return `---\ntype: rule\nversion: 1.0.${version}\ndescription: How to greet a visitor.\n---\nWave.\n`;
}

async function ingest(place: Place): Promise<void> {
  const wanted = { layer_id: 'base', full: true, trigger: 'webhook' } as const;
  await place.registry.store.transaction((writes) =>
    requestIngest(place.registry, writes, ONLY_TENANT, wanted),
  );
  await idle(place);
}

async function idle({ registry, worker }: Place): Promise<void> {
  for (;;) {
    worker.wake();
    const { queued, running } = await registry.store.jobs.depth();
    if (queued + running === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function compare({ registry }: Place, model: FreezeModel): Promise<string | undefined> {
  const layer = await registry.store.layers.get(ONLY_TENANT, 'base');
  const number = layer?.number ?? 0;
  const [head] = await registry.store.versions.listHeadsOf(ONLY_TENANT, [number], ['greet']);
  const expected = `1.0.${model.served}, frozen ${model.is_frozen}`;
  const found = `${head?.version}, frozen ${layer?.frozen_since !== null}`;
  return found === expected ? undefined : `${found}, not ${expected}`;
}

async function isAccepted(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'ingest.frozen') return false;
    throw error;
  }
}

function as(subject: string): CallContext {
  return {
    tenant: ONLY_TENANT,
    caller: { kind: 'subject', subject, email: '', groups: [], is_admin: true },
    trace_id: '0'.repeat(32),
    signal: new AbortController().signal,
    revision: undefined,
    record: undefined,
  };
}

function iso({ now }: FreezeModel): string {
  return new Date(now).toISOString();
}
