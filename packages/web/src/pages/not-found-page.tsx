import { escapeControls } from '@catalog/contract/text/escape-controls';
import type { ReactElement } from 'react';
import { Link, useLocation } from 'wouter';
import { useTitle } from '../app/title.ts';
import { Notice } from '../parts/notice.tsx';
import * as buttonStyles from '../parts/button.module.css';
import * as pageStyles from '../parts/page.module.css';

export function NotFoundPage(): ReactElement {
  const [path] = useLocation();
  useTitle('Not found');
  return (
    <div className={pageStyles.page}>
      <Notice
        level={1}
        title="There is no such page"
        action={
          <Link className={buttonStyles.button} href="/">
            Go to the home page
          </Link>
        }
      >
        Nothing is served at <code>{escapeControls(path)}</code>.
      </Notice>
    </div>
  );
}
