import type { Posture } from '@catalog/contract/records/access';
import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { Header as MenuHeader } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger, Separator } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { SHORTCUTS_EVENT } from '../app/shortcut-events.ts';
import { clearTab } from '../app/storage.ts';
import { THEMES, useTheme, type Theme } from '../app/theme.ts';
import { Face } from '../parts/face.tsx';
import { Icon } from '../parts/icon.tsx';
import * as faceStyles from '../parts/face.module.css';
import * as styles from './account-menu.module.css';

const THEME_NAMES: Readonly<Record<Theme, string>> = {
  system: 'Match the system',
  light: 'Light',
  dark: 'Dark',
};

function isTheme(key: unknown): key is Theme {
  return THEMES.some((theme) => theme === key);
}

export function AccountMenu({ data }: { data: Posture | undefined }): ReactElement {
  const [theme, setTheme] = useTheme();
  const name = data?.email ?? data?.subject;
  const signOutPath = data?.subject === undefined ? undefined : data.browser_auth.sign_out_path;
  return (
    <MenuTrigger defaultOpen>
      <Button
        className={faceStyles.face}
        aria-label={name === undefined ? 'Menu' : `Menu of ${name}`}
      >
        <Face name={name} />
      </Button>
      <Popover className={styles.popover} placement="bottom end">
        <Menu
          className={styles.menu}
          onAction={(key) => {
            if (key === 'shortcuts') document.dispatchEvent(new Event(SHORTCUTS_EVENT));
            if (key === 'sign-out' && signOutPath !== undefined) void signOut(signOutPath);
          }}
        >
          {data !== undefined && (
            <MenuSection>
              <MenuHeader className={styles.header}>
                {name ?? (data.public_mode ? 'Public registry' : 'Not signed in')}
              </MenuHeader>
              <MenuItem id="account" href="/account" className={styles.item}>
                What you can see, and why
              </MenuItem>
            </MenuSection>
          )}
          <Separator className={styles.line} />
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => {
              const [chosen] = keys === 'all' ? [] : [...keys];
              if (isTheme(chosen)) setTheme(chosen);
            }}
          >
            <MenuHeader className={styles.header}>Theme</MenuHeader>
            {THEMES.map((choice) => (
              <MenuItem key={choice} id={choice} className={styles.item}>
                {THEME_NAMES[choice]}
                <Icon name="check" size={14} />
              </MenuItem>
            ))}
          </MenuSection>
          <Separator className={styles.line} />
          <MenuItem id="shortcuts" className={styles.item}>
            Keyboard shortcuts <kbd>?</kbd>
          </MenuItem>
          {signOutPath !== undefined && (
            <MenuItem id="sign-out" className={styles.item}>
              Sign out
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** Signs out and reloads the page, so that no data of the session stays in memory. */
async function signOut(path: string): Promise<void> {
  await fetch(path, { method: 'POST' });
  clearTab();
  location.reload();
}
