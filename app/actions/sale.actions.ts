import {
  type ActionArgs,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { getScope } from '#app/request.ts';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { actOnSale } from '#features/sales/commands/act-on-sale.ts';
import { actionDoneMessage, validateNote } from '#features/sales/components/sale-actions.ts';
import { partyEvents, type TransitionResult } from '#features/sales/model.ts';
import { saleView } from '#features/sales/reads.ts';
import { transitionRefusalMessages } from '#features/sales/rules.ts';

interface RouteArgs extends ActionArgs {
  params: { id: string };
  url: URL;
}

/** Loads a sale for its page; `openDialog` is the action whose dialog the URL opens, for browsers without JavaScript. */
export async function loadSale({ params, url, context }: RouteArgs) {
  const { ctx } = getScope(context);
  const sale = await saleView(ctx, params.id);
  const openDialog = sale.actions.find((event) => event === url.searchParams.get('do')) ?? null;
  return { sale, openDialog };
}

type PartyAction = (typeof partyEvents)[number] | 'cancel_checkout';

/** Handles the actions of a sale's page; a refusal is returned with the input. */
export function handleSaleForm(args: RouteArgs) {
  const { params, url } = args;
  const act =
    (event: PartyAction) =>
    async (submission: Submission): Promise<Response | Refusal> => {
      const note = submission.text('note');
      const problem = validateNote(event, note);
      if (problem) return invalid({ note: problem });
      const result = await perform(submission, { saleId: params.id, event, note });
      if (!result.ok) return conflict(transitionRefusalMessages[result.reason]);
      return redirectWithToast(url.pathname, actionDoneMessage(event), { status: 303 });
    };
  return runAction(args, {
    intents: Object.fromEntries(
      [...partyEvents, 'cancel_checkout' as const].map((event) => [event, act(event)]),
    ),
    preserve: ['note'],
  });
}

const perform = (
  { ctx }: Submission,
  { saleId, event, note }: { saleId: string; event: PartyAction; note: string },
): Promise<TransitionResult> =>
  event === 'cancel_checkout' ? cancelCheckout(ctx, { saleId }) : actOnSale(ctx, { saleId, event, note });
