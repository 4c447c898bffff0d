import { data, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { getScope, type RequestScope } from '#app/request.ts';
import type { ProofRequest } from '#features/factors/model.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { ProofRequired } from '#platform/auth/fresh-proof.ts';
import { AppError, BadRequest, TooManyRequests } from '#platform/errors.ts';
import { type ActionData, INTENT } from '#ui/action-data.ts';
import type { ToastInput } from '#ui/toast.ts';
import { formText, readFormData } from './form-data.ts';
import { readProof, requestProof } from './fresh-proof.ts';

export interface ActionArgs {
  request: Request;
  context: Parameters<typeof getScope>[0];
}

/** A form as its handler sees it. */
export interface Submission {
  intent: string;
  form: FormData;
  /** a field's text; empty when it is missing */
  text: (name: string) => string;
  request: Request;
  scope: RequestScope;
  ctx: RequestScope['ctx'];
  /** a script of ours asked, which shows the answer itself */
  scripted: boolean;
}

/** The form was refused: the page stays and shows why, together with what was typed. */
export interface Refusal<Extra extends object = object> {
  ok: false;
  /** 422 by default */
  status?: number;
  errors?: Partial<Record<string, string>>;
  /** a text is shown under the page's title for errors */
  toast?: string | ToastInput;
  headers?: Record<string, string>;
  /** the form is repeated when its user has proved who they are */
  proof?: ProofRequest;
  extra?: Extra;
}

/** The form was carried out and the page stays. */
export interface Stay<Extra extends object = object> {
  ok: true;
  toast?: ToastInput;
  extra?: Extra;
}

type Handler<Extra extends object> = (
  submission: Submission,
) => Promise<Response | Stay<Extra> | Refusal<Extra>>;

/** A page's own words for what no command says. */
export interface ActionMessages {
  /** title of refusals and faults; 'Error' by default */
  title?: string;
  /** shown after an unexpected error, with status 500; without it the error page is shown */
  failed?: string;
  /** shown when the payment provider does not answer */
  unavailable?: string;
  /** what is shown when a rate limit is reached, given its message */
  limited?: (message: string) => string;
}

type Answer<Extra extends object, Input> = ActionData<string, Input> &
  Partial<Extra> & { proof?: ProofRequest };

type PageAnswer<Extra extends object, Input> = ReturnType<typeof data<Answer<Extra, Input>>>;

interface ActionOptions<Extra extends object, Input> {
  intents: Readonly<Record<string, Handler<Extra>>>;
  /** the intent of a form that names none of these; without it such a form is a bad request */
  fallback?: string;
  /** what the page gets back of the form: these fields, or what a function makes of it */
  preserve?: readonly string[] | ((form: FormData) => Input);
  messages?: ActionMessages | ((submission: Submission, error?: unknown) => ActionMessages);
  /** Instead of the page's action data, for endpoints without a page. */
  respond?: (
    answer: Answer<Extra, Input>,
    submission: Submission,
    init: ResponseInit,
  ) => Response | PageAnswer<Extra, Input>;
}

const PROVIDER_UNAVAILABLE = 'The payment provider is not responding. Please try again.';

/**
 * Handles the forms of a page: reads the form, runs the handler that its intent names, and turns refusals and faults into
 * action data. A command that asks for a fresh proof (`requireFreshProof`) becomes a 403 by which the layout's `FreshProof` asks for
 * it and repeats the form. A rate limit becomes a 429 with `retry-after`, a payment provider that does not answer a 503, an unexpected
 * error a 500 with the page's text, logged with the request id.
 * @throws BadRequest for an unknown intent, and every AppError but rate limits: they are the error boundary's
 */
export async function runAction<Extra extends object = object, Input = Readonly<Record<string, string>>>(
  { request, context }: ActionArgs,
  options: ActionOptions<Extra, Input>,
) {
  const { intents, fallback, messages, respond } = options;
  const { form, scope, refused } = await readProof(await readFormData(request), getScope(context));
  const named = formText(form, INTENT);
  const intent = Object.hasOwn(intents, named) ? named : (fallback ?? '');
  const handler = intents[intent];
  if (!handler) throw new BadRequest('There is no such action');
  const submission: Submission = {
    intent,
    form,
    text: (name) => formText(form, name),
    request,
    scope,
    ctx: scope.ctx,
    scripted: wantsJson(request),
  };
  const wording = (error?: unknown) =>
    (typeof messages === 'function' ? messages(submission, error) : messages) ?? {};
  const result = refused
    ? await refusalForProof(submission, refused)
    : await handler(submission).catch((error: unknown) => refusalFor(error, submission, wording(error)));
  if (result instanceof Response) return result;
  const { answer, init } = answerFor(result, submission, wording(), options.preserve);
  return respond ? respond(answer, submission, init) : data(answer, init);
}

function answerFor<Extra extends object, Input>(
  result: Stay<Extra> | Refusal<Extra>,
  { intent, form }: Submission,
  { title = 'Error' }: ActionMessages,
  preserve: ActionOptions<Extra, Input>['preserve'],
): { answer: Answer<Extra, Input>; init: ResponseInit } {
  const { ok, toast, extra } = result;
  const base = {
    intent,
    ok,
    ...(preserve && { input: inputOf(form, preserve) }),
    ...extra,
  } as Answer<Extra, Input>;
  if (ok) return { answer: { ...base, ...(toast && { toast }) }, init: { status: 200 } };
  const { errors, status = 422, headers, proof } = result;
  const shown = typeof toast === 'string' ? { title, ...(toast && { text: toast }) } : toast;
  return {
    answer: {
      ...base,
      ...(errors && { errors }),
      ...(proof && { proof }),
      ...(shown && { toast: { tone: 'bad' as const, ...shown } }),
    },
    init: { status, ...(headers && { headers }) },
  };
}

const inputOf = <Input>(form: FormData, preserve: readonly string[] | ((form: FormData) => Input)): Input =>
  typeof preserve === 'function'
    ? preserve(form)
    : (Object.fromEntries(
        preserve.flatMap((name) => (form.has(name) ? [[name, formText(form, name)]] : [])),
      ) as Input);

/** The page asks for a proof, and repeats the form with it. */
async function refusalForProof(
  { request, form, scope }: Submission,
  refused?: Awaited<ReturnType<typeof readProof>>['refused'],
): Promise<Refusal<never>> {
  const proof = await requestProof(request, form, scope, refused?.errors);
  const retryAfter = refused?.retryAfterSeconds;
  return {
    ok: false,
    status: retryAfter === undefined ? 403 : 429,
    proof,
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  };
}

async function refusalFor(
  error: unknown,
  submission: Submission,
  messages: ActionMessages,
): Promise<Refusal<never>> {
  const { ctx, intent } = submission;
  if (error instanceof ProofRequired) return refusalForProof(submission);
  if (error instanceof TooManyRequests) {
    const { message, status, retryAfterSeconds } = error;
    const headers = { 'retry-after': String(retryAfterSeconds) };
    return { ok: false, status, toast: messages.limited?.(message) ?? message, headers };
  }
  if (error instanceof PaymentError) {
    ctx.log.warn({ err: error, intent }, 'a payment provider did not answer');
    return { ok: false, status: 503, toast: messages.unavailable ?? PROVIDER_UNAVAILABLE };
  }
  if (error instanceof Response || error instanceof AppError || messages.failed === undefined) throw error;
  ctx.log.error({ err: error, intent }, 'an action failed');
  return { ok: false, status: 500, toast: messages.failed };
}

/** A form with invalid fields. */
export const invalid = (errors: Partial<Record<string, string>>): Refusal<never> => ({ ok: false, errors });

/** Something has changed in the meantime, so that this is not possible anymore. */
export const conflict = (toast: string | ToastInput): Refusal<never> => ({ ok: false, status: 409, toast });

/** Redirects to a page that shows the toast. */
export function redirectWithToast(
  to: string,
  toast: ToastInput | null,
  { cookies = [], status = 302 }: { cookies?: readonly string[]; status?: 302 | 303 } = {},
): Response {
  const headers = new Headers();
  for (const cookie of [...cookies, ...(toast ? [setFlash(toast)] : [])])
    headers.append('set-cookie', cookie);
  return redirect(to, { status, headers });
}

/**
 * Whether a script of ours asks, which shows the answer itself: by its accept header, or by the path that the router's
 * fetchers and forms use. A form without scripts is redirected instead.
 */
export const wantsJson = (request: Request): boolean =>
  (request.headers.get('accept')?.includes('application/json') ?? false) ||
  new URL(request.url).pathname.endsWith('.data');
