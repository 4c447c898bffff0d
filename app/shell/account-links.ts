import { paths } from '#routing/paths.ts';
import type { Viewer } from './viewer.ts';

interface ShellLink {
  href: string;
  label: string;
}

/** The sign-in and sign-up links of the logged-out menu and the footer. */
export const loginLinks: readonly ShellLink[] = [
  { href: paths.buyerLogin(), label: 'Buyer Login' },
  { href: paths.buyerSignup(), label: 'Create Buyer Account' },
  { href: paths.sellerLogin(), label: 'Seller Login' },
  { href: paths.adminLogin(), label: 'Admin Login' },
];

/** The page that the account menu leads to; by role, because other roles would be redirected. */
export function accountHome(role: Viewer['role']): ShellLink {
  if (role === 'agent') return { href: paths.sellerDashboard(), label: 'Seller Dashboard' };
  if (role === 'admin') return { href: paths.adminDashboard(), label: 'Admin Dashboard' };
  return { href: paths.buyerActivity(), label: 'My Activity' };
}

/** The settings of every account. */
export const accountSettings: ShellLink = { href: paths.account(), label: 'Account settings' };

/** Where the bell leads; administrators have none. */
export function bellHref(role: Viewer['role'], unread: number): string | null {
  if (role === 'buyer') return paths.buyerActivity(unread > 0 ? { tab: 'inquiries' } : {});
  return role === 'agent' ? paths.sellerInquiries() : null;
}
