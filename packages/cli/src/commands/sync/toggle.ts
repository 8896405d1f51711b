import { join } from 'node:path';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { SavedToggles, SaveRequest } from '@catalog/consumer/exclusions/save-toggles';
import type { FlagValues } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { styled } from '../../output/text.ts';
import {
  toConfigFlags,
  toConfigInput,
  type CONFIG_FLAGS,
  type RUNTIME_FLAGS,
  type VERBOSE_FLAGS,
} from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import type { SAVE_FLAGS } from './definition.ts';
import { deliver, noteWaiting } from './deliver.ts';

type Flags = FlagValues<
  typeof CONFIG_FLAGS & typeof RUNTIME_FLAGS & typeof SAVE_FLAGS & typeof VERBOSE_FLAGS
>;

/** Runs a sync with toggles, which apply until the next plain sync (SPEC-45), or permanently with `--save`. */
export async function deliverToggled(
  toggle: SaveRequest,
  flags: Flags,
  session: Session,
): Promise<CommandResult> {
  const input = toConfigInput(session, toConfigFlags(flags));
  const config = loadConfig(input);
  const options = {
    mode: 'sync',
    keep_toggles: true,
    ignore_runtime: flags['ignore-runtime'],
    verbose: flags.verbose,
  } as const;
  if (!flags.save) return deliver(config, { ...options, toggle }, session);
  const { saveToggles } = await import('@catalog/consumer/exclusions/save-toggles');
  const saved = await saveToggles(
    input,
    toggle,
    {
      signIn: signInOnFirstUse(config, session),
      onWait: (holder) => noteWaiting(holder, session),
    },
    session.signal,
  );
  // The saved change stays even if the sync fails.
  session.note(savedLine(saved, toggle, session));
  for (const { path, kept_at } of saved.kept) {
    const place = shortPath(join(config.workspace, kept_at), session);
    session.note([styled('yellow', 'kept'), ` ${path}: another version is in ${place}`]);
  }
  const forget = { ...toggle, state: 'forget' } as const;
  const result = await deliver(saved.config, { ...options, toggle: forget }, session);
  const { file, changed, kept } = saved;
  const copies = kept.length === 0 ? {} : { kept };
  const document = { file, state: toggle.state, changed, ...copies };
  return { ...result, json: { saved: document, ...result.json } };
}

function savedLine({ file, changed }: SavedToggles, { ids, state }: SaveRequest, session: Session) {
  const name = shortPath(file, session);
  if (changed.length === 0) {
    const already = state === 'disable' ? 'already excludes' : 'does not exclude';
    return `${name} ${already} ${ids.join(', ')}`;
  }
  return `${name} ${state === 'disable' ? 'now excludes' : 'no longer excludes'} ${changed.join(', ')}`;
}
