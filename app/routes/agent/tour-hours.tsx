import { data } from 'react-router';
import { NOT_SAVED, preserveInput } from '#app/actions/preserve-input.ts';
import { invalid, type Refusal, redirectWithToast, runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { removeDay } from '#features/tours/commands/remove-day.ts';
import { saveDay } from '#features/tours/commands/save-day.ts';
import { saveHours } from '#features/tours/commands/save-hours.ts';
import { DayForms, WeekForm } from '#features/tours/components/hours-forms.tsx';
import { tourHours } from '#features/tours/reads.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import type { Route } from './+types/tour-hours';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const hours = await readOrNull(ctx, () => tourHours(ctx));
  const readOnly = ctx.actor.kind === 'user' && ctx.actor.suspended;
  return data({ hours, readOnly }, hours ? undefined : { status: 503 });
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];
/** A time of day as a form carries it; a missing one is none, and becomes an error beside its field. */
const minutes = (text: string) => (text === '' ? Number.NaN : Number(text));

const everyField = (form: FormData): Readonly<Record<string, string>> =>
  Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));

export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    preserve: everyField,
    intents: {
      async 'save-week'({ ctx, text }): Promise<Response | Refusal> {
        const week = WEEKDAYS.flatMap((weekday) => {
          const [from, to] = [text(`from${weekday}`), text(`to${weekday}`)];
          return from === '' && to === '' ? [] : [{ weekday, starts: minutes(from), ends: minutes(to) }];
        });
        const saved = await saveHours(ctx, { week });
        if (!saved.ok) return invalid(saved.errors);
        return redirectWithToast(tourPaths.hours(), { title: 'Tour hours saved' }, { status: 303 });
      },
      async 'save-day'({ ctx, text }): Promise<Response | Refusal> {
        const [from, to] = [text('from'), text('to')];
        const hours = from === '' && to === '' ? null : { starts: minutes(from), ends: minutes(to) };
        const saved = await saveDay(ctx, { day: text('day'), hours });
        if (!saved.ok) return invalid(saved.errors);
        return redirectWithToast(tourPaths.hours(), { title: 'Day saved' }, { status: 303 });
      },
      async 'remove-day'({ ctx, text }): Promise<Response> {
        await removeDay(ctx, { day: text('day') });
        return redirectWithToast(tourPaths.hours(), { title: 'Day removed' }, { status: 303 });
      },
    },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: everyField, toast: NOT_SAVED, refusalsLeave: true });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Tour Hours', hidden: true });

/** When the seller shows properties. */
export default function TourHoursPage({ loaderData: { hours, readOnly }, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData);
  return (
    <>
      <AreaHead title="Tour Hours" back={{ href: tourPaths.ofSeller(), label: 'Tours' }} />
      <FlashToast toast={actionData?.toast} />
      {hours ? (
        <>
          <WeekForm hours={hours} answer={answer} readOnly={readOnly} />
          <DayForms hours={hours} answer={answer} readOnly={readOnly} />
        </>
      ) : (
        <FailedPanel title="Your tour hours could not be loaded." />
      )}
    </>
  );
}
