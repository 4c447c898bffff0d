import { useState } from 'react';
import { agentCommissionCents } from '#features/sales/amounts.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { parseDecimal } from '#platform/typed-text.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Field } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Radio } from '#ui/radio.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { dayText, percentText } from '../display.ts';
import type { Commission } from '../model.ts';
import { commissionMessages, commissionVersion } from '../rules.ts';

/** The intents of the forms. */
export const SAVE_COMMISSION = 'commission-save';
export const DROP_COMMISSION = 'commission-drop';

const EXAMPLE_CENTS = 100_000_00;

interface Props {
  commission: Commission;
  /** UTC, YYYY-MM-DD */
  today: string;
  here: string;
  answer: (ActionData & { newerCommission?: Commission }) | undefined;
  onClose: () => void;
}

/** Changes the platform's share, at once or from a later day on. */
export function CommissionDialog({ commission, today, here, answer, onClose }: Props) {
  const pending = usePendingForm(SAVE_COMMISSION) !== null;
  const newer = answer?.newerCommission;
  const { errors, input } = answer ?? {};
  const [percent, setPercent] = useState(input?.percent ?? String(commission.percent));
  const [when, setWhen] = useState(input?.when === 'day' ? 'day' : 'now');
  return (
    <ActionDialog
      open
      onClose={onClose}
      title="Platform commission"
      text="What the platform keeps of the base price, from sellers without a rate of their own. Sales that have started keep theirs."
      confirmLabel="Save commission"
      intent={SAVE_COMMISSION}
      action={here}
      fields={{ seen: commissionVersion(newer ?? commission) }}
      pending={pending}
      noValidate
      error={errors?.percent ?? errors?.day}
    >
      {() => (
        <div className="grid gap-5">
          {newer && (
            <Notice tone="bad" title={commissionMessages.newer}>
              It is now {percentText(newer.percent)}
              {newer.next && `, and ${percentText(newer.next.percent)} from ${dayText(newer.next.from)}`}.
              Save again to change that, or close this window to keep it.
            </Notice>
          )}
          <Field label="Default percent" error={errors?.percent} hint={<Example percent={percent} />}>
            {(control) => (
              <div className="affix">
                <span className="trail" aria-hidden="true">
                  %
                </span>
                <input
                  {...control}
                  className="input"
                  name="percent"
                  inputMode="decimal"
                  autoComplete="off"
                  maxLength={20}
                  value={percent}
                  onChange={(event) => setPercent(event.currentTarget.value)}
                />
              </div>
            )}
          </Field>
          <fieldset className="f m-0 grid gap-2 border-0 p-0">
            <legend className="flabel p-0">Effective from</legend>
            <Radio
              name="when"
              value="now"
              label="Now"
              checked={when === 'now'}
              onChange={() => setWhen('now')}
            />
            <Radio
              name="when"
              value="day"
              label="A later day"
              hint="From 00:00 UTC. Replaces the change that is planned."
              checked={when === 'day'}
              onChange={() => setWhen('day')}
            />
          </fieldset>
          <div className={when === 'day' ? undefined : 'no-js'}>
            <TextInput
              label="Day"
              name="day"
              type="date"
              min={today}
              defaultValue={input?.day ?? commission.next?.from}
              error={errors?.day}
            />
          </div>
        </div>
      )}
    </ActionDialog>
  );
}

function Example({ percent }: { percent: string }) {
  const cell = parseDecimal(percent, 0, 100, 3);
  if (!('value' in cell)) return null;
  const seller = agentCommissionCents(EXAMPLE_CENTS, cell.value);
  return (
    <>
      Seller receives {dollarsAndCents(seller)}, platform keeps {dollarsAndCents(EXAMPLE_CENTS - seller)} of a
      $100,000 sale
    </>
  );
}

/** Asks before the planned change is dropped. */
export function DropCommissionDialog({
  commission,
  here,
  onClose,
}: Pick<Props, 'commission' | 'here' | 'onClose'>) {
  const pending = usePendingForm(DROP_COMMISSION) !== null;
  const { next, percent } = commission;
  if (!next) return null;
  return (
    <ActionDialog
      open
      onClose={onClose}
      title="Drop the planned change"
      text={`The commission stays ${percentText(percent)}; it does not become ${percentText(next.percent)} on ${dayText(next.from)}.`}
      confirmLabel="Drop change"
      intent={DROP_COMMISSION}
      action={here}
      fields={{ seen: commissionVersion(commission) }}
      pending={pending}
      error={undefined}
    />
  );
}
