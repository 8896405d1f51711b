import { outage } from './outage/outage.ts';
import { ownership } from './ownership/ownership.ts';
import { rolling } from './rolling/rolling.ts';
import { ssrf } from './ssrf/ssrf.ts';
import type { StressTest } from './stress-test.ts';
import { trust } from './trust/trust.ts';
import { upgrade } from './upgrade/upgrade.ts';
import { webHostile } from './web-hostile/web-hostile.ts';
import { webhookLoss } from './webhook-loss/webhook-loss.ts';

export const allStressTests: readonly StressTest[] = [
  ownership,
  trust,
  upgrade,
  webHostile,
  rolling,
  outage,
  ssrf,
  webhookLoss,
];
