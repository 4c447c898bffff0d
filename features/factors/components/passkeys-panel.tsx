import { Form } from 'react-router';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { PASSKEY_NAME_MAX, type PasskeyRequest } from '../model.ts';
import { PasskeyButton } from './passkey-button.tsx';

interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

interface PasskeysPanelProps {
  passkeys: readonly Passkey[];
  /** what the browser needs to make one; null when it could not be loaded */
  request: PasskeyRequest | null;
  error: string | undefined;
}

/** The passkeys of the account, each with its name, and a form that adds one. */
export function PasskeysPanel({ passkeys, request, error }: PasskeysPanelProps) {
  const adding = usePendingForm('add-passkey') !== null;
  return (
    <Panel title="Passkeys" inset>
      <p className="hint">
        A passkey is kept by your device or password manager and opened by fingerprint, face or PIN. It also
        signs you in without a password.
      </p>
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys" className="my-5">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {request && (
        <Form method="post" className="needs-js mt-5 grid gap-4">
          <IntentField is="add-passkey" />
          <TextInput
            label="Name of the new passkey"
            name="name"
            optional
            maxLength={PASSKEY_NAME_MAX}
            autoComplete="off"
            key={passkeys.length}
          />
          <PasskeyButton
            label="Add a passkey"
            request={request}
            make
            name="passkey"
            busy={adding}
            error={error}
          />
        </Form>
      )}
    </Panel>
  );
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  const renaming = usePendingForm('rename-passkey')?.get('id') === id;
  const removing = usePendingForm('remove-passkey')?.get('id') === id;
  return (
    <li className="grid gap-3 border-line border-t py-4 first:border-t-0 first:pt-0 last:pb-0">
      <p className="hint">
        Added <LocalTime of={createdAt.toISOString()} as="day" /> ·{' '}
        {lastUsedAt ? (
          <>
            last used <LocalTime of={lastUsedAt.toISOString()} />
          </>
        ) : (
          'never used'
        )}
      </p>
      <Form method="post" className="flex items-end gap-3">
        <IntentField is="rename-passkey" />
        <input type="hidden" name="id" value={id} />
        <TextInput
          label="Name"
          name="name"
          defaultValue={name}
          key={name}
          maxLength={PASSKEY_NAME_MAX}
          autoComplete="off"
          fieldClass="grow"
        />
        <Button type="submit" variant="outline" busy={renaming} aria-label={`Save the name of ${name}`}>
          Save
        </Button>
      </Form>
      <Form method="post">
        <IntentField is="remove-passkey" />
        <input type="hidden" name="id" value={id} />
        <Button type="submit" variant="outline" size="sm" busy={removing} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </Form>
    </li>
  );
}
