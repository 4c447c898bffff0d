import { CirclePlus, House, LayoutDashboard, MessagesSquare, ReceiptText, Wallet } from 'lucide-react';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import type { SidebarRow } from '#ui/sidebar.tsx';

/** The six rows of the seller's sidebar, with the number of pending inquiries. */
export const sellerRows = (pending: number): SidebarRow[] => [
  { href: paths.sellerDashboard(), label: 'Dashboard', icon: LayoutDashboard },
  { href: sellerPaths.properties(), also: [sellerPaths.imports()], label: 'My Properties', icon: House },
  { href: sellerPaths.addProperty(), label: 'Add Property', icon: CirclePlus },
  {
    href: sellerPaths.transactions(),
    also: [sellerPaths.statements(), '/agent/sales'],
    label: 'My Transactions',
    icon: ReceiptText,
  },
  {
    href: paths.sellerInquiries(),
    also: [tourPaths.ofSeller(), sellerPaths.quickReplies()],
    label: 'Inquiries',
    icon: MessagesSquare,
    count: pending,
    countLabel: `${pending} pending`,
  },
  { href: sellerPaths.settings(), label: 'Payment Settings', icon: Wallet },
];
