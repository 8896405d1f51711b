import { useEffect, useState, type ReactElement } from 'react';
import { Face } from '../parts/face.tsx';
import { lazyComponent } from '../parts/lazy-component.tsx';
import { SignInLink } from '../parts/sign-in-link.tsx';
import { rememberSignedIn } from './session-memory.ts';
import { useSession } from './use-session.ts';
import * as buttonStyles from '../parts/button.module.css';
import * as faceStyles from '../parts/face.module.css';
import * as styles from './account.module.css';

const AccountMenu = lazyComponent('account-menu', async () => {
  return (await import('../lazy/account-menu.tsx')).AccountMenu;
});

export function Account(): ReactElement {
  const { data } = useSession();
  const [isWanted, setWanted] = useState(false);
  const subject = data?.subject;
  useEffect(() => {
    if (subject !== undefined) rememberSignedIn();
  }, [subject]);
  const name = data?.email ?? subject;
  const button = (open: () => void): ReactElement => (
    <button
      type="button"
      className={faceStyles.face}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={name === undefined ? 'Menu' : `Menu of ${name}`}
      onClick={open}
    >
      <Face name={name} />
    </button>
  );
  return (
    <div className={styles.account}>
      {data !== undefined && subject === undefined && (
        <SignInLink className={buttonStyles.smallButton}>Sign in</SignInLink>
      )}
      {isWanted ? (
        <AccountMenu data={data} loading={button(() => undefined)} failed={button} />
      ) : (
        button(() => setWanted(true))
      )}
    </div>
  );
}
