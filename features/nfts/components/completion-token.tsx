import './completion-token.css';
import { useNavigate } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { useLastAnswer } from '#ui/use-last-answer.ts';
import { usePendingForm } from '#ui/use-pending.ts';
import type { CompletionToken } from '../model.ts';

/** The form's intent, and the dialog's name in the URL. */
export const CLAIM_TOKEN = 'claim_token';
/** Names of the form's fields, to be kept when it is refused. */
export const claimFields = ['address'];

interface Props {
  token: CompletionToken;
  /** the URL of the page that handles the form */
  page: string;
  /** the URL opens the dialog */
  claiming: boolean;
  answer: ActionData | undefined;
}

/** The completion token of a purchase for its buyer, who has it sent from the operator's custody to a wallet. */
export function CompletionTokenPanel({ token, page, claiming, answer: latest }: Props) {
  const navigate = useNavigate();
  const pending = usePendingForm(CLAIM_TOKEN) !== null;
  const isRefused = latest?.intent === CLAIM_TOKEN && !latest.ok;
  const [last, forget] = useLastAnswer(isRefused ? latest : undefined);
  const refused = pending ? undefined : last;
  const { name, number, network, failure, transactionLink } = token;
  const close = () => {
    forget();
    void navigate(page, { replace: true, preventScrollReset: true });
  };
  return (
    <section className="completion-token" aria-labelledby="token">
      <h2 id="token" className="sale-title">
        Completion token
      </h2>
      <p className="hint">
        The token evidences the receipt of your purchase{network && ` on ${network}`}. It is not legal title
        to the property.
      </p>
      <dl className="sale-facts">
        <div>
          <dt>Token</dt>
          <dd>
            {name}
            {number !== null && `, number ${number}`}
          </dd>
        </div>
        <div>
          <dt>Where it is</dt>
          <dd>{whereabouts(token)}</dd>
        </div>
        {transactionLink && (
          <div>
            <dt>Transaction</dt>
            <dd>
              <a className="link" href={transactionLink} target="_blank" rel="noopener noreferrer">
                View on Base<span className="vh"> (opens in a new tab)</span>
              </a>
            </dd>
          </div>
        )}
      </dl>
      {failure !== null && (
        <Notice tone="warn">
          {number === null ? 'The token could not be made.' : 'The token could not be sent.'} {failure}
        </Notice>
      )}
      {token.claimable && (
        <ButtonLink to={`${page}?do=${CLAIM_TOKEN}`} variant="outline" preventScrollReset>
          Send to my wallet
        </ButtonLink>
      )}
      {token.claimable && (
        <ActionDialog
          open={claiming || pending || refused !== undefined}
          onClose={close}
          title="Send the token to your wallet"
          text="The token goes to this address for good: this cannot be undone. We remember the address for the tokens of your further purchases."
          confirmLabel="Send token"
          intent={CLAIM_TOKEN}
          action={page}
          pending={pending}
          noValidate
          error={refused?.errors?.address ?? refused?.toast?.text}
        >
          {(error) => (
            <TextInput
              label="Wallet address"
              name="address"
              placeholder="0x..."
              defaultValue={refused?.input?.address ?? token.known ?? ''}
              hint={`An address on ${network ?? 'Base'} that you hold the key of. Copy it from your wallet.`}
              error={error}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={100}
            />
          )}
        </ActionDialog>
      )}
    </section>
  );
}

function whereabouts({ state, wallet, network }: CompletionToken): string {
  if (state === 'sent') return `In the wallet ${wallet}`;
  if (state === 'sending') return `On its way to the wallet ${wallet}`;
  if (state === 'custody') return 'With us, in custody for you';
  const goal = wallet ? `for the wallet ${wallet}` : 'in our custody for you';
  return network ? `Being made, ${goal}` : `It waits until tokens can be made, ${goal}`;
}
