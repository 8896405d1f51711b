import { useQuery } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { rememberPage } from '../app/return-path.ts';
import * as buttonStyles from './button.module.css';

/** Link to the sign-in, which returns to the current page. Renders nothing if there is no sign-in. */
export function SignInLink({
  children,
  className = buttonStyles.primary,
}: {
  children: ReactNode;
  className?: string;
}): ReactElement | null {
  const { data } = useQuery(sessionQuery);
  const path = data?.browser_auth.sign_in_path;
  if (path === undefined) return null;
  return (
    <a className={className} href={path} onClick={rememberPage}>
      {children}
    </a>
  );
}
