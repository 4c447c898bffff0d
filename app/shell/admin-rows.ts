import {
  ArrowLeftRight,
  Blocks,
  ChartNoAxesColumn,
  ContactRound,
  CreditCard,
  FileText,
  FileUp,
  History,
  House,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  MessagesSquare,
  PanelsTopLeft,
  Scale,
  ServerCog,
  Settings,
  Shapes,
  ShieldCheck,
  Users,
} from 'lucide-react';
import type { WaitingWork } from '#features/overview/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { cappedCount as shown } from '#ui/pill.tsx';
import type { SidebarRow } from '#ui/sidebar.tsx';

/** The rows of the admin area's sidebar, with what waits in each: what the marketplace consists of, and below a divider what its operators work with. */
export const adminRows = ({ approvals, tasks, reports }: WaitingWork): SidebarRow[] => [
  { href: adminPaths.dashboard(), label: 'Dashboard', icon: LayoutDashboard },
  { href: adminPaths.sellers(), label: 'Sellers', icon: Users },
  {
    href: adminPaths.properties(),
    also: [adminPaths.ownership()],
    label: 'Properties',
    icon: House,
    count: approvals,
    countLabel: `${shown(approvals)} pending approval`,
  },
  { href: adminPaths.propertyTypes(), label: 'Property Types', icon: Shapes },
  { href: adminPaths.transactions(), label: 'Transactions', icon: ArrowLeftRight },
  { href: adminPaths.paymentSettings(), label: 'Payment Settings', icon: CreditCard },
  { href: adminPaths.documents(), label: 'Documents', icon: FileText },
  { href: adminPaths.blockchain(), label: 'Blockchain', icon: Blocks },
  {
    href: adminPaths.inquiries(),
    label: 'Inquiries',
    icon: MessagesSquare,
    count: reports,
    countLabel: `${shown(reports)} reported`,
  },
  { href: adminPaths.reports(), label: 'Reports', icon: ChartNoAxesColumn },
  { href: adminPaths.homepage(), label: 'Homepage Editor', icon: PanelsTopLeft },
  { href: adminPaths.admins(), label: 'Admins', icon: ShieldCheck },
  { href: adminPaths.buyers(), label: 'Buyers', icon: ContactRound, below: true },
  {
    href: adminPaths.tasks(),
    label: 'Tasks',
    icon: ListChecks,
    count: tasks,
    countLabel: `${shown(tasks)} open`,
    below: true,
  },
  { href: adminPaths.imports(), label: 'Import', icon: FileUp, below: true },
  { href: adminPaths.reconciliation(), label: 'Reconciliation', icon: Scale, below: true },
  { href: adminPaths.operations(), label: 'Operations', icon: ServerCog, below: true },
  { href: adminPaths.apiKeys(), label: 'API Keys', icon: KeyRound, below: true },
  { href: adminPaths.history(), label: 'History', icon: History, below: true },
  { href: adminPaths.settings(), label: 'Settings', icon: Settings, below: true },
];

/** Nothing waits, or it could not be read. */
export const NO_WORK: WaitingWork = { approvals: 0, tasks: 0, reports: 0 };
