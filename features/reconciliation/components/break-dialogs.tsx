import { useNavigate } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { FieldError } from '#ui/field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Radio } from '#ui/radio.tsx';
import { Select } from '#ui/select.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { BreakAction } from '../break-actions.ts';

import { accountLabels, actionTexts } from '../display.ts';
import { BREAK_TEXT_MAX_LENGTH, postableAccounts } from '../rules.ts';
import type { BreakChoice, BreakDecision } from '../views.ts';

interface Props {
  breakId: string;
  decision: BreakDecision;
  /** which dialog the URL opens; null for none */
  action: BreakAction | null;
  /** the difference without a dialog */
  closeHref: string;
  answer: ActionData | undefined;
}

/** Asks for what a decision needs; only decisions that are possible now have a dialog. */
export function BreakDialogs({ breakId, decision, action, closeHref, answer }: Props) {
  const navigate = useNavigate();
  const pending = usePendingForm(action ?? '') !== null;
  if (action === null || !decision.actions.includes(action)) return null;
  const { label, text, danger } = actionTexts[action];
  const refused = answer?.intent === action && !answer.ok ? answer : undefined;
  const asks = action !== 'approve' && action !== 'decline';
  return (
    <ActionDialog
      key={`${action} ${breakId}`}
      open
      onClose={() => void navigate(closeHref, { replace: true, preventScrollReset: true })}
      title={label}
      text={`${text}${textOfAmount(action, decision)}`}
      confirmLabel={label}
      danger={danger ?? false}
      intent={action}
      fields={{ id: breakId }}
      pending={pending}
      noValidate
      error={refused && Object.values(refused.errors ?? {})[0]}
    >
      {asks &&
        (() => (
          <Fields
            action={action}
            decision={decision}
            errors={refused?.errors ?? {}}
            typed={refused?.input ?? {}}
          />
        ))}
    </ActionDialog>
  );
}

/** What needs another administrator above the threshold. */
const GIVES_UP: readonly BreakAction[] = ['post', 'write_off', 'acknowledge'];

function textOfAmount(action: BreakAction, decision: BreakDecision): string {
  if (action === 'return') return ` It is ${dollarsAndCents(decision.inSuspenseCents)}.`;
  return GIVES_UP.includes(action) ? ` ${writeOffText(decision)}` : '';
}

const writeOffText = ({ atStakeCents, approvalAboveCents }: BreakDecision): string =>
  (atStakeCents ?? 0) > approvalAboveCents
    ? `${dollarsAndCents(atStakeCents ?? 0)} is above ${dollarsAndCents(approvalAboveCents)}: another administrator has to approve it.`
    : `It is ${dollarsAndCents(atStakeCents ?? 0)}.`;

interface FieldsProps {
  action: BreakAction;
  decision: BreakDecision;
  errors: Partial<Record<string, string>>;
  typed: Readonly<Record<string, string>>;
}

function Fields({ action, decision, errors, typed }: FieldsProps) {
  return (
    <div className="grid gap-4">
      {action === 'link' && <LinkFields choices={decision.choices} error={errors.to} typed={typed} />}
      {action === 'treasury' && (
        <Choices
          legend={decision.isOutgoing ? 'Where it arrived' : 'Where it came from'}
          name="other"
          choices={decision.counterparts}
          last="Not known yet"
          chosen={typed.other ?? ''}
          error={errors.other}
        />
      )}
      {action === 'post' && (
        <Select
          label="Account"
          name="account"
          options={postableAccounts.map((value) => ({ value, label: accountLabels[value] }))}
          defaultValue={typed.account ?? 'suspense'}
          error={errors.account}
        />
      )}
      <TextArea
        label="Reason"
        name="reason"
        rows={3}
        required
        maxLength={BREAK_TEXT_MAX_LENGTH}
        defaultValue={typed.reason}
        error={errors.reason}
      />
    </div>
  );
}

function LinkFields({
  choices,
  error,
  typed,
}: { choices: readonly BreakChoice[]; error: string | undefined } & Pick<FieldsProps, 'typed'>) {
  return (
    <>
      {choices.length > 0 && (
        <Choices
          legend="It is about"
          name="to"
          choices={choices}
          last="Another sale"
          chosen={typed.to ?? choices[0]?.value ?? ''}
          error={error}
        />
      )}
      <TextInput
        label="Sale ID"
        name="sale"
        optional={choices.length > 0}
        autoComplete="off"
        defaultValue={typed.sale}
        hint="As the address of the sale's page ends."
        error={choices.length === 0 ? error : undefined}
      />
    </>
  );
}

interface ChoicesProps {
  legend: string;
  name: string;
  choices: readonly BreakChoice[];
  /** the last choice, whose value is empty */
  last: string;
  chosen: string;
  error: string | undefined;
}

function Choices({ legend, name, choices, last, chosen, error }: ChoicesProps) {
  return (
    <fieldset className="f" aria-invalid={error ? true : undefined}>
      <legend className="flabel">{legend}</legend>
      {choices.map(({ value, label, at }) => (
        <Radio
          key={value}
          name={name}
          value={value}
          defaultChecked={value === chosen}
          label={label}
          hint={<LocalTime of={at} as="exact" />}
        />
      ))}
      <Radio name={name} value="" defaultChecked={chosen === ''} label={last} />
      {error && <FieldError>{error}</FieldError>}
    </fieldset>
  );
}
