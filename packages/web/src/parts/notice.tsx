import type { ReactElement, ReactNode } from 'react';
import * as styles from './notice.module.css';

export interface NoticeProps {
  kind?: 'plain' | 'warn' | 'bad';
  title: ReactNode;
  level?: 1 | 2;
  action?: ReactNode;
  children?: ReactNode;
}

export function Notice({
  kind = 'plain',
  title,
  level = 2,
  action,
  children,
}: NoticeProps): ReactElement {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <section className={styles.notice} data-kind={kind} role={kind === 'bad' ? 'alert' : undefined}>
      <Heading>{title}</Heading>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </section>
  );
}

export function Skeleton({ lines = 6, label }: { lines?: number; label: string }): ReactElement {
  return (
    <div className={styles.skeleton} data-skeleton="" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines are interchangeable
        <span key={at} />
      ))}
    </div>
  );
}
