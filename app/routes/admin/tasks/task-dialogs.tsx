import { useNavigate } from 'react-router';
import type { Task } from '#features/tasks/model.ts';
import { TASK_TEXT_MAX_LENGTH } from '#features/tasks/rules.ts';
import type { ActionData } from '#ui/action-data.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Select } from '#ui/select.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { TaskDialog } from './task-query.ts';

interface Props {
  dialog: TaskDialog | null;
  task: Task;
  assignees: readonly { id: string; name: string; isSelf: boolean }[];
  /** the page with the task, without the dialog */
  back: string;
  answer: ActionData | undefined;
}

const snoozes = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '1 week' },
  { value: '720', label: '30 days' },
];

/** Asks to whom a task goes, until when it waits, or what was done about it; opened by the URL. */
export function TaskDialogs({ dialog, task, assignees, back, answer }: Props) {
  const navigate = useNavigate();
  const pending = usePendingForm(dialog ?? '') !== null;
  if (!dialog || task.closedAt || (dialog === 'close' && task.closes)) return null;
  const refused = answer?.intent === dialog && !answer.ok ? answer : undefined;
  const shared = {
    open: true,
    onClose: () => void navigate(back, { replace: true, preventScrollReset: true }),
    intent: dialog,
    pending,
    text: task.subject,
  };
  if (dialog === 'assign')
    return (
      <ActionDialog
        {...shared}
        key={dialog}
        title="Assign task"
        confirmLabel="Assign"
        fields={{ id: task.id, seen: task.assignee?.id ?? '' }}
        error={null}
      >
        <Select
          label="Assignee"
          name="assignee"
          placeholder="No one"
          options={assignees.map(({ id, name, isSelf }) => ({
            value: id,
            label: isSelf ? `${name} (you)` : name,
          }))}
          defaultValue={task.assignee?.id ?? ''}
        />
      </ActionDialog>
    );
  if (dialog === 'snooze')
    return (
      <ActionDialog
        {...shared}
        key={dialog}
        title="Snooze task"
        confirmLabel="Snooze"
        fields={{ id: task.id }}
        error={refused?.errors?.hours}
      >
        <Select
          label="For"
          name="hours"
          options={snoozes}
          defaultValue={refused?.input?.hours ?? '24'}
          hint="It comes back to the list automatically."
        />
      </ActionDialog>
    );
  return (
    <ActionDialog
      {...shared}
      key={dialog}
      title="Close task"
      confirmLabel="Close task"
      fields={{ id: task.id, shown: task.detailMark }}
      error={refused?.errors?.resolution}
    >
      {(error) => (
        <>
          {/* What comes in while this is open is sent as read, so it stands here. */}
          {task.detail && (
            <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">{task.detail}</p>
          )}
          <TextArea
            label="What was done"
            name="resolution"
            rows={4}
            required
            maxLength={TASK_TEXT_MAX_LENGTH}
            defaultValue={refused?.input?.resolution}
            error={error}
          />
        </>
      )}
    </ActionDialog>
  );
}
