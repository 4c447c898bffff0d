import { LogOut, PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '#ui/icon.tsx';
import { Sidebar, type SidebarRow } from '#ui/sidebar.tsx';
import { LogoutForm } from './logout-form.tsx';
import { sellerRows } from './seller-rows.ts';
import { SkipLink } from './skip-link.tsx';
import { TopNavigation } from './top-navigation.tsx';
import type { ShellProps } from './viewer.ts';

interface SellerShellProps extends ShellProps {
  /** Overrides the six rows; empty where the page is refused. */
  rows?: readonly SidebarRow[] | undefined;
  children: ReactNode;
}

/** The seller's layout: full-width top navigation, sidebar, content. On phones the sidebar is a sheet. */
export function SellerShell({ children, rows, ...shell }: SellerShellProps) {
  return (
    <>
      <SkipLink />
      <TopNavigation {...shell} full />
      <div className="shell">
        <Sidebar
          id="seller-side"
          label="Seller"
          rows={rows ?? sellerRows(shell.unread.inquiries)}
          footer={
            <div className="side-only-s side-foot">
              <LogoutForm>
                <button type="submit" className="side-row">
                  <Icon of={LogOut} />
                  Logout
                </button>
              </LogoutForm>
            </div>
          }
        />
        <main id="main" className="area-main" tabIndex={-1}>
          <button type="button" className="side-open btn btn-outline btn-sm" popoverTarget="seller-side">
            <Icon of={PanelLeft} size={16} />
            Seller menu
          </button>
          {children}
        </main>
      </div>
    </>
  );
}
