import { QueryClientProvider } from '@tanstack/react-query';
import { act, createElement, type ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/query-client.ts';

export async function openPage(path: string, page: ReactElement): Promise<() => Promise<void>> {
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true);
  history.replaceState(null, '', `/app${path}`);
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const client = createQueryClient();
  const tree = createElement(QueryClientProvider, { client }, page);
  // Strict mode would send every request twice.
  await settle(() => root.render(tree));
  return async () => {
    await settle(() => root.unmount());
    client.clear();
    container.remove();
  };
}

export async function settle(run: () => unknown): Promise<void> {
  await act(async () => {
    await run();
  });
}

export async function type(field: HTMLInputElement, text: string): Promise<void> {
  await settle(() => {
    // Bypasses the setter with which React tracks the value.
    Reflect.set(HTMLInputElement.prototype, 'value', text, field);
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

export function texts(selector: string): string[] {
  return [...document.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
}

export async function click(selector: string): Promise<void> {
  const element = document.querySelector<HTMLElement>(selector);
  if (element === null) throw new Error(`No element matches ${selector}.`);
  await settle(() => element.click());
}
