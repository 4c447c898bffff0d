import { useState } from 'react';
import { Form } from 'react-router';
import { payoutMinimums } from '#features/settings/rules.ts';
import { decimalAmount, dollarsAndCents } from '#platform/money.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { MoneyInput } from '#ui/money-input.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { Select } from '#ui/select.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { minimumText, scheduleText } from '../display.ts';
import type { PayoutScheduleState, ScheduleSettings } from '../model.ts';
import { frequencyHints, frequencyNames, scheduleMessages, scheduleVersion } from '../rules.ts';

/** The intent of the form. */
export const SAVE_SCHEDULE = 'schedule-save';

interface Props {
  state: Pick<PayoutScheduleState, 'settings' | 'raised'>;
  /** the page's URL, which handles the form */
  here: string;
  answer: (ActionData & { newerSchedule?: ScheduleSettings }) | undefined;
  onDirty: (dirty: boolean) => void;
}

const typedFrom = ({ frequency, minimumCents, approvalCents }: ScheduleSettings) => ({
  frequency: frequency as string,
  minimum: String(minimumCents),
  requires: approvalCents !== null,
  approval: approvalCents === null ? '' : decimalAmount(approvalCents).replace(/\.00$/, ''),
});

/** How often sellers are paid, from which amount on, and above which total a second administrator approves it. */
export function ScheduleForm({ state: { settings, raised }, here, answer, onDirty }: Props) {
  const [base] = useState(settings);
  const [typed, setTyped] = useState(() => {
    const { input } = answer ?? {};
    return input
      ? {
          frequency: input.frequency ?? '',
          minimum: input.minimum ?? '',
          requires: input.requires === '1',
          approval: input.approval ?? '',
        }
      : typedFrom(settings);
  });
  const busy = usePendingForm(SAVE_SCHEDULE) !== null;
  const { errors, newerSchedule: newer } = answer ?? {};
  const change = (part: Partial<typeof typed>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    onDirty(JSON.stringify(next) !== JSON.stringify(typedFrom(base)));
  };
  const hint = Object.entries(frequencyHints).find(([frequency]) => frequency === typed.frequency)?.[1];
  return (
    <Panel title="Payout Schedule" inset className="mt-0!">
      <Form method="post" action={here} className="grid gap-5" noValidate preventScrollReset>
        <IntentField is={SAVE_SCHEDULE} />
        <input type="hidden" name="seen" value={scheduleVersion(newer ?? base)} />
        {newer && (
          <Notice tone="bad" title={scheduleMessages.newer}>
            <p>
              Saved now: {scheduleText(newer)}. What you chose here is not saved: save again to replace it, or{' '}
              <a className="link" href={here}>
                reload
              </a>
              .
            </p>
          </Notice>
        )}
        <Select
          label="Payout frequency"
          name="frequency"
          options={Object.entries(frequencyNames).map(([value, label]) => ({ value, label }))}
          hint={hint}
          value={typed.frequency}
          error={errors?.frequency}
          onChange={(event) => change({ frequency: event.currentTarget.value })}
        />
        <Select
          label="Minimum payout amount"
          name="minimum"
          options={payoutMinimums.map((cents) => ({ value: String(cents), label: minimumText(cents) }))}
          hint="What a seller has to be owed in total. Payouts of less wait; administrators can process them."
          value={typed.minimum}
          error={errors?.minimum}
          onChange={(event) => change({ minimum: event.currentTarget.value })}
        />
        <Checkbox
          label="Require approval of large runs"
          hint="A second administrator approves them, also those of the schedule. Nothing is sent until then."
          name="requires"
          value="1"
          checked={typed.requires}
          onChange={(event) => change({ requires: event.currentTarget.checked })}
        />
        <div className={typed.requires ? undefined : 'no-js'}>
          <MoneyInput
            label="Require approval above"
            name="approval"
            maxLength={24}
            defaultValue={typed.approval}
            error={errors?.approval}
            hint="The total of one run."
            onChange={(event) => change({ approval: event.currentTarget.value })}
          />
        </div>
        {raised && <Raised raised={raised} />}
        <Button type="submit" busy={busy} className="justify-self-start">
          Save Payout Settings
        </Button>
      </Form>
    </Panel>
  );
}

/** Nobody raises what they may do alone. */
function Raised({
  raised: { by, isViewer, boundCents },
}: {
  raised: NonNullable<PayoutScheduleState['raised']>;
}) {
  const bound = boundCents === null ? 'no threshold' : dollarsAndCents(boundCents);
  return (
    <Notice tone="warn">
      <p>
        {isViewer
          ? `You have set this threshold. For you and the schedule ${bound} still holds until another administrator saves these settings.`
          : `${by} has set this threshold. For them and the schedule ${bound} still holds: saving these settings makes the new one hold.`}
      </p>
    </Notice>
  );
}
