import { dollarsAndCents } from '#platform/money.ts';
import './sales-table.css';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { CursorPagination } from '#ui/cursor-pagination.tsx';
import { ExternalLink, ReceiptText } from '#ui/detail-glyphs.ts';
import { Icon, type IconDrawing } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import type { OwnSale, OwnSalesPage } from '../model.ts';
import {
  escrowLabel,
  escrowTone,
  NO_RECEIPT_YET,
  paymentLabel,
  paymentMethodNames,
  paymentTone,
} from '../rules.ts';
import { TestModeMark } from './test-mode-mark.tsx';

const columns: readonly Column<OwnSale>[] = [
  { id: 'date', header: 'Date', cell: ({ date }) => <LocalTime of={date} as="date" /> },
  {
    id: 'property',
    header: 'Property',
    lead: true,
    cell: ({ id, property, testMode }) => (
      <>
        <Link className="strong" to={purchasePaths.buyerSale(id)}>
          {property.address}
        </Link>
        <TestModeMark testMode={testMode} />
      </>
    ),
  },
  { id: 'amount', header: 'Amount', right: true, cell: ({ amountCents }) => dollarsAndCents(amountCents) },
  {
    id: 'payment',
    header: 'Payment Status',
    cell: ({ state }) => <Badge tone={paymentTone[state.payment]}>{paymentLabel[state.payment]}</Badge>,
  },
  {
    id: 'escrow',
    header: 'Escrow Status',
    cell: ({ state }) => <Badge tone={escrowTone[state.escrow]}>{escrowLabel[state.escrow]}</Badge>,
  },
  { id: 'method', header: 'Payment Method', cell: ({ method }) => paymentMethodNames[method] },
  { id: 'actions', header: 'Actions', right: true, cell: (sale) => <Actions sale={sale} /> },
];

interface Props {
  /** undefined while loading */
  sales: OwnSalesPage | undefined;
  /** true when the newest are not shown */
  older: boolean;
}

/** A buyer's purchases, including failed ones. A row opens the page of its sale. */
export function OwnSales({ sales, older }: Props) {
  const navigate = useNavigate();
  const tab = 'transactions';

  function openRow({ target }: MouseEvent) {
    if (!(target instanceof Element) || target.closest('a, button')) return;
    const marked = getSelection()?.toString();
    const link = target.closest('tr')?.querySelector('a.strong');
    if (link && !marked) void navigate(link.getAttribute('href') ?? '');
  }
  return (
    // biome-ignore lint/a11y: the row's own link does the same by keyboard
    <div className="panel own-sales" onClick={openRow}>
      <Table
        label="Transactions"
        columns={columns}
        rows={sales?.rows}
        rowKey={({ id }) => id}
        loading="Loading transactions..."
        empty="No transactions found"
        error={null}
      />
      <CursorPagination
        older={sales?.before ? paths.buyerActivity({ tab, before: sales.before }) : null}
        newest={older ? paths.buyerActivity({ tab }) : null}
      />
    </div>
  );
}

function Actions({ sale: { id, property, state, receiptReady } }: { sale: OwnSale }) {
  const { address } = property;
  return (
    <div className="rowacts">
      {state.payment === 'failed' && property.canOpen && (
        <ButtonLink to={paths.property(property.id)} variant="ghost" size="sm">
          Try again<span className="vh"> to buy {address}</span>
        </ButtonLink>
      )}
      <ButtonLink to={purchasePaths.buyerSale(id)} variant="ghost" size="sm">
        View Details<span className="vh"> of {address}</span>
      </ButtonLink>
      <NewTabLink
        icon={ExternalLink}
        href={property.canOpen ? paths.property(property.id) : null}
        label="Open property in a new tab"
        unavailableLabel="Property no longer available"
        address={address}
      />
      <NewTabLink
        icon={ReceiptText}
        href={receiptReady ? purchasePaths.receipt(id) : null}
        label="Open receipt in a new tab"
        unavailableLabel={NO_RECEIPT_YET}
        address={address}
      />
    </div>
  );
}

interface NewTabLinkProps {
  icon: IconDrawing;
  /** null: there is nothing to open */
  href: string | null;
  label: string;
  /** the tooltip when there is nothing to open */
  unavailableLabel: string;
  address: string;
}

/** An icon that opens a page in a new tab, or tells why it cannot. */
function NewTabLink({ icon, href, label, unavailableLabel, address }: NewTabLinkProps) {
  if (href === null)
    return (
      <Tooltip text={unavailableLabel}>
        <button
          type="button"
          className="iconbtn iconbtn-sm"
          aria-disabled="true"
          aria-label={`${unavailableLabel}: ${address}`}
        >
          <Icon of={icon} />
        </button>
      </Tooltip>
    );
  return (
    <Tooltip text={label}>
      <a
        className="iconbtn iconbtn-sm"
        href={href}
        target="_blank"
        rel="noopener"
        aria-label={`${label}: ${address}`}
      >
        <Icon of={icon} />
      </a>
    </Tooltip>
  );
}
