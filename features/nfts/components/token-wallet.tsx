import './completion-token.css';
import { Form } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import { usePendingForm } from '#ui/use-pending.ts';
import type { TokenWallet } from '../model.ts';

/** The form's intent. */
export const NAME_WALLET = 'name_wallet';
/** Names of the form's fields, to be kept when it is refused. */
export const walletFields = ['wallet'];

interface Props {
  goal: TokenWallet;
  /** the URL of the page that handles the form */
  page: string;
  answer: ActionData | undefined;
}

/** Where a purchase's completion token will be shown: before the closing, its buyer says to which wallet it goes. */
export function TokenWalletForm({ goal: { network, wallet }, page, answer: latest }: Props) {
  const answer = useAnswer(latest?.intent === NAME_WALLET ? latest : undefined);
  const pending = usePendingForm(NAME_WALLET) !== null;
  return (
    <section className="completion-token" aria-labelledby="token">
      <h2 id="token" className="sale-title">
        Completion token
      </h2>
      <p className="hint">
        After the closing a token on {network} evidences the receipt of your purchase. It is not legal title
        to the property.
      </p>
      <Form method="post" action={page} className="token-wallet" noValidate preventScrollReset>
        <IntentField is={NAME_WALLET} />
        <TextInput
          // What was saved is shown as the checksum writes it.
          key={wallet}
          label="Wallet address for your completion token"
          optional
          name="wallet"
          placeholder="0x..."
          defaultValue={answer?.input?.wallet ?? wallet ?? ''}
          hint="Without one we keep the token for you until you claim it."
          error={answer?.errors?.wallet}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
        />
        <Button type="submit" variant="outline" busy={pending} className="justify-self-start">
          Save wallet
        </Button>
      </Form>
    </section>
  );
}
