import { useEffect, useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { lazyComponent } from '../parts/lazy-component.tsx';
import { COPY_EVENT, SHORTCUTS_EVENT } from './shortcut-events.ts';

const ShortcutsDialog = lazyComponent('shortcuts', async () => {
  return (await import('../lazy/shortcuts-dialog.tsx')).ShortcutsDialog;
});

const PLACES: Readonly<Record<string, string>> = { h: '/', b: '/browse', l: '/layers' };
const PAIR_MS = 1000;

export function Shortcuts(): ReactElement | null {
  /** Number of times the dialog was opened; 0 while it is closed. A new number retries a failed load. */
  const [opened, setOpened] = useState(0);
  const [, navigate] = useLocation();
  useEffect(() => {
    let wentAt = -PAIR_MS;
    const open = (): void => setOpened((count) => count + 1);
    function onKey(event: KeyboardEvent): void {
      if (isTyping(event)) return;
      const place = event.timeStamp - wentAt < PAIR_MS ? PLACES[event.key] : undefined;
      wentAt = event.key === 'g' ? event.timeStamp : -PAIR_MS;
      if (place !== undefined) navigate(place);
      else if (event.key === '/') {
        event.preventDefault();
        focusSearch();
      } else if (event.key === '?') open();
      else if (event.key === 'c') document.dispatchEvent(new Event(COPY_EVENT));
    }
    addEventListener('keydown', onKey);
    document.addEventListener(SHORTCUTS_EVENT, open);
    return () => {
      removeEventListener('keydown', onKey);
      document.removeEventListener(SHORTCUTS_EVENT, open);
    };
  }, [navigate]);
  if (opened === 0) return null;
  return (
    <ShortcutsDialog key={opened} loading={null} failed={() => null} onClose={() => setOpened(0)} />
  );
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role=menu], [role=dialog], [role=listbox]') !== null
  );
}

function focusSearch(): void {
  const field = document.getElementById('search');
  if (field?.offsetParent) field.focus();
  else document.querySelector<HTMLElement>('[data-open-search]')?.click();
}
