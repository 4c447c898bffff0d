import { data, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { getScope } from '#app/request.ts';
import { typedText } from '#app/sign-in/answer.ts';
import { actOnSale } from '#features/purchases/commands/act-on-sale.ts';
import { cancelCheckout } from '#features/purchases/commands/cancel-checkout.ts';
import { deedDone, noteProblem } from '#features/purchases/components/deeds.ts';
import { type DeedAnswer, type MoveResult, partyEvents } from '#features/purchases/model.ts';
import { saleView } from '#features/purchases/reads.ts';
import { moveText } from '#features/purchases/rules.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { BadRequest, TooManyRequests } from '#platform/errors.ts';

interface RouteArgs {
  request: Request;
  params: { id: string };
  url: URL;
  context: Parameters<typeof getScope>[0];
}

/** A sale for its page; `asked` is the deed whose dialog the address opens, for those without scripts. */
export async function loadSale({ params, url, context }: RouteArgs) {
  const { ctx } = getScope(context);
  const sale = await saleView(ctx, params.id);
  const asked = sale.actions.find((event) => event === url.searchParams.get('do')) ?? null;
  return { sale, asked };
}

/** What a button of the page does; a refusal comes back with everything that was typed. */
export async function answerSale({ request, params, url, context }: RouteArgs) {
  const scope = getScope(context);
  const form = await formOf(request);
  const wish = typedText(form, 'event');
  const event = [...partyEvents, 'cancel_checkout' as const].find((known) => known === wish);
  if (!event) throw new BadRequest('There is no such deed');
  const note = typedText(form, 'note');
  const refuse = (text: string, status: number) =>
    data({ event, text, note } satisfies DeedAnswer, { status });
  const problem = noteProblem(event, note);
  if (problem) return refuse(problem, 422);
  try {
    const moved = await move(scope, params.id, event, note);
    if (!moved.ok) return refuse(moveText[moved.reason], 409);
  } catch (error) {
    if (error instanceof TooManyRequests) return refuse(error.message, 429);
    if (error instanceof PaymentError)
      return refuse('The payment provider does not answer. Please try again.', 503);
    throw error;
  }
  return redirect(url.pathname, { status: 303, headers: { 'set-cookie': setFlash(deedDone(event)) } });
}

type Deed = (typeof partyEvents)[number] | 'cancel_checkout';

const move = (
  { ctx, services }: ReturnType<typeof getScope>,
  saleId: string,
  event: Deed,
  note: string,
): Promise<MoveResult> =>
  event === 'cancel_checkout'
    ? cancelCheckout(ctx, saleId, services.payments)
    : actOnSale(ctx, { saleId, event, note });
