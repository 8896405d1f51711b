import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, type ReactElement } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { Face } from '../parts/face.tsx';
import { SignInLink } from '../parts/sign-in-link.tsx';
import { rememberSignedIn } from './session-memory.ts';

const AccountMenu = lazy(() => import('../lazy/account-menu.tsx'));

/** Sign-in link, and the button of a menu that loads when it is first opened. */
export function Account(): ReactElement {
  const { data } = useQuery(sessionQuery);
  const [isWanted, setWanted] = useState(false);
  const subject = data?.subject;
  useEffect(() => {
    if (subject !== undefined) rememberSignedIn(true);
  }, [subject]);
  const name = data?.email ?? subject;
  const button = (
    <button
      type="button"
      className="face"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={name === undefined ? 'Menu' : `Menu of ${name}`}
      onClick={() => setWanted(true)}
    >
      <Face name={name} />
    </button>
  );
  return (
    <div className="account">
      {data !== undefined && subject === undefined && (
        <SignInLink className="button small">Sign in</SignInLink>
      )}
      {isWanted ? (
        <Suspense fallback={button}>
          <AccountMenu data={data} />
        </Suspense>
      ) : (
        button
      )}
    </div>
  );
}
