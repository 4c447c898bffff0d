import { useEffect, useId, useRef } from 'react';
import { useFetcher } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { IntentField } from '#ui/intent-field.tsx';
import { SwitchButton } from '#ui/switch.tsx';
import { toast } from '#ui/toast.ts';
import { zoneText } from '../report-labels.ts';
import type { WeeklyMailChoice } from '../weekly-mail-choice.ts';

/** The intent of the form. */
export const CHOOSE_WEEKLY_MAIL = 'weekly-mail';

/** Turns the weekly report by email on or off; what became of it is said in a toast. */
export function WeeklyMailSwitch({ choice: { wanted, zone } }: { choice: WeeklyMailChoice }) {
  const hint = useId();
  const fetcher = useFetcher<ActionData>();
  const shown = useRef<ActionData | undefined>(undefined);
  useEffect(() => {
    const answer = fetcher.data;
    if (!answer || shown.current === answer) return;
    shown.current = answer;
    if (answer.toast) toast(answer.toast);
  });
  const chosen = fetcher.formData?.get('wanted');
  const on = chosen ? chosen === 'yes' : wanted;
  return (
    <fetcher.Form method="post" action={adminPaths.reports()} className="report-mail">
      <IntentField is={CHOOSE_WEEKLY_MAIL} />
      <input type="hidden" name="wanted" value={wanted ? 'no' : 'yes'} />
      <SwitchButton
        label="Email me a weekly summary"
        on={on}
        aria-describedby={hint}
        aria-busy={chosen ? true : undefined}
        onClick={(event) => chosen && event.preventDefault()}
      />
      <span aria-hidden="true">Email me a weekly summary</span>
      <span className="hint" id={hint}>
        Mondays at 8:00 AM, {zoneText(zone)}
      </span>
    </fetcher.Form>
  );
}
