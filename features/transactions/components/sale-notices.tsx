import { dollarsAndCents } from '#platform/money.ts';
import { DrawerSection } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import type { SaleDetails } from '../details-model.ts';

/** What has to be settled before the sale can go on, each with what is known of it. */
export function SaleNotices({ sale }: { sale: SaleDetails }) {
  const { frozen, problem, cancellationAskedBy, breaks, testMode, failureReason } = sale;
  const { payment, payout } = sale.state;
  const failed = (payment === 'failed' || payout === 'failed') && failureReason !== null;
  if (!frozen && !problem && !cancellationAskedBy && breaks.length === 0 && !testMode && !failed) return null;
  return (
    <DrawerSection>
      <div className="sale-notices">
        {testMode && <Notice tone="info">This sale was started in test mode. No real money moves.</Notice>}
        {frozen && (
          <Notice tone="warn" title="This sale is frozen">
            Nothing moves until the open question is settled.
          </Notice>
        )}
        {failed && (
          <Notice tone="warn" {...(payout === 'failed' && { title: 'The payout failed' })}>
            {failureReason}
          </Notice>
        )}
        {problem && (
          <Notice tone="warn" title={`The ${problem.by} reported a problem`}>
            <p className="sale-words">{problem.text}</p>
            <LocalTime of={problem.at} />
          </Notice>
        )}
        {cancellationAskedBy && (
          <Notice tone="warn" title={`The ${cancellationAskedBy} asked to cancel the sale`}>
            It ends when the other side agrees, or when you cancel it.
          </Notice>
        )}
        {breaks.map(({ id, state, title, detail, expectedCents, actualCents, createdAt }) => (
          <Notice key={id} tone="warn" title={title}>
            <p className="sale-words">{detail}</p>
            {expectedCents !== null && actualCents !== null && (
              <p>
                Expected {dollarsAndCents(expectedCents)}, found {dollarsAndCents(actualCents)}.
              </p>
            )}
            {state === 'awaiting_approval' && <p>It waits for another administrator.</p>}
            <LocalTime of={createdAt} />
          </Notice>
        ))}
      </div>
    </DrawerSection>
  );
}
