import { type FormEvent, useRef, useState } from 'react';
import { Form, useNavigation, useSubmit } from 'react-router';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { PasswordInput } from '#ui/password-input.tsx';

/** Closes the account: the password first, then one more question. Without scripts the password alone confirms. */
export function CloseAccount({ error }: { error?: string | undefined }) {
  const [asking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const busy = useNavigation().formData?.get('form') === 'close';
  function ask(event: FormEvent) {
    event.preventDefault();
    setAsking(true);
  }
  function close() {
    setAsking(false);
    if (form.current) void submit(form.current);
  }
  return (
    <>
      <Form method="post" ref={form} onSubmit={ask} noValidate className="grid gap-5">
        <input type="hidden" name="form" value="close" />
        <p>
          Your name, address, watched properties, saved searches and notifications are deleted. What you wrote
          to sellers and the records of purchases stay, without your name. This cannot be taken back.
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
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        danger
        title="Close your account?"
        text="Everything that is only yours is deleted at once. Nobody can bring it back."
        confirmLabel="Close account for good"
        onConfirm={close}
      />
    </>
  );
}
