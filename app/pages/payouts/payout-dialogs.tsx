import { useNavigate } from 'react-router';
import {
  CONFIRM_PAYOUT,
  FAIL_PAYOUT,
  ManualDialog,
  RECORD_REFERENCE,
  RETRY_PAYOUT,
  RetryDialog,
} from '#features/payout-runs/components/payout-dialogs.tsx';
import { APPROVE_RUN, DECLINE_RUN, RunDialog } from '#features/payout-runs/components/run-dialogs.tsx';
import type { ActionData } from '#ui/action-data.ts';
import type { PayoutManagementData } from './load-payout-management.ts';
import { noDialog } from './payouts-query.ts';

interface Props {
  data: PayoutManagementData;
  hrefWith: (change: Record<string, string | number | undefined>) => string;
  answer: ActionData | undefined;
}

/** The dialog that the URL opens, about a run, a sale or a payout that is still there. */
export function PayoutDialogs({ data, hrefWith, answer }: Props) {
  const navigate = useNavigate();
  const { query, subject, failed, manual } = data;
  const { dialog, subject: id } = query;
  if (!dialog) return null;
  const common = {
    action: hrefWith({ do: dialog, id }),
    answer,
    onClose: () => void navigate(hrefWith(noDialog), { replace: true, preventScrollReset: true }),
  };
  if (dialog === APPROVE_RUN || dialog === DECLINE_RUN)
    return subject?.run.status === 'awaiting_approval' ? (
      <RunDialog subject={subject} decision={dialog} {...common} />
    ) : null;
  if (dialog === RETRY_PAYOUT) {
    const payout = failed?.rows.find(({ saleId }) => saleId === id);
    return payout ? <RetryDialog payout={payout} {...common} /> : null;
  }
  if (dialog !== RECORD_REFERENCE && dialog !== CONFIRM_PAYOUT && dialog !== FAIL_PAYOUT) return null;
  const payout = manual?.rows.find(({ payoutId }) => payoutId === id);
  return payout ? <ManualDialog payout={payout} step={dialog} {...common} /> : null;
}
