import './oversight.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type Column, Table } from '#ui/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { useRetry } from '#ui/use-retry.ts';
import { decisionBadges } from '../display.ts';
import { type ReportDecision, type ReportedConversation, reportDecisions } from '../oversight-model.ts';

interface Props {
  state: 'open' | 'decided';
  /** null when loading failed */
  rows: readonly ReportedConversation[] | null;
  /** the URL that opens the messages of an inquiry */
  messagesHref: (inquiryId: string) => string;
  /** the URL that asks for a decision about a report */
  decideHref: (reportId: string, decision: ReportDecision) => string;
}

export const decisionLabels: Record<ReportDecision, string> = {
  warned: 'Warn',
  suspended: 'Suspend',
  closed: 'Close',
};

const shared: readonly Column<ReportedConversation>[] = [
  {
    id: 'property',
    header: 'Property',
    cell: ({ property }) => (
      <span className="cell-words">
        <b>{property.address}</b>
        <small className="subtle block">{property.town}</small>
      </span>
    ),
  },
  { id: 'about', header: 'About', cell: ({ reported }) => person(reported) },
  { id: 'reporter', header: 'Reported By', cell: ({ reporter }) => person(reporter) },
  {
    id: 'reason',
    header: 'Reason',
    className: 'clip',
    cell: ({ reason }) => (
      <span className="one-line" title={reason}>
        {reason}
      </span>
    ),
  },
];

const person = ({ name, side }: ReportedConversation['reporter']): ReactNode => (
  <>
    {name}
    <small className="subtle block">{side === 'buyer' ? 'Buyer' : 'Seller'}</small>
  </>
);

/** Reported conversations: what waits for a decision, or what was decided. */
export function ReportTable({ state, rows, messagesHref, decideHref }: Props) {
  const retry = useRetry();
  const view = ({ inquiryId, property }: ReportedConversation) => (
    <Link
      className="btn btn-outline btn-sm"
      to={messagesHref(inquiryId)}
      aria-label={`View Messages: ${property.address}`}
      preventScrollReset
    >
      View Messages
    </Link>
  );
  const own: readonly Column<ReportedConversation>[] =
    state === 'open'
      ? [
          { id: 'at', header: 'Reported', cell: ({ at }) => <TimeAgo of={at} /> },
          {
            id: 'actions',
            header: 'Actions',
            right: true,
            cell: (report) => (
              <span className="rowacts flex-wrap">
                {view(report)}
                {reportDecisions.map((decision) => (
                  <Link
                    key={decision}
                    className="btn btn-ghost btn-sm"
                    to={decideHref(report.id, decision)}
                    aria-label={`${decisionLabels[decision]}: ${report.reported.name}`}
                    preventScrollReset
                  >
                    {decisionLabels[decision]}
                  </Link>
                ))}
              </span>
            ),
          },
        ]
      : [
          { id: 'decision', header: 'Decision', cell: decisionOf },
          { id: 'actions', header: 'Actions', right: true, cell: view },
        ];
  return (
    <Table
      label="Reported conversations"
      columns={[...shared, ...own]}
      rows={rows ?? undefined}
      rowKey={({ id }) => id}
      loading="Loading reports…"
      empty={state === 'open' ? 'No report is waiting for a decision.' : 'No report has been decided yet.'}
      error={rows === null ? { title: 'The reports could not be loaded.', ...retry } : null}
    />
  );
}

const decisionOf = ({ decided }: ReportedConversation): ReactNode =>
  decided && (
    <span title={decided.note ?? undefined}>
      <Badge tone={decisionBadges[decided.decision].tone}>{decisionBadges[decided.decision].label}</Badge>
      <small className="subtle block">
        {decided.by}, <LocalTime of={decided.at} as="date" />
      </small>
    </span>
  );
