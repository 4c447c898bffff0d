import type { ReactNode } from 'react';
import { BrandLink } from './brand-link.tsx';
import { SessionNotice } from './session-notice.tsx';
import { SkipLink } from './skip-link.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

/** The layout without navigation: the administrators' sign-in page and the sandbox checkout. */
export function BareShell({ brand, children }: { brand: string; children: ReactNode }) {
  return (
    <>
      <SkipLink />
      <header className="nav">
        <div className="wrap">
          <BrandLink brand={brand} />
          <div className="navright">
            <ThemeToggle />
          </div>
        </div>
      </header>
      <main id="main" className="wrap" tabIndex={-1}>
        <SessionNotice />
        {children}
      </main>
    </>
  );
}
