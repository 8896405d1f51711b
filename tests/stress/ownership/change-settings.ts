import type { Place } from './engine.ts';
import { HARNESSES, USER_HARNESS, type Step } from './history.ts';
import type { Model } from './model.ts';

export function changeSettings(
  model: Model,
  { change, pick }: Extract<Step, { kind: 'settings' }>,
  scope: Place['scope'],
): void {
  const { settings, registry } = model;
  const names = HARNESSES.filter((name) => (name === USER_HARNESS) === (scope === 'user'));
  const name = names[Math.floor(pick * names.length)] ?? settings.harness;
  const list = (harness: string, from: number): typeof settings.targets =>
    harness.split(',').map((one, index) => ({ id: `t${from + index}`, harness: one }));
  switch (change) {
    case 'harness':
      settings.harness = name;
      if (settings.targets.length > 0) settings.targets = list(name, 0);
      break;
    case 'list':
      settings.targets = settings.targets.length > 0 ? [] : list(settings.harness, 0);
      break;
    case 'rename-target': {
      // Uses the same targets with other ids: the installed files must not change.
      const from = settings.targets[0]?.id === 't0' ? 5 : 0;
      settings.targets = settings.targets.map(({ harness }, index) => ({
        id: `t${from + index}`,
        harness,
      }));
      return;
    }
    case 'exclude': {
      const id = [...registry.keys()][Math.floor(pick * registry.size)];
      if (id !== undefined && !settings.exclude.includes(id)) settings.exclude.push(id);
      break;
    }
    case 'include':
      settings.exclude.pop();
      break;
  }
  model.settings_changed = true;
}
