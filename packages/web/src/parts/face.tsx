import type { ReactElement } from 'react';

export function Face({ name }: { name: string | undefined }): ReactElement {
  return name === undefined ? <Dots /> : <>{initials(name)}</>;
}

function Dots(): ReactElement {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <circle cx="3" cy="8" r="1.5" />
      <circle cx="8" cy="8" r="1.5" />
      <circle cx="13" cy="8" r="1.5" />
    </svg>
  );
}

/** Returns initials: `MK` for `mary.kay@example.com` and `Mary Kay`, one letter for a single word. */
export function initials(name: string): string {
  const [local = name] = name.split('@');
  const words = local.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].flatMap(
    (word) => /^./u.exec(word ?? '')?.[0] ?? [],
  );
  return letters.join('').toUpperCase() || '?';
}
