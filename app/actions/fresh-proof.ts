import type { RequestScope } from '#app/request.ts';
import { proveIdentity } from '#features/factors/commands/prove-identity.ts';
import { PROOF, type ProofRequest } from '#features/factors/model.ts';
import { proofChoices } from '#features/factors/reads.ts';
import { seal, unseal } from '#platform/auth/seal.ts';
import { BadRequest, TooManyRequests } from '#platform/errors.ts';
import { formText } from './form-data.ts';

const PURPOSE = 'refused form';

/** A form that was refused for want of a fresh proof, and whose it is. */
interface Refused {
  sessionId: string | null;
  fields: [name: string, value: string][];
}

/** A form as it goes to its handler. */
interface Proved {
  form: FormData;
  scope: RequestScope;
  /** why the proof that came with the form does not count */
  refused?: { errors: NonNullable<ProofRequest['errors']>; retryAfterSeconds?: number };
}

/**
 * Reads the proof that a repeated form brings: the form is then the one that was refused, and its user has proved who they are.
 * Any other form is left as it is.
 * @throws BadRequest for a form that was not refused in this session
 */
export async function readProof(sent: FormData, scope: RequestScope): Promise<Proved> {
  const sealed = formText(sent, PROOF.form);
  if (!sealed) return { form: sent, scope };
  const text = unseal(scope.ctx.config, PURPOSE, sealed);
  const refused = text === null ? null : (JSON.parse(text) as Refused);
  if (!refused || refused.sessionId !== scope.sessionId) throw new BadRequest('This form cannot be repeated');
  const form = new FormData();
  for (const [name, value] of refused.fields) form.append(name, value);
  try {
    const result = await proveIdentity(scope.ctx, {
      sessionId: scope.sessionId,
      password: formText(sent, PROOF.password),
      code: formText(sent, PROOF.code),
      passkey: formText(sent, PROOF.passkey),
    });
    if (!result.ok) return { form, scope, refused: { errors: result.errors } };
    const { actor } = scope.ctx;
    const proved = actor.kind === 'user' ? { ...actor, provedAt: result.provedAt } : actor;
    return { form, scope: { ...scope, ctx: { ...scope.ctx, actor: proved } } };
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    const { message, retryAfterSeconds } = error;
    return { form, scope, refused: { errors: { password: message }, retryAfterSeconds } };
  }
}

/**
 * What a page needs to ask for a proof and to repeat the form with it. The form travels sealed, so that passwords in it are not
 * readable in the page; files are left out.
 */
export async function requestProof(
  request: Request,
  form: FormData,
  { ctx, sessionId }: RequestScope,
  errors?: ProofRequest['errors'],
): Promise<ProofRequest> {
  const fields = [...form].filter((field): field is [string, string] => typeof field[1] === 'string');
  const refused: Refused = { sessionId, fields };
  return {
    form: seal(ctx.config, PURPOSE, JSON.stringify(refused)),
    action: pageOf(request),
    choices: await proofChoices(ctx),
    ...(errors && { errors }),
  };
}

/** The address of the page whose action was called, also by the router's own requests for its data. */
function pageOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  searchParams.delete('_routes');
  const query = searchParams.toString();
  return pathname.replace(/\.data$/, '') + (query && `?${query}`);
}
