import { useState } from 'react';
import { RecordHistory } from '#features/audit/components/record-history.tsx';
import { SAVE_SCHEDULE, ScheduleForm } from '#features/payout-schedule/components/schedule-form.tsx';
import { ScheduleStatus } from '#features/payout-schedule/components/schedule-status.tsx';
import { scheduleMessages, scheduleVersion } from '#features/payout-schedule/rules.ts';
import type { ActionData } from '#ui/action-data.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { Panel } from '#ui/panel.tsx';
import { useDiscardQuestion } from '#ui/use-discard-question.tsx';
import type { ScheduleTabData } from './schedule.ts';
import { type NewerSchedule, scheduleHref } from './schedule-query.ts';

interface Props {
  shown: ScheduleTabData;
  answer: (ActionData & NewerSchedule) | undefined;
}

/** The tab Payout Schedule: when sellers are paid without an administrator. */
export function ScheduleTab({ shown: { schedule, history }, answer }: Props) {
  const [dirty, setDirty] = useState(false);
  const question = useDiscardQuestion(dirty, () => setDirty(false));
  const refused = answer?.intent === SAVE_SCHEDULE && !answer.ok;
  const stored = schedule && scheduleVersion(schedule.settings);
  // Another form once something is saved. One that was refused stays: what is read again must not take it from under a key press.
  const [version, setVersion] = useState(stored);
  if (!refused && version !== stored) setVersion(stored);
  // Without what is stored, a form could overwrite it with what nobody chose.
  if (!schedule) return <FailedPanel title={scheduleMessages.loadFailed} />;
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <ScheduleForm
          key={version}
          state={schedule}
          here={scheduleHref()}
          answer={answer?.intent === SAVE_SCHEDULE ? answer : undefined}
          onDirty={setDirty}
        />
        <ScheduleStatus {...schedule} />
      </div>
      <Panel inset className="pt-6">
        <RecordHistory
          history={history}
          href={(before) => scheduleHref({ history: before === null ? undefined : String(before) })}
        />
      </Panel>
      {question}
    </>
  );
}
