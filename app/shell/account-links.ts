import { paths } from '#app/paths.ts';
import type { Viewer } from './viewer.ts';

interface ShellLink {
  href: string;
  label: string;
}

/** The ways in, as the logged-out menu and the footer show them (S0 §2). */
export const loginLinks: readonly ShellLink[] = [
  { href: paths.buyerLogin(), label: 'Buyer Login' },
  { href: paths.buyerSignup(), label: 'Create Buyer Account' },
  { href: paths.agentLogin(), label: 'Seller Login' },
  { href: paths.adminLogin(), label: 'Admin Login' },
];

/** The place of one's own that the account menu leads to; by role, because the others would bounce (B-016). */
export function ownPlace(role: Viewer['role']): ShellLink {
  if (role === 'agent') return { href: paths.agentDashboard(), label: 'Seller Dashboard' };
  if (role === 'admin') return { href: paths.adminDashboard(), label: 'Admin Dashboard' };
  return { href: paths.buyerActivity(), label: 'My Activity' };
}

/** Where the bell leads (B-017, B-018); administrators have none. */
export function bellHref(role: Viewer['role'], unread: number): string | null {
  if (role === 'buyer') return paths.buyerActivity(unread > 0 ? { tab: 'inquiries' } : {});
  return role === 'agent' ? paths.agentInquiries() : null;
}
