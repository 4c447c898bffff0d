import './own-sales.css';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths } from '#app/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { ExternalLink, ReceiptText } from '#ui/detail-glyphs.ts';
import { Icon, type IconDrawing } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { OlderLinks } from '#ui/older-links.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { Tooltip } from '#ui/tooltip.tsx';
import type { OwnSale, OwnSalesPage } from '../model.ts';
import {
  dollarsAndCents,
  escrowLabel,
  escrowTone,
  NO_RECEIPT_YET,
  paymentLabel,
  paymentTone,
  railNames,
} from '../rules.ts';

const columns: readonly Column<OwnSale>[] = [
  { id: 'date', head: 'Date', cell: ({ date }) => <LocalTime of={date} as="date" /> },
  {
    id: 'property',
    head: 'Property',
    cell: ({ id, property }) => (
      <Link className="strong" to={paths.buyerSale(id)}>
        {property.address}
      </Link>
    ),
  },
  { id: 'amount', head: 'Amount', right: true, cell: ({ amountCents }) => dollarsAndCents(amountCents) },
  {
    id: 'payment',
    head: 'Payment Status',
    cell: ({ state }) => <Badge tone={paymentTone[state.payment]}>{paymentLabel[state.payment]}</Badge>,
  },
  {
    id: 'escrow',
    head: 'Escrow Status',
    cell: ({ state }) => <Badge tone={escrowTone[state.escrow]}>{escrowLabel[state.escrow]}</Badge>,
  },
  { id: 'method', head: 'Payment Method', cell: ({ method }) => railNames[method] },
  { id: 'actions', head: 'Actions', right: true, cell: (sale) => <Actions sale={sale} /> },
];

interface Props {
  /** undefined while they are on their way */
  sales: OwnSalesPage | undefined;
  /** true when the newest are not shown */
  older: boolean;
}

/** What somebody has bought, or tried to (S0 §2). A row opens the timeline of its sale. */
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
      <OlderLinks
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
      <ButtonLink to={paths.buyerSale(id)} variant="ghost" size="sm">
        View details<span className="vh"> of {address}</span>
      </ButtonLink>
      <NewTab
        icon={ExternalLink}
        href={property.canOpen ? paths.property(property.id) : null}
        words="Open property in a new tab"
        otherwise="Property no longer available"
        address={address}
      />
      <NewTab
        icon={ReceiptText}
        href={receiptReady ? paths.receipt(id) : null}
        words="Open receipt in a new tab"
        otherwise={NO_RECEIPT_YET}
        address={address}
      />
    </div>
  );
}

interface NewTabProps {
  icon: IconDrawing;
  /** null: there is nothing to open */
  href: string | null;
  words: string;
  /** why there is not */
  otherwise: string;
  address: string;
}

/** An icon that opens a page beside this one, or tells why it cannot. */
function NewTab({ icon, href, words, otherwise, address }: NewTabProps) {
  if (href === null)
    return (
      <Tooltip text={otherwise}>
        <button
          type="button"
          className="iconbtn iconbtn-sm"
          aria-disabled="true"
          aria-label={`${otherwise}: ${address}`}
        >
          <Icon of={icon} />
        </button>
      </Tooltip>
    );
  return (
    <Tooltip text={words}>
      <a
        className="iconbtn iconbtn-sm"
        href={href}
        target="_blank"
        rel="noopener"
        aria-label={`${words}: ${address}`}
      >
        <Icon of={icon} />
      </a>
    </Tooltip>
  );
}
