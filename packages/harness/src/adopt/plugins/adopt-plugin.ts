import type { HarnessAdapter } from '../../adapter.ts';
import { adoptFiles, type AdoptedObject, type Adoption } from '../adopt-files.ts';
import type { FoundFile } from '../candidate.ts';
import { namesPluginFolder } from '../hook-scripts.ts';
import type { AdoptedPackage } from '../preserve-sources.ts';
import type { PluginPlan } from './plan-plugin.ts';

const NOTHING_OWNED = { files: new Set<string>(), entries: [] };
const OUTSIDE =
  'its text refers to the folder of the plugin, which does not exist outside of it; change the text';

/** Converts a plugin. Has no side effects. */
export function adoptPlugin(
  { sources, origin, version }: Pick<PluginPlan, 'sources' | 'origin' | 'version'>,
  files: ReadonlyMap<string, FoundFile>,
  adapter: HarnessAdapter,
  domain: string,
): Adoption {
  const adoption = adoptFiles(
    { files, owned: NOTHING_OWNED },
    {
      adapters: [{ ...adapter, adopt: sources }],
      preference: 'latest',
      domain,
      imported: { from: origin, version },
    },
  );
  const packages = new Map(adoption.packages.map((made) => [made.id, made]));
  return { ...adoption, things: adoption.things.map((thing) => noteFolder(thing, packages)) };
}

function noteFolder(
  thing: AdoptedObject,
  packages: ReadonlyMap<string, AdoptedPackage>,
): AdoptedObject {
  const made = packages.get(thing.id ?? '');
  if (made === undefined || thing.type === 'hook' || !namesPluginFolder(textIn(made))) return thing;
  return { ...thing, outcome: 'converted', changes: [...thing.changes, OUTSIDE] };
}

const decoder = new TextDecoder();

function textIn({ manifest, skill }: AdoptedPackage): string {
  return decoder.decode(skill) + decoder.decode(manifest);
}
