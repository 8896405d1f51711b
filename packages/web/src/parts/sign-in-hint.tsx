import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { SignInLink } from './sign-in-link.tsx';
import * as textStyles from './text.module.css';

export function SignInHint(): ReactElement | null {
  const { data } = useQuery(sessionQuery);
  if (data === undefined || data.subject !== undefined || !data.browser_auth.enabled) return null;
  return (
    <>
      If you have an account, <SignInLink className={textStyles.link}>sign in</SignInLink> to see
      what is shared with you.
    </>
  );
}
