import type { ReactNode } from 'react';
import { useUnread } from '#app/live/unread.ts';
import { useWaitingWork } from '#app/live/waiting-work.ts';
import { adminRows, NO_WORK } from '#app/shell/admin-rows.ts';
import { AdminShell } from '#app/shell/admin-shell.tsx';
import { useSite } from '#app/site.ts';
import type { WaitingWork } from '#features/overview/model.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import { adminPaths } from '#routing/admin-paths.ts';

/** The pages that exist: the sidebar has a row for each, and nothing links to another one. */
const PAGES: readonly string[] = [
  // one line each
  adminPaths.dashboard(),
  adminPaths.properties(),
  adminPaths.newProperty(),
  adminPaths.inquiries(),
  adminPaths.ownership(),
  adminPaths.transactions(),
  adminPaths.propertyTypes(),
  adminPaths.blockchain(),
  adminPaths.reports(),
  adminPaths.homepage(),
  adminPaths.imports(),
  adminPaths.tasks(),
  adminPaths.operations(),
  adminPaths.reconciliation(),
  adminPaths.settings(),
  adminPaths.paymentSettings(),
  adminPaths.buyers(),
  adminPaths.history(),
  adminPaths.sellers(),
  adminPaths.admins(),
  adminPaths.apiKeys(),
  adminPaths.documents(),
];

/** The URL of a page, or undefined while there is no such page. */
export const ifThere = (href: string): string | undefined => (PAGES.includes(href) ? href : undefined);

interface FrameProps {
  collapsed?: boolean | undefined;
  /** what the badges show */
  work?: WaitingWork | undefined;
  /** without its rows, where the page is refused */
  empty?: boolean;
  children: ReactNode;
}

/** The sidebar and the top bar around an admin page; nothing but the page for a visitor. */
export function AdminFrame({ collapsed, work: loaded = NO_WORK, empty, children }: FrameProps) {
  const site = useSite();
  const unread = useUnread();
  const work = useWaitingWork(loaded, site?.viewer?.role === 'admin');
  if (!site?.viewer) return <main id="main">{children}</main>;
  return (
    <AdminShell
      viewer={site.viewer}
      brand={site.brand ?? DEFAULT_BRAND}
      unread={unread}
      collapsed={collapsed ?? false}
      rows={empty ? [] : adminRows(work).filter(({ href }) => PAGES.includes(href))}
      openTasks={empty || !ifThere(adminPaths.tasks()) ? null : work.tasks}
      linkTo={empty ? null : ifThere}
    >
      {children}
    </AdminShell>
  );
}
