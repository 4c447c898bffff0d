import { useState } from 'react';
import { Form } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { SavedGateway } from '../model.ts';
import { contentMessages } from '../rules.ts';

interface Props {
  saved: SavedGateway;
  answer: (ActionData & { newer?: SavedGateway }) | undefined;
  onDirty: (dirty: boolean) => void;
}

/** Where links to public documents lead. */
export function GatewayForm({ saved, answer, onDirty }: Props) {
  const [base] = useState(saved);
  const [typed, setTyped] = useState(answer?.input?.gateway ?? saved.gateway ?? '');
  const busy = usePendingForm('gateway') !== null;
  const newer = answer?.newer;
  return (
    <Panel title="Public documents" inset>
      <Form method="post" className="grid max-w-[420px] gap-5" noValidate preventScrollReset>
        <IntentField is="gateway" />
        <input type="hidden" name="baseGateway" value={(newer ?? base).gateway ?? ''} />
        {newer && (
          <Notice tone="bad" title={contentMessages.gatewayNewer}>
            <p>
              Saved now: {newer.gateway ?? newer.derived}. What you typed here is not saved: save again to
              replace it.
            </p>
          </Notice>
        )}
        <TextInput
          label="Gateway"
          name="gateway"
          optional
          autoComplete="off"
          spellCheck={false}
          hint={`Links to public documents lead there. {cid} is the document's content address. ${saved.derived} while empty.`}
          value={typed}
          error={answer?.errors?.gateway}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            onDirty(event.currentTarget.value !== (base.gateway ?? ''));
          }}
        />
        <Button type="submit" busy={busy} className="justify-self-start">
          Save Changes
        </Button>
      </Form>
    </Panel>
  );
}
