import { CirclePlus, House, LayoutDashboard, MessagesSquare, ReceiptText, Wallet } from 'lucide-react';
import { paths } from '#app/paths.ts';
import type { SidebarRow } from '#ui/sidebar.tsx';

/** The six rows of the seller's sidebar (S0 §2), with the unread count on Inquiries. */
export const sellerRows = (unread: number): SidebarRow[] => [
  { href: paths.agentDashboard(), label: 'Dashboard', icon: LayoutDashboard },
  { href: paths.agentProperties(), label: 'My Properties', icon: House },
  { href: paths.agentAddProperty(), label: 'Add Property', icon: CirclePlus },
  { href: paths.agentTransactions(), label: 'My Transactions', icon: ReceiptText },
  { href: paths.agentInquiries(), label: 'Inquiries', icon: MessagesSquare, count: unread },
  { href: paths.agentSettings(), label: 'Payment Settings', icon: Wallet },
];
