import { dataRequestHandlers } from '#app/actions/data-requests.actions.ts';
import {
  type ActionArgs,
  type ActionMessages,
  conflict,
  invalid,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { whenGone } from '#app/when-gone.ts';
import { deleteSeller } from '#features/sellers/commands/delete-seller.ts';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { resendInvitation } from '#features/sellers/commands/resend-invitation.ts';
import { setCommissionRate } from '#features/sellers/commands/set-commission-rate.ts';
import { setSellerPhone } from '#features/sellers/commands/set-seller-phone.ts';
import { reactivateSeller, suspendSeller } from '#features/sellers/commands/set-suspension.ts';
import { CHANGED_BY_OTHER, managementMessages as words } from '#features/sellers/management.ts';
import { hrefFrom, parseSellersQuery } from './query.ts';

/** What each form says when it could not be done, whatever the reason. */
const failures: Readonly<Record<string, string>> = {
  rate: words.rateFailed,
  rateInList: words.rateFailedInList,
  phone: words.phoneFailed,
  suspend: words.statusFailed,
  reactivate: words.statusFailed,
  delete: words.deleteFailed,
};

/** 'Failed to …: why' */
const failed = (intent: string, why: string): string => {
  if (intent === 'add') return words.addFailed(why);
  return intent === 'resend' ? words.resendFailed(why) : `${failures[intent]}: ${why}`;
};

const messages = ({ intent }: Submission): ActionMessages => ({
  failed: failures[intent] ?? failed(intent, words.unexpected),
  limited: (message) => failed(intent, message),
});

/** Handles the forms of the administrators' page of sellers; what succeeds leads back to the list, with a toast. */
export function handleSellersForm(args: ActionArgs & { url: URL }) {
  const href = hrefFrom(parseSellersQuery(args.url.searchParams));
  const back = href({});
  const done = (toast: { title: string; text?: string }) => redirectWithToast(back, toast);
  const refused = ({ intent }: Submission, why: string) =>
    redirectWithToast(back, { title: 'Error', text: failed(intent, why), tone: 'bad' });
  /** Another administrator may have deleted the seller meanwhile. */
  const known = (handler: (submission: Submission) => ReturnType<typeof add>) => (submission: Submission) =>
    whenGone(handler(submission), () => refused(submission, words.gone));

  const add = async ({ ctx, text }: Submission) => {
    const result = await inviteSeller(ctx, {
      name: text('name'),
      email: text('email'),
      phone: text('phone'),
    });
    if (result.ok) return done(words.added);
    if (result.reason === 'invalid') return invalid(result.errors);
    const [why, toast] =
      result.reason === 'duplicate'
        ? [words.duplicate.text, words.duplicate]
        : [words.addressTaken, words.addFailed(words.addressTaken)];
    return { ...conflict(toast), errors: { email: why } };
  };

  const setRate = (success: string) =>
    known(async (submission) => {
      const { ctx, text } = submission;
      const result = await setCommissionRate(ctx, {
        sellerId: text('id'),
        rate: text('rate'),
        seen: text('seen'),
      });
      if (result.ok) return done({ title: success });
      return result.reason === 'invalid'
        ? invalid({ rate: result.error })
        : refused(submission, CHANGED_BY_OTHER);
    });

  const setStatus = (command: typeof suspendSeller, success: string, already: string) =>
    known(async (submission) => {
      const { ctx, text } = submission;
      const result = await command(ctx, { sellerId: text('id'), reason: text('reason') });
      if (result.ok) return done({ title: success });
      return result.reason === 'no_reason'
        ? invalid({ reason: words.reasonMissing })
        : refused(submission, already);
    });

  return runAction<object>(args, {
    intents: {
      add,
      resend: known(async ({ ctx, text }) => {
        const { isPasswordReset } = await resendInvitation(ctx, { sellerId: text('id') });
        return done(isPasswordReset ? words.resetSent : words.resent);
      }),
      rate: setRate(words.rateUpdated),
      rateInList: setRate(words.rateUpdatedInList),
      phone: known(async (submission) => {
        const { ctx, text } = submission;
        const result = await setSellerPhone(ctx, {
          sellerId: text('id'),
          phone: text('phone'),
          seen: text('seen'),
        });
        if (result.ok) return done({ title: words.phoneUpdated });
        return result.reason === 'invalid'
          ? invalid({ phone: result.error })
          : refused(submission, CHANGED_BY_OTHER);
      }),
      suspend: setStatus(suspendSeller, words.suspended, words.alreadySuspended),
      reactivate: setStatus(reactivateSeller, words.reactivated, words.notSuspended),
      delete: known(async (submission) => {
        const { ctx, text } = submission;
        const result = await deleteSeller(ctx, { sellerId: text('id'), way: text('way') });
        if (result.ok)
          return done({ title: words.deleted, ...(result.withdrawing && { text: words.withdrawing }) });
        return refused(submission, result.reason === 'open_sale' ? words.saleOpen : CHANGED_BY_OTHER);
      }),
      export: dataRequestHandlers(({ text }, link) => href({ details: text('id'), export: link })).export,
    },
    preserve: ['id', 'name', 'email', 'phone', 'rate', 'reason'],
    messages,
  });
}
