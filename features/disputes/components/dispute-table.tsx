import { Link } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { DisputeLine } from '../reads.ts';

const answers: Record<NonNullable<DisputeLine['answer']>, { tone: Tone; label: string }> = {
  pending: { tone: 'info', label: 'Being sent' },
  submitted: { tone: 'ok', label: 'Answered' },
  refused: { tone: 'bad', label: 'Not accepted' },
  conceded: { tone: 'mute', label: 'Conceded' },
};

interface Props {
  /** null when they could not be loaded */
  disputes: readonly DisputeLine[] | null;
  /** where a sale is decided; undefined while there is no such page */
  saleHref: (saleId: string) => string | undefined;
}

/** Open disputes, the next deadline first. */
export function DisputeTable({ disputes, saleHref }: Props) {
  const retry = useRetry();
  const columns: Column<DisputeLine>[] = [
    {
      id: 'sale',
      header: 'Sale',
      cell: ({ saleId, address }) => {
        const href = saleHref(saleId);
        return href ? (
          <Link className="strong" to={href}>
            {address}
          </Link>
        ) : (
          <span className="strong">{address}</span>
        );
      },
    },
    { id: 'kind', header: 'Kind', cell: ({ kind }) => (kind === 'inquiry' ? 'Inquiry' : 'Chargeback') },
    { id: 'reason', header: 'Reason', cell: ({ reason }) => reasonText(reason) },
    { id: 'amount', header: 'Amount', right: true, cell: ({ amountCents }) => dollarsAndCents(amountCents) },
    {
      id: 'answer',
      header: 'Answer',
      cell: ({ answer, evidenceDueAt }) => {
        if (answer !== null) return <Badge tone={answers[answer].tone}>{answers[answer].label}</Badge>;
        return evidenceDueAt === null ? (
          <Badge tone="mute">Not accepted</Badge>
        ) : (
          <Badge tone="warn">Not answered</Badge>
        );
      },
    },
    {
      id: 'due',
      header: 'Deadline',
      cell: ({ evidenceDueAt }) => (evidenceDueAt ? <LocalTime of={evidenceDueAt} as="exact" /> : '—'),
    },
    { id: 'opened', header: 'Opened', cell: ({ openedAt }) => <TimeAgo of={openedAt} /> },
  ];
  return (
    <Table
      label="Disputes"
      columns={columns}
      rows={disputes ?? []}
      rowKey={({ id }) => id}
      loading="Loading disputes..."
      empty="No bank disputes a payment."
      error={disputes === null ? { title: 'The disputes could not be loaded.', ...retry } : null}
    />
  );
}

/** 'product_not_received' → 'Product not received' */
function reasonText(reason: string): string {
  const words = reason.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
