import { useState } from 'react';
import { local, readStored, store } from './storage.ts';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

function isTheme(value: string | undefined): value is Theme {
  return THEMES.some((theme) => theme === value);
}

function readTheme(): Theme {
  const stored = readStored(local, 'theme');
  return isTheme(stored) ? stored : 'system';
}

export function applyTheme(theme: Theme = readTheme()): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme);
  return [
    theme,
    (chosen) => {
      store(local, 'theme', chosen === 'system' ? undefined : chosen);
      applyTheme(chosen);
      setTheme(chosen);
    },
  ];
}
