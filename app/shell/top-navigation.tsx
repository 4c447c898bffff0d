import { loadedLater } from '#ui/loaded-later.tsx';
import { Bell } from './bell.tsx';
import { BrandLink } from './brand-link.tsx';
import { LoginMenu } from './login-menu.tsx';
import { PropertiesMenu } from './properties-menu.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import type { ShellProps } from './viewer.ts';

const AccountMenu = loadedLater(async () => (await import('./account-menu.tsx')).AccountMenu);

/** The navigation bar of the public pages and, at full width, of the seller area. */
export function TopNavigation({ viewer, brand, types, unread, full }: ShellProps & { full?: boolean }) {
  return (
    <header className={full ? 'nav nav-full' : 'nav'}>
      <div className="wrap">
        <BrandLink brand={brand} />
        <PropertiesMenu types={types} />
        <div className="navright">
          <ThemeToggle className={viewer ? 'hide-s' : ''} />
          {viewer && <Bell role={viewer.role} unread={unread} />}
          {viewer ? <AccountMenu viewer={viewer} /> : <LoginMenu />}
        </div>
      </div>
    </header>
  );
}
