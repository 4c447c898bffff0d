import { useState } from 'react';
import { Form } from 'react-router';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import { usePendingData } from '#ui/use-pending.ts';
import { PROOF, type ProofRequest, proofRequestOf } from '../model.ts';
import { CodeInput } from './code-input.tsx';
import { PasskeyButton } from './passkey-button.tsx';

interface ProofDialogProps {
  /** what the action answered; anything but a request for a proof shows nothing */
  answer: unknown;
  /** the form that repeats the refused one: that of a fetcher where the refused one was a fetcher's */
  as?: typeof Form;
}

/** Asks for a fresh proof where an action was refused for want of one, and repeats its form. */
export function ProofDialog({ answer, as: RepeatingForm = Form }: ProofDialogProps) {
  const request = proofRequestOf(useAnswer(answer));
  const [dismissed, setDismissed] = useState<ProofRequest | null>(null);
  const pending = usePendingData(request !== null)?.has(PROOF.form) ?? false;
  if (!request) return null;
  const { form, action, choices, errors = {} } = request;
  return (
    <Dialog
      key={form}
      open={dismissed !== request}
      onClose={() => setDismissed(request)}
      title="Please confirm that it is you"
      text="This is asked again ten minutes after you signed in. Nothing that you entered is lost."
      locked={pending}
    >
      <RepeatingForm
        method="post"
        action={action}
        className="dialog-body grid gap-4"
        preventScrollReset
        noValidate
      >
        <input type="hidden" name={PROOF.form} value={form} />
        <PasswordInput
          label="Password"
          name={PROOF.password}
          autoComplete="current-password"
          error={errors.password}
        />
        {choices.code && (
          <CodeInput label="Or a code of your authenticator app" name={PROOF.code} error={errors.code} />
        )}
        {choices.passkey && (
          <PasskeyButton
            label="Or use a passkey"
            request={choices.passkey}
            name={PROOF.passkey}
            busy={pending}
            error={errors.passkey}
          />
        )}
        <div className="dialog-acts">
          <Button
            className="needs-js"
            variant="outline"
            onClick={() => setDismissed(request)}
            disabled={pending}
          >
            Cancel
          </Button>
          <Button type="submit" busy={pending}>
            Confirm
          </Button>
        </div>
      </RepeatingForm>
    </Dialog>
  );
}
