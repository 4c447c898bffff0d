import { useEffect, useRef } from 'react';
import { Form, Link } from 'react-router';
import { RecordHistory } from '#features/audit/components/record-history.tsx';
import type { RecordHistoryPage } from '#features/audit/model.ts';
import type { Task, TaskNote } from '#features/tasks/model.ts';
import type { TaskDetails } from '#features/tasks/reads.ts';
import { TASK_TEXT_MAX_LENGTH, taskKinds } from '#features/tasks/rules.ts';
import { type AdminListQuery, adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { X } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { Severity } from './severity.tsx';
import { solvedAt } from './task-link.ts';

interface Props {
  /** null when there is no such task */
  details: TaskDetails | null;
  history: RecordHistoryPage | null;
  /** the list's own parameters */
  here: AdminListQuery;
  id: string;
  answer: ActionData | undefined;
}

/** The opened task: what it is about, notes, history, and what can be done with it. */
export function TaskPanel({ details, history, here, id, answer }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another task was opened
  useEffect(() => {
    // On narrow screens it is below the list.
    heading.current?.scrollIntoView({ block: 'nearest' });
    heading.current?.focus({ preventScroll: true });
  }, [id]);
  const title = details?.task.title ?? 'Task not found';
  return (
    <aside className="panel task-panel mt-0!" aria-labelledby="task-title">
      <header className="items-start! flex-nowrap!">
        <div>
          <h2 id="task-title" ref={heading} tabIndex={-1} className="outline-none">
            {title}
          </h2>
          <p className="mt-1 text-sm text-ink-muted">
            {details ? details.task.subject : 'It does not exist, or no longer.'}
          </p>
        </div>
        <Link
          to={adminPaths.tasks(here)}
          className="iconbtn iconbtn-sm"
          aria-label="Close"
          preventScrollReset
        >
          <Icon of={X} />
        </Link>
      </header>
      {details && (
        <>
          <Facts task={details.task} />
          <Notes
            // Empty again once a note was added, and not when somebody else adds one.
            key={`${id} ${details.notes.findLast(({ isOwn }) => isOwn)?.id}`}
            id={id}
            notes={details.notes}
            answer={answer}
          />
          <DrawerSection>
            <RecordHistory
              history={history}
              href={(before) => adminPaths.tasks({ ...here, details: id, history: before ?? undefined })}
            />
          </DrawerSection>
          <Foot task={details.task} here={{ ...here, details: id }} />
        </>
      )}
    </aside>
  );
}

function Facts({ task }: { task: Task }) {
  const { kind, severity, assignee, createdAt, dueAt, snoozedUntil, closedAt, closedBy } = task;
  return (
    <DrawerSection>
      <DrawerFacts
        facts={[
          ['Kind', taskKinds[kind].label],
          ['Severity', <Severity key="severity" of={severity} />],
          ['Assignee', assignee?.name ?? 'No one'],
          ['Opened', <LocalTime key="opened" of={createdAt} as="exact" />],
          ['Due', dueAt && <LocalTime key="due" of={dueAt} as="exact" />],
          [
            'Snoozed until',
            closedAt ? null : snoozedUntil && <LocalTime key="until" of={snoozedUntil} as="exact" />,
          ],
          ['Closed', closedAt && <LocalTime key="closed" of={closedAt} as="exact" />],
          ['Closed by', closedAt && (closedBy ?? 'An event')],
        ]}
      />
      {task.detail && (
        <p className="mt-3 text-sm whitespace-pre-line [overflow-wrap:anywhere]">{task.detail}</p>
      )}
      {task.resolution && <p className="mt-3 text-sm [overflow-wrap:anywhere]">{task.resolution}</p>}
      {task.closes && !closedAt && <p className="mt-3 text-sm text-ink-muted">{task.closes}</p>}
    </DrawerSection>
  );
}

interface NotesProps {
  id: string;
  notes: readonly TaskNote[];
  answer: ActionData | undefined;
}

function Notes({ id, notes, answer }: NotesProps) {
  const pending = usePendingForm('note') !== null;
  const refused = answer?.intent === 'note' && !answer.ok ? answer : undefined;
  return (
    <DrawerSection title="Notes">
      {notes.length > 0 && (
        <ol className="m-0 mb-4 grid list-none gap-3 p-0 text-sm">
          {notes.map(({ id, author, text, at }) => (
            <li key={id}>
              <span className="flex flex-wrap justify-between gap-x-4 text-ink-muted">
                <b className="font-medium text-ink">{author}</b>
                <LocalTime of={at} />
              </span>
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
            </li>
          ))}
        </ol>
      )}
      <Form method="post" className="grid justify-items-start gap-3" preventScrollReset>
        <IntentField is="note" />
        <input type="hidden" name="id" value={id} />
        <TextArea
          label="Add a note"
          name="text"
          rows={2}
          required
          maxLength={TASK_TEXT_MAX_LENGTH}
          defaultValue={refused?.input?.text}
          error={refused?.errors?.text}
          fieldClass="w-full"
        />
        <Button type="submit" variant="outline" size="sm" busy={pending}>
          Add note
        </Button>
      </Form>
    </DrawerSection>
  );
}

function Foot({ task, here }: { task: Task; here: AdminListQuery }) {
  const link = solvedAt(task);
  const dialog = (name: string) => adminPaths.tasks({ ...here, do: name });
  const snoozed = task.snoozedUntil !== null;
  if (task.closedAt && !link) return null;
  return (
    <footer className="drawer-foot">
      {link && <ButtonLink to={link.href}>{link.label}</ButtonLink>}
      {!task.closedAt && (
        <>
          {task.assignee === null && <PostButton intent="take" id={task.id} label="Take" />}
          <ButtonLink variant="outline" to={dialog('assign')} preventScrollReset>
            Assign
          </ButtonLink>
          {snoozed && <PostButton intent="wake" id={task.id} label="End snooze" />}
          <ButtonLink variant="outline" to={dialog('snooze')} preventScrollReset>
            Snooze
          </ButtonLink>
          {task.closes === null && (
            <ButtonLink variant="ghost" to={dialog('close')} preventScrollReset>
              Close task
            </ButtonLink>
          )}
        </>
      )}
    </footer>
  );
}

function PostButton({ intent, id, label }: { intent: string; id: string; label: string }) {
  const pending = usePendingForm(intent) !== null;
  return (
    <Form method="post" preventScrollReset>
      <IntentField is={intent} />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" variant="outline" busy={pending}>
        {label}
      </Button>
    </Form>
  );
}
