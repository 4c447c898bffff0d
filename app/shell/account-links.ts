import type { UnreadCounts } from '#features/bell/model.ts';
import { paths } from '#routing/paths.ts';
import type { ShellLink, Viewer } from './viewer.ts';

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

/** What everybody can do with an account, whatever its role: the pages of it. */
export const activityLinks = (role: Viewer['role']): readonly ShellLink[] => [
  { href: paths.activity(role, { tab: 'watched' }), label: 'Watched Properties' },
  { href: paths.savedSearchList(role), label: 'Saved Searches' },
];

/** Where the bell leads without scripts: to the messages if there are any, else to all notifications. */
export function bellHref(role: Viewer['role'], { inquiries, messages }: UnreadCounts): string {
  if (inquiries > 0 || (role === 'agent' && messages === 0)) return paths.sellerInquiries();
  return paths.activity(role, messages > 0 ? { tab: 'inquiries' } : {});
}
