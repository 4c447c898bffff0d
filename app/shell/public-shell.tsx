import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import { SessionNotice } from './session-notice.tsx';
import { SkipLink } from './skip-link.tsx';
import { TopNavigation } from './top-navigation.tsx';
import type { ShellProps } from './viewer.ts';

/** The layout of every public and buyer page; `main` has the content width. */
export function PublicShell({ children, ...shell }: ShellProps & { children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <TopNavigation {...shell} />
      <main id="main" className="wrap" tabIndex={-1}>
        <SessionNotice />
        {children}
      </main>
      <Footer {...shell} />
    </>
  );
}
