import {
  type ActionArgs,
  conflict,
  invalid,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { cancelTour } from '#features/tours/commands/cancel-tour.ts';
import { confirmTour } from '#features/tours/commands/confirm-tour.ts';
import { declineTour } from '#features/tours/commands/decline-tour.ts';
import { proposeTour } from '#features/tours/commands/propose-tour.ts';
import type { ChangeRefusal, ChangeResult } from '#features/tours/model.ts';
import { refusalText } from '#features/tours/rules.ts';

/** What was decided on, as the forms of a tour carry it. */
const changeOf = ({ text }: Submission) => ({
  tourId: text('id'),
  sequence: Number(text('sequence')),
  reason: text('reason'),
});

/** The refusals that concern a field, by its name. */
const fields: Partial<Record<ChangeRefusal, string>> = {
  no_time: 'day',
  past: 'day',
  busy: 'day',
  too_long: 'reason',
};

/** Handles the forms of the tours of one side; `page` is where a carried out action leads. */
export const handleTourForm = (args: ActionArgs, page: string) => {
  const done = (result: ChangeResult, title: string) => {
    if (result.ok) return redirectWithToast(page, { title }, { status: 303 });
    const { reason } = result;
    const field = fields[reason];
    return field ? invalid({ [field]: refusalText[reason] }) : conflict(refusalText[reason]);
  };
  return runAction(args, {
    preserve: ['day', 'minutes', 'reason', 'id'],
    messages: { title: 'This tour was not changed' },
    intents: {
      confirm: async (form) => done(await confirmTour(form.ctx, changeOf(form)), 'Tour confirmed'),
      decline: async (form) => done(await declineTour(form.ctx, changeOf(form)), 'Tour declined'),
      cancel: async (form) => done(await cancelTour(form.ctx, changeOf(form)), 'Tour cancelled'),
      propose: async (form) =>
        done(
          await proposeTour(form.ctx, {
            ...changeOf(form),
            day: form.text('day'),
            minutes: form.text('minutes') === '' ? Number.NaN : Number(form.text('minutes')),
          }),
          'New time proposed',
        ),
    },
  });
};
