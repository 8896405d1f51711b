import type { MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';

/**
 * Opens a page without loading the application again. `Link` of wouter runs four hooks per link, which would delay a
 * list of results.
 */
export function followLink(event: MouseEvent<HTMLAnchorElement>): void {
  const { ctrlKey, metaKey, altKey, shiftKey, button, currentTarget } = event;
  if (ctrlKey || metaKey || altKey || shiftKey || button !== 0) return;
  event.preventDefault();
  navigate(currentTarget.href);
}
