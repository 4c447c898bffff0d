import { ExternalLink, Keyboard, LogOut, PanelLeft } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { UnreadCounts } from '#features/bell/model.ts';
import { paths } from '#routing/paths.ts';
import { Icon } from '#ui/icon.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Sidebar, type SidebarRow } from '#ui/sidebar.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Bell } from './bell.tsx';
import { BrandLink } from './brand-link.tsx';
import { KeyboardHelp } from './keyboard-help.tsx';
import { LogoutForm } from './logout-form.tsx';
import type { LinkTo } from './office-search/destination.ts';
import { OfficeSearch } from './office-search/office-search.tsx';
import { isEditable, sidebarCookie } from './sidebar-cookie.ts';
import { SkipLink } from './skip-link.tsx';
import { TaskBell } from './task-bell.tsx';
import { ThemeRow, ThemeToggle } from './theme-toggle.tsx';
import type { Viewer } from './viewer.ts';

interface AdminShellProps {
  viewer: Viewer;
  brand: string;
  /** What the viewer has not seen. */
  unread: UnreadCounts;
  /** From the cookie, by `sidebarCollapsed()`. */
  collapsed?: boolean;
  rows: readonly SidebarRow[];
  /** null where there is no page of tasks */
  openTasks: number | null;
  /** where the search may lead; null without it */
  linkTo: LinkTo | null;
  children: ReactNode;
}

/** The admin layout: the dark green sidebar that folds to icons, the top bar, the content. */
export function AdminShell({
  viewer,
  brand,
  unread,
  collapsed: atFirst = false,
  rows,
  openTasks,
  linkTo,
  children,
}: AdminShellProps) {
  const [collapsed, setCollapsed] = useState(atFirst);
  const [help, setHelp] = useState(false);
  const toggle = () => {
    setCollapsed(!collapsed);
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
    document.cookie = sidebarCookie(!collapsed);
  };
  useSidebarKey(toggle);
  return (
    <>
      <SkipLink />
      <div className="office" data-collapsed={collapsed || undefined}>
        <Sidebar
          id="admin-side"
          label="Admin"
          rows={rows}
          collapsed={collapsed}
          header={<BrandLink brand={brand} to={paths.adminDashboard()} />}
          footer={<SideFoot email={viewer.email} collapsed={collapsed} />}
        />
        <div className="office-room">
          <header className="topline">
            <div>
              <button
                type="button"
                className="side-open iconbtn"
                popoverTarget="admin-side"
                aria-label="Open menu"
              >
                <Icon of={PanelLeft} />
              </button>
              <IconButton
                className="side-toggle needs-js"
                icon={PanelLeft}
                label="Toggle sidebar"
                aria-pressed={collapsed}
                aria-keyshortcuts="Control+B Meta+B"
                onClick={toggle}
              />
              {linkTo && <OfficeSearch linkTo={linkTo} />}
            </div>
            <div>
              <IconButton
                className="needs-js hide-s"
                icon={Keyboard}
                label="Keyboard shortcuts"
                onClick={() => setHelp(true)}
              />
              <ThemeToggle />
              {openTasks !== null && <TaskBell open={openTasks} />}
              <Bell role={viewer.role} unread={unread} />
              <AccountMenu viewer={viewer} />
            </div>
          </header>
          <main id="main" className="area-main" tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <KeyboardHelp open={help} onClose={() => setHelp(false)} />
    </>
  );
}

/** Toggles the sidebar on Ctrl+B or ⌘B, except in text fields. */
function useSidebarKey(toggle: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'b' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      if (isEditable(event.target)) return;
      event.preventDefault();
      toggle();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Who is signed in, the theme switch, the link to the public site and logout. */
function SideFoot({ email, collapsed }: { email: string; collapsed: boolean }) {
  return (
    <div className="side-foot">
      <p className="side-mail">{email}</p>
      <Tooltip text="Switch theme" side="right" off={!collapsed}>
        <ThemeRow className="side-row" />
      </Tooltip>
      <Tooltip text="View site" side="right" off={!collapsed}>
        <Link to={paths.home()} className="side-row">
          <Icon of={ExternalLink} />
          <span className="side-word">View site</span>
        </Link>
      </Tooltip>
      <LogoutForm>
        <Tooltip text="Logout" side="right" off={!collapsed}>
          <button type="submit" className="side-row">
            <Icon of={LogOut} />
            <span className="side-word">Logout</span>
          </button>
        </Tooltip>
      </LogoutForm>
    </div>
  );
}
