import { Clock, HandCoins, House, Star, Users } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '#ui/badge.tsx';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { BulkBar } from '#ui/bulk-bar.tsx';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Sort } from '#ui/sortable-header.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { GallerySection } from './gallery-section.tsx';
import { illustrationUrl, type SampleRow, sampleRows } from './samples.ts';

const tones = { Active: 'ok', 'In Escrow': 'mute', Pending: 'warn' } as const;
const dollars = (amount: number) => `$${amount.toLocaleString('en-US')}`;

export const listingColumns: readonly Column<SampleRow>[] = [
  {
    id: 'address',
    header: 'Address',
    sortable: true,
    lead: true,
    cell: (row) => (
      <a className="cell" href="#main">
        <img src={illustrationUrl(row.kind, row.hash)} alt="" width="54" height="36" loading="lazy" />
        <span>
          <b>{row.address}</b>
          <small>{row.town}</small>
        </span>
      </a>
    ),
  },
  {
    id: 'price',
    header: 'Price',
    right: true,
    sortable: true,
    className: 'money',
    cell: (row) => dollars(row.price),
  },
  { id: 'status', header: 'Status', cell: (row) => <Badge tone={tones[row.status]}>{row.status}</Badge> },
  { id: 'days', header: 'Days Listed', right: true, sortable: true, cell: (row) => row.days },
  { id: 'views', header: 'Views', right: true, cell: (row) => row.views },
];

export function Lists() {
  const [tab, setTab] = useState('inquiries');
  return (
    <GallerySection title="Tabs, figures and tables">
      <Breadcrumbs ancestors={[{ href: '/dev/ui', label: 'Dashboard' }]} current="Reports" />
      <div className="mt-4">
        <Tabs
          label="My Activity"
          current={tab}
          onSelect={setTab}
          tabs={[
            { id: 'viewed', label: 'Recently Viewed' },
            { id: 'watched', label: 'Watched Properties' },
            { id: 'inquiries', label: 'My Inquiries', count: 3, countLabel: '3 unread' },
            { id: 'notifications', label: 'Notifications' },
            { id: 'transactions', label: 'Transactions' },
          ]}
        >
          <StatStrip
            stats={[
              { label: 'Total Sellers', value: '38', icon: Users, href: '#main' },
              { label: 'Active Listings', value: '4', icon: House },
              { label: 'Total Commission Earned', value: '$186,420.00', icon: HandCoins },
              { label: 'Featured Properties', value: '5', of: '/5', icon: Star },
            ]}
          />
        </Tabs>
      </div>
      <Sortable />
      <OtherTables />
      <Pagination page={5} pages={12} href={(page) => `?page=${page}`} />
    </GallerySection>
  );
}

function Sortable() {
  const [sort, setSort] = useState<Sort | null>({ column: 'price', direction: 'descending' });
  const [chosen, setChosen] = useState<readonly string[]>(['1', '2']);
  const flip = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const all = chosen.length === sampleRows.length;
  const check: Column<SampleRow> = {
    id: 'check',
    className: 'tbl-check',
    header: (
      <Checkbox
        aria-label="Select all"
        checked={all}
        indeterminate={chosen.length > 0 && !all}
        onChange={() => setChosen(all ? [] : sampleRows.map((row) => row.id))}
      />
    ),
    cell: (row) => (
      <Checkbox
        aria-label={`Select ${row.address}`}
        checked={chosen.includes(row.id)}
        onChange={() => flip(row.id)}
      />
    ),
  };
  return (
    <Panel title="All Properties">
      <BulkBar
        count={chosen.length}
        sum={dollars(
          sampleRows.filter((row) => chosen.includes(row.id)).reduce((sum, row) => sum + row.price, 0),
        )}
        onClear={() => setChosen([])}
        action={<Button>Process Selected Payouts</Button>}
      />
      <Table
        label="All Properties"
        columns={[check, ...listingColumns]}
        rows={sorted(sort)}
        rowKey={(row) => row.id}
        selected={(row) => chosen.includes(row.id)}
        sort={sort}
        onSort={setSort}
        loading="Loading properties..."
        empty="No properties found."
        error={null}
      />
    </Panel>
  );
}

function sorted(sort: Sort | null): readonly SampleRow[] {
  if (!sort) return sampleRows;
  const sign = sort.direction === 'ascending' ? 1 : -1;
  const value = (row: SampleRow) =>
    sort.column === 'price' ? row.price : sort.column === 'days' ? row.days : row.address;
  return [...sampleRows].sort((a, b) => (value(a) < value(b) ? -sign : sign));
}

function OtherTables() {
  const shared = {
    columns: listingColumns,
    rowKey: (row: SampleRow) => row.id,
    loading: 'Loading properties...',
    empty: 'No properties found. Add your first property to get started.',
    error: null,
  };
  return (
    <div className="g2 mt-8">
      <Panel title="Loading" className="mt-0!">
        <Table {...shared} label="Loading" rows={undefined} />
      </Panel>
      <Panel title="Empty" className="mt-0!">
        <Table {...shared} label="Empty" rows={[]} />
      </Panel>
      <Panel title="Failed" className="mt-0!">
        <Table
          {...shared}
          label="Failed"
          rows={undefined}
          error={{ title: 'Error loading payouts', detail: 'Connection refused', onRetry: () => undefined }}
        />
      </Panel>
      <Panel title="Dense" className="mt-0!" actions={<Badge tone="info">Live</Badge>}>
        <Table {...shared} label="Dense" rows={sampleRows.slice(0, 2)} dense />
      </Panel>
    </div>
  );
}

export const sellerStats = [
  { label: 'Active Listings', value: '4', icon: House },
  { label: 'Total Commission Earned', value: '$186,420.00', icon: HandCoins },
  { label: 'Pending Payouts', value: '$42,760.50', icon: Clock },
];
