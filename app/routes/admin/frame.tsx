import type { ReactNode } from 'react';
import { useUnread } from '#app/live/unread.ts';
import { adminRows } from '#app/shell/admin-rows.ts';
import { AdminShell } from '#app/shell/admin-shell.tsx';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import { adminPaths } from '#routing/admin-paths.ts';

/** The pages that exist: the sidebar has a row for each. */
const PAGES: readonly string[] = [
  // one line each
  adminPaths.dashboard(),
  adminPaths.admins(),
];

interface FrameProps {
  collapsed?: boolean | undefined;
  /** without its rows, where the page is refused */
  empty?: boolean;
  children: ReactNode;
}

/** The sidebar and the top bar around an admin page; nothing but the page for a visitor. */
export function AdminFrame({ collapsed, empty, children }: FrameProps) {
  const site = useSite();
  const unread = useUnread();
  if (!site?.viewer) return <main id="main">{children}</main>;
  return (
    <AdminShell
      viewer={site.viewer}
      brand={site.brand ?? DEFAULT_BRAND}
      unread={unread}
      collapsed={collapsed ?? false}
      rows={empty ? [] : adminRows.filter(({ href }) => PAGES.includes(href))}
    >
      {children}
    </AdminShell>
  );
}
