import { Form } from 'react-router';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { FieldError } from '#ui/field.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import {
  type ApiKeyErrors,
  DEFAULT_PER_MINUTE,
  MAX_KEY_NAME,
  MAX_PER_MINUTE,
  scopeLabels,
  scopes,
} from '../model.ts';

/** The secret of a new key, shown this once. */
export function NewSecret({ secret }: { secret: string }) {
  return (
    <Notice title="Your new API key">
      <p>Copy it now and keep it safe. It is not shown again.</p>
      <p className="mt-3">
        <code className="break-all">{secret}</code>
      </p>
    </Notice>
  );
}

interface NewKeyFormProps {
  /** what the key will see */
  sees: string;
  errors: ApiKeyErrors | undefined;
  /** the rejected input */
  typed: { name: string; perMinute: string; scopes: readonly string[] } | undefined;
}

/** Creates an API key. */
export function NewKeyForm({ sees, errors = {}, typed }: NewKeyFormProps) {
  const creating = usePendingForm('create') !== null;
  return (
    <Panel title="Create an API key" inset>
      <Form method="post" className="grid gap-4" noValidate>
        <IntentField is="create" />
        <p className="hint">{sees}</p>
        <TextInput
          label="Name"
          name="name"
          autoComplete="off"
          required
          maxLength={MAX_KEY_NAME}
          defaultValue={typed?.name}
          hint="The system that uses it, such as your website."
          error={errors.name}
        />
        <fieldset className="f m-0 grid gap-2 border-0 p-0">
          <legend className="flabel">May read</legend>
          {scopes.map((scope) => (
            <Checkbox
              key={scope}
              name="scope"
              value={scope}
              label={scopeLabels[scope]}
              defaultChecked={typed ? typed.scopes.includes(scope) : true}
              {...(errors.scopes && { 'aria-invalid': true, 'aria-describedby': 'scopes-error' })}
            />
          ))}
          {errors.scopes && <FieldError id="scopes-error">{errors.scopes}</FieldError>}
        </fieldset>
        <TextInput
          label="Requests a minute"
          name="perMinute"
          inputMode="numeric"
          required
          defaultValue={typed?.perMinute ?? DEFAULT_PER_MINUTE}
          hint={`At most ${MAX_PER_MINUTE}.`}
          error={errors.perMinute}
        />
        <Button type="submit" className="justify-self-start" busy={creating}>
          Create API key
        </Button>
      </Form>
    </Panel>
  );
}
