import { readOrNull } from '#app/read-or.ts';
import { type Administrator, adminList } from '#features/accounts/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { referenceOf } from '#platform/http/reference.ts';

type Admins =
  | { admins: Administrator[]; failure: null; status: 200 }
  /** `failure` says why, or by which reference the cause is found in the log */
  | { admins: null; failure: string; status: number };

/** All administrators for their page, or why there are none to show: a refusal is a failure of the list like any other. */
export async function readAdmins(ctx: Ctx): Promise<Admins> {
  try {
    const admins = await readOrNull(ctx, () => adminList(ctx));
    if (admins) return { admins, failure: null, status: 200 };
    return { admins, failure: `Reference: ${referenceOf(ctx.requestId)}`, status: 503 };
  } catch (error) {
    if (!(error instanceof Unauthenticated) && !(error instanceof Forbidden)) throw error;
    return { admins: null, failure: error.message, status: error.status };
  }
}
