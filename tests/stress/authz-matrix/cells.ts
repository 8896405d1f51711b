import {
  callers,
  layerClasses,
  modes,
  patches,
  registrations,
  reorders,
  type CallerKind,
  type LayerClass,
  type Mode,
} from './dimensions.ts';
import { ROUTES } from './routes.ts';
import type { Cell } from './decision-rule.ts';

export function* cellsOf(mode: Mode): Generator<Cell> {
  for (const caller of callers) {
    if (!isMeaningful(mode, caller)) continue;
    for (const [route, { about_nothing = [] }] of Object.entries(ROUTES)) {
      for (const variant of about_nothing) yield { mode, caller, route, variant, layer: undefined };
    }
    for (const layer of layerClasses) yield* cellsAbout(mode, caller, layer);
  }
}

function* cellsAbout(mode: Mode, caller: CallerKind, layer: LayerClass): Generator<Cell> {
  const about = { mode, caller, layer };
  for (const [route, { about_layers = [] }] of Object.entries(ROUTES)) {
    for (const variant of about_layers) yield { ...about, route, variant };
  }
  for (const registration of registrations) {
    yield { ...about, route: 'register_layer', variant: registration.name, registration };
  }
  for (const patch of patches) {
    // A local layer has no webhook deliveries, so it has no secret to rotate.
    if (patch === 'rotate_webhook_secret' && layer.source === 'local') continue;
    yield { ...about, route: 'update_layer', variant: patch, patch };
  }
  for (const reorder of reorders) {
    yield { ...about, route: 'reorder_layers', variant: reorder, reorder };
    yield { ...about, route: 'preview_reorder', variant: reorder, reorder };
  }
}

/** Returns true if the registry can receive the credential and tell its caller from others. */
function isMeaningful({ provider }: Mode, { name, credential }: CallerKind): boolean {
  // Headers do not expire and have no audience.
  if (provider === 'trusted-headers')
    return credential !== 'expired' && credential !== 'other-audience';
  if (provider === 'none' || provider === 'public') return OPENLY.includes(name);
  return true;
}

const OPENLY: readonly string[] = [
  'admin',
  'owner',
  'anonymous',
  'forged',
  'same-origin-browser',
  'cross-site-browser',
];

export function allCells(): Cell[] {
  return modes.flatMap((mode) => [...cellsOf(mode)]);
}

export function nameOf({ mode, caller, route, variant, layer }: Cell): string {
  return `${mode.name} ${caller.name} ${route}:${variant} ${layer?.name ?? ''}`.trimEnd();
}
