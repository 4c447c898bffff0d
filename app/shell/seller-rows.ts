import { CirclePlus, House, LayoutDashboard, MessagesSquare, ReceiptText, Wallet } from 'lucide-react';
import { paths } from '#routing/paths.ts';
import type { SidebarRow } from '#ui/sidebar.tsx';

/** The six rows of the seller's sidebar, with the number of pending inquiries. */
export const sellerRows = (pending: number): SidebarRow[] => [
  { href: paths.sellerDashboard(), label: 'Dashboard', icon: LayoutDashboard },
  { href: paths.sellerProperties(), label: 'My Properties', icon: House },
  { href: paths.sellerAddProperty(), label: 'Add Property', icon: CirclePlus },
  { href: paths.sellerTransactions(), label: 'My Transactions', icon: ReceiptText },
  {
    href: paths.sellerInquiries(),
    label: 'Inquiries',
    icon: MessagesSquare,
    count: pending,
    countLabel: `${pending} pending`,
  },
  { href: paths.sellerSettings(), label: 'Payment Settings', icon: Wallet },
];
