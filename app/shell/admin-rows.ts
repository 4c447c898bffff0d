import {
  ArrowLeftRight,
  Blocks,
  ChartNoAxesColumn,
  CreditCard,
  FileText,
  House,
  LayoutDashboard,
  MessagesSquare,
  PanelsTopLeft,
  Shapes,
  ShieldCheck,
  Users,
} from 'lucide-react';
import type { SidebarRow } from '#ui/sidebar.tsx';

/** The twelve sidebar rows of the admin area. */
export const adminRows: readonly SidebarRow[] = [
  { href: '/admin/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { href: '/admin/agents', label: 'Sellers', icon: Users },
  { href: '/admin/properties', label: 'Properties', icon: House },
  { href: '/admin/property-types', label: 'Property Types', icon: Shapes },
  { href: '/admin/transactions', label: 'Transactions', icon: ArrowLeftRight },
  { href: '/admin/payment-settings', label: 'Payment Settings', icon: CreditCard },
  { href: '/admin/documents', label: 'Documents', icon: FileText },
  { href: '/admin/blockchain', label: 'Blockchain', icon: Blocks },
  { href: '/admin/inquiries', label: 'Inquiries', icon: MessagesSquare },
  { href: '/admin/reports', label: 'Reports', icon: ChartNoAxesColumn },
  { href: '/admin/homepage', label: 'Homepage Editor', icon: PanelsTopLeft },
  { href: '/admin/admins', label: 'Admins', icon: ShieldCheck },
];
