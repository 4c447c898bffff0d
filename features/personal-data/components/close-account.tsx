import { type FormEvent, useRef, useState } from 'react';
import { Form, useSubmit } from 'react-router';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';

/** Closes the account after the password and a confirmation dialog; without JavaScript the password is enough. */
export function CloseAccount({ error }: { error?: string | undefined }) {
  const [confirming, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const busy = usePendingForm('close') !== null;
  function openConfirmation(event: FormEvent) {
    event.preventDefault();
    setAsking(true);
  }
  function close() {
    setAsking(false);
    if (form.current) void submit(form.current);
  }
  return (
    <>
      <Form method="post" ref={form} onSubmit={openConfirmation} noValidate className="grid gap-5">
        <IntentField is="close" />
        <p>
          Your name, address, watched properties, saved searches and notifications are deleted. What you wrote
          to sellers and the records of purchases stay, without your name. This cannot be undone.
        </p>
        <PasswordInput
          label="Your Password"
          name="closing"
          autoComplete="current-password"
          large
          required
          error={error}
        />
        <div>
          <Button type="submit" variant="danger" busy={busy}>
            Close account
          </Button>
        </div>
      </Form>
      <ActionDialog
        open={confirming}
        onClose={() => setAsking(false)}
        danger
        title="Close your account?"
        text="Everything that is only yours is deleted right away and cannot be restored."
        confirmLabel="Close account permanently"
        intent="close"
        pending={busy}
        // A refusal is shown at the password, once the dialog has closed.
        error={null}
        onConfirm={close}
      />
    </>
  );
}
