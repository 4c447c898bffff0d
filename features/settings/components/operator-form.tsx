import { useState } from 'react';
import { Form } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { SavedOperator } from '../model.ts';
import { operatorMessages } from '../rules.ts';

interface Props {
  saved: SavedOperator;
  answer: (ActionData & { newer?: SavedOperator }) | undefined;
  onDirty: (dirty: boolean) => void;
}

/** The marketplace's name and support address. */
export function OperatorForm({ saved, answer, onDirty }: Props) {
  const [base] = useState(saved);
  const [typed, setTyped] = useState({
    brand: answer?.input?.brand ?? saved.brand,
    supportAddress: answer?.input?.supportAddress ?? saved.supportAddress ?? '',
  });
  const busy = usePendingForm('operator') !== null;
  const newer = answer?.newer;
  const compared = newer ?? base;
  const type = (change: Partial<typeof typed>) => {
    const next = { ...typed, ...change };
    setTyped(next);
    onDirty(next.brand !== base.brand || next.supportAddress !== (base.supportAddress ?? ''));
  };
  return (
    <Panel title="Marketplace" inset className="mt-0!">
      <Form method="post" className="grid max-w-[420px] gap-5" noValidate preventScrollReset>
        <IntentField is="operator" />
        <input type="hidden" name="baseBrand" value={compared.brand} />
        <input type="hidden" name="baseSupportAddress" value={compared.supportAddress ?? ''} />
        {newer && <NewerNotice newer={newer} />}
        <TextInput
          label="Name"
          name="brand"
          autoComplete="organization"
          hint="Shown in every page, email and receipt."
          value={typed.brand}
          error={answer?.errors?.brand}
          onChange={(event) => type({ brand: event.currentTarget.value })}
        />
        <TextInput
          label="Support address"
          name="supportAddress"
          type="email"
          optional
          autoComplete="email"
          hint={`Shown in every page's footer and in emails, and replies to emails go there. ${saved.derivedAddress} while empty.`}
          value={typed.supportAddress}
          error={answer?.errors?.supportAddress}
          onChange={(event) => type({ supportAddress: event.currentTarget.value })}
        />
        <Button type="submit" busy={busy} className="justify-self-start">
          Save Changes
        </Button>
      </Form>
    </Panel>
  );
}

/** Somebody else was faster: says what is saved now. */
function NewerNotice({
  newer: { brand, supportAddress, derivedAddress, changedBy, changedAt },
}: {
  newer: SavedOperator;
}) {
  return (
    <Notice tone="bad" title={operatorMessages.newer}>
      <p>
        Changed by {changedBy ?? 'another administrator'}
        {changedAt && (
          <>
            {', '}
            <LocalTime of={changedAt} as="exact" />
          </>
        )}
        . Saved now: “{brand}” and {supportAddress ?? derivedAddress}. What you typed here is not saved: save
        again to replace it, or{' '}
        <a className="link" href={adminPaths.settings()}>
          reload
        </a>
        .
      </p>
    </Notice>
  );
}
