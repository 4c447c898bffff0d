import type { DisputeAnswer, DisputeView, EvidenceText } from '#features/disputes/views.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { DrawerHref } from './drawer-href.ts';

const statuses: Record<DisputeView['status'], { label: string; tone: Tone }> = {
  open: { label: 'Open', tone: 'warn' },
  won: { label: 'Won', tone: 'ok' },
  lost: { label: 'Lost', tone: 'bad' },
  withdrawn: { label: 'Withdrawn', tone: 'mute' },
};

const answers: Record<DisputeAnswer['state'], string> = {
  pending: 'Answered, being sent',
  submitted: 'Answered',
  refused: 'The provider did not accept the answer',
  conceded: 'Accepted: the payer is right',
};

interface Props {
  disputes: readonly DisputeView[];
  /** the viewer's own purchase */
  own: boolean;
  href: DrawerHref;
}

/** What the payer's bank disputes, until when it can be answered, and what was sent. */
export function SaleDisputes({ disputes, own, href }: Props) {
  return disputes.map((dispute) => {
    const { id, kind, reason, status, amountCents, feeCents, openedAt, closedAt, dueAt, answer } = dispute;
    const { label, tone } = statuses[status];
    return (
      <DrawerSection
        key={id}
        title={kind === 'inquiry' ? "Inquiry of the buyer's bank" : "Dispute of the buyer's bank"}
        note={<Badge tone={tone}>{label}</Badge>}
      >
        <DrawerFacts
          facts={[
            ['Reason', reason.replaceAll('_', ' ')],
            ['Amount', amountCents === null ? null : dollarsAndCents(amountCents)],
            ['Fee', feeCents > 0 ? dollarsAndCents(feeCents) : null],
            ['Opened', <LocalTime key="opened" of={openedAt} />],
            [
              'Answer due',
              status === 'open' && !answer && dueAt ? <LocalTime key="due" of={dueAt} as="exact" /> : null,
            ],
            ['Decided', closedAt && <LocalTime key="closed" of={closedAt} />],
          ]}
        />
        {answer && <Answer answer={answer} />}
        {dispute.open && !own && (
          <div className="sale-acts-inline">
            <ButtonLink
              to={href({ do: 'answer_dispute', dispute: id })}
              variant="outline"
              size="sm"
              preventScrollReset
            >
              Answer dispute
            </ButtonLink>
            <ButtonLink
              to={href({ do: 'concede_dispute', dispute: id })}
              variant="outline"
              className="act-danger"
              size="sm"
              preventScrollReset
            >
              Accept dispute
            </ButtonLink>
          </div>
        )}
      </DrawerSection>
    );
  });
}

function Answer({ answer: { state, reason, by, at, texts } }: { answer: DisputeAnswer }) {
  return (
    <>
      <p className="hint">
        {answers[state]}, {by ?? 'automatically'}, <LocalTime of={at} />
        {reason && <span className="sale-words">: {reason}</span>}
      </p>
      {texts.length > 0 && <Evidence title="What was sent" texts={texts} />}
    </>
  );
}

/** The texts of an answer, folded away; the receipt goes with them. */
export function Evidence({ title, texts }: { title: string; texts: readonly EvidenceText[] }) {
  return (
    <details className="sale-evidence">
      <summary>{title}</summary>
      {/* biome-ignore lint/a11y/useSemanticElements: a group, but not a fieldset */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard */}
      <div className="sale-evidence-texts" role="group" aria-label={title} tabIndex={0}>
        <dl>
          {texts.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="sale-words">{text}</dd>
            </div>
          ))}
          <div>
            <dt>File</dt>
            <dd>The receipt, as a PDF, if there is one</dd>
          </div>
        </dl>
      </div>
    </details>
  );
}
