import type { ReactNode } from 'react';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { TourDialog } from '#features/tours/components/tour-dialog.tsx';
import { TourList } from '#features/tours/components/tour-list.tsx';
import type { OwnTours, TourAction, TourView } from '#features/tours/model.ts';
import type { ActionData } from '#ui/action-data.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { Notice } from '#ui/notice.tsx';
import { useAnswer } from '#ui/use-answer.ts';

/** The dialog that the URL opens, for a tour with which that can still be done. */
interface OpenDialog {
  action: Exclude<TourAction, 'confirm'>;
  tour: TourView;
}

/** Reads from the URL which dialog is open; null for none, and for what is no longer possible. */
export function dialogOf(tours: OwnTours | null, { searchParams }: URL): OpenDialog | null {
  const action = searchParams.get('do');
  const tour = tours?.open.find(({ id }) => id === searchParams.get('id'));
  if (!tour || (action !== 'propose' && action !== 'decline' && action !== 'cancel')) return null;
  return tour.actions.includes(action) ? { action, tour } : null;
}

interface Props {
  /** null when they could not be loaded */
  tours: OwnTours | null;
  dialog: OpenDialog | null;
  pathTo: (query?: { do?: string; id?: string }) => string;
  empty: ReactNode;
  answer: ActionData | undefined;
}

/** The tours of one side, kept up to date. */
export function ToursPage({ tours, dialog, pathTo, empty, answer: latest }: Props) {
  const answer = useAnswer(latest);
  const revalidate = useRevalidate();
  useLiveEvents((message) => {
    if (message.type === 'tour.changed' || mayHaveMissed(message)) void revalidate();
  });
  if (!tours) return <FailedPanel title="Your tours could not be loaded." />;
  // A dialog shows its own refusal, unless the tour has changed so that it is gone.
  const problem = answer?.ok === false && answer.intent !== dialog?.action ? answer.toast : undefined;
  return (
    <>
      {problem && <Notice title={problem.title}>{problem.text}</Notice>}
      <TourList tours={tours} empty={empty} dialogHref={(action, id) => pathTo({ do: action, id })} />
      {dialog && <TourDialog key={dialog.tour.id} {...dialog} closeHref={pathTo()} answer={answer} />}
    </>
  );
}
