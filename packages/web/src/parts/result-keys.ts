import type { KeyboardEvent } from 'react';

export const RESULT = { 'data-result': '' };

function results(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-result]')];
}

export function focusResult(which: 'first' | 'last'): boolean {
  const found = results().at(which === 'first' ? 0 : -1);
  found?.focus();
  return found !== undefined;
}

/** Moves the focus with the arrow keys. Up from the first result leads to the search field. */
export function moveThroughResults(event: KeyboardEvent): void {
  const links = results();
  const at = links.findIndex((link) => link === document.activeElement);
  if (at === -1) return;
  const target =
    event.key === 'ArrowDown'
      ? links[at + 1]
      : event.key === 'ArrowUp'
        ? (links[at - 1] ?? document.getElementById('search'))
        : event.key === 'Home'
          ? links[0]
          : event.key === 'End'
            ? links.at(-1)
            : undefined;
  if (target === undefined || target === null) return;
  event.preventDefault();
  target.focus();
}
