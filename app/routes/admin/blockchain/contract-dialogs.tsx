import { useNavigate } from 'react-router';
import type { ContractStatus } from '#features/chain/reads.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { type BlockchainDialog, type BlockchainQuery, tabHref } from './query.ts';

type ContractDialog = Exclude<BlockchainDialog, 'remove-test'>;

const words: Record<ContractDialog, { title: string; text: string; label: string; danger?: boolean }> = {
  deploy: {
    title: 'Deploy the contract',
    text: 'The signer pays for the deployment and becomes owner and minter. A network has one contract of ours. This cannot be undone.',
    label: 'Deploy contract',
  },
  pause: {
    title: 'Pause the contract',
    text: 'While it is paused, no document is registered and no token is made or moved, by anyone. What is requested waits.',
    label: 'Pause contract',
    danger: true,
  },
  unpause: {
    title: 'Resume the contract',
    text: 'What was requested while it was paused is then written to the chain.',
    label: 'Resume contract',
  },
  'base-uri': {
    title: 'Set the base URI',
    text: 'Where wallets look for what a token says. It changes for all tokens, also for those that exist.',
    label: 'Set base URI',
  },
};

interface Props {
  status: ContractStatus;
  query: BlockchainQuery;
  answer: ActionData | undefined;
}

/** Asks before the contract is deployed or changed; opened by the URL. */
export function ContractDialogs({ status, query, answer }: Props) {
  const navigate = useNavigate();
  const { dialog } = query;
  const pending = usePendingForm(dialog ?? '') !== null;
  if (!dialog || dialog === 'remove-test') return null;
  const { title, text, label, danger = false } = words[dialog];
  const refused = answer?.intent === dialog && !answer.ok ? answer : undefined;
  const shared = {
    open: true,
    onClose: () => void navigate(tabHref('contract'), { replace: true, preventScrollReset: true }),
    title: `${title} on ${status.label}`,
    text,
    confirmLabel: label,
    danger,
    intent: dialog,
    pending,
    error: refused?.errors?.base ?? refused?.errors?.contract ?? refused?.toast?.text,
  };
  if (dialog !== 'base-uri') return <ActionDialog key={dialog} {...shared} />;
  return (
    <ActionDialog key={dialog} {...shared} noValidate>
      {(error) => (
        <TextInput
          label="Base URI"
          name="base"
          defaultValue={refused?.input?.base ?? status.asked?.state?.baseUri ?? 'ipfs://'}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          error={error}
        />
      )}
    </ActionDialog>
  );
}
