import { Form } from 'react-router';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { usePendingForm } from '#ui/use-pending.ts';

/** The form's intent. */
export const RETRY_CHAIN = 'retry-chain';

interface Props {
  /** the name of the field that says what is tried again */
  field: 'document' | 'nft';
  id: string;
  /** its name */
  of: string;
}

/** Tries again to write to the chain what has failed there. */
export function RetryChain({ field, id, of }: Props) {
  const busy = usePendingForm(RETRY_CHAIN)?.get(field) === id;
  return (
    <Form method="post" preventScrollReset onSubmit={(event) => busy && event.preventDefault()}>
      <IntentField is={RETRY_CHAIN} />
      <input type="hidden" name={field} value={id} />
      <Button type="submit" variant="outline" size="sm" busy={busy}>
        Retry<span className="vh"> {of} on the chain</span>
      </Button>
    </Form>
  );
}
