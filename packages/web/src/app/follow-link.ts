import type { MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';

/**
 * Opens the page that a link of this application names, without loading the application again. `Link`
 * of wouter does the same with four hooks for each link, which a list of results would wait for.
 */
export function followLink(event: MouseEvent<HTMLAnchorElement>): void {
  const { ctrlKey, metaKey, altKey, shiftKey, button, currentTarget } = event;
  // The browser opens a new tab or window, or downloads the page.
  if (ctrlKey || metaKey || altKey || shiftKey || button !== 0) return;
  event.preventDefault();
  navigate(currentTarget.href);
}
