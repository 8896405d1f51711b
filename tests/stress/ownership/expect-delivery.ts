import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { writeRegistry, type Registry } from './artifacts.ts';
import { runCommand, type Place } from './engine.ts';
import { SETTINGS, writeSettings, type Settings } from './settings.ts';
import { isShared, lacksImport, RULES_IMPORT } from './shared-files.ts';
import { contentOf, isLink, readTree, type Leaf, type Tree } from './tree.ts';

export interface Delivery {
  /** Files that only catalog writes. */
  files: ReadonlyMap<string, Leaf>;
  /** Shared files that contain only managed entries. */
  shared: ReadonlyMap<string, Leaf>;
  refused: boolean;
}

const MAX_CACHED = 2000;

/** The workspace contains at most a CLAUDE.md. */
export class DeliveryOracle {
  readonly #folder: string;
  readonly #known = new Map<string, Delivery>();
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async expect(
    registry: Registry,
    settings: Settings,
    { scope, tree, harness }: { scope: Place['scope']; tree: Tree; harness?: string | undefined },
  ): Promise<Delivery> {
    const own_rules = hasOwnRules(tree);
    const sorted = [...registry].sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([
      sorted.map(([id, { edition, version }]) => [id, edition, version]),
      settings.targets,
      settings.harness,
      scope,
      harness,
      own_rules,
    ]);
    let delivery = this.#known.get(key);
    if (delivery === undefined) {
      delivery = await this.#deliver(registry, { ...settings, exclude: [] }, scope, {
        harness,
        own_rules,
      });
      if (this.#known.size >= MAX_CACHED) this.#known.clear();
      this.#known.set(key, delivery);
    }
    return delivery;
  }

  async #deliver(
    registry: Registry,
    settings: Settings,
    scope: Place['scope'],
    { harness, own_rules }: { harness: string | undefined; own_rules: boolean },
  ): Promise<Delivery> {
    this.#count += 1;
    const root = `${this.#folder}/expected-${this.#count}`;
    const place = openPlace(root, scope, false);
    writeRegistry(place.registry, registry);
    writeSettings(place, settings);
    if (own_rules) writeFileSync(`${place.directory}/${RULES_IMPORT}`, '# Mine\n');
    try {
      await runCommand(place, { name: 'sync', ...(harness === undefined ? {} : { harness }) });
      const tree = [...readTree(place.directory)].filter(
        ([path]) => path !== SETTINGS && !(own_rules && path === RULES_IMPORT),
      );
      return {
        files: new Map(tree.filter(([path]) => !isShared(path))),
        shared: new Map(tree.filter(([path]) => isShared(path))),
        refused: false,
      };
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      return { files: new Map(), shared: new Map(), refused: true };
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
}

/** True if CLAUDE.md has text without an import of AGENTS.md: rules go to another file. */
function hasOwnRules(tree: Tree): boolean {
  const leaf = tree.get(RULES_IMPORT);
  return leaf !== undefined && (isLink(leaf) || lacksImport(contentOf(leaf)));
}

export function openPlace(root: string, scope: Place['scope'], served: boolean): Place {
  const cwd = `${root}/work`;
  const home = `${root}/home`;
  for (const folder of [cwd, home, `${root}/registry`]) mkdirSync(folder, { recursive: true });
  return {
    directory: scope === 'user' ? home : cwd,
    cwd,
    home,
    registry: `${root}/registry`,
    served_file: served ? `${root}/served.json` : undefined,
    scope,
  };
}
