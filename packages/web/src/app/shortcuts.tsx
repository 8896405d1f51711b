import { lazy, Suspense, useEffect, useState, type ReactElement } from 'react';
import { useLocation } from 'wouter';
import { COPY_EVENT, SHORTCUTS_EVENT } from './shortcut-events.ts';

const ShortcutsDialog = lazy(() => import('../lazy/shortcuts-dialog.tsx'));

const PLACES: Readonly<Record<string, string>> = { h: '/', b: '/browse', l: '/layers' };
/** The second key of a pair follows within this time. */
const PAIR_MS = 1000;

/** The keyboard shortcuts of every page, and the dialog that lists them. */
export function Shortcuts(): ReactElement | null {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  useEffect(() => {
    let wentAt = -PAIR_MS;
    function onKey(event: KeyboardEvent): void {
      if (isTyping(event)) return;
      const place = event.timeStamp - wentAt < PAIR_MS ? PLACES[event.key] : undefined;
      wentAt = event.key === 'g' ? event.timeStamp : -PAIR_MS;
      if (place !== undefined) navigate(place);
      else if (event.key === '/') {
        event.preventDefault();
        focusSearch();
      } else if (event.key === '?') setOpen(true);
      else if (event.key === 'c') document.dispatchEvent(new Event(COPY_EVENT));
    }
    const open = (): void => setOpen(true);
    addEventListener('keydown', onKey);
    document.addEventListener(SHORTCUTS_EVENT, open);
    return () => {
      removeEventListener('keydown', onKey);
      document.removeEventListener(SHORTCUTS_EVENT, open);
    };
  }, [navigate]);
  return isOpen ? (
    <Suspense>
      <ShortcutsDialog onClose={() => setOpen(false)} />
    </Suspense>
  ) : null;
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role=menu], [role=dialog], [role=listbox]') !== null
  );
}

/** On narrow screens the field is behind a button. */
function focusSearch(): void {
  const field = document.getElementById('search');
  if (field?.offsetParent) field.focus();
  else document.querySelector<HTMLElement>('.open-search')?.click();
}
