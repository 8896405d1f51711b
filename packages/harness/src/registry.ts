import type { HarnessCapabilities, HarnessColumn } from '@catalog/core/lint/context';
import type { HarnessAdapter } from './adapter.ts';
import { agentsMd } from './adapters/agents-md/index.ts';
import { amp } from './adapters/amp/index.ts';
import { antigravity } from './adapters/antigravity/index.ts';
import { claudeCode } from './adapters/claude-code/index.ts';
import { claudeCowork } from './adapters/claude-cowork/index.ts';
import { claudeDesktop } from './adapters/claude-desktop/index.ts';
import { cline } from './adapters/cline/index.ts';
import { codex } from './adapters/codex/index.ts';
import { continueDev } from './adapters/continue/index.ts';
import { copilot } from './adapters/copilot/index.ts';
import { cursor } from './adapters/cursor/index.ts';
import { devin } from './adapters/devin/index.ts';
import { droid } from './adapters/droid/index.ts';
import { geminiCli } from './adapters/gemini-cli/index.ts';
import { goose } from './adapters/goose/index.ts';
import { harnessA } from './adapters/harness-a/index.ts';
import { harnessB } from './adapters/harness-b/index.ts';
import { harnessC } from './adapters/harness-c/index.ts';
import { harnessD } from './adapters/harness-d/index.ts';
import { harnessE } from './adapters/harness-e/index.ts';
import { harnessF } from './adapters/harness-f/index.ts';
import { harnessG } from './adapters/harness-g/index.ts';
import { harnessH } from './adapters/harness-h/index.ts';
import { harnessI } from './adapters/harness-i/index.ts';
import { hermes } from './adapters/hermes/index.ts';
import { junie } from './adapters/junie/index.ts';
import { kilo } from './adapters/kilo/index.ts';
import { kiro } from './adapters/kiro/index.ts';
import { none } from './adapters/none/index.ts';
import { opencode } from './adapters/opencode/index.ts';
import { pi } from './adapters/pi/index.ts';
import { qwen } from './adapters/qwen/index.ts';
import { thinProfiles } from './adapters/thin-profiles.ts';
import { warp } from './adapters/warp/index.ts';
import { zed } from './adapters/zed/index.ts';
import { unknownHarness } from './unknown-harness.ts';

/** Adapters by the value of `--harness`, real products before the ids of the specification. */
export const adapters: ReadonlyMap<string, HarnessAdapter> = new Map(
  [
    claudeCode,
    claudeDesktop,
    claudeCowork,
    cursor,
    opencode,
    codex,
    geminiCli,
    pi,
    hermes,
    copilot,
    amp,
    cline,
    kiro,
    droid,
    qwen,
    zed,
    goose,
    kilo,
    antigravity,
    devin,
    warp,
    junie,
    continueDev,
    ...thinProfiles,
    agentsMd,
    none,
    harnessA,
    harnessB,
    harnessC,
    harnessD,
    harnessE,
    harnessF,
    harnessG,
    harnessH,
    harnessI,
  ].map((adapter) => [adapter.id, adapter]),
);

/** Scope of a workspace: a project, or the home folder (`--scope user`). */
export type WorkspaceScope = 'workspace' | 'user';

/** Loads an adapter. Throws an error with a suggestion for an unknown id. */
export function loadAdapter(
  id: string,
  scope: WorkspaceScope = 'workspace',
  known: ReadonlyMap<string, HarnessAdapter> = adapters,
  system = 'linux',
): HarnessAdapter {
  const adapter = known.get(id);
  if (adapter !== undefined) return scope === 'user' ? atHome(adapter, system) : adapter;
  throw unknownHarness(id, [...known.keys()]);
}

function atHome(adapter: HarnessAdapter, system: string): HarnessAdapter {
  const systemAdapter =
    system === 'darwin' || system === 'win32' ? adapter.user_on?.[system] : undefined;
  return systemAdapter ?? adapter.user ?? adapter;
}

/** Returns the capability matrix: one column per harness, with an explanation unless support is native. */
export function harnessCapabilities(): HarnessCapabilities {
  return new Map([...adapters].map(([id, adapter]) => [id, columnOf(adapter)]));
}

/** Neutral labels for which lint checks rules without `target_harnesses` (RULE-03, RULE-28). */
const CHECKED_UNTARGETED: ReadonlySet<string> = new Set(['harness-a', 'harness-g']);

/** Returns the product id, such as `claude-code`, which authors know. */
function nameUntargeted(id: string): string | undefined {
  if (!CHECKED_UNTARGETED.has(id)) return undefined;
  const products = [...adapters.values()].filter(({ label }) => label === id);
  const names = products.map((adapter) => adapter.id).filter((name) => name !== id);
  return names.length === 0 ? id : names.join(', ');
}

function columnOf({
  id,
  capabilities,
  fallbacks,
  refusals,
  warnings,
  user,
}: HarnessAdapter): HarnessColumn {
  const reasons = new Map(Object.entries({ ...fallbacks, ...refusals }));
  const atHome = new Map(Object.entries(user?.capabilities ?? {}));
  const cells = Object.fromEntries(
    Object.entries(capabilities).map(([capability, given]) => {
      const reason = reasons.get(capability);
      // Support only in the home folder is not a mistake of the author.
      const onlyAtHome = given === 'unsupported' && (atHome.get(capability) ?? given) !== given;
      const support = onlyAtHome ? 'fallback' : given;
      return [capability, reason === undefined ? support : { support, reason }];
    }),
  );
  const name_untargeted = nameUntargeted(id);
  return {
    cells,
    ...(warnings === undefined ? {} : { warnings }),
    ...(name_untargeted === undefined ? {} : { name_untargeted }),
  };
}
