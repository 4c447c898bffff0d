import type { ReactNode } from 'react';
import { paths } from '#routing/paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import type { ComingStep, NextStep, Party, SaleEvent, SaleView } from '../model.ts';
import { SaleActionButtons } from './sale-action-buttons.tsx';
import { SaleComplete } from './sale-complete.tsx';

export interface NextStepsProps {
  sale: SaleView;
  /** the URL of the sale page */
  page: string;
  openDialog: SaleEvent | null;
  answer: ActionData | undefined;
}

/** The next step, who must act and by when, with the viewer's actions; then the steps after it. */
export function NextSteps({ sale, page, openDialog, answer }: NextStepsProps) {
  const { next, party, checkoutUrl, state, failureReason, coming } = sale;
  if (party === 'buyer' && state.escrow === 'completed' && state.payment === 'completed')
    return <SaleComplete sale={sale} />;
  return (
    <section className="sheet sale-next" aria-labelledby="next">
      <h2 id="next">{next ? 'What happens next' : 'Current status'}</h2>
      {next ? (
        <>
          <p className="sale-next-text">{next.text}</p>
          <p className="sale-who">{deadline(next, party)}</p>
        </>
      ) : (
        <p className="sale-next-text">{endText(sale)}</p>
      )}
      {state.payment === 'failed' && failureReason && <Notice tone="warn">{failureReason}</Notice>}
      {checkoutUrl && (
        <a className="btn" href={checkoutUrl}>
          {sale.receivedCents === null ? 'Continue payment' : 'Transfer instructions'}
        </a>
      )}
      {state.payment === 'failed' && party === 'buyer' && !sale.frozen && (
        <ButtonLink to={paths.property(sale.property.id)}>Try again</ButtonLink>
      )}
      <SaleActionButtons sale={sale} page={page} openDialog={openDialog} answer={answer} />
      {coming.length > 0 && <ComingSteps steps={coming} />}
    </section>
  );
}

const waitingFor: Record<Party, string> = {
  buyer: 'Waiting for the buyer',
  seller: 'Waiting for the seller',
  admin: 'Waiting for an administrator',
  system: 'Nothing for you to do',
};

/** 'Your turn. Due by Nov 29, 8:10 AM.' */
function deadline({ who, by }: NextStep, viewer: Party): ReactNode {
  return (
    <>
      {who === viewer ? 'Your turn' : waitingFor[who]}.
      {by && (
        <>
          {' '}
          {who === 'system' ? 'Expected by' : 'Due by'} <LocalTime of={by} />.
        </>
      )}
    </>
  );
}

function ComingSteps({ steps }: { steps: readonly ComingStep[] }) {
  return (
    <>
      <h3 className="sale-after">After that</h3>
      <ol className="story story-coming">
        {steps.map(({ title, detail, by }) => (
          <li key={title}>
            <b>{title}</b>
            <p>
              {detail}
              {by && (
                <>
                  {' '}
                  No later than <LocalTime of={by} as="date" />.
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}

function endText({ state, party }: SaleView): string {
  if (state.payment === 'refunded') return 'The sale is over. The whole payment was refunded.';
  if (state.payment === 'failed') return 'The purchase is over. Nothing was charged.';
  return party === 'seller' && state.payout === 'completed'
    ? 'The sale is complete, and you have been paid.'
    : 'The sale is complete.';
}
