import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore, type ReactElement } from 'react';
import { useRegistryState } from '../api/registry-state.ts';
import { SignInLink } from '../parts/sign-in-link.tsx';
import { readStored, tab } from './storage.ts';
import { SIGNED_IN_KEY } from './session-memory.ts';
import { useSession } from './use-session.ts';
import * as textStyles from '../parts/text.module.css';
import * as styles from './banners.module.css';

function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

const RECONNECT_MS = 3000;

function useReconnect(reachable: boolean): void {
  const client = useQueryClient();
  const wasReachable = useRef(reachable);
  useEffect(() => {
    if (reachable && !wasReachable.current) {
      void client.refetchQueries({
        type: 'active',
        predicate: ({ state: { status } }) => status === 'error',
      });
    }
    wasReachable.current = reachable;
  }, [client, reachable]);
}

export function Banners(): ReactElement | null {
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const { read_only_lag_seconds, reachable, session_rejected } = useRegistryState();
  const { data } = useSession(reachable ? false : RECONNECT_MS);
  useReconnect(reachable);
  const wasSignedIn = readStored(tab, SIGNED_IN_KEY) !== undefined;
  const isExpired = session_rejected || (wasSignedIn && data !== undefined && !data.subject);
  return (
    <div className={styles.banners} role="status">
      {!isOnline && (
        <p className={styles.banner}>
          You are offline. Pages you have already opened stay available.
        </p>
      )}
      {isOnline && !reachable && (
        <p className={styles.banner}>
          The registry does not respond. What you see may be out of date.
        </p>
      )}
      {isExpired && (
        <p className={styles.banner}>
          Your session has expired. What you typed is kept.{' '}
          <SignInLink className={textStyles.link}>Sign in again</SignInLink>
        </p>
      )}
      {read_only_lag_seconds !== undefined && (
        <p className={styles.banner}>
          This registry is read-only right now. What you see may be{' '}
          {formatLag(read_only_lag_seconds)}; changes are not possible until the primary database is
          back.
        </p>
      )}
    </div>
  );
}

function formatLag(seconds: number): string {
  const rounded = Math.ceil(seconds);
  return rounded <= 1 ? 'a second old' : `up to ${rounded} seconds old`;
}
