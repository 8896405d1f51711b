import type { ReactElement, ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { isNotFound, isSessionRejected, RegistryError } from '../api/errors.ts';
import { Message } from './message.tsx';
import { Notice } from './notice.tsx';
import { SignInLink } from './sign-in-link.tsx';
import * as buttonStyles from './button.module.css';
import * as styles from './failure.module.css';

export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }): ReactElement {
  const { title, reason } = describe(error);
  const action: ReactNode = isSessionRejected(error) ? (
    <SignInLink>Sign in again</SignInLink>
  ) : onRetry === undefined ? undefined : (
    <Button className={buttonStyles.button} onPress={onRetry}>
      Try again
    </Button>
  );
  return (
    <Notice kind="bad" title={<Message text={title} />} action={action}>
      <Message text={reason} />
      {error instanceof RegistryError && <code className={styles.code}>{error.code}</code>}
    </Notice>
  );
}

function describe(error: Error): { title: string; reason: string } {
  if (isSessionRejected(error)) {
    return { title: 'Your session has expired', reason: 'Sign in again to continue.' };
  }
  if (isNotFound(error)) {
    return {
      title: 'Not found',
      reason: `${error.message} It may have been removed, or you may not have access to it.`,
    };
  }
  if (error instanceof RegistryError) {
    return { title: error.message, reason: error.suggested_action };
  }
  return navigator.onLine
    ? {
        title: 'The registry did not respond',
        reason: 'It may be starting or unreachable from this network.',
      }
    : { title: 'You are offline', reason: 'Pages you have already opened stay available.' };
}
