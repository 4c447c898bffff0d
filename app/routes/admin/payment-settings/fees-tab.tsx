import { Plus } from 'lucide-react';
import { useNavigate } from 'react-router';
import { CommissionCard } from '#features/commission/components/commission-card.tsx';
import {
  CommissionDialog,
  DROP_COMMISSION,
  DropCommissionDialog,
  SAVE_COMMISSION,
} from '#features/commission/components/commission-dialogs.tsx';
import { commissionMessages } from '#features/commission/rules.ts';
import { FeeDialog, SAVE_FEE } from '#features/fees/components/fee-dialog.tsx';
import { FeeDrawer } from '#features/fees/components/fee-drawer.tsx';
import { FeesTable } from '#features/fees/components/fees-table.tsx';
import { RemoveFeeDialog } from '#features/fees/components/remove-fee-dialog.tsx';
import type { ActionData } from '#ui/action-data.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { Panel } from '#ui/panel.tsx';
import type { FeesTabData } from './fees.ts';
import { feesHref, type NewerFees } from './fees-query.ts';

interface Props {
  shown: FeesTabData;
  answer: (ActionData & NewerFees) | undefined;
}

/** The tab Service Fees: what buyers and sellers are charged, and what the platform keeps. */
export function FeesTab({ shown, answer }: Props) {
  const { fees, commission } = shown;
  return (
    <>
      <FeeDrawer
        shown={shown.drawer}
        closeHref={feesHref()}
        historyHref={(id, before) =>
          feesHref({ details: id, before: before === null ? undefined : String(before) })
        }
      />
      <Panel
        title="Service Fees"
        className="mt-0!"
        actions={
          // Without the list nothing can be added to it.
          fees &&
          commission && (
            <ButtonLink to={feesHref({ do: 'add-fee' })} icon={Plus} preventScrollReset>
              Add New Fee
            </ButtonLink>
          )
        }
      >
        <FeesTable
          fees={fees}
          editHref={(id) => feesHref({ do: 'edit-fee', id })}
          detailsHref={(id) => feesHref({ details: id })}
        />
      </Panel>
      {commission ? (
        <CommissionCard
          {...commission}
          editHref={feesHref({ do: 'commission' })}
          dropHref={feesHref({ do: 'drop-commission' })}
          historyHref={(before) => feesHref({ history: before === null ? undefined : String(before) })}
        />
      ) : (
        <div className="mt-6">
          <FailedPanel title={commissionMessages.loadFailed} />
        </div>
      )}
      <FeesDialogs shown={shown} answer={answer} />
    </>
  );
}

function FeesDialogs({ shown, answer }: Props) {
  const { query, fees, commission, removed } = shown;
  const navigate = useNavigate();
  const { dialog, id } = query;
  if (!dialog) return null;
  const common = {
    here: feesHref({ do: dialog, id: id || undefined }),
    onClose: () => void navigate(feesHref(), { replace: true, preventScrollReset: true }),
  };
  const answerTo = (intent: string) => (answer?.intent === intent ? answer : undefined);
  if (dialog === 'remove-fee') return removed && <RemoveFeeDialog fee={removed} {...common} />;
  if (!commission) return null;
  if (dialog === 'commission')
    return <CommissionDialog {...commission} {...common} answer={answerTo(SAVE_COMMISSION)} />;
  if (dialog === 'drop-commission')
    return answerTo(DROP_COMMISSION) ? null : (
      <DropCommissionDialog commission={commission.commission} {...common} />
    );
  const fee = fees?.find((one) => one.id === id) ?? null;
  if (!fees || (dialog === 'edit-fee' && !fee)) return null;
  return (
    <FeeDialog
      key={`${dialog} ${id}`}
      fee={dialog === 'edit-fee' ? fee : null}
      fees={fees}
      sellerShareCents={commission.sellerShareCents}
      removeHref={dialog === 'edit-fee' ? feesHref({ do: 'remove-fee', id }) : null}
      answer={answerTo(SAVE_FEE)}
      {...common}
    />
  );
}
