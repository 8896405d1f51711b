import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SETTINGS } from '@catalog/server/config/settings';
import { z } from 'zod';

const PATH = 'deploy/helm/catalog/values.schema.json';

interface KnownKeys {
  type: ['object', 'null'];
  additionalProperties: false;
  properties: Record<string, KnownKeys | { description: string }>;
}

export function chartSchema(root: string): { path: string; present: string; wanted: string } {
  const present = readFileSync(join(root, PATH), 'utf8');
  const schema = z
    .looseObject({ properties: z.looseObject({ settings: z.unknown() }) })
    .parse(JSON.parse(present));
  const settings = settingsSchema();
  if (isDeepStrictEqual(schema.properties.settings, settings)) {
    return { path: PATH, present, wanted: present };
  }
  schema.properties.settings = settings;
  return { path: PATH, present, wanted: `${JSON.stringify(schema, undefined, 2)}\n` };
}

export function settingsSchema(): KnownKeys {
  const all = knownKeys();
  for (const [key, { summary }] of Object.entries(SETTINGS)) {
    const names = key.split('.');
    const last = names.pop() ?? key;
    let place = all;
    for (const name of names) {
      const found = place.properties[name];
      const next = found !== undefined && 'properties' in found ? found : knownKeys();
      place.properties[name] = next;
      place = next;
    }
    place.properties[last] = { description: summary };
  }
  return all;
}

function knownKeys(): KnownKeys {
  return { type: ['object', 'null'], additionalProperties: false, properties: {} };
}
