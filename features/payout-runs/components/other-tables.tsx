import './payouts.css';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { type Column, Table } from '#ui/table.tsx';
import type { FailedPayout, ManualPayout, Page } from '../model.ts';
import { CONFIRM_PAYOUT, FAIL_PAYOUT, RECORD_REFERENCE, RETRY_PAYOUT } from './payout-dialogs.tsx';
import { PayoutProperty } from './payout-property.tsx';

type DialogHref = (dialog: string, id: string) => string;

interface Props<Row> {
  list: Page<Row>;
  dialogHref: DialogHref;
  href: (page: number) => string;
}

/** Payouts that did not arrive, with why. Renders nothing while there are none. */
export function FailedPayouts({ list, dialogHref, href }: Props<FailedPayout>) {
  if (list.rows.length === 0) return null;
  const columns: Column<FailedPayout>[] = [
    { id: 'seller', header: 'Seller', cell: ({ seller }) => <b>{seller.name}</b> },
    { id: 'property', header: 'Property', cell: PayoutProperty },
    {
      id: 'amount',
      header: 'Commission',
      right: true,
      className: 'money',
      cell: ({ amountCents }) => dollarsAndCents(amountCents),
    },
    { id: 'why', header: 'Reason', className: 'whitespace-normal!', cell: ({ failure }) => failure ?? '-' },
    {
      id: 'failed',
      header: 'Failed',
      right: true,
      cell: ({ failedAt }) => (failedAt ? <LocalTime of={failedAt} as="date" /> : '-'),
    },
    {
      id: 'actions',
      header: 'Actions',
      cell: ({ saleId, seller }) => (
        <ButtonLink size="sm" variant="outline" to={dialogHref(RETRY_PAYOUT, saleId)} preventScrollReset>
          Retry<span className="vh"> the payout to {seller.name}</span>
        </ButtonLink>
      ),
    },
  ];
  return (
    <section className="payouts-other" aria-label="Failed payouts">
      <h3>Failed payouts</h3>
      <Table
        label="Failed payouts"
        columns={columns}
        rows={list.rows}
        rowKey={({ saleId }) => saleId}
        loading="Loading payouts..."
        empty=""
        error={null}
        dense
      />
      <Pagination
        page={list.page}
        pages={list.pages}
        href={href}
        label="Pages of failed payouts"
        keepsScroll
      />
    </section>
  );
}

const withheldTexts: Record<NonNullable<ManualPayout['withheld']>, string> = {
  frozen: 'The sale is frozen.',
  disputed: 'The payment is disputed.',
  refund_running: 'A refund is on its way to the buyer.',
  suspended: 'The seller is suspended.',
  owes: 'The seller owes money for this sale.',
};

/** Payouts that administrators make from their bank, and those confirmed lately, which may come back. Renders nothing while there are none. */
export function ManualPayouts({
  list,
  viewerId,
  dialogHref,
  href,
}: Props<ManualPayout> & { viewerId: string | null }) {
  if (list.rows.length === 0) return null;
  const columns: Column<ManualPayout>[] = [
    { id: 'seller', header: 'Seller', cell: ({ seller }) => <b>{seller.name}</b> },
    { id: 'property', header: 'Property', cell: PayoutProperty },
    {
      id: 'amount',
      header: 'Commission',
      right: true,
      className: 'money',
      cell: ({ amountCents }) => dollarsAndCents(amountCents),
    },
    {
      id: 'reference',
      header: 'Bank reference',
      className: 'whitespace-normal!',
      cell: ({ reference, withheld }) =>
        withheld ? (
          <>
            <Badge tone="warn">Do not pay yet</Badge> {withheldTexts[withheld]}
          </>
        ) : (
          (reference ?? 'Not entered')
        ),
    },
    {
      id: 'recorded',
      header: 'Entered by',
      cell: ({ recordedBy }) => recordedBy?.name ?? '-',
    },
    {
      id: 'started',
      header: 'Started',
      right: true,
      cell: ({ startedAt }) => <LocalTime of={startedAt} as="date" />,
    },
    {
      id: 'confirmed',
      header: 'Confirmed',
      right: true,
      cell: ({ confirmedAt }) => (confirmedAt ? <LocalTime of={confirmedAt} as="date" /> : 'Not yet'),
    },
    {
      id: 'actions',
      header: 'Actions',
      cell: ({ payoutId, reference, recordedBy, seller, confirmedAt }) =>
        confirmedAt ? (
          <div className="rowacts">
            <ButtonLink size="sm" variant="ghost" to={dialogHref(FAIL_PAYOUT, payoutId)} preventScrollReset>
              Came back<span className="vh">: the payout to {seller.name}</span>
            </ButtonLink>
          </div>
        ) : (
          <div className="rowacts">
            {reference && recordedBy && recordedBy.id !== viewerId && (
              <ButtonLink size="sm" to={dialogHref(CONFIRM_PAYOUT, payoutId)} preventScrollReset>
                Confirm<span className="vh"> the payout to {seller.name}</span>
              </ButtonLink>
            )}
            <ButtonLink
              size="sm"
              variant="outline"
              to={dialogHref(RECORD_REFERENCE, payoutId)}
              preventScrollReset
            >
              {reference ? 'Change reference' : 'Enter reference'}
              <span className="vh"> of the payout to {seller.name}</span>
            </ButtonLink>
            <ButtonLink size="sm" variant="ghost" to={dialogHref(FAIL_PAYOUT, payoutId)} preventScrollReset>
              Not made<span className="vh">: the payout to {seller.name}</span>
            </ButtonLink>
          </div>
        ),
    },
  ];
  return (
    <section className="payouts-other" aria-label="Payouts by hand">
      <h3>Payouts by hand</h3>
      <Table
        label="Payouts by hand"
        columns={columns}
        rows={list.rows}
        rowKey={({ payoutId }) => payoutId}
        loading="Loading payouts..."
        empty=""
        error={null}
        dense
      />
      <Pagination
        page={list.page}
        pages={list.pages}
        href={href}
        label="Pages of payouts by hand"
        keepsScroll
      />
    </section>
  );
}
