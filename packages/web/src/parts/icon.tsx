import type { ReactElement } from 'react';
import * as styles from './icon.module.css';

const PATHS = {
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM20 20l-4.8-4.8',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  check: 'M4.5 12.5l5 5 10-11',
  close: 'M5 5l14 14M19 5L5 19',
  chevron: 'M9 5l7 7-7 7',
  drag: 'M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4',
  folder: 'M3 6h7l2 2h9v11H3z',
  warning: 'M12 4L2.5 20h19zM12 10v4M12 17.2v.1',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactElement {
  return (
    <svg
      className={styles.icon}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo(): ReactElement {
  return (
    <svg className={styles.logo} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 5h5v14H4zM9 8h5v11H9zM15.2 6.6l4.8-1.3 2.6 13-4.8 1.2z" />
    </svg>
  );
}
