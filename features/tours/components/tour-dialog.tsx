import { useNavigate } from 'react-router';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Select } from '#ui/select.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { NOTE_LIMIT, type TourAction, type TourView } from '../model.ts';
import { timeOptions } from './time-options.ts';

type Asked = Exclude<TourAction, 'confirm'>;

const words = {
  propose: {
    title: 'Propose another time',
    text: 'The tour takes place once the buyer confirms the new time. The time before is free again.',
    confirm: 'Propose this time',
  },
  decline: {
    title: 'Decline this tour?',
    text: 'The buyer is notified, and the time is free again.',
    confirm: 'Decline tour',
  },
  cancel: {
    title: 'Cancel this tour?',
    text: 'The other side is notified. This cannot be undone.',
    confirm: 'Cancel tour',
  },
} as const;

interface Props {
  action: Asked;
  tour: TourView;
  closeHref: string;
  /** the refused form, with what was typed */
  answer: ActionData | undefined;
}

/** Asks for the reason of an answer, and for the new time of a proposal. */
export function TourDialog({ action, tour, closeHref, answer }: Props) {
  const navigate = useNavigate();
  const pending = usePendingForm(action) !== null;
  const { title, text, confirm } = words[action];
  const refused = answer?.ok === false && answer.intent === action ? answer : undefined;
  const input = refused?.input;
  return (
    <ActionDialog
      open
      onClose={() => void navigate(closeHref, { preventScrollReset: true })}
      title={title}
      text={`${tour.property.address}, ${tour.when}. ${text}`}
      confirmLabel={confirm}
      cancelLabel="Keep it as it is"
      danger={action !== 'propose'}
      intent={action}
      fields={{ id: tour.id, sequence: String(tour.sequence) }}
      pending={pending}
      noValidate
      error={refused?.toast?.text}
    >
      <div className="grid gap-4">
        {action === 'propose' && (
          <>
            <p className="hint">All times are {tour.zoneName}, where the property is.</p>
            <TextInput
              label="Day"
              name="day"
              type="date"
              required
              defaultValue={input?.day ?? ''}
              error={refused?.errors?.day}
            />
            <Select
              label="Time"
              name="minutes"
              required
              placeholder="Select a time"
              options={timeOptions(0, 1410)}
              defaultValue={input?.minutes ?? ''}
            />
          </>
        )}
        <TextArea
          label={action === 'propose' ? 'Message' : 'Reason'}
          name="reason"
          rows={3}
          optional
          maxLength={NOTE_LIMIT}
          counted
          defaultValue={input?.reason ?? ''}
          error={refused?.errors?.reason}
        />
      </div>
    </ActionDialog>
  );
}
