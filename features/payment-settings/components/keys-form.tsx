import type { ReactNode } from 'react';
import { Form } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { PasswordInput } from '#ui/password-input.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { SAVE_STRIPE_KEYS } from '../intents.ts';
import type { ShownKeys, StripeConnection } from '../model.ts';
import {
  fieldsOf,
  KEY_MAX_LENGTH,
  keyHint,
  type StripeMode,
  stripeMessages,
  stripeModes,
} from '../stripe-keys.ts';

interface KeysFormProps {
  connection: StripeConnection;
  /** what somebody else has saved since the page was loaded */
  newer: StripeConnection | undefined;
  here: string;
  answer: ActionData | undefined;
}

const modeTitles = { test: 'Test keys', live: 'Live keys' } as const satisfies Record<StripeMode, string>;

/** The four boxes for keys. What is saved is shown beneath them, secrets by their last characters only. */
export function KeysForm({ connection, newer, here, answer }: KeysFormProps) {
  const pending = usePendingForm(SAVE_STRIPE_KEYS) !== null;
  const { keys, version } = newer ?? connection;
  const { errors, input } = answer ?? {};
  const common = { spellCheck: false, autoComplete: 'off', maxLength: KEY_MAX_LENGTH };
  return (
    <Panel title="API Keys" inset>
      <Form method="post" action={here} className="grid gap-5" preventScrollReset noValidate>
        <IntentField is={SAVE_STRIPE_KEYS} />
        <input type="hidden" name="seen" value={version} />
        {newer && (
          <Notice tone="bad" title={stripeMessages.newer}>
            <p>Beneath the boxes stands what is saved now. Save again to replace it.</p>
          </Notice>
        )}
        <div className="grid gap-6 lg:grid-cols-2">
          {stripeModes.map((mode) => (
            <fieldset key={mode} className="m-0 grid content-start gap-4 border-0 p-0">
              <legend className="flabel p-0 pb-3">{modeTitles[mode]}</legend>
              <TextInput
                {...common}
                label={`${mode === 'test' ? 'Test' : 'Live'} publishable key`}
                name={fieldsOf[mode].publishable}
                placeholder={`pk_${mode}_...`}
                defaultValue={input?.[fieldsOf[mode].publishable]}
                error={errors?.[fieldsOf[mode].publishable]}
                hint={<SavedPublishable keys={keys[mode]} />}
              />
              <PasswordInput
                {...common}
                label={`${mode === 'test' ? 'Test' : 'Live'} secret key`}
                name={fieldsOf[mode].secret}
                placeholder={`sk_${mode}_...`}
                noun={`${mode} secret key`}
                error={errors?.[fieldsOf[mode].secret]}
                hint={<SavedSecret keys={keys[mode]} />}
              />
            </fieldset>
          ))}
        </div>
        <p className="m-0 text-sm text-ink-muted">
          Keys are stored encrypted and never shown again. A box that is left empty keeps what is saved.
        </p>
        <div>
          <Button type="submit" busy={pending}>
            Save API Keys
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

const SavedPublishable = ({ keys }: { keys: ShownKeys | null }): ReactNode =>
  keys?.publishableKey ? `Saved: ${keyHint(keys.publishableKey)}` : 'Not saved';

function SavedSecret({ keys }: { keys: ShownKeys | null }) {
  if (!keys) return 'Not saved';
  return (
    <>
      Saved: {keys.secretHint}
      {keys.setAt && (
        <>
          , set on <LocalTime of={keys.setAt} as="date" />
        </>
      )}
    </>
  );
}

/** The keys that the environment sets, to be seen only. */
export function EnvironmentKeys({ connection: { keys, mode } }: { connection: StripeConnection }) {
  const shown = keys[mode];
  if (!shown) return null;
  return (
    <Panel
      title="API Keys"
      inset
      actions={
        <Badge tone={mode === 'live' ? 'info' : 'warn'}>{mode === 'live' ? 'Live' : 'Test mode'}</Badge>
      }
    >
      <dl className="stripe-facts">
        <div>
          <dt>Publishable key</dt>
          <dd>{shown.publishableKey ? keyHint(shown.publishableKey) : 'Not set'}</dd>
        </div>
        <div>
          <dt>Secret key</dt>
          <dd>{shown.secretHint}</dd>
        </div>
      </dl>
    </Panel>
  );
}
